/**
 * One event against loaded configs, with nothing printed: what `test` does for each case.
 */
import type { Loaded } from '../config/load';
import type { Event, Hook, Reply, Verdict, Visit } from '../core/model';
import { plan } from '../core/plan';
import { authorOf, knownEvents, NATIVE, ROOMS, roomOf, rowOf } from '../dialects';
import { callerOf } from '../dialects/detect';
import type { Hint, Room, World } from '../dialects/dialect';
import { runChain } from '../runner/chain';
import type { Exec } from '../runner/exec';
import { selectionFor } from './doors';
import { warningsOf } from './prepare';
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
  hint: Omit<Hint, 'events' | 'now'>,
): { readonly room: Room; readonly event: Event } | { readonly refused: string } {
  const room = (as === undefined ? callerOf(bytes, ROOMS, hint.env) : roomOf(as)) ?? NATIVE;
  const event = room.readEvent(bytes, { ...hint, events: knownEvents(), now: new Date().toISOString() });
  return 'refused' in event ? { refused: event.refused } : { room, event };
}

/** A native event as a caller of another format would send it; as it is, where the format has no word for that. */
export function sentAs(bytes: Uint8Array, as: string | undefined, hint: Omit<Hint, 'events' | 'now'>): Uint8Array {
  const room = as === undefined ? undefined : roomOf(as);
  if (room?.payload === undefined) return bytes;
  const event = NATIVE.readEvent(bytes, { ...hint, events: knownEvents(), now: new Date().toISOString() });
  return 'refused' in event ? bytes : new TextEncoder().encode(room.payload(event).text);
}

export type JudgeDoors = {
  readonly exec: Exec;
  readonly world: World /** May http hooks be posted? */;
  readonly posts: boolean;
};

/** Runs the chain of an event and folds it; the trace is always there. */
export async function judgeEvent(room: Room, event: Event, loaded: Loaded, doors: JudgeDoors): Promise<Judged> {
  const { exec, world, posts } = doors;
  const hooks = posts ? loaded.hooks : loaded.hooks.map((hook) => withoutPost(hook, event, world));
  const planned = plan(hooks, event, await selectionFor(hooks, event));
  const chained = await runChain(planned, event, rowOf(room, event), { exec, world, deadline: undefined });
  const said = { switches: loaded.switches, warnings: warningsOf(loaded) };
  const verdict = toldTo(room, verdictOf(chained, said, event, { trace: true, display: false }), event);
  const { trace: _, ...untraced } = verdict;
  return { event, verdict, reply: room.writeReply(untraced, event), visits: chained.visits };
}

/** A test must not reach a server that nobody meant. */
function withoutPost(hook: Hook, event: Event, world: World): Hook {
  if (hook.event !== event.name || hook.off !== undefined) return hook;
  const isHttp = authorOf(hook.author).job(hook, event, world).kind === 'http';
  return isHttp ? { ...hook, off: 'http hooks are posted with --http alone' } : hook;
}
