/**
 * Entry of the supervisor's own bundle.
 */
import { supervise } from './emission/supervisor';
import { realIo } from './io';

void supervise(realIo());
