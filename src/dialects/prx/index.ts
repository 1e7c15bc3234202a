import type { Room } from '../dialect';
import { claims, join, readConfig } from './config';
import { payload, readEvent } from './event';
import { writeReply } from './reply';
import { spec } from './spec';
import { job, readOutcome, rule } from './wire';

export const prx = {
  spec,
  readEvent,
  payload,
  writeReply,
  author: { claims, readConfig, join, rule, job, readOutcome },
} as const satisfies Room;
