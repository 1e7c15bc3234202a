/**
 * Claude Code's settings, plugin files and front matter → hooks.
 */

import type { Code, Finding, Severity } from '../../core/finding';
import { rawOf } from '../../core/json';
import type { Hook, OnFailure, Test } from '../../core/model';
import { nearest } from '../../core/nearest';
import { folderOf, nameOf, resolvePath } from '../../core/path';
import { compilesAsJs } from '../../core/pattern';
import { lookUp } from '../../core/table';
import { clean, cut, firstLine } from '../../core/text';
import { dataOf, entryOf, type Tree, type TreeEntry, type TreeSpan } from '../../core/tree';
import type { ConfigRead, Doc, WrittenHook, WrittenText } from '../dialect';
import { handlerAdvice, matcherAdvice } from './advice';
import { switchesOf } from './join';
import { EVENTS, OWN, spec } from './spec';

/** What a launch needs, as it is kept in `Hook.written`. */
export type Launch = {
  readonly type: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly shell?: string;
  readonly ms: number;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly allowedEnvVars?: readonly string[];
  readonly async: boolean;
  /** Of a plugin's files. */
  readonly plugin?: string;
  /** The project's root; absent: the event's folder. */
  readonly project?: string;
  /** Runs only while this agent runs. */
  readonly agent?: string;
  /** The settings do not let it post there. */
  readonly forbidden?: true;
};

/** In parallel, each with its own copy of the event; everything merged in config order. */
export const ORDER = { start: 'together', sees: 'original', afterBlock: 'go on', decides: true } as const;

const LABEL_CHARS = 60;
const GROUP_KEYS = ['matcher', 'hooks'];
const KNOWN_TYPES = ['command', 'http', 'prompt', 'agent', 'mcp_tool'];
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  command: ['command'],
  http: ['url'],
  prompt: ['prompt'],
  agent: ['prompt'],
  mcp_tool: ['server', 'tool'],
};
const HANDLER_KEYS = [
  ...[
    'type',
    'if',
    'timeout',
    'statusMessage',
    'once',
    'onFailure',
    'command',
    'args',
    'shell',
    'async',
    'asyncRewake',
  ],
  ...[
    'rewakeMessage',
    'rewakeSummary',
    'url',
    'headers',
    'allowedEnvVars',
    'server',
    'tool',
    'input',
    'prompt',
    'model',
  ],
  'continueOnBlock',
];
/** Seconds, by event and type. */
const PROMPT_SECONDS: Readonly<Record<string, number>> = { prompt: 30, agent: 60 };
const EVENT_SECONDS: Readonly<Record<string, number>> = {
  UserPromptSubmit: 30,
  PreModelSwitch: 30,
  PostModelSwitch: 30,
  MessageDisplay: 10,
  SessionEnd: 1.5,
};
const MOST_SECONDS: Readonly<Record<string, number>> = { SessionEnd: 60 };
const TOOL_EVENTS = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest', 'PermissionDenied'];

/** Does a parsed file look like Claude Code's: hooks → event → groups that hold handlers? */
export function claims(tree: Tree): boolean {
  const hooks = entryOf(tree, 'hooks')?.value;
  return (
    hooks?.kind === 'map' &&
    hooks.entries.some(
      ({ value }) =>
        value.kind === 'list' && value.items.some((item) => entryOf(item.value, 'hooks')?.value.kind === 'list'),
    )
  );
}

/** Reads the hooks. What the JSON Schema reports is not reported here again. */
export function readConfig(doc: Doc): ConfigRead {
  const hooks = entryOf(doc.tree, 'hooks')?.value;
  const source = sourceOf(doc);
  const read = (hooks?.kind === 'map' ? hooks.entries : []).flatMap((entry) => readEvent(doc, entry, source));
  const written = read.flatMap((one) => one.written);
  return {
    hooks: written.map((one) => one.hook),
    written,
    more: namedFiles(hooks, doc),
    switches: {},
    own: switchesOf(doc),
    findings: [...read.flatMap((one) => one.findings), ...strayEvents(doc)],
    advice: read.flatMap((one) => one.advice ?? []),
  };
}

type Source = Pick<Launch, 'plugin' | 'project' | 'agent'> & { readonly isAgent: boolean };

