/**
 * One event against loaded configs, with nothing printed: what `test` does for each case.
 */
import type { Loaded } from '../config/load';
import type { Event, Reply, Verdict, Visit } from '../core/model';
import { plan } from '../core/plan';
import { knownEvents, NATIVE, ROOMS, roomOf, rowOf } from '../dialects';
import { callerOf } from '../dialects/detect';
import type { Hint, Room, World } from '../dialects/dialect';
import { runChain } from '../runner/chain';
import type { Exec } from '../runner/exec';
import { selectionFor } from './doors';
import { toldTo, verdictOf } from './verdict';

export type Judged = {
  readonly event: Event;
  readonly verdict: Verdict;
  readonly reply: Reply;
  readonly visits: readonly Visit[];
};

/** Reads a payload as `run` does. `as`: the caller's id. */
export function readPayload(
  bytes: Uint8Array,
  as: string | undefined,
  hint: Omit<Hint, 'events'>,
): { readonly room: Room; readonly event: Event } | { readonly refused: string } {
  const room = (as === undefined ? callerOf(bytes, ROOMS, hint.env) : roomOf(as)) ?? NATIVE;
  const event = room.readEvent(bytes, { ...hint, events: knownEvents() });
  return 'refused' in event ? { refused: event.refused } : { room, event };
}

/** Runs the chain of an event and folds it; the trace is always there. */
export async function judgeEvent(room: Room, event: Event, loaded: Loaded, exec: Exec, world: World): Promise<Judged> {
  const planned = plan(loaded.hooks, event, await selectionFor(loaded.hooks, event));
  const chained = await runChain(planned, event, rowOf(room, event), { exec, world, deadline: undefined });
  const verdict = toldTo(room, verdictOf(chained, loaded, event, { trace: true, display: false }), event);
  const { trace: _, ...untraced } = verdict;
  return { event, verdict, reply: room.writeReply(untraced, event), visits: chained.visits };
}
