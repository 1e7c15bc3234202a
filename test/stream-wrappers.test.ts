/**
 * The wrappers of demos/stream. The one in Python is a system test.
 */
import { describeWrapper, NODE_WRAPPER, SH_WRAPPER } from './demos/stream';

for (const wrapper of [NODE_WRAPPER, SH_WRAPPER]) describeWrapper(wrapper);