/** Where a file stands says what its variables mean. */
function sourceOf(doc: Doc): Source {
  const { root, file } = doc;
  const folder = nameOf(root);
  if (folder === '.claude-plugin' || folder === 'hooks') return { plugin: folderOf(root), isAgent: false };
  const claude = /^(.*)\/\.claude(?:\/|$)/.exec(root)?.[1];
  const isAgent = file.endsWith('.md') && /\/agents(?:\/|$)/.test(root);
  const name = scalar(entryOf(doc.tree, 'name'));
  return {
    ...(claude === undefined || claude === '' ? {} : { project: claude }),
    ...(isAgent && typeof name === 'string' ? { agent: name } : {}),
    isAgent,
  };
}

type Read = {
  readonly written: readonly WrittenHook[];
  readonly findings: readonly Finding[];
  readonly advice?: readonly Finding[];
};

function readEvent(doc: Doc, { key, keySpan, value }: TreeEntry, source: Source): Read[] {
  const native = source.isAgent && key === 'Stop' ? 'SubagentStop' : key;
  const findings = OWN.has(native) ? [] : [unknownEvent(doc, key, keySpan)];
  if (value.kind !== 'list') return [{ written: [], findings }];
  return [{ written: [], findings }, ...value.items.map((item) => readGroup(doc, native, item.value, source))];
}

/** A typo switches guards off; a name of a newer version does not. */
function unknownEvent(doc: Doc, event: string, span: TreeSpan): Finding {
  const near = nearest(event, EVENTS, 1);
  return near === undefined
    ? told(doc, 'HK007', span, { event }, 'warning')
    : { ...told(doc, 'HK007', span, { event }), allowed: EVENTS };
}

function readGroup(doc: Doc, native: string, group: Tree, source: Source): Read {
  if (group.kind !== 'map') return { written: [], findings: [] };
  const matcher = readMatcher(doc, native, entryOf(group, 'matcher'));
  const list = entryOf(group, 'hooks')?.value;
  const handlers = list?.kind === 'list' ? list.items : [];
  const read = handlers.map((item) =>
    readHandler(doc, native, item.value, item.start, matcher, entryOf(group, 'matcher'), source),
  );
  const strange = group.entries.flatMap(({ key, keySpan }) =>
    unknownKey(doc, key, keySpan, 'a matcher group', GROUP_KEYS),
  );
  return {
    written: read.flatMap((one) => one.written),
    findings: [...strange, ...matcher.findings, ...read.flatMap((one) => one.findings)],
    advice: [...matcherAdvice(doc, native, entryOf(group, 'matcher')), ...read.flatMap((one) => one.advice ?? [])],
  };
}

type Matcher = { readonly tests: readonly Test[]; readonly findings: readonly Finding[] };

/** Only letters, digits, `_ - , |` and blanks: exact names. Anything else is searched. */
function readMatcher(doc: Doc, native: string, entry: TreeEntry | undefined): Matcher {
  const pattern = text(entry);
  const own = OWN.get(native);
  const row = spec.rows.find((one) => one.native === native);
  if (entry === undefined || pattern === undefined || pattern === '' || pattern === '*')
    return { tests: [], findings: [] };
  if (row === undefined || row.matches === 'nothing') {
    return { tests: [], findings: own === undefined ? [] : [told(doc, 'HK012', entry.keySpan, { event: native })] };
  }
  const of = row.matches === 'tool' ? 'tool' : 'value';
  const narrow = native === 'FileChanged' || native === 'StopFailure';
  const isExact = narrow ? /^[\w|]+$/.test(pattern) : /^[\w\-\s,|]+$/.test(pattern);
  if (isExact) {
    const any = pattern.split(narrow ? '|' : /[|,]/).map((name) => name.trim());
    return { tests: [{ kind: 'names', of, any }], findings: [] };
  }
  const fault = doc.matcherFault(pattern);
  if (fault !== undefined && !compilesAsJs(pattern)) {
    const args = { matcher: JSON.stringify(pattern), why: fault.why, hint: fault.hint ?? '' };
    return { tests: [], findings: [told(doc, 'HK011', entry.value.span, args)] };
  }
  return { tests: [{ kind: 'regex', of, any: [pattern] }], findings: [] };
}

