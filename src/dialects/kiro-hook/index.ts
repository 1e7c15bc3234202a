import type { Room } from '../dialect';
import { claims, readConfig } from './config';
import { readEvent, writeReply } from './reply';
import { spec } from './spec';
import { job, readOutcome, subjects } from './wire';

export const kiroHook = {
  spec,
  readEvent,
  writeReply,
  author: { claims, readConfig, subjects, job, readOutcome },
} as const satisfies Room;
