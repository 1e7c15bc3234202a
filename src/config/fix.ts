/**
 * Mends a file where a finding says how, and leaves every other character as it is.
 */
import { type Edit, edited, type Source } from '../core/edit';
import type { Finding, Fix } from '../core/finding';
import type { Tree } from '../core/tree';

/** The text with every fix of the findings that can be made and then means what was intended. `parse` gives the tree of a text, or undefined. */
export function fixed(source: Source, findings: readonly Finding[], parse: (text: string) => Tree | undefined): string {
  const edits = findings.flatMap(({ fix }) => (fix === undefined ? [] : (editOf(source.text, fix) ?? [])));
  return edits.length === 0 ? source.text : edited(source, edits, parse).text;
}

function editOf(text: string, fix: Fix): Edit | undefined {
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
      return { at, means: { kind: 'gone' }, change: removal(text, at.start, at.end) };
    case 'uncomment':
      return { at, means: { kind: 'nothing' }, change: removal(text, at.start, at.end) };
  }
}

/** A number or a word as it is written: no alias, no tag. */
const BARE = /^[\w.+-]+$/;

function inQuotesOf(written: string, text: string): string {
  const quote = /^["']/.exec(written)?.[0] ?? '';
  return `${quote}${text}${quote}`;
}

/**
 * Whole lines where nothing else stands on them. Behind a dash, and in braces, what parts it from its neighbour goes too.
 * Behind other text, the blanks before it.
 */
function removal(text: string, start: number, end: number): Edit['change'] {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const nextLine = text.indexOf('\n', end);
  const lineEnd = nextLine < 0 ? text.length : nextLine + 1;
  const [before, behind] = [text.slice(line, start), text.slice(end, lineEnd)];
  const comma = /^\s*,\s*/.exec(text.slice(end))?.[0];
  if (comma !== undefined) return { start, end: end + comma.length, text: '' };
  const commaBefore = /,\s*$/.exec(text.slice(0, start))?.[0];
  if (commaBefore !== undefined) return { start: start - commaBefore.length, end, text: '' };
  if (behind.trim() !== '') return { start, end, text: '' };
  if (before.trim() === '') return { start: line, end: lineEnd, text: '' };
  if (/^[\s-]*- *$/.test(before))
    return { start, end: end + (/^\s*/.exec(text.slice(end))?.[0].length ?? 0), text: '' };
  return { start: line + before.trimEnd().length, end, text: '' };
}