function readHandler(
  doc: Doc,
  native: string,
  handler: Tree,
  start: number,
  matcher: Matcher,
  matcherEntry: TreeEntry | undefined,
  source: Source,
): Read {
  if (handler.kind !== 'map') return { written: [], findings: [] };
  const entries = new Map(handler.entries.map((entry) => [entry.key, entry]));
  const type = text(entries.get('type'));
  const strange = handler.entries.flatMap(({ key, keySpan }) =>
    unknownKey(doc, key, keySpan, 'a handler', HANDLER_KEYS),
  );
  if (type === undefined) return { written: [], findings: strange };
  const missing = (lookUp(NEEDED, type) ?? []).filter((key) => (text(entries.get(key)) ?? '').trim() === '');
  const findings = [
    ...strange,
    ...missing.map((key) => told(doc, 'HK037', handler.span, { where: `a ${type} handler`, key })),
    ...(KNOWN_TYPES.includes(type)
      ? []
      : [
          {
            ...told(
              doc,
              'HK009',
              entries.get('type')?.value.span ?? handler.span,
              { where: '"type"', got: `"${type}"` },
              'warning',
            ),
            allowed: KNOWN_TYPES,
          },
        ]),
    ...timeoutFindings(doc, native, entries.get('timeout')),
    ...typeFindings(doc, native, type, entries.get('type')),
  ];
  if (missing.length > 0) return { written: [], findings };
  const advice = handlerAdvice(doc, native, handler, entries);
  const launch = launchOf(native, type, entries, source);
  const canonicals = spec.rows.filter((row) => row.native === native).map((row) => row.canonical);
  const events = canonicals.length === 0 ? [`claude:${native}`] : [...new Set(canonicals)];
  const written = events.map((event) => {
    const hook = hookOf(doc, native, event, start, launch, matcher.tests, entries);
    return writtenHook(hook, handler.span, matcherEntry, entries);
  });
  return { written, findings, advice };
}

function hookOf(
  doc: Doc,
  native: string,
  event: string,
  start: number,
  launch: Launch,
  tests: readonly Test[],
  entries: ReadonlyMap<string, TreeEntry>,
): Hook {
  const condition = text(entries.get('if'));
  const label = cut(clean(firstLine(launch.command ?? launch.url ?? launch.type)), LABEL_CHARS);
  const reason = offReason(native, launch, condition);
  return {
    author: spec.id,
    at: { file: doc.file, ...doc.position(start) },
    label,
    event,
    tests: [
      ...splitEvent(native),
      ...(launch.agent === undefined ? [] : [{ kind: 'rule' as const, rule: `agent ${launch.agent}` }]),
      ...tests,
      ...(condition === undefined ? [] : [{ kind: 'rule' as const, rule: condition }]),
    ],
    ...(reason === undefined ? {} : { off: reason }),
    group: spec.id,
    order: launch.async ? { ...ORDER, decides: false } : ORDER,
    phase: 0,
    onFailure: onFailureOf(text(entries.get('onFailure')), launch),
    root: launch.project ?? launch.plugin ?? doc.root,
    written: rawOf(launch),
  };
}

/** Both kinds of `postToolCall`, and the three of a changed file, are told apart by what the event says. */
function splitEvent(native: string): Test[] {
  return native === 'PostToolUse' || native === 'PostToolUseFailure' ? [{ kind: 'rule', rule: `event ${native}` }] : [];
}

function offReason(native: string, { type }: Launch, condition: string | undefined): string | undefined {
  if (condition !== undefined && !TOOL_EVENTS.includes(native))
    return `"if" on ${native}, an event without tools, never holds`;
  return runsOn(type, native) ? undefined : `${type} hooks do not run on ${native}`;
}

/** Types that run where nothing else is said; an unknown type counts as one of mcp_tool. */
const TYPES_ELSEWHERE = ['command', 'http', 'mcp_tool'];
const ALL_TYPES_ON = [
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'PermissionDenied', 'UserPromptSubmit'],
  ...['UserPromptExpansion', 'Stop', 'SubagentStop', 'TaskCreated', 'TaskCompleted', 'TeammateIdle'],
];
const TYPES_ON: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(ALL_TYPES_ON.map((event) => [event, KNOWN_TYPES])),
  PermissionRequest: ['command', 'http', 'mcp_tool', 'prompt'],
  SessionStart: ['command', 'mcp_tool'],
  Setup: ['command', 'mcp_tool'],
};

function runsOn(type: string, native: string): boolean {
  const known = KNOWN_TYPES.includes(type) ? type : 'mcp_tool';
  return (lookUp(TYPES_ON, native) ?? TYPES_ELSEWHERE).includes(known);
}

function onFailureOf(written: string | undefined, { type, async }: Launch): OnFailure {
  const counts = ['command', 'http', 'mcp_tool'].includes(type) || !KNOWN_TYPES.includes(type);
  return written === 'block' && counts && !async ? 'block' : 'warn';
}

