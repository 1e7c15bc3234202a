/**
 * What the readers of Kiro's three formats share: values, names, matchers, findings.
 */
import type { Code, Finding, Severity } from '../../core/finding';
import { globPattern } from '../../core/glob';
import { rawOf } from '../../core/json';
import type { Hook, Order, Row, Test } from '../../core/model';
import { nearest } from '../../core/nearest';
import { compilesAsJs } from '../../core/pattern';
import { clean, cut, firstLine } from '../../core/text';
import { entryOf, type Tree, type TreeEntry, type TreeSpan } from '../../core/tree';
import type { Doc, WrittenHook } from '../dialect';
import type { KiroLaunch } from './kiro-hooks';
import { type KiroRoom, otherFormats, triggerOf } from './kiro-rows';
import { CATEGORIES, GROUPS, knownTools, snakeCase } from './kiro-tools';

/** Findings that `run` repeats, or refuses the file for; and those that only `validate` tells. */
export type Told = { readonly findings: readonly Finding[]; readonly advice: readonly Finding[] };

export const NOTHING_TOLD: Told = { findings: [], advice: [] };

const LABEL_CHARS = 60;
/** A timer takes no more; nor does anybody wait longer. */
const MAX_MS = 86_400_000;
/** So many seconds are likelier milliseconds. */
const MANY_SECONDS = 1_000;

export function toldAll(parts: readonly Told[]): Told {
  return { findings: parts.flatMap((one) => one.findings), advice: parts.flatMap((one) => one.advice) };
}

export function finding(doc: Doc, code: Code, span: TreeSpan, args: Finding['args'], severity?: Severity): Finding {
  return { code, at: doc.place(span), args, ...(severity === undefined ? {} : { severity }) };
}

export function scalar(entry: TreeEntry | undefined): string | number | boolean | null | undefined {
  return entry?.value.kind === 'scalar' ? entry.value.value : undefined;
}

export function text(entry: TreeEntry | undefined): string | undefined {
  const value = scalar(entry);
  return typeof value === 'string' ? value : undefined;
}

/** Keys that Kiro does not read. */
export function unknownKeys(doc: Doc, map: Tree | undefined, allowed: readonly string[], where: string): Told {
  const entries = map?.kind === 'map' ? map.entries : [];
  const advice = entries.flatMap(({ key, keySpan }): Finding[] =>
    allowed.includes(key) ? [] : [{ ...finding(doc, 'HK006', keySpan, { key, where, hint: '' }, 'warning'), allowed }],
  );
  return { findings: [], advice };
}

/** A name of another format leads to this one's; `severity` where it is no error. */
export function unknownTrigger(doc: Doc, span: TreeSpan, event: string, room: KiroRoom, rows: readonly Row[]): Finding {
  const canonical = triggerOf(event);
  const here = rows.find((row) => row.canonical === canonical)?.native;
  const [other] = otherFormats(event, room);
  if (here === undefined) {
    const hint = canonical === undefined ? '' : `files of ${room} have nothing of the kind`;
    return { ...finding(doc, 'HK007', span, { event, hint }), allowed: rows.map(({ native }) => native) };
  }
  const whose = other === undefined ? 'no trigger of this format' : `a trigger of ${other} files`;
  return finding(doc, 'HK007', span, { event, hint: `it is ${whose}; write "${here}"` });
}

/** A text that must be there and say something; `key` for a missing one. */
export function needed(doc: Doc, map: Tree, key: string, where: string): { readonly text?: string } & Told {
  const entry = entryOf(map, key);
  if (entry === undefined) return { findings: [finding(doc, 'HK037', map.span, { where, key })], advice: [] };
  const said = text(entry);
  if (said === undefined) return NOTHING_TOLD;
  if (said.trim() === '') return { findings: [finding(doc, 'HK018', entry.value.span, { where: key })], advice: [] };
  if (said.includes('\0')) return { findings: [finding(doc, 'HK019', entry.value.span, { where: key })], advice: [] };
  return { text: said, ...NOTHING_TOLD };
}

/** Seconds, 0 for no limit. What the schema says of the type is not said again. */
export function seconds(
  doc: Doc,
  entry: TreeEntry | undefined,
  otherwise: number,
): { readonly ms: number | 'none' } & Told {
  const written = scalar(entry);
  if (entry === undefined || typeof written !== 'number') return { ms: otherwise * 1_000, ...NOTHING_TOLD };
  const { span } = entry.value;
  const args = { got: String(written), why: 'it must not be negative', hint: 'write seconds; 0 is no limit' };
  if (written < 0) return { ms: otherwise * 1_000, findings: [finding(doc, 'HK013', span, args)], advice: [] };
  const why = `${written} s is ${Math.round(written / 60)} min; in milliseconds it would be ${written / 1_000} s`;
  const hint = `if milliseconds were meant, write ${written / 1_000}`;
  const advice = written >= MANY_SECONDS ? [finding(doc, 'HK052', span, { key: 'timeout', why, hint })] : [];
  return { ms: written === 0 ? 'none' : limited(written * 1_000), findings: [], advice };
}

export function limited(ms: number): number {
  return Math.max(1, Math.min(MAX_MS, Math.round(ms)));
}

/** A key of another format for the timeout. */
export function strayTimeout(doc: Doc, map: Tree, key: string, why: string, hint: string): readonly Finding[] {
  const entry = entryOf(map, key);
  return entry === undefined ? [] : [finding(doc, 'HK052', entry.keySpan, { key, why, hint })];
}

