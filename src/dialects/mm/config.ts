/**
 * Agent YAML: from the parsed document to hooks and findings.
 */
import { parseDuration } from '../../core/duration';
import type { Code, Finding } from '../../core/finding';
import { rawOf } from '../../core/json';
import type { Hook, OnFailure, Row, Test } from '../../core/model';
import { nearest } from '../../core/nearest';
import { resolvePath } from '../../core/path';
import { clean, cut, firstLine } from '../../core/text';
import { entryOf, type Tree, type TreeEntry, type TreeItem, type TreeSpan } from '../../core/tree';
import { variableFault } from '../../core/variable';
import type { ConfigRead, Doc, Switches, WrittenHook, WrittenText } from '../dialect';
import { ON_ERROR, ORDER, spec } from './spec';

/** What a launch needs, as it is kept in `Hook.written`. */
export type Launch = { readonly ms: number } & (
  | { readonly command: string; readonly env: Readonly<Record<string, string>> }
  /** Absolute path. */
  | { readonly wasm: string }
);

const LABEL_CHARS = 60;
const TO_RUN = ['command', 'wasm'] as const;
const MERGE_KEY = { key: '<<', where: 'the file', hint: 'YAML 1.2 has no merge keys; write the keys out' };
const RESERVED = /^(?:MM|HOOKCTL)_/;

/** Reads the hooks and switches. What the JSON Schema reports (unknown keys, wrong types) is not reported here again. */
export function readConfig(doc: Doc): ConfigRead {
  const hooks = entryOf(doc.tree, 'hooks')?.value;
  const read = chainsOf(hooks).flatMap(({ event, items }) => items.map((item) => readHook(doc, event, item)));
  return {
    hooks: read.flatMap((one) => one.written?.hook ?? []),
    written: read.flatMap((one) => one.written ?? []),
    more: [],
    switches: switchesOf(doc.tree),
    findings: [...misspeltHooks(doc), ...read.flatMap((one) => one.findings)],
  };
}

type Chain = { readonly event: string; readonly items: readonly TreeItem[] };

function chainsOf(hooks: Tree | undefined): Chain[] {
  if (hooks?.kind !== 'map') return [];
  return hooks.entries.flatMap(({ key, value }) => (value.kind === 'list' ? [{ event: key, items: value.items }] : []));
}

function switchesOf(tree: Tree): Switches {
  const displayHooks = scalar(entryOf(tree, 'displayHooks'));
  const yolo = scalar(entryOf(tree, 'yolo'));
  return {
    ...(typeof displayHooks === 'boolean' ? { displayHooks } : {}),
    ...(typeof yolo === 'boolean' ? { yolo } : {}),
  };
}

/** A key beside `hooks` that holds hooks: every guard below it would be off. */
function misspeltHooks(doc: Doc): Finding[] {
  if (doc.tree.kind !== 'map') return [];
  return doc.tree.entries.flatMap(({ key, keySpan, value }): Finding[] => {
    if (key === 'hooks') return [];
    if (key === '<<' && mergesHooks(value)) return [finding(doc, 'HK006', keySpan, MERGE_KEY)];
    if (isEvent(key) && holdsHooks(value)) return [finding(doc, 'HK021', keySpan, { event: key })];
    if (!isHooksMap(key, value)) return [];
    const free = entryOf(doc.tree, 'hooks') === undefined && nearest(key, ['hooks']) !== undefined;
    const mended = free ? { fix: { ...keySpan, how: 'rename' as const, text: 'hooks' } } : {};
    return [{ ...finding(doc, 'HK015', keySpan, { key }), ...mended }];
  });
}

/** Where YAML 1.1 has merge keys, what is merged would bring hooks. */
function mergesHooks(value: Tree): boolean {
  const merged = value.kind === 'list' ? value.items.map((item) => item.value) : [value];
  return merged.some((one) => entryOf(one, 'hooks') !== undefined || isHooksMap('hooks', one));
}

/** Another spelling of `hooks` above an event's name, or any key above an event with commands. */
function isHooksMap(key: string, value: Tree): boolean {
  if (value.kind !== 'map') return false;
  const spelling = ['hooks', 'hook'].includes(key.toLowerCase());
  return value.entries.some((entry) => isEvent(entry.key) && (spelling || holdsHooks(entry.value)));
}

