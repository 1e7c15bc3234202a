/**
 * How a Claude hook is started, and what its end means.
 */

import { fieldsOf, stringIn } from '../../core/json';
import type { Event, Hook, Job, Outcome, Raw, Result, Row, Subject } from '../../core/model';
import { nameOf } from '../../core/path';
import type { RuleResult } from '../../core/plan';
import { lookUp } from '../../core/table';
import { clean, cut, decode, filled, firstLine } from '../../core/text';
import { isCanonicalTool } from '../../core/tools';
import { saysMissing } from '../_shared/missing';
import type { World } from '../dialect';
import { type Answer, readAnswer, type Said, sayingOf } from './answer';
import { holds } from './condition';
import type { Launch } from './config';
import { OWN, spec, UNKNOWN } from './spec';
import { claudeStdin, nativeName } from './stdin';

const STDERR_CHARS = 200;
const SAFE = /^[\w @%+=:,./-]*$/;
const ENV_FILE_EVENTS = ['SessionStart', 'Setup', 'CwdChanged', 'FileChanged'];
/** A missing script makes interpreters exit with 2: no block on events that would then go round in circles. */
const MISSING_EVENTS = ['Stop', 'SubagentStop', 'TaskCompleted'];
const RESTRICTIVE = ['deny', 'ask', 'defer', 'stop'];
const NEEDS: Readonly<Record<string, string>> = {
  prompt: 'prompt hooks need a model',
  agent: 'agent hooks need a model',
  mcp_tool: 'mcp_tool hooks need the MCP connections of Claude Code',
};

/** What hooks are tried on: in Claude Code's own events its names alone. */
export function subjects(of: Subject, event: Event): readonly string[] | undefined {
  if (of === 'path' || of === 'place') return event.file === undefined ? undefined : [event.file.path];
  return of === 'tool' ? toolNames(event) : valuesOf(event);
}

function toolNames({ tool, from }: Event): readonly string[] | undefined {
  if (tool === undefined) return undefined;
  const own: Readonly<Record<string, readonly string[]>> = spec.tools;
  const isOwn = from.room === spec.id || Object.values(own).some((names) => names.includes(tool.name));
  const twins = tool.name === 'Agent' || tool.name === 'Task' ? ['Agent', 'Task'] : [tool.name];
  if (isOwn) return twins;
  const canonical = tool.canonical ?? (isCanonicalTool(tool.name) ? tool.name : undefined);
  const known = [...(canonical === undefined ? [] : [canonical]), ...(tool.kin ?? [])];
  return [...new Set([tool.name, ...known, ...known.flatMap((one) => lookUp(own, one) ?? [])])];
}

/** On a guarding event a value that is missing matches everything, elsewhere nothing. */
function valuesOf(event: Event): readonly string[] | undefined {
  const native = nativeName(event) ?? event.name;
  const field = OWN.get(native)?.value;
  if (field === undefined) return undefined;
  if (field === 'file_path') return event.file === undefined ? [] : [nameOf(event.file.path)];
  const value = new Map(event.rest).get(field);
  const text = value === undefined ? undefined : stringIn(value);
  if (text !== undefined) return [field === 'to_model' ? text.replace(/\[1m\]$/, '') : text];
  return spec.rows.find((row) => row.native === native)?.synthetic === 'warning' ? [] : undefined;
}

/** `event X`: of two events that hookctl calls alike only one. Anything else is an `if`. */
export function rule(written: string, hook: Hook, event: Event): RuleResult {
  const [, only] = /^event (\w+)$/.exec(written) ?? [];
  if (only !== undefined) return nativeName(event) === only || { skipped: `it is for ${only} alone` };
  const { agent, project } = launchOf(hook);
  if (agent !== undefined && written === `agent ${agent}`) return runsFor(agent, event);
  const names = toolNames(event) ?? [];
  return holds(written, event, names, project ?? event.cwd) || { skipped: `its "if", ${written}, does not hold` };
}

