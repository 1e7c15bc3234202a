/**
 * The command lines by which an agent calls hookctl, and how long they may take.
 */
import { showDuration } from '../core/duration';
import type { Hook, Row } from '../core/model';
import { authorOf } from '../dialects';
import type { WiredCall, Wiring, World } from '../dialects/dialect';
import { MARK } from './text';

/** hookctl answers so long before the agent gives up. */
const RESERVE_MS = 2_000;
const LEAST_MS = 30_000;
const MOST_MS = 600_000;

/** What a call consists of; paths are absolute. */
export type Caller = {
  /** The agent's dialect. */
  readonly as: string;
  readonly node: string;
  readonly hookctl: string;
  /** CONFIG, with `DIALECT:` before the path where one was given. */
  readonly configs: readonly { readonly dialect?: string; readonly path: string }[];
  /** Where paths inside of it are written by the variable of the agent. */
  readonly project: string | undefined;
  readonly variable: string | undefined;
};

/** A call for every row on which one of the hooks may run. */
export function callsFor(
  rows: readonly Row[],
  hooks: readonly Hook[],
  wiring: Wiring,
  caller: Caller,
  world: World,
): WiredCall[] {
  return rows.flatMap((row) => {
    const own = hooks.filter((hook) => hook.event === row.canonical && hook.off === undefined);
    if (own.length === 0) return [];
    const timeoutMs = timeoutFor(own, world);
    const guard = wiring.exit2Blocks(row) ? ' || exit 2' : '';
    const deadline = showDuration(timeoutMs - RESERVE_MS);
    const words = [
      ...programOf(caller),
      'run',
      ...caller.configs.map((one) => configWord(one, caller)),
      '--as',
      caller.as,
    ];
    return [{ row, timeoutMs, command: `${words.join(' ')} --deadline ${deadline}${guard} ${MARK}` }];
  });
}

/** What hooks in turn may take in all, and those together at most, in whole seconds. */
function timeoutFor(hooks: readonly Hook[], world: World): number {
  const ms = hooks.map((hook) => {
    const event = { name: hook.event, cwd: hook.root, rest: [], from: { room: hook.author, event: hook.event } };
    const job = authorOf(hook.author).job(hook, event, world);
    return 'ms' in job && job.ms !== 'none' ? job.ms : 0;
  });
  const together = hooks.every((hook) => hook.order.start === 'together');
  const total = together ? Math.max(...ms) : ms.reduce((sum, one) => sum + one, 0);
  return Math.min(MOST_MS, Math.max(LEAST_MS, Math.ceil(total / 1_000) * 1_000 + RESERVE_MS));
}

/** A hookctl of the project is called by the Node of whoever works on it. */
function programOf(caller: Caller): string[] {
  const shared = isInside(caller.hookctl, caller);
  return [shared ? 'node' : quoted(caller.node), pathWord(caller.hookctl, caller)];
}

function configWord({ dialect, path }: Caller['configs'][number], caller: Caller): string {
  return dialect === undefined ? pathWord(path, caller) : `${dialect}:${pathWord(path, caller)}`;
}

function pathWord(path: string, caller: Caller): string {
  if (!isInside(path, caller)) return quoted(path);
  const rest = path.slice((caller.project ?? '').length).replace(/["$`\\]/g, '\\$&');
  return `"$${caller.variable}${rest}"`;
}

/** Can the path be written so that it is right on another machine? */
export function isInside(path: string, { project, variable }: Pick<Caller, 'project' | 'variable'>): boolean {
  return project !== undefined && variable !== undefined && path.startsWith(`${project}/`);
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
