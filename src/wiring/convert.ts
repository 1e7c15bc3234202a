/**
 * Hooks of any format as agent YAML, and what cannot be said there.
 */
import { showDuration } from '../core/duration';
import type { Event, Hook, Job, OnFailure, Test } from '../core/model';
import { parsePattern } from '../core/pattern';
import { authorOf, NATIVE, roomOf } from '../dialects';
import type { World } from '../dialects/dialect';

/** A hook of an agent file. */
export type Converted = {
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** What is another thing there, for people: each a line. */
  readonly notes: readonly string[];
};

/** `lost`: hooks that have no counterpart. */
export type Conversion = {
  readonly hooks: readonly Converted[];
  readonly lost: readonly { readonly hook: Hook; readonly why: string }[];
};

const ON_ERROR = { block: 'fail', warn: undefined, ignore: 'ignore' } as const satisfies Record<
  OnFailure,
  string | undefined
>;
/** Fields by which the scripts of other formats know their event: an agent file's event has others. */
const FOREIGN_FIELDS = /\b(?:tool_input|tool_name|tool_response|hook_event_name|toolArgs|toolName)\b/;
/** How they answer. */
const FOREIGN_ANSWERS = /\b(?:permissionDecision|hookSpecificOutput|additionalContext)\b/;

/** Variables that the agents set for their hooks. */
const FOREIGN_VARIABLES =
  /\$\{?((?:KIRO_HOOK_FILE|KIRO_SESSION_ID|USER_PROMPT|WORKSPACE_ROOT|(?:CLAUDE|ZERO_HOOK)_[A-Z_]+)\b)/g;
/** What is replaced in a prompt. */
const PLACEHOLDER = /\{\{\w+\}\}/;

/** `texts`: what is known of the scripts that a hook runs. */
export function converted(hooks: readonly Hook[], world: World, texts: (hook: Hook) => readonly string[]): Conversion {
  const all = hooks.map((hook) => ({ hook, result: convertedHook(hook, world, texts(hook)) }));
  return {
    hooks: all.flatMap(({ result }) => ('lost' in result ? [] : [result])),
    lost: all.flatMap(({ hook, result }) => ('lost' in result ? [{ hook, why: result.lost }] : [])),
  };
}

function convertedHook(hook: Hook, world: World, texts: readonly string[]): Converted | { readonly lost: string } {
  if (!NATIVE.spec.rows.some((row) => row.canonical === hook.event))
    return { lost: `agent files have no event for ${hook.event}` };
  const job = authorOf(hook.author).job(hook, bareEvent(hook), world);
  const command = commandOf(job);
  if ('lost' in command) return command;
  const tests = testsOf(hook.tests, hook.author);
  if ('lost' in tests) return tests;
  const { matcher } = tests;
  const onError = ON_ERROR[hook.onFailure];
  const env = variablesOf(job, [command.command, ...texts]);
  const fields = {
    ...(hook.label === command.command.split('\n')[0] ? {} : { name: hook.label }),
    ...(matcher === undefined ? {} : { matcher }),
    command: command.command,
    ...(onError === undefined ? {} : { onError }),
    ...('ms' in job && job.ms !== 'none' ? { timeout: showDuration(Math.min(job.ms, MOST_MS)) } : {}),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(hook.off === undefined ? {} : { enabled: false }),
  };
  const read = [command.command, ...texts];
  const notes = [...tests.notes, ...notesOf(hook, job, read), ...variableNotes(hook, read, env)];
  return { event: hook.event, fields, notes };
}

/** Those that only its own agent sets and that are used; their values are of this machine. */
function variablesOf(job: Job, texts: readonly string[]): Record<string, string> {
  if (job.kind !== 'process') return {};
  const own = Object.entries(job.env.set).filter(([name, value]) => value !== '' && !/^(?:MM|HOOKCTL)_/.test(name));
  return Object.fromEntries(own.filter(([name]) => texts.some((text) => new RegExp(`\\b${name}\\b`).test(text))));
}

/** An agent file's longest timeout. */
const MOST_MS = 24 * 60 * 60 * 1_000;

function bareEvent(hook: Hook): Event {
  return { name: hook.event, cwd: hook.root, rest: [], from: { room: 'mm', event: hook.event } };
}

function commandOf(job: Job): { readonly command: string } | { readonly lost: string } {
  switch (job.kind) {
    case 'process': {
      const argv = job.argv[0] ?? [];
      const [shell = '', option = '', text] = argv;
      const isShell =
        /(?:^|\/)(?:ba|da|z)?sh$/.test(shell) && option === '-c' && text !== undefined && argv.length === 3;
      if (!isShell) return { command: argv.map(quoted).join(' ') };
      return { command: /bash$/.test(shell) && !isPlain(text) ? `bash -c ${quoted(text)}` : text };
    }
    case 'say':
      return { command: `printf '%s' ${quoted(JSON.stringify({ context: job.context }))}` };
    case 'http':
      return { lost: 'agent files have no http hooks' };
    case 'wasm':
    case 'component':
      return { lost: 'WebAssembly hooks of this kind cannot be named there' };
    case 'cannot':
      return { lost: job.why };
  }
}

/** What any sh reads as bash does: no arrays, no `[[`, no process substitution. */
function isPlain(text: string): boolean {
  return !/\[\[|<\(|>\(|\$'|\bsource\b|\bfunction\b|<<<|\w+=\(|\$\{\w+[\^,/:@]|&>|\|&|pipefail/.test(text);
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

type Tests = { readonly matcher?: string; readonly notes: readonly string[] } | { readonly lost: string };

/** Several conditions, and those that are no pattern, cannot be said: the hook then runs more often, never less. */
function testsOf(tests: readonly Test[], author: string): Tests {
  const notes: string[] = [];
  const patterns: string[] = [];
  for (const test of tests.filter((one) => !(one.kind === 'rule' && /^event /.test(one.rule)))) {
    const pattern = patternOf(test, author);
    if (pattern === undefined) notes.push(`runs more often: the condition ${shownTest(test)} cannot be said here`);
    else patterns.push(pattern);
  }
  const [matcher, ...more] = patterns;
  if (more.length > 0) notes.push(`runs more often: of its matchers only ${matcher} is left`);
  return matcher === undefined ? { notes } : { matcher, notes };
}

function patternOf(test: Test, author: string): string | undefined {
  if (test.kind === 'either') return eitherPattern(test.tests, author);
  if (test.kind === 'names' && test.of === 'tool' && (test.not ?? []).length === 0)
    return namesPattern(test.any, author);
  if (test.kind !== 'regex' || test.of !== 'tool' || (test.not ?? []).length > 0 || test.any.length !== 1)
    return undefined;
  const [pattern = ''] = test.any;
  return parsePattern(pattern).kind === 'pattern' ? pattern : undefined;
}

/** Also hookctl's own names: those of this agent are not the ones that other agents send. */
function namesPattern(any: readonly string[], author: string): string {
  const tools = Object.entries(roomOf(author)?.spec.tools ?? {});
  const own = any.flatMap((name) => tools.flatMap(([canonical, names]) => (names.includes(name) ? canonical : [])));
  const names = [...new Set([...any, ...own])].map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return names.length === 1 ? `^${names[0]}$` : `^(${names.join('|')})$`;
}

/** Of names together, and of what is the same anyway. */
function eitherPattern(tests: readonly Test[], author: string): string | undefined {
  if (tests.every((test) => test.kind === 'names' && test.of === 'tool' && (test.not ?? []).length === 0))
    return namesPattern(
      tests.flatMap((test) => (test.kind === 'names' ? test.any : [])),
      author,
    );
  const patterns = [...new Set(tests.map((test) => patternOf(test, author)))];
  return patterns.length === 1 ? patterns[0] : undefined;
}

function shownTest(test: Test): string {
  if (test.kind === 'rule') return JSON.stringify(test.rule);
  if (test.kind === 'either') return test.tests.map(shownTest).join(' or ');
  if (test.kind === 'all') return test.tests.map(shownTest).join(' and ');
  return `${test.any.join(' ')}${(test.not ?? []).length === 0 ? '' : ` but not ${test.not?.join(' ')}`}`;
}

/** Variables and placeholders that are empty, or stay as they are, in an agent file. */
function variableNotes(
  { author }: Hook,
  texts: readonly string[],
  kept: Readonly<Record<string, string>>,
): readonly string[] {
  const title = roomOf(author)?.spec.title ?? author;
  const used = texts.flatMap((text) => [...text.matchAll(FOREIGN_VARIABLES)].map(([, name = '']) => name));
  const lost = [...new Set(used)].filter((name) => !Object.hasOwn(kept, name));
  const placeholder = texts.map((text) => PLACEHOLDER.exec(text)?.[0]).find((found) => found !== undefined);
  return [
    ...lost.map((name) => `it uses $${name}, which is of ${title}: here it is empty; the event on stdin has its value`),
    ...(placeholder === undefined ? [] : [`${placeholder} is replaced by ${title}; here it stays as it is`]),
  ];
}

function notesOf(hook: Hook, job: Job, texts: readonly string[]): string[] {
  const title = roomOf(hook.author)?.spec.title ?? hook.author;
  const has = (pattern: RegExp) => texts.map((text) => pattern.exec(text)?.[0]).find((word) => word !== undefined);
  const [field, answer] = [has(FOREIGN_FIELDS), has(FOREIGN_ANSWERS)];
  return [
    ...(field === undefined
      ? []
      : [
          `it reads "${field}", which is of ${title}: here the event has "tool": {"name", "input"}, "prompt" and the like`,
        ]),
    ...(answer === undefined
      ? []
      : [`it answers with "${answer}", which is of ${title}: here write {"action": "deny", "reason": "…"}`]),
    ...(job.kind === 'process' && !job.wait ? [`${title} does not wait for it; here it is waited for`] : []),
    ...(job.kind === 'process' && job.payloadFile !== undefined ? ['it is not given its event in a file here'] : []),
    ...(hook.order.decides ? [] : ['it decides nothing there; here exit 2 and an answer count']),
    ...(hook.off === undefined ? [] : [`it is off: ${hook.off}`]),
  ];
}