/** Hooks of an agent's file are active while that agent runs. */
function runsFor(agent: string, event: Event): RuleResult {
  const value = new Map(event.rest).get('agent_type');
  const running = value === undefined ? undefined : stringIn(value);
  return (
    running === undefined ||
    running === '' ||
    running === agent || { skipped: `it is for the agent ${agent}, and ${running} runs` }
  );
}

/** What to start; a failure in words where that needs more than a process or a request. */
export function job(hook: Hook, event: Event, world: World): Job {
  const launch = launchOf(hook);
  const stdin = claudeStdin(event);
  if (launch.forbidden) return { kind: 'cannot', why: `URL not allowed: ${launch.url}` };
  if (launch.type === 'http') return httpJob(launch, stdin, event, world);
  if (launch.type !== 'command')
    return {
      kind: 'cannot',
      why: `cannot run here: ${lookUp(NEEDS, launch.type) ?? `hookctl knows no ${launch.type} hooks`}`,
    };
  const set = environment(launch, hook, event, world);
  const argv = argvOf(launch, set, world);
  if (typeof argv === 'string') return { kind: 'cannot', why: argv };
  const home = world.env['HOME'];
  return {
    kind: 'process',
    argv: [argv],
    cwd: [
      event.cwd,
      ...(launch.project === undefined ? [] : [launch.project]),
      ...(home === undefined ? [] : [home]),
      '/tmp',
    ],
    env: { from: 'all', drop: dropped(event, world), set },
    stdin,
    newline: !endsWithNewline(event, stdin),
    ms: launch.async ? 'none' : launch.ms,
    graceMs: spec.defaults.graceMs,
    wait: !launch.async,
  };
}

function endsWithNewline(event: Event, stdin: 'event bytes' | Raw): boolean {
  return stdin === 'event bytes' ? event.from.bytes?.at(-1) === 0x0a : stdin.text.endsWith('\n');
}

function dropped(event: Event, { env }: World): string[] {
  const file = ENV_FILE_EVENTS.includes(nativeName(event) ?? '') ? [] : ['CLAUDE_ENV_FILE'];
  return [...Object.keys(env).filter((name) => name.startsWith('OTEL_')), ...file, 'HOOKCTL_SESSION'];
}

function environment(launch: Launch, hook: Hook, event: Event, { env, depth, test }: World): Record<string, string> {
  const inherited =
    event.from.room === spec.id && env['CLAUDE_PROJECT_DIR']?.startsWith('/') ? env['CLAUDE_PROJECT_DIR'] : undefined;
  const effort = new Map(event.rest).get('effort');
  const level = effort === undefined ? undefined : new Map(fieldsOf(effort)).get('level');
  const optional: Readonly<Record<string, string | undefined>> = {
    CLAUDE_PLUGIN_ROOT: launch.plugin,
    CLAUDE_PLUGIN_DATA:
      launch.plugin === undefined
        ? undefined
        : (env['CLAUDE_PLUGIN_DATA'] ?? `${env['HOME'] ?? ''}/.claude/plugins/data/${nameOf(launch.plugin)}`),
    CLAUDE_CODE_SESSION_ID: event.session,
    CLAUDE_EFFORT: level === undefined ? undefined : stringIn(level),
    HOOKCTL_SESSION: event.session,
    HOOKCTL_TEST: test ? '1' : undefined,
  };
  return {
    CLAUDE_PROJECT_DIR: inherited ?? launch.project ?? event.cwd,
    CLAUDECODE: '1',
    HOOKCTL_EVENT: event.name,
    HOOKCTL_CONFIG_DIR: hook.root,
    HOOKCTL_DEPTH: String(depth),
    ...Object.fromEntries(
      Object.entries(optional).flatMap(([name, value]) =>
        value === undefined || value.length > 4_096 || value.includes('\0') ? [] : [[name, value]],
      ),
    ),
  };
}