function isEvent(key: string): boolean {
  return spec.rows.some((row) => row.canonical.toLowerCase() === key.toLowerCase());
}

/** A list in which something is to be run. */
function holdsHooks(value: Tree): boolean {
  return (
    value.kind === 'list' && value.items.some((item) => TO_RUN.some((key) => entryOf(item.value, key) !== undefined))
  );
}

function readHook(doc: Doc, event: string, item: TreeItem): { written?: WrittenHook; findings: readonly Finding[] } {
  if (item.value.kind !== 'map') return { findings: [] };
  const entries = new Map(item.value.entries.map((entry) => [entry.key, entry]));
  const matcher = readMatcher(doc, event, entries.get('matcher'));
  const timeout = readTimeout(doc, entries.get('timeout'));
  const env = entries.get('env');
  const findings = [
    ...whatToRun(doc, entries, item.value.span),
    ...matcher.findings,
    ...timeout.findings,
    ...envFindings(doc, env),
    ...(env === undefined || entries.has('command') || !entries.has('wasm')
      ? []
      : [finding(doc, 'HK020', env.keySpan, {})]),
  ];
  const launch = launchIn(doc, entries, timeout.ms);
  if (launch === undefined) return { findings };
  const hook = hookOf(doc, event, item, launch, matcher.tests, entries);
  return { written: writtenHook(hook, item.value.span, entries), findings };
}

function launchIn(doc: Doc, entries: ReadonlyMap<string, TreeEntry>, ms: number): Launch | undefined {
  const [command, wasm] = TO_RUN.map((key) => text(entries.get(key)));
  if (command !== undefined) return { command, ms, env: envOf(entries.get('env')) };
  return wasm === undefined ? undefined : { wasm: resolvePath(doc.root, wasm), ms };
}

function writtenHook(hook: Hook, span: TreeSpan, entries: ReadonlyMap<string, TreeEntry>): WrittenHook {
  const [matcher, command, module, onFailure] = ['matcher', 'command', 'wasm', 'onError'].map((key) =>
    writtenText(entries.get(key)),
  );
  return {
    hook,
    span,
    ...(matcher === undefined ? {} : { matcher }),
    ...(command === undefined ? {} : { command }),
    ...(module === undefined ? {} : { module: { ...module, kind: 'command' as const } }),
    ...(onFailure === undefined ? {} : { onFailure }),
  };
}

function writtenText(entry: TreeEntry | undefined): WrittenText | undefined {
  const written = text(entry);
  return entry === undefined || written === undefined ? undefined : { text: written, span: entry.value.span };
}

function hookOf(
  doc: Doc,
  event: string,
  item: TreeItem,
  launch: Launch,
  tests: readonly Test[],
  entries: ReadonlyMap<string, TreeEntry>,
): Hook {
  const name = text(entries.get('name')) ?? '';
  const [toRun = ''] = TO_RUN.flatMap((key) => text(entries.get(key)) ?? []);
  return {
    author: spec.id,
    at: { file: doc.file, ...doc.position(item.start) },
    label: clean(firstLine(name)) || cut(clean(firstLine(toRun)), LABEL_CHARS),
    event,
    tests,
    ...(scalar(entries.get('enabled')) === false ? { off: 'disabled' } : {}),
    group: spec.id,
    order: ORDER,
    phase: 0,
    onFailure: onFailureOf(text(entries.get('onError'))),
    root: doc.root,
    written: rawOf(launch),
  };
}

function whatToRun(doc: Doc, entries: ReadonlyMap<string, TreeEntry>, whole: TreeSpan): Finding[] {
  // A misspelt one is an unknown key: one mistake, one finding.
  const there = TO_RUN.flatMap((key) => entries.get(key) ?? []);
  const [first] = there;
  const keys = TO_RUN.join(' and ');
  const misspelt = [...entries.keys()].some((key) => nearest(key, TO_RUN) !== undefined);
  if (first === undefined) return misspelt ? [] : [finding(doc, 'HK010', whole, { keys, got: 'neither' })];
  if (there.length > 1) return [finding(doc, 'HK010', whole, { keys, got: 'both' })];
  const said = text(first);
  if (said === undefined) return [];
  if (said.trim() === '') return [finding(doc, 'HK018', first.value.span, { where: first.key })];
  return said.includes('\0') ? [finding(doc, 'HK019', first.value.span, { where: first.key })] : [];
}