function launchOf(native: string, type: string, entries: ReadonlyMap<string, TreeEntry>, source: Source): Launch {
  const data = (key: string): unknown => {
    const entry = entries.get(key);
    return entry === undefined ? undefined : dataOf(entry.value);
  };
  const { isAgent: _, ...place } = source;
  const picked = ['command', 'args', 'shell', 'url', 'headers', 'allowedEnvVars'].flatMap(
    (key): [string, unknown][] => {
      const value = data(key);
      return value === undefined ? [] : [[key, value]];
    },
  );
  return {
    type,
    ...Object.fromEntries(picked),
    ms: millisecondsOf(native, type, data('timeout')),
    async: data('async') === true || data('asyncRewake') === true,
    ...place,
  };
}

function millisecondsOf(native: string, type: string, written: unknown): number {
  const otherwise = lookUp(PROMPT_SECONDS, type) ?? lookUp(EVENT_SECONDS, native) ?? spec.defaults.timeoutMs / 1_000;
  const seconds = typeof written === 'number' && written > 0 ? written : otherwise;
  return Math.round(Math.min(seconds, lookUp(MOST_SECONDS, native) ?? 86_400) * 1_000);
}

/** It is never run, without a word from Claude Code. */
function typeFindings(doc: Doc, native: string, type: string, entry: TreeEntry | undefined): Finding[] {
  if (entry === undefined || runsOn(type, native)) return [];
  return [told(doc, 'HK048', entry.value.span, { type, event: native })];
}

/** Seconds, which many take for milliseconds. */
function timeoutFindings(doc: Doc, native: string, entry: TreeEntry | undefined): Finding[] {
  const seconds = scalar(entry);
  if (entry === undefined || typeof seconds !== 'number') return [];
  const most = lookUp(MOST_SECONDS, native) ?? 3_600;
  if (seconds <= most && (seconds < 1_000 || seconds % 1_000 !== 0)) return [];
  const why =
    seconds > 3_600 || seconds % 1_000 === 0 ? 'Claude Code counts in seconds' : `on ${native} at most ${most} s count`;
  return [
    told(
      doc,
      'HK013',
      entry.value.span,
      { got: String(seconds), why, hint: `write ${seconds >= 1_000 ? seconds / 1_000 : most}` },
      'warning',
    ),
  ];
}

function unknownKey(doc: Doc, key: string, span: TreeSpan, where: string, allowed: readonly string[]): Finding[] {
  if (allowed.includes(key)) return [];
  return [{ ...told(doc, 'HK006', span, { key, where, hint: '' }, 'warning'), allowed }];
}

/** An event beside `hooks`, where it is not read. */
function strayEvents(doc: Doc): Finding[] {
  if (doc.tree.kind !== 'map') return [];
  return doc.tree.entries.flatMap(({ key, keySpan, value }) =>
    EVENTS.includes(key) && value.kind === 'list' ? [told(doc, 'HK021', keySpan, { event: key })] : [],
  );
}

/** `plugin.json` may name files in place of hooks. */
function namedFiles(hooks: Tree | undefined, { root }: Doc): string[] {
  const plugin = folderOf(root);
  const values =
    hooks?.kind === 'list' ? hooks.items.map((item) => item.value) : hooks?.kind === 'scalar' ? [hooks] : [];
  return values.flatMap((value) =>
    value.kind === 'scalar' && typeof value.value === 'string' ? [resolvePath(plugin, value.value)] : [],
  );
}

function writtenHook(
  hook: Hook,
  span: TreeSpan,
  matcher: TreeEntry | undefined,
  entries: ReadonlyMap<string, TreeEntry>,
): WrittenHook {
  const texts: [keyof WrittenHook, WrittenText | undefined][] = [
    ['matcher', writtenText(matcher)],
    ['command', entries.has('args') ? undefined : writtenText(entries.get('command'))],
    ['onFailure', writtenText(entries.get('onFailure'))],
  ];
  return { hook, span, ...Object.fromEntries(texts.filter(([, value]) => value !== undefined)) };
}

function writtenText(entry: TreeEntry | undefined): WrittenText | undefined {
  const said = text(entry);
  return entry === undefined || said === undefined ? undefined : { text: said, span: entry.value.span };
}

function told(doc: Doc, code: Code, span: TreeSpan, args: Finding['args'], severity?: Severity): Finding {
  return { code, at: doc.place(span), args, ...(severity === undefined ? {} : { severity }) };
}

function scalar(entry: TreeEntry | undefined): string | number | boolean | null | undefined {
  return entry?.value.kind === 'scalar' ? entry.value.value : undefined;
}

function text(entry: TreeEntry | undefined): string | undefined {
  const value = scalar(entry);
  return typeof value === 'string' ? value : undefined;
}
