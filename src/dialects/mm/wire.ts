/**
 * How a native hook is started, and what its end means.
 */
import type { Action, Event, Hook, Job, Outcome, Result, Row } from '../../core/model';
import { clean, cut, decode, filled, tellingLine } from '../../core/text';
import { nativeStdin } from '../_shared/native-stdin';
import type { World } from '../dialect';
import { type Answer, type Restriction, readAnswer, restrictionIn } from './answer';
import type { Launch } from './config';
import { spec } from './spec';

const STDERR_CHARS = 200;
/** Longer ones are left out: the kernel refuses to start a program with a variable of 128 KiB. */
const MAX_SESSION_CHARS = 4096;

const DEFAULT_REASON: Readonly<Record<Action, string>> = {
  allow: 'allowed by',
  deny: 'denied by',
  ask: 'asked by',
  defer: 'deferred by',
  stop: 'stopped by',
};

/** `/bin/sh -c` in the event's folder, or a module in its sandbox, with the event on stdin. */
export function job(hook: Hook, event: Event, world: World): Job {
  const launch = launchOf(hook);
  const shared = { stdin: nativeStdin(event), newline: true, ms: launch.ms, graceMs: spec.defaults.graceMs };
  if ('wasm' in launch) return { kind: 'wasm', module: launch.wasm, ...shared };
  return {
    kind: 'process',
    argv: [['/bin/sh', '-c', launch.command]],
    cwd: [event.cwd, hook.root],
    env: {
      from: 'all',
      drop: ['HOOKCTL_SESSION'],
      set: { ...contextEnv(hook, event, world), ...launch.env },
    },
    ...shared,
    wait: true,
  };
}

/** Exit 0: what stdout says. 2: a block, where the event has one. Anything else: a failure, of which only a restriction counts. */
export function readOutcome(result: Result, hook: Hook, event: Event, row: Row): Outcome {
  if (result.kind === 'answered' || result.kind === 'said' || result.kind === 'started')
    return failure('the hook gave no process result');
  const stderr = clean(decode(result.err)).trim();
  if (result.kind === 'ended' && result.exit === 0) return afterSuccess(result.out, stderr, hook, event, row);
  if (result.kind === 'ended' && result.exit === 2) return afterExit2(result.out, stderr, hook, event, row);
  const why = withStderr(result.kind === 'ended' ? `exit ${result.exit}` : result.why, stderr);
  const limited = result.kind === 'timeout' || result.kind === 'too large';
  return limited ? failure(why) : failureUnlessRestricting(why, result.out, hook, event, row);
}

function afterSuccess(out: Uint8Array, stderr: string, hook: Hook, event: Event, row: Row): Outcome {
  const answer = readAnswer(out, event, row);
  if (answer.kind === 'bad answer') {
    return failureUnlessRestricting(withStderr(clean(answer.why), stderr), out, hook, event, row);
  }
  return outcomeOf(answer, hook);
}

function afterExit2(out: Uint8Array, stderr: string, hook: Hook, event: Event, row: Row): Outcome {
  const answer = readAnswer(out, event, row);
  const said = answer.kind === 'answer' ? restrictive(answer) : undefined;
  if (row.exit2 === 'failure' || (row.exit2 === 'deny if said' && said?.action !== 'deny')) {
    return failureUnlessRestricting(withStderr('exit 2', stderr), out, hook, event, row);
  }
  const block = row.exit2 === 'deny if said' ? 'deny' : row.exit2;
  if (said === undefined) {
    return { kind: 'exit', action: block, reason: filled(stderr) ?? `blocked by ${hook.label}`, warnings: [] };
  }
  const warnings = answer.kind === 'answer' ? warningsOf(answer, hook) : [];
  return decided({ ...said, action: said.action === 'ask' ? block : said.action }, hook, warnings);
}

/** The action of an answer that restricts, with its texts and nothing else. */
function restrictive({ action, reason, response }: Answer): Restriction | undefined {
  if (action === undefined || action === 'allow') return undefined;
  return { action, ...(reason === undefined ? {} : { reason }), ...(response === undefined ? {} : { response }) };
}

function failureUnlessRestricting(why: string, out: Uint8Array, hook: Hook, event: Event, row: Row): Outcome {
  const found = restrictionIn(out, event, row);
  if (found === undefined) return failure(why);
  const strict = found.action === 'ask' && hook.onFailure === 'block';
  const action = strict && row.synthetic !== 'warning' ? row.synthetic : found.action;
  return decided({ ...found, action }, hook, [
    `${hook.label} failed: ${why}; its "${found.action}" counts all the same`,
  ]);
}

function outcomeOf(answer: Answer, hook: Hook): Outcome {
  const { kind: _, action, reason, response, context, ...rest } = answer;
  const warnings = warningsOf(answer, hook);
  const carried = { ...rest, ...(context === undefined ? {} : { context: clean(context) }), warnings };
  if (action === undefined) return { kind: 'none', ...carried };
  const words = { ...(reason === undefined ? {} : { reason }), ...(response === undefined ? {} : { response }) };
  return { ...decided({ action, ...words }, hook, warnings), ...carried };
}

function warningsOf(answer: Answer, hook: Hook): string[] {
  return answer.warnings.map((warning) => clean(`${hook.label}: ${warning}`));
}

function decided(
  said: { readonly action: Action; readonly reason?: string; readonly response?: string },
  hook: Hook,
  warnings: readonly string[],
): Outcome {
  const response = filled(clean(said.response ?? ''));
  return {
    kind: 'decision',
    action: said.action,
    reason: filled(clean(said.reason ?? '')) ?? `${DEFAULT_REASON[said.action]} ${hook.label}`,
    ...(response === undefined ? {} : { response }),
    warnings,
  };
}

function failure(why: string): Outcome {
  return { kind: 'failure', failure: why, warnings: [] };
}

function withStderr(why: string, stderr: string): string {
  const line = cut(tellingLine(stderr), STDERR_CHARS);
  return line === '' ? why : `${why}: ${line}`;
}

/** What a hook finds in its environment besides hookctl's own, and the `env` of its entry. */
export const ENVIRONMENT = {
  MM_CONFIG_DIR: "the agent file's folder, absolute",
  MM_HOOK_EVENT: 'the event',
  HOOKCTL_CONFIG_DIR: 'the same as `MM_CONFIG_DIR`',
  HOOKCTL_EVENT: 'the same as `MM_HOOK_EVENT`',
  HOOKCTL_DEPTH: 'how many hookctls the hook runs under: 1, and one more within each hook that calls hookctl',
  HOOKCTL_SESSION: 'the session, where the event has one of at most 4,096 characters',
  HOOKCTL_TEST: '`1` in a dry run',
} as const;

function contextEnv(hook: Hook, event: Event, world: World): Partial<Record<keyof typeof ENVIRONMENT, string>> {
  const session = event.session?.replaceAll('\0', '') ?? '';
  return {
    MM_CONFIG_DIR: hook.root,
    MM_HOOK_EVENT: event.name,
    HOOKCTL_CONFIG_DIR: hook.root,
    HOOKCTL_EVENT: event.name,
    HOOKCTL_DEPTH: String(world.depth),
    ...(session === '' || session.length > MAX_SESSION_CHARS ? {} : { HOOKCTL_SESSION: session }),
    ...(world.test ? { HOOKCTL_TEST: '1' } : {}),
  };
}

/** The one door: `written` is what `config.ts` wrote, or the user's own cache of it. */
function launchOf(hook: Hook): Launch {
  return JSON.parse(hook.written.text) as Launch;
}