const VARIABLES = ['CLAUDE_PROJECT_DIR', 'CLAUDE_PLUGIN_ROOT', 'CLAUDE_PLUGIN_DATA'];

/** The command line, or why there is none. */
function argvOf(launch: Launch, set: Readonly<Record<string, string>>, { env }: World): readonly string[] | string {
  const { command = '', args, shell } = launch;
  if (args !== undefined) return [command, ...args].map((word) => filledIn(word, set, env, () => true));
  if (/\$\{user_config\.\w+\}/.test(command))
    return 'a user_config variable needs "args": in a shell command it is not replaced';
  const text = filledIn(command, set, {}, (value) => SAFE.test(value));
  if (shell === 'powershell') return ['pwsh', '-NoProfile', '-NonInteractive', '-Command', text];
  const prefix = env['CLAUDE_CODE_SHELL_PREFIX'];
  return [
    '/bin/sh',
    '-c',
    prefix === undefined || prefix === '' ? text : `${prefix} '${text.replaceAll("'", "'\\''")}'`,
  ];
}

/** `${NAME}` becomes the value where it may; else it is left to the shell. A folder's name must never become shell code. */
function filledIn(
  text: string,
  set: Readonly<Record<string, string>>,
  options: Readonly<Record<string, string | undefined>>,
  may: (value: string) => boolean,
): string {
  const named = text.replace(/\$\{(\w+)\}/g, (whole, name: string) => {
    const value = VARIABLES.includes(name) ? set[name] : undefined;
    return value !== undefined && may(value) ? value : whole;
  });
  return named.replace(
    /\$\{user_config\.(\w+)\}/g,
    (whole, key: string) => options[`CLAUDE_PLUGIN_OPTION_${key}`] ?? whole,
  );
}

function httpJob(
  { url = '', headers = {}, allowedEnvVars = [], ms }: Launch,
  stdin: 'event bytes' | Raw,
  event: Event,
  { env }: World,
): Job {
  const value = (text: string) =>
    text.replace(/\$\{(\w+)\}|\$(\w+)/g, (_, one?: string, other?: string) => {
      const name = one ?? other ?? '';
      return allowedEnvVars.includes(name) ? (env[name] ?? '') : '';
    });
  const sent = Object.entries(headers)
    .filter(([name]) => !/^(?:content-length|transfer-encoding)$/i.test(name))
    .map(([name, text]) => [name, value(text)]);
  const body = stdin === 'event bytes' ? { text: decode(event.from.bytes ?? new Uint8Array()) } : stdin;
  return { kind: 'http', url, headers: { 'content-type': 'application/json', ...Object.fromEntries(sent) }, body, ms };
}

/** Claude Code's rules, by its own name of the event. `row` is the caller's. */
export function readOutcome(result: Result, hook: Hook, event: Event, row: Row): Outcome {
  return goingOn(readResult(result, hook, event), event, row);
}

/** At the end of a turn Claude Code goes on with what a hook adds: under another agent a deny is what makes it go on. */
function goingOn(outcome: Outcome, { name, from }: Event, row: Row): Outcome {
  const ends = name === 'postGeneration' || name === 'subagentStop';
  const { context, ...rest } = outcome;
  if (!ends || from.room === spec.id || context === undefined || outcome.action !== undefined) return outcome;
  return row.can.deny === 'yes' ? { ...rest, kind: 'decision', action: 'deny', reason: context } : outcome;
}

