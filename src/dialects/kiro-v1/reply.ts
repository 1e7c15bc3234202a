/**
 * The caller's side: Kiro reads an exit code, stderr at exit 2, and stdout.
 */
import type { Event, Reply, Verdict } from '../../core/model';
import { type KiroCaller, readKiroEvent } from '../_shared/kiro-event';
import { kiroReply } from '../_shared/kiro-reply';
import type { Hint, Refused } from '../dialect';
import { ALIASES, ROWS } from './spec';

const CALLER: KiroCaller = { room: 'kiro-v1', rows: ROWS, aliases: ALIASES };

export function readEvent(bytes: Uint8Array, hint: Hint): Event | Refused {
  return readKiroEvent(bytes, hint, CALLER);
}

export function writeReply(verdict: Verdict, event: Event | undefined): Reply {
  return kiroReply(verdict, event, 'decision');
}
