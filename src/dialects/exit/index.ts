import { readNativeEvent } from '../_shared/native-event';
import type { Room } from '../dialect';
import { writeReply } from './reply';
import { spec } from './spec';

export const exit = {
  spec,
  readEvent: (bytes, hint) => readNativeEvent(bytes, hint, spec.id, spec.rows),
  writeReply,
} as const satisfies Room;
