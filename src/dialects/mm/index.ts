import { readNativeEvent } from '../_shared/native-event';
import type { Room } from '../dialect';
import { readConfig } from './config';
import { writeReply } from './reply';
import { spec } from './spec';
import { job, readOutcome } from './wire';

export const mm = {
  spec,
  readEvent: (bytes, hint) => readNativeEvent(bytes, hint, spec.id, spec.rows),
  writeReply,
  author: { readConfig, job, readOutcome },
} as const satisfies Room;
