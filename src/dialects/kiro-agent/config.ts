/**
 * Agent files: trigger → flat entries.
 */
import type { Finding } from '../../core/finding';
import type { Row, Test } from '../../core/model';
import { entryOf, type Tree, type TreeEntry, type TreeItem, type TreeSpan } from '../../core/tree';
import {
  finding,
  globFindings,
  hookOf,
  limited,
  NOTHING_TOLD,
  needed,
  remarks,
  scalar,
  spellings,
  strangeTool,
  strayTimeout,
  type Told,
  text,
  toldAll,
  unknownKeys,
  unknownTrigger,
  writtenHook,
} from '../_shared/kiro-config';
import type { ConfigRead, Doc, WrittenHook } from '../dialect';
import { ORDER, OUTPUT_BYTES, ROWS, spec } from './spec';

const KEYS = [
  ...['command', 'matcher', 'timeout_ms', 'max_output_size', 'cache_ttl_seconds', 'only_when_turn_complete'],
  ...['name', 'description', 'type'],
];
const FEW_MS = 100;
/** What a regular expression has and no name, nor any glob that hits one. */
const REGEX = /[|^$()]|^\.\*/;

/** An object `hooks` with a trigger of this format above flat entries. */
export function claims(tree: Tree): boolean {
  const hooks = entryOf(tree, 'hooks')?.value;
  const entries = hooks?.kind === 'map' ? hooks.entries : [];
  return entries.some(
    ({ key, value }) => rowOf(key) !== undefined && value.kind === 'list' && !value.items.some(isNested),
  );
}

/** Reads the hooks. Every other key belongs to the agent. */
export function readConfig(doc: Doc): ConfigRead {
  const hooks = entryOf(doc.tree, 'hooks')?.value;
  const read = hooks?.kind === 'list' ? [listed(doc, hooks)] : entriesOf(hooks).map((entry) => readTrigger(doc, entry));
  const written = read.flatMap((one) => one.written);
  const { findings, advice } = toldAll(read);
  return { hooks: written.map((one) => one.hook), written, more: [], switches: {}, findings, advice };
}

type Read = Told & { readonly written: readonly WrittenHook[] };

const shape = (doc: Doc, span: TreeSpan, why: string, hint: string): Read => ({
  written: [],
  findings: [finding(doc, 'HK051', span, { why, hint })],
  advice: [],
});

function entriesOf(hooks: Tree | undefined): readonly TreeEntry[] {
  return hooks?.kind === 'map' ? hooks.entries : [];
}

function rowOf(native: string): Row | undefined {
  return ROWS.find((row) => row.native === native);
}

function listed(doc: Doc, hooks: Tree): Read {
  return shape(
    doc,
    hooks.span,
    '"hooks" is a list, but in an agent file it maps triggers to entries',
    'write {"preToolUse": [{"command": "…"}]}; a list of version v1 has hooks with "trigger" and "action"',
  );
}

function readTrigger(doc: Doc, { key, keySpan, value }: TreeEntry): Read {
  if (value.kind === 'map') {
    const why = 'this is the profile format of 2025, which agent files do not have';
    return shape(doc, keySpan, why, 'write "agentSpawn" or "userPromptSubmit" with a list of entries');
  }
  const row = rowOf(key);
  const items = value.kind === 'list' ? value.items : [];
  const nested = items.find(isNested);
  if (nested !== undefined) {
    const why = 'these are Claude Code\'s groups; entries stand here without a second "hooks"';
    return shape(doc, nested.value.span, why, 'write {"matcher": "fs_write", "command": "…"}');
  }
  if (row === undefined)
    return { written: [], findings: [unknownTrigger(doc, keySpan, key, 'kiro-agent', ROWS)], advice: [] };
  const read = items.map((item) => readEntry(doc, row, item));
  return { written: read.flatMap((one) => one.written), ...toldAll(read) };
}

function isNested({ value }: TreeItem): boolean {
  return entryOf(value, 'hooks')?.value.kind === 'list';
}

function readEntry(doc: Doc, row: Row, { start, value }: TreeItem): Read {
  if (value.kind !== 'map') return { written: [], ...NOTHING_TOLD };
  const entry = (key: string) => entryOf(value, key);
  const command = needed(doc, value, 'command', 'an entry');
  const matcher = readMatcher(doc, row, entry('matcher'));
  const parts = [
    command,
    matcher,
    numbers(doc, value),
    unknownKeys(doc, value, [...KEYS, 'timeout'], 'an entry'),
    {
      findings: typeFindings(doc, entry('type')),
      advice: [...switches(doc, value), ...remarks(doc, row, entry('command'), value.span)],
    },
  ];
  if (command.text === undefined) return { written: [], ...toldAll(parts) };
  const hook = hookOf(doc, {
    room: 'kiro-agent',
    row,
    start,
    name: text(entry('name')),
    tests: matcher.tests,
    off: undefined,
    group: `${spec.id} ${doc.file}`,
    order: ORDER,
    onFailure: 'warn',
    launch: { native: row.native, command: command.text, ms: millisecondsOf(value), cap: capOf(value) },
  });
  return { written: [writtenHook(hook, value.span, entry('matcher'), entry('command'))], ...toldAll(parts) };
}

