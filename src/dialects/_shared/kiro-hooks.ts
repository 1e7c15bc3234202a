/**
 * How Kiro's hooks are started, and what their end means: by the table of endings of their format.
 */
import type { Action, Block, Event, Hook, Job, Outcome, Raw, Result, Row } from '../../core/model';
import { clean, cut, decode, filled, firstLine, tellingLine } from '../../core/text';
import type { Ending, World } from '../dialect';
import { permissionIn, turnBlockIn } from './kiro-answer';
import { filePath } from './kiro-payload';
import { saysMissing } from './missing';

/** What a launch needs, as it is kept in `Hook.written`. One of `command` and `prompt`. */
export type KiroLaunch = {
  /** The trigger, by the format's first name for it. */
  readonly native: string;
  readonly command?: string;
  /** Told to the agent: no process. */
  readonly prompt?: string;
  readonly ms: number | 'none';
  /** Bytes of output that count. */
  readonly cap?: number;
  /** A question that only the agent can ask its user; `stops`: the answers that keep the hook from running. */
  readonly confirm?: { readonly question: string; readonly stops: readonly string[] };
};

/** What differs between the formats. */
export type KiroStart = {
  readonly shells: readonly (readonly string[])[];
  readonly stdin: 'event bytes' | Raw;
  readonly set: Readonly<Record<string, string | undefined>>;
};

export const GRACE_MS = 2_000;
const STDERR_CHARS = 200;
const MAX_SESSION_CHARS = 4_096;
/** What a surrounding hookctl, or Kiro, may have set for another hook. */
const OF_OTHERS = ['USER_PROMPT', 'KIRO_HOOK_FILE', 'KIRO_SESSION_ID', 'WORKSPACE_ROOT', 'HOOKCTL_SESSION'];

/** A process in the event's folder; a prompt for the agent is said. */
export function kiroJob(hook: Hook, event: Event, world: World, start: KiroStart): Job {
  const { command, prompt, ms } = launchOf(hook);
  if (command === undefined) {
    const path = filePath(event) ?? '';
    return { kind: 'say', context: (prompt ?? '').replaceAll('{{filePath}}', () => path) };
  }
  return {
    kind: 'process',
    argv: start.shells.map((shell) => [...shell, command]),
    cwd: [event.cwd, hook.root],
    env: { from: 'all', drop: OF_OTHERS, set: defined({ ...common(hook, event, world), ...start.set }) },
    stdin: start.stdin,
    newline: false,
    ms,
    graceMs: GRACE_MS,
    wait: true,
  };
}

function common(hook: Hook, event: Event, { depth, test }: World): Readonly<Record<string, string | undefined>> {
  const session = event.session?.replaceAll('\0', '') ?? '';
  return {
    HOOKCTL_CONFIG_DIR: hook.root,
    HOOKCTL_EVENT: event.name,
    HOOKCTL_DEPTH: String(depth),
    HOOKCTL_SESSION: session === '' || session.length > MAX_SESSION_CHARS ? undefined : session,
    HOOKCTL_TEST: test ? '1' : undefined,
  };
}

function defined(set: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(set).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value.replaceAll('\0', '')]],
    ),
  );
}

/** `row` is the caller's; `ending` is the author's, of the hook's trigger. */
export function kiroOutcome(result: Result, hook: Hook, event: Event, row: Row, ending: Ending): Outcome {
  if (result.kind === 'said') return saidOutcome(result.context, hook, row);
  if (result.kind === 'answered' || result.kind === 'started') return failure('the hook gave no process result');
  const reading: Reading = { hook, event, ending, out: decode(result.out), stderr: cleaned(result.err, hook) };
  if (result.kind === 'ended' && result.exit === 0) return afterSuccess(result.out, reading);
  const why = result.kind === 'ended' ? `exit ${result.exit}` : result.why;
  if (result.kind === 'ended' && result.exit === 2) return afterCode(2, ending.exit2, reading);
  const isOwn = result.kind === 'ended' || result.kind === 'killed';
  const said = isOwn && ending.reads === 'permission' ? permissionIn(reading.out) : undefined;
  if (said !== undefined && said.verb !== 'go on') return afterRestriction(said, why, reading);
  return result.kind === 'ended' ? afterCode(result.exit, ending.other, reading) : failed(why, reading);
}

type Reading = {
  readonly hook: Hook;
  readonly event: Event;
  readonly ending: Ending;
  readonly out: string;
  /** Trimmed. */
  readonly stderr: string;
};

