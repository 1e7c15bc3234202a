/**
 * The caller's side: Kiro CLI reads an exit code, stderr at exit 2, and stdout.
 */
import type { Event, Raw, Reply, Verdict } from '../../core/model';
import { type KiroCaller, readKiroEvent } from '../_shared/kiro-event';
import { kiroPayload } from '../_shared/kiro-payload';
import { kiroReply } from '../_shared/kiro-reply';
import type { Hint, Refused } from '../dialect';
import { ROWS } from './spec';

const CALLER: KiroCaller = { room: 'kiro-agent', rows: ROWS, aliases: {} };

export function readEvent(bytes: Uint8Array, hint: Hint): Event | Refused {
  return readKiroEvent(bytes, hint, CALLER);
}

/** What Kiro would send of a native event. */
export function payload(event: Event): Raw {
  return kiroPayload(event, 'kiro-agent', ROWS);
}

export function writeReply(verdict: Verdict, event: Event | undefined): Reply {
  return kiroReply(verdict, event, 'decision');
}
