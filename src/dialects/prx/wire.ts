/**
 * How a PRX hook is started, and what its end means: nothing for the verdict, a line in the log.
 */
import type { ComponentJob, Event, Hook, Job, Outcome, Result, Row } from '../../core/model';
import type { RuleResult } from '../../core/plan';
import { clean, cut, decode, firstLine } from '../../core/text';
import type { World } from '../dialect';
import { type Launch, programOf } from './config';
import { type Given, givenTo } from './event';
import type { PluginLaunch } from './plugin';
import { MAX_VARIABLE_BYTES, MINIMAL_PATH, spec } from './spec';

/** So much of each stream is kept; all of it is read. */
const KEPT_BYTES = 4_096;
const STDERR_CHARS = 200;

/** What a hook finds in its environment, and nothing of hookctl's own. */
export const ENVIRONMENT = {
  ZERO_HOOK_EVENT: 'the event, as PRX calls it',
  ZERO_HOOK_SESSION: '`session_id`, which may be empty',
  ZERO_HOOK_TIMESTAMP: '`timestamp`',
  ZERO_HOOK_PAYLOAD: 'the whole event as JSON, if it has at most 8,192 bytes',
  ZERO_HOOK_PAYLOAD_TRUNCATED: '`1` where `ZERO_HOOK_PAYLOAD` is left out; else not set',
  ZERO_HOOK_PAYLOAD_FILE: 'the path of a file with the same bytes, always; it is removed when the hook has ended',
  PATH: `\`${MINIMAL_PATH}\``,
  HOOKCTL_DEPTH: 'the depth of an event that this hook would emit',
  HOOKCTL_TEST: '`1` under `hookctl test`',
} as const;

/** `fits`: no hook is started for an event that is larger than PRX allows. */
export function rule(_written: string, _hook: Hook, event: Event): RuleResult {
  const given = givenTo(event, '');
  if ('text' in given) return true;
  return { skipped: given.why, warning: `the PRX hooks were not started: ${given.why}` };
}

/** A plugin's call, or argv without a shell; the event in the environment, in a file, and on stdin where the action asks for it. */
export function job(hook: Hook, event: Event, world: World): Job {
  const launch = launchOf(hook);
  const given = givenTo(event, world.now);
  if (!('text' in given)) return { kind: 'cannot', why: given.why };
  if (launch.kind === 'plugin') return onEvent(launch, hook, given);
  const { cwd } = launch;
  const absolute = cwd?.startsWith('/') === true;
  return {
    kind: 'process',
    argv: [[programOf(launch.command, hook.root), ...launch.args]],
    cwd: [cwd === undefined ? hook.root : absolute ? cwd : `${hook.root}/${cwd}`],
    ...(absolute ? {} : { within: hook.root }),
    env: { from: 'none', drop: [], set: environment(launch, given, world) },
    stdin: launch.stdin ? { text: given.text } : 'closed',
    newline: launch.stdin,
    payloadFile: { variable: 'ZERO_HOOK_PAYLOAD_FILE', content: { text: given.text } },
    keep: KEPT_BYTES,
    ms: launch.ms,
    graceMs: spec.defaults.graceMs,
    wait: world.test || world.waits === true,
  };
}

/** The call of a plugin: an instance of its own for each event. */
function onEvent({ wasm, config, memoryMb, ms }: PluginLaunch, { root }: Hook, { event, text }: Given): ComponentJob {
  return {
    kind: 'component',
    component: `${root}/${wasm}`,
    event,
    payload: { text },
    config,
    memoryMiB: memoryMb,
    keep: KEPT_BYTES,
    ms,
    graceMs: spec.defaults.graceMs,
  };
}

function environment(launch: Launch, { event, session, timestamp, text }: Given, world: World): Record<string, string> {
  const fits = text.length <= MAX_VARIABLE_BYTES && new TextEncoder().encode(text).length <= MAX_VARIABLE_BYTES;
  return {
    ZERO_HOOK_EVENT: event,
    ZERO_HOOK_SESSION: session.replaceAll('\0', ''),
    ZERO_HOOK_TIMESTAMP: timestamp,
    ...(fits ? { ZERO_HOOK_PAYLOAD: text } : { ZERO_HOOK_PAYLOAD_TRUNCATED: '1' }),
    PATH: MINIMAL_PATH,
    HOOKCTL_DEPTH: String(world.depth),
    ...(world.test ? { HOOKCTL_TEST: '1' } : {}),
    ...launch.env,
  };
}

/** No exit code and no answer decides anything; what is no success is told as a failure, which nobody obeys. */
export function readOutcome(result: Result, _hook: Hook, _event: Event, _row: Row): Outcome {
  const why = whyFailed(result);
  return why === undefined ? { kind: 'none', warnings: [] } : { kind: 'failure', failure: why, warnings: [] };
}

function whyFailed(result: Result): string | undefined {
  if (result.kind === 'started' || result.kind === 'said' || result.kind === 'answered') return undefined;
  if (result.kind === 'ended' && result.exit === 0) return undefined;
  const why = result.kind === 'ended' ? `exit ${result.exit}` : result.why;
  const line = cut(firstLine(clean(decode(result.err))), STDERR_CHARS);
  return line === '' ? why : `${why}: ${line}`;
}

/** The one door: `written` is what `config.ts` or `plugin.ts` wrote. */
function launchOf(hook: Hook): Launch | PluginLaunch {
  return JSON.parse(hook.written.text) as Launch | PluginLaunch;
}