function readMatcher(doc: Doc, event: string, entry: TreeEntry | undefined): { tests: Test[]; findings: Finding[] } {
  const pattern = text(entry);
  if (entry === undefined || pattern === undefined || pattern === '' || pattern === '*')
    return { tests: [], findings: [] };
  const fault = doc.matcherFault(pattern);
  if (fault !== undefined) {
    const args = { matcher: JSON.stringify(pattern), why: fault.why, hint: fault.hint ?? '' };
    return { tests: [], findings: [finding(doc, 'HK011', entry.value.span, args)] };
  }
  const row: Row | undefined = spec.rows.find((one) => one.canonical === event);
  if (row !== undefined && row.matches !== 'tool') {
    const fix: Finding['fix'] = { start: entry.keySpan.start, end: entry.value.span.end, how: 'remove' };
    return { tests: [], findings: [{ ...finding(doc, 'HK012', entry.keySpan, { event }), fix }] };
  }
  return { tests: [{ kind: 'regex', of: 'tool', any: [pattern] }], findings: [] };
}

function readTimeout(doc: Doc, entry: TreeEntry | undefined): { ms: number; findings: Finding[] } {
  const ms = spec.defaults.timeoutMs;
  if (entry === undefined) return { ms, findings: [] };
  const written = scalar(entry);
  const got = written === undefined ? `a ${entry.value.kind}` : String(written);
  const duration = parseDuration(got);
  if (typeof written === 'string' && duration.kind === 'ms') return { ms: duration.ms, findings: [] };
  const why = duration.kind === 'ms' ? 'it must be text' : duration.why;
  const readings = duration.kind === 'ms' ? [] : duration.readings;
  const hint = readings.length === 0 ? 'write for example 5s' : `write ${readings.join(', ')}`;
  const [only, ...others] = readings;
  const mended =
    only === undefined || others.length > 0
      ? {}
      : { fix: { ...entry.value.span, how: 'replace' as const, text: only } };
  return { ms, findings: [{ ...finding(doc, 'HK013', entry.value.span, { got, why, hint }), ...mended }] };
}

function envFindings(doc: Doc, entry: TreeEntry | undefined): Finding[] {
  if (entry?.value.kind !== 'map') return [];
  return entry.value.entries.flatMap((variable) => {
    const fault = reservedFault(variable.key) ?? variableFault(variable.key);
    if (fault !== undefined) return [finding(doc, 'HK014', variable.keySpan, { name: variable.key, ...fault })];
    const nul = variable.key.includes('\0') || text(variable)?.includes('\0') === true;
    return nul ? [finding(doc, 'HK019', variable.keySpan, { where: 'a variable' })] : [];
  });
}

function reservedFault(name: string): { why: string; hint: string } | undefined {
  if (!RESERVED.test(name)) return undefined;
  return { why: 'names that begin with MM_ or HOOKCTL_ are set by hookctl', hint: 'choose another name' };
}

function envOf(entry: TreeEntry | undefined): Record<string, string> {
  if (entry?.value.kind !== 'map') return {};
  return Object.fromEntries(entry.value.entries.map((variable) => [variable.key, text(variable) ?? '']));
}

function onFailureOf(written: string | undefined): OnFailure {
  return Object.entries(ON_ERROR).find(([name]) => name === written)?.[1] ?? 'warn';
}

function finding(doc: Doc, code: Code, span: TreeSpan, args: Finding['args']): Finding {
  return { code, at: doc.place(span), args };
}

function scalar(entry: TreeEntry | undefined): string | number | boolean | null | undefined {
  return entry?.value.kind === 'scalar' ? entry.value.value : undefined;
}

function text(entry: TreeEntry | undefined): string | undefined {
  const value = scalar(entry);
  return typeof value === 'string' ? value : undefined;
}