export type HookParts = {
  readonly room: KiroRoom;
  readonly row: Row;
  readonly start: number;
  readonly name: string | undefined;
  readonly tests: readonly Test[];
  readonly off: string | undefined;
  readonly group: string;
  readonly order: Order;
  readonly onFailure: Hook['onFailure'];
  readonly launch: KiroLaunch;
};

/** A hook is called by its name, else by its command's first line. */
export function hookOf(doc: Doc, parts: HookParts): Hook {
  const { room, row, start, name, tests, off, group, order, onFailure, launch } = parts;
  const named = clean(firstLine(name ?? ''));
  return {
    author: room,
    at: { file: doc.file, ...doc.position(start) },
    label: cut(named === '' ? clean(firstLine(launch.command ?? launch.prompt ?? '')) : named, LABEL_CHARS),
    event: row.canonical,
    tests,
    ...(off === undefined ? {} : { off }),
    group,
    order,
    phase: 0,
    onFailure,
    root: projectOf(doc),
    written: rawOf(launch),
  };
}

/** The folder above `.kiro`, where Kiro starts hooks. */
function projectOf({ root }: Doc): string {
  const above = /^(.*?)\/\.(?:kiro|amazonq)(?:\/|$)/.exec(root)?.[1];
  return above === undefined || above === '' ? root : above;
}

/** What may surprise whoever writes a hook. */
export function remarks(doc: Doc, row: Row, command: TreeEntry | undefined, span: TreeSpan): readonly Finding[] {
  const path = /(?:^|[\s"'=])(\/(?:home|Users)\/[^\s"']+)/.exec(text(command) ?? '')?.[1];
  return [
    ...(path === undefined || command === undefined
      ? []
      : [finding(doc, 'HK062', command.value.span, { why: `${path} is not there on another computer` })]),
    ...(row.canonical === 'manual'
      ? [finding(doc, 'HK062', span, { why: 'Kiro IDE 1 has no hooks that a user starts' })]
      : []),
  ];
}

export function writtenHook(hook: Hook, span: TreeSpan, matcher?: TreeEntry, command?: TreeEntry): WrittenHook {
  const [pattern, shell] = [matcher, command].map((entry) => {
    const said = text(entry);
    return entry === undefined || said === undefined ? undefined : { text: said, span: entry.value.span };
  });
  return {
    hook,
    span,
    ...(pattern === undefined ? {} : { matcher: pattern }),
    ...(shell === undefined ? {} : { command: shell }),
  };
}

/** A name as both ways of writing it. */
export function spellings(name: string): readonly string[] {
  return [...new Set([name, snakeCase(name)])];
}

/** A plain name is one of the format's, or a category; others are shown with the nearest. */
export function strangeTool(doc: Doc, span: TreeSpan, name: string, room: KiroRoom): readonly Finding[] {
  const known = [...knownTools(room), ...(room === 'kiro-agent' ? [] : CATEGORIES)];
  const isPlain = /^\w+$/.test(name);
  if (!isPlain || known.includes(snakeCase(name)) || name.startsWith('subagent_')) return [];
  const meant = nearest(name, known);
  const hint = meant === undefined ? `known are ${known.join(', ')}` : `write "${meant}" if that was meant`;
  return [
    finding(doc, 'HK055', span, { what: JSON.stringify(name), why: 'no tool of this format is called so', hint }),
  ];
}

/** Why a pattern is no regular expression, or undefined. */
export function regexFault(doc: Doc, pattern: string): { readonly why: string; readonly hint?: string } | undefined {
  const fault = doc.matcherFault(pattern);
  return fault !== undefined && !compilesAsJs(pattern) ? fault : undefined;
}

/** An unusable glob is an error: a guard would be off unseen. */
export function globFindings(doc: Doc, span: TreeSpan, glob: string, of: 'name' | 'path'): readonly Finding[] {
  const found = globPattern(glob, of);
  const why = typeof found === 'string' ? doc.matcherFault(found)?.why : found.fault;
  return why === undefined ? [] : [finding(doc, 'HK011', span, { matcher: JSON.stringify(glob), why, hint: '' })];
}

export function isGroup(name: string): boolean {
  return GROUPS.some((group) => group === name);
}

/** A file or folder from which no Kiro loads hooks, or content that it does not look for there. */
export function unloaded(doc: Doc, why: string | undefined): readonly Finding[] {
  return why === undefined ? [] : [{ code: 'HK053', at: { file: doc.file }, args: { why } }];
}

/** Why no Kiro reads hooks in that folder. */
export function whyNotThere({ root, file }: Doc): string | undefined {
  if (/\/\.kiro\/hooks\/./.test(root)) return 'subfolders of .kiro/hooks are not looked into';
  return /\/\.kiro\/settings$/.test(root) && /(?:^|\/)hooks\.json$/.test(file)
    ? 'hooks are read from .kiro/hooks, not from .kiro/settings'
    : undefined;
}

/** In which quotes of the shell an offset stands. */
export function quotedAt(command: string, offset: number): '' | '"' | "'" {
  let open: '' | '"' | "'" = '';
  for (let at = 0; at < offset; at += 1) {
    const sign = command[at];
    if (sign === '\\' && open !== "'") at += 1;
    else if (open === '' && (sign === '"' || sign === "'")) open = sign;
    else if (sign === open) open = '';
  }
  return open;
}