function typeFindings(doc: Doc, entry: TreeEntry | undefined): Finding[] {
  const type = text(entry);
  if (entry === undefined || type === undefined || type === 'command') return [];
  const why = `an entry of the type "${type}" is not run: there is "command" alone`;
  return [finding(doc, 'HK051', entry.value.span, { why, hint: 'leave "type" out' })];
}

function millisecondsOf(map: Tree): number {
  const written = scalar(entryOf(map, 'timeout_ms'));
  return typeof written === 'number' && written > 0 ? limited(written) : spec.defaults.timeoutMs;
}

function capOf(map: Tree): number {
  const written = scalar(entryOf(map, 'max_output_size'));
  return typeof written === 'number' && written >= 0 ? written : OUTPUT_BYTES;
}

function numbers(doc: Doc, map: Tree): Told {
  const limit = entryOf(map, 'timeout_ms');
  const ms = scalar(limit);
  const span = limit?.value.span ?? map.span;
  const got = String(ms);
  const why = ms === 0 ? 'it would end the hook at once' : 'it must be at least 1';
  const negative = ['max_output_size', 'cache_ttl_seconds'].flatMap((key) => {
    const value = scalar(entryOf(map, key));
    const at = entryOf(map, key)?.value.span ?? map.span;
    return typeof value === 'number' && value < 0
      ? [finding(doc, 'HK009', at, { where: `"${key}"`, got: String(value) })]
      : [];
  });
  const isSmall = typeof ms === 'number' && ms > 0 && ms < FEW_MS;
  return {
    findings: [
      ...(typeof ms === 'number' && ms < 1
        ? [finding(doc, 'HK013', span, { got, why, hint: 'write milliseconds, or leave it out for 30 s' })]
        : []),
      ...negative,
    ],
    advice: [
      ...(isSmall
        ? [
            finding(doc, 'HK052', span, {
              key: 'timeout_ms',
              why: `${got} ms is very short; in seconds it would be ${Number(got) * 1_000} ms`,
              hint: `if seconds were meant, write ${Number(got) * 1_000}`,
            }),
          ]
        : []),
      ...strayTimeout(doc, map, 'timeout', 'agent files count in milliseconds', 'write "timeout_ms"'),
    ],
  };
}

/** What is read, and done otherwise here. */
function switches(doc: Doc, map: Tree): Finding[] {
  const [ttl, late] = ['cache_ttl_seconds', 'only_when_turn_complete'].map((key) => entryOf(map, key));
  const cached = scalar(ttl);
  return [
    ...(ttl !== undefined && typeof cached === 'number' && cached > 0
      ? [finding(doc, 'HK062', ttl.keySpan, { why: 'hookctl keeps no cache: the hook runs each time' })]
      : []),
    ...(late !== undefined && scalar(late) === true
      ? [finding(doc, 'HK062', late.keySpan, { why: 'hookctl runs the hook at once' }, 'warning')]
      : []),
  ];
}

type Matcher = Told & { readonly tests: readonly Test[] };

/** A name, `@builtin`, `@server`, or a glob over the whole name. */
function readMatcher(doc: Doc, row: Row, entry: TreeEntry | undefined): Matcher {
  const matcher = text(entry);
  if (entry === undefined || matcher === undefined || matcher === '*') return { tests: [], ...NOTHING_TOLD };
  const { span } = entry.value;
  if (row.matches !== 'tool')
    return { tests: [], findings: [], advice: [finding(doc, 'HK012', entry.keySpan, { event: row.native })] };
  if (matcher === '') {
    const args = {
      what: '""',
      why: 'Kiro would never run the hook, hookctl runs it for every tool',
      hint: 'write "*"',
    };
    return { tests: [], findings: [], advice: [finding(doc, 'HK055', span, args)] };
  }
  const isGlob = /[*?]/.test(matcher);
  const names: Test[] = [
    { kind: 'names', of: 'tool', any: spellings(matcher) },
    { kind: 'names', of: 'value', any: [matcher] },
  ];
  const tests: Test[] = isGlob ? [...names, { kind: 'glob', of: 'tool', any: [matcher] }] : names;
  return {
    tests: [{ kind: 'either', tests }],
    findings: [...(isGlob ? globFindings(doc, span, matcher, 'name') : []), ...neverMatches(doc, row, span, matcher)],
    advice: isGlob || REGEX.test(matcher) ? [] : strangeTool(doc, span, matcher, 'kiro-agent'),
  };
}

function neverMatches(doc: Doc, row: Row, span: TreeSpan, matcher: string): Finding[] {
  if (!REGEX.test(matcher)) return [];
  const bare = matcher.replace(/[\^$()]/g, '').replaceAll('.*', '*');
  const names = bare.split('|').filter((name) => name !== '');
  const hint = names.length > 1 ? `write an entry for each of ${names.join(', ')}` : `write "${names[0] ?? '*'}"`;
  const why = 'agent files have names and globs, no regular expressions';
  return [
    finding(doc, 'HK026', span, { matcher: JSON.stringify(matcher), why, hint, event: row.canonical }, 'warning'),
  ];
}
