import type { Room } from '../dialect';
import { readEvent } from './event';
import { writeReply } from './reply';
import { spec } from './spec';

export const claude = { spec, readEvent, writeReply } as const satisfies Room;
