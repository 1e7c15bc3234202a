import type { Room } from '../dialect';
import { claims, join, readConfig } from './config';
import { readEvent } from './event';
import { writeReply } from './reply';
import { spec } from './spec';
import { job, readOutcome, rule, subjects } from './wire';

export const claude = {
  spec,
  readEvent,
  writeReply,
  author: { claims, readConfig, join, subjects, rule, job, readOutcome },
} as const satisfies Room;