function readResult(result: Result, hook: Hook, event: Event): Outcome {
  const native = nativeName(event) ?? event.name;
  const reading: Reading = { hook, event, native, strict: hook.onFailure === 'block' && isGuarding(native) };
  if (result.kind === 'started') return { kind: 'none', warnings: [] };
  if (result.kind === 'said') return failure(reading, 'the hook gave no result');
  if (result.kind === 'answered') return readHttp(result.status, result.body, reading);
  const stderr = clean(decode(result.err)).trim();
  if (result.kind !== 'ended' && !(result.kind === 'killed' && result.signal !== undefined)) {
    const denies = result.kind === 'timeout' && native === 'PreModelSwitch';
    return denies ? blocked(reading, 'deny', result.why) : failure(reading, result.why, stderr);
  }
  const exit = result.kind === 'ended' ? result.exit : undefined;
  const said = sayingOf(result.out);
  if (exit === 2) return readBlock(said, stderr, reading);
  return exit === 0
    ? readSuccess(said, stderr, reading)
    : readOther(said, exit === undefined ? ('why' in result ? result.why : '') : `exit ${exit}`, stderr, reading);
}

type Reading = { readonly hook: Hook; readonly event: Event; readonly native: string; readonly strict: boolean };

function isGuarding(native: string): boolean {
  return spec.rows.find((row) => row.native === native)?.synthetic !== 'warning';
}

function readSuccess(said: Said, stderr: string, reading: Reading): Outcome {
  const { native, hook, strict } = reading;
  if (said.kind === 'bad') return failure(reading, said.why, stderr);
  if (said.kind === 'nothing') return none([]);
  if (said.kind === 'text') {
    if (said.lost !== undefined && strict) return failure(reading, said.lost, stderr);
    const warnings = said.lost === undefined ? [] : [`${hook.label}: ${said.lost}`];
    return OWN.get(native)?.text === true ? { ...none(warnings), context: clean(said.text) } : none(warnings);
  }
  const answer = readAnswer(said.fields, native);
  if (typeof answer === 'string') return failure(reading, answer, stderr);
  if (answer.lost !== undefined && strict) return failure(reading, answer.lost, stderr);
  return outcomeOf(answer, reading, 'decision');
}

/** Exit 2 blocks where the event has a block; other fields are still read, none lifts it. */
function readBlock(said: Said, stderr: string, reading: Reading): Outcome {
  const { native, hook } = reading;
  const answer = said.kind === 'object' ? readAnswer(said.fields, native) : undefined;
  const read = typeof answer === 'object' ? answer : undefined;
  const block = (OWN.get(native) ?? UNKNOWN).exit2;
  if (block === 'failure') {
    if (native === 'PermissionRequest' && read?.action !== undefined) return outcomeOf(read, reading, 'decision');
    return failure(
      reading,
      native === 'PermissionRequest' ? 'exit 2 denies nothing on PermissionRequest, only a "decision" does' : 'exit 2',
      stderr,
    );
  }
  if (isMissingScript(said, stderr, reading)) return failure(reading, 'exit 2', stderr);
  const blocks = read?.action === 'deny' || read?.action === 'stop';
  const reason =
    (blocks ? (read?.reason ?? read?.response) : undefined) ?? filled(stderr) ?? `blocked by ${hook.label}`;
  const action = read?.action === 'stop' ? 'stop' : block;
  const response =
    action === 'stop' ? (read?.response ?? (native === 'UserPromptSubmit' ? reason : undefined)) : undefined;
  const stray =
    said.kind === 'text' ? [`${hook.label}: text on stdout is not the reason of exit 2; write it to stderr`] : [];
  return {
    kind: 'exit',
    action,
    reason,
    ...(response === undefined ? {} : { response }),
    ...(read?.context === undefined ? {} : { context: clean(read.context) }),
    ...(read === undefined || read.extras.length === 0 ? {} : { extras: read.extras }),
    warnings: [...stray, ...(read?.warnings ?? []).map((warning) => `${hook.label}: ${warning}`)],
  };
}

function isMissingScript(said: Said, stderr: string, { native, hook }: Reading): boolean {
  if (!MISSING_EVENTS.includes(native) || said.kind !== 'nothing') return false;
  return saysMissing(firstLine(stderr), launchOf(hook).command ?? '');
}

