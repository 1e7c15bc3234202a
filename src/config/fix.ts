/**
 * Mends a file where a finding says how, and leaves every other character as it is.
 */
import { type Edit, edited, type Reader, type Source } from '../core/edit';
import type { Finding, Fix } from '../core/finding';
import type { TreeSpan } from '../core/tree';

/** A text with its tree, its comments, and the commas that part the items of braces and brackets. */
export type Fixable = Source & { readonly commas: readonly number[] };

/** The text with every fix of the findings that can be made and then means what was intended. */
export function fixed(source: Fixable, findings: readonly Finding[], reader: Reader): string {
  const commas = new Set(source.commas);
  const edits = findings.flatMap(({ fix }) => (fix === undefined ? [] : (editOf(source.text, commas, fix) ?? [])));
  return edits.length === 0 ? source.text : edited(source, edits, reader).text;
}

function editOf(text: string, commas: ReadonlySet<number>, fix: Fix): Edit | undefined {
  const at = { start: fix.start, end: fix.end };
  const written = text.slice(at.start, at.end);
  switch (fix.how) {
    case 'rename':
      return { at, means: { kind: 'key', key: fix.text }, change: { ...at, text: inQuotesOf(written, fix.text) } };
    case 'replace':
      return { at, means: { kind: 'value', value: fix.text }, change: { ...at, text: inQuotesOf(written, fix.text) } };
    case 'quote':
      return BARE.test(written)
        ? { at, means: { kind: 'value', value: written }, change: { ...at, text: `"${written}"` } }
        : undefined;
    case 'remove':
      return { at, means: { kind: 'gone' }, change: { ...entryRemoval(text, at, commas), text: '' } };
    case 'uncomment':
      return { at, means: { kind: 'nothing' }, change: { ...commentRemoval(text, at), text: '' } };
  }
}

/** A number or a word as it is written: no alias, no tag. */
const BARE = /^[\w.+-]+$/;

function inQuotesOf(written: string, text: string): string {
  const quote = /^["']/.exec(written)?.[0] ?? '';
  return `${quote}${text}${quote}`;
}

/** With the comma that parts it from its neighbour, the one behind it or else the one before; without, what it leaves behind it. */
function entryRemoval(text: string, at: TreeSpan, commas: ReadonlySet<number>): TreeSpan {
  const { start, end } = at;
  const [next, last] = [behindBlanks(text, end), beforeBlanks(text, start) - 1];
  if (commas.has(next))
    return wholeLines(text, { start, end: next + 1 }) ?? { start, end: behindBlanks(text, next + 1) };
  if (commas.has(last)) return { start: last, end };
  const { before, behind } = aroundOf(text, at);
  if (behind.trim() !== '') return at;
  if (/^[\s-]*- *$/.test(before)) return { start, end: next };
  return wholeLines(text, at) ?? { start: start - before.length + before.trimEnd().length, end };
}

/** With the blanks around it. */
function commentRemoval(text: string, at: TreeSpan): TreeSpan {
  const { before, behind } = aroundOf(text, at);
  const blanks = /^[ \t]*/.exec(behind)?.[0].length ?? 0;
  return wholeLines(text, at) ?? { start: at.start - before.length + before.trimEnd().length, end: at.end + blanks };
}

/** The lines of a place with their line breaks, where nothing else stands on them. */
function wholeLines(text: string, at: TreeSpan): TreeSpan | undefined {
  const { before, behind } = aroundOf(text, at);
  if (before.trim() !== '' || behind.trim() !== '') return undefined;
  return { start: at.start - before.length, end: at.end + behind.length };
}

/** What stands on the lines of a place, before it and behind it. */
function aroundOf(text: string, { start, end }: TreeSpan): { readonly before: string; readonly behind: string } {
  const nextLine = text.indexOf('\n', end);
  return {
    before: text.slice(text.lastIndexOf('\n', start - 1) + 1, start),
    behind: text.slice(end, nextLine < 0 ? text.length : nextLine + 1),
  };
}

/** The first place from there on that is no white space. */
function behindBlanks(text: string, from: number): number {
  let at = from;
  while (BLANK.includes(text[at] ?? '_')) at += 1;
  return at;
}

/** The last place up to there that has no white space before it. */
function beforeBlanks(text: string, from: number): number {
  let at = from;
  while (BLANK.includes(text[at - 1] ?? '_')) at -= 1;
  return at;
}

const BLANK = ' \t\r\n';
