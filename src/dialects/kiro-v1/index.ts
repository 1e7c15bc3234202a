import type { Room } from '../dialect';
import { claims, readConfig } from './config';
import { readEvent, writeReply } from './reply';
import { spec } from './spec';
import { job, readOutcome, rule, subjects } from './wire';

export const kiroV1 = {
  spec,
  readEvent,
  writeReply,
  author: { claims, readConfig, subjects, rule, job, readOutcome },
} as const satisfies Room;
