import type { Room } from '../dialect';
import { advise } from './advice';
import { claims, readConfig } from './config';
import { readEvent } from './event';
import { join } from './join';
import { writeReply } from './reply';
import { spec } from './spec';
import { payload } from './stdin';
import { job, readOutcome, rule, subjects } from './wire';
import { wiring } from './wiring';

export const claude = {
  spec,
  readEvent,
  writeReply,
  payload,
  wiring,
  author: {
    advise,
    claims,
    readConfig,
    join,
    subjects,
    rule,
    job,
    readOutcome,
  },
} as const satisfies Room;
