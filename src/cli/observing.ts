/**
 * Hooks that nobody waits for: they are handed to a supervisor, which lives on when hookctl has answered.
 */
import type { Event, Group } from '../core/model';
import { roomOf, rowOf } from '../dialects';
import type { Room, World } from '../dialects/dialect';
import { createSupervisor, type Supervisor } from '../emission/hand';
import { appendLog, logPath } from '../emission/log';
import type { Io } from '../io';
import type { ChainDoors } from '../runner/chain';
import { MAX_DEPTH } from './usage';

/** Of this hookctl. Nothing is started yet. */
export function supervisorOf({ programs }: Pick<Io, 'programs'>): Supervisor {
  return createSupervisor([programs.node, `${programs.bundles}/supervisor.js`]);
}

/** Hands over the groups of one chain. */
export function handOverTo(
  supervisor: Supervisor,
  room: Room,
  world: World,
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
): NonNullable<ChainDoors['handOver']> {
  const log = logPath(undefined, env, cwd);
  return (group, event) =>
    supervisor.hand({
      event,
      native: nativeName(group, event),
      session: event.session ?? '',
      row: rowOf(room, event),
      world,
      plan: { groups: [group] },
      ...(log === undefined ? {} : { log }),
    });
}

/** Of a caller that nobody answers, what comes from too deep is dropped without a word but in the run log. */
export function isTooDeep(native: string, { env, cwd }: Pick<Io, 'env' | 'cwd'>): boolean {
  const depth = Number(env['HOOKCTL_DEPTH'] ?? '');
  if (depth <= MAX_DEPTH) return false;
  const log = logPath(undefined, env, cwd);
  if (log !== undefined) appendLog(log, { kind: 'drop', event: native, reason: 'depth', depth });
  return true;
}

/** What the author of a group calls an event. */
function nativeName({ steps }: Group, event: Event): string {
  const room = roomOf(steps[0]?.hook.author ?? '');
  return room === undefined ? event.name : rowOf(room, { name: event.name }).native;
}
