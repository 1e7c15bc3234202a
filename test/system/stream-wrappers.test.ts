/**
 * The Python wrapper of demos/stream.
 */
import { describeWrapper, PYTHON_WRAPPER } from '../demos/stream';

describeWrapper(PYTHON_WRAPPER);
