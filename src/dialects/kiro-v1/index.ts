import type { Room } from '../dialect';
import { claims, readConfig } from './config';
import { payload, readEvent, writeReply } from './reply';
import { spec } from './spec';
import { job, readOutcome, rule, subjects } from './wire';
import { wiring } from './wiring';

export const kiroV1 = {
  spec,
  readEvent,
  writeReply,
  wiring,
  payload,
  author: { claims, readConfig, subjects, rule, job, readOutcome },
} as const satisfies Room;