/** An agent that takes no context on this event cannot be told. */
function saidOutcome(context: string, hook: Hook, row: Row): Outcome {
  if (row.can.context === 'yes') return { kind: 'none', context: clean(context), warnings: [] };
  return none([`${hook.label}: its prompt was not delivered: nothing can be added on ${row.native}`]);
}

/** JSON is read before the output is cut. */
function afterSuccess(bytes: Uint8Array, reading: Reading): Outcome {
  const { ending, hook, out } = reading;
  if (ending.reads === 'permission') {
    const said = permissionIn(out);
    if (said !== undefined) return permitted(said, reading);
  }
  if (ending.reads === 'block') {
    const said = turnBlockIn(out);
    if (said === 'no reason')
      return none([`${hook.label}: its "decision": "block" has no "reason", so it does not count`]);
    if (said !== undefined) return decided('deny', clean(said.reason));
  }
  const text = clean(capped(bytes, hook)).trimEnd();
  return ending.stdout === 'dropped' || text.trim() === '' ? none([]) : { ...none([]), context: text };
}

type Restriction = NonNullable<ReturnType<typeof permissionIn>>;

function permitted({ verb, reason }: Restriction, reading: Reading): Outcome {
  const { hook, event } = reading;
  if (verb === 'go on') return none([]);
  const action = verb === 'ask' && event.name === 'preToolCall' ? 'ask' : blockOn(event);
  const otherwise =
    verb === 'ask' ? `${hook.label} asks to confirm ${event.tool?.name ?? event.name}` : `blocked by ${hook.label}`;
  return decided(action, filled(clean(reason ?? '')) ?? otherwise);
}

/** A decision of a hook that then ended badly: where that blocks anyway, an ask is a block. */
function afterRestriction(said: Restriction, why: string, reading: Reading): Outcome {
  const { hook, ending } = reading;
  const outcome = permitted(said, reading);
  const blocked = ending.other === 'deny' || ending.other === 'stop' ? ending.other : outcome.action;
  const action = blocked ?? 'deny';
  return { ...outcome, action, warnings: [`${hook.label} failed: ${why}; its "${said.verb}" counts all the same`] };
}

function blockOn(event: Event): Block {
  return event.name === 'preGeneration' ? 'stop' : 'deny';
}

function afterCode(code: number, meaning: Ending['other'], reading: Reading): Outcome {
  const { hook, event, stderr } = reading;
  if (meaning === 'failure' || (event.name === 'postGeneration' && isMissing(code, reading)))
    return failed(`exit ${code}`, reading);
  if (meaning === 'told') {
    return {
      ...none([]),
      context: `${hook.label} returned an error (exit ${code})${stderr === '' ? '' : `: ${stderr}`}`,
    };
  }
  return { kind: 'exit', action: meaning, reason: filled(stderr) ?? `blocked by ${hook.label}`, warnings: [] };
}

/** A hook that cannot start would keep the agent working for ever. */
function isMissing(code: number, { hook, stderr }: Reading): boolean {
  const { command = '' } = launchOf(hook);
  return (
    code === 126 || code === 127 || [firstLine(stderr), tellingLine(stderr)].some((line) => saysMissing(line, command))
  );
}

function failed(why: string, { stderr }: Reading): Outcome {
  const line = cut(firstLine(stderr), STDERR_CHARS);
  return failure(line === '' ? why : `${why}: ${line}`);
}

function failure(why: string): Outcome {
  return { kind: 'failure', failure: why, warnings: [] };
}

function none(warnings: readonly string[]): Outcome {
  return { kind: 'none', warnings };
}

function decided(action: Action, reason: string): Outcome {
  return { kind: 'decision', action, reason, warnings: [] };
}

function cleaned(err: Uint8Array, hook: Hook): string {
  return clean(capped(err, hook)).trim();
}

/** The output up to the format's limit, cut between two characters. */
function capped(bytes: Uint8Array, hook: Hook): string {
  const { cap } = launchOf(hook);
  if (cap === undefined || bytes.length <= cap) return decode(bytes);
  let end = cap;
  while (end > 0 && isContinuation(bytes[end])) end -= 1;
  return `${decode(bytes.subarray(0, end))} ... truncated`;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}

/** The one door: `written` is what the room's `config.ts` wrote. */
export function launchOf(hook: Hook): KiroLaunch {
  return JSON.parse(hook.written.text) as KiroLaunch;
}