/** Any other exit: an object still counts, but nothing that it allows. */
function readOther(said: Said, why: string, stderr: string, reading: Reading): Outcome {
  const { native, hook, strict } = reading;
  if (native === 'WorktreeCreate' || native === 'WorktreeRemove')
    return blocked(reading, 'deny', withStderr(why, stderr));
  const answer = said.kind === 'object' ? readAnswer(said.fields, native) : undefined;
  if (typeof answer !== 'object') return failure(reading, why, stderr);
  const restricts = answer.action !== undefined && RESTRICTIVE.includes(answer.action);
  if (hook.onFailure === 'block' && (strict || !restricts)) {
    return restricts ? outcomeOf(answer, reading, 'decision') : failure(reading, why, stderr);
  }
  const isSignal = !why.startsWith('exit ');
  if (!restricts && (answer.action === 'allow' || isSignal)) {
    const warning = `${hook.label} failed: ${withStderr(why, stderr)}${answer.action === 'allow' ? '; its allow does not count' : ''}`;
    if (isSignal) return failure(reading, why, stderr);
    const { action: _action, reason: _reason, rewrite: _rewrite, ...rest } = answer;
    return {
      ...outcomeOf(rest, reading, 'decision'),
      warnings: [warning, ...answer.warnings.map((one) => `${hook.label}: ${one}`)],
    };
  }
  return outcomeOf(answer, reading, 'decision');
}

function readHttp(status: number, body: Uint8Array, reading: Reading): Outcome {
  if (status < 200 || status > 299) return failure(reading, `the server answered ${status}`);
  const said = sayingOf(body);
  if (said.kind === 'text')
    return failure(reading, `the server answered with text: ${JSON.stringify(cut(clean(said.text), 80))}`);
  return readSuccess(said, '', reading);
}

function outcomeOf(answer: Answer, { hook }: Reading, kind: 'decision'): Outcome {
  const { action, reason, response, context, rewrite, extras } = answer;
  const warnings = answer.warnings.map((warning) => `${hook.label}: ${warning}`);
  const carried = {
    ...(context === undefined ? {} : { context: clean(context) }),
    ...(rewrite === undefined ? {} : { rewrite }),
    ...(extras.length === 0 ? {} : { extras }),
    warnings,
  };
  if (action === undefined) return { kind: 'none', ...carried };
  const otherwise =
    action === 'ask' ? `${hook.label} asks` : action === 'allow' ? undefined : `blocked by ${hook.label}`;
  const why = reason ?? (action === 'stop' ? response : undefined) ?? otherwise;
  return {
    kind,
    action,
    ...(why === undefined ? {} : { reason: why }),
    ...(response === undefined ? {} : { response }),
    ...carried,
  };
}

function none(warnings: readonly string[]): Outcome {
  return { kind: 'none', warnings };
}

function blocked({ hook }: Reading, action: 'deny', why: string): Outcome {
  return { kind: 'exit', action, reason: `${hook.label} failed: ${why}`, warnings: [] };
}

/** Under `onFailure: "block"` the feedback of PostToolUse is the failure itself: there is nothing to block. */
function failure({ hook, native }: Reading, why: string, stderr = ''): Outcome {
  const words = withStderr(why, stderr);
  const feeds = hook.onFailure === 'block' && (native === 'PostToolUse' || native === 'PostToolUseFailure');
  if (!feeds) return { kind: 'failure', failure: words, warnings: [] };
  return { kind: 'decision', action: 'deny', reason: `${hook.label} failed: ${words}`, warnings: [] };
}

function withStderr(why: string, stderr: string): string {
  const line = cut(firstLine(stderr), STDERR_CHARS);
  return line === '' ? why : `${why}: ${line}`;
}

/** The one door: `written` is what `config.ts` wrote. */
function launchOf(hook: Hook): Launch {
  return JSON.parse(hook.written.text) as Launch;
}
