/**
 * From an offset in a YAML or JSON text value to the offset in the file where that character is written.
 */
import type { TreeSpan } from '../core/tree';
import type { WrittenText } from '../dialects/dialect';

/** Finds the place in the source of a part of the value: exact for all that is no white space. */
export function placesIn(source: string, { text, span }: WrittenText): (start: number, end: number) => TreeSpan {
  let units: readonly TreeSpan[] | undefined | 'unknown' = 'unknown';
  return (start, end) => {
    if (units === 'unknown') units = aligned(text, source.slice(span.start, span.end));
    if (units === undefined) return span;
    const first = units[start] ?? { start: 0, end: 1 };
    const last = units[Math.max(start, end - 1)] ?? first;
    return { start: span.start + first.start, end: span.start + Math.max(first.end, last.end) };
  };
}

/**
 * For each character of the value where it is written, or undefined where the two do not go together. Line breaks and
 * indentation may be written in many ways: white space stands for white space, whatever it is.
 */
function aligned(text: string, written: string): TreeSpan[] | undefined {
  const pieces = piecesOf(written);
  const units: TreeSpan[] = [];
  let next = 0;
  while (units.length < text.length) {
    const piece = pieces[next];
    const from = units.length;
    const blanks = blanksAt(text, from);
    if (blanks > 0 && (piece === undefined || isBlank(piece))) {
      const at = piece?.at ?? { start: written.length, end: written.length + 1 };
      for (let unit = 0; unit < blanks; unit += 1) units.push(at);
      while (isBlank(pieces[next])) next += 1;
    } else if (piece !== undefined && blanks === 0 && text.startsWith(piece.value, from)) {
      for (let unit = 0; unit < piece.value.length; unit += 1) units.push(piece.at);
      next += 1;
    } else if (isBlank(piece)) next += 1;
    else return undefined;
  }
  return units;
}

/** `at`: where all of it is written, an escape from its backslash to its last character. */
type Piece = { readonly value: string; readonly at: TreeSpan };

/** Of the string between the quotes, or of the lines of a block, one character after the other. */
function piecesOf(written: string): Piece[] {
  const style = written[0] ?? '';
  if (style === '"') return matched(written.slice(0, -1), /\\(?:x..|u.{4}|U.{8}|[\s\S])|[\s\S]/gsy, 1, unescaped);
  if (style === "'") return matched(written.slice(0, -1), /''|[\s\S]/gy, 1, (one) => one[0] ?? '');
  const start = style === '|' || style === '>' ? written.indexOf('\n') : 0;
  return matched(written, /[\s\S]/gy, Math.max(0, start), (one) => one);
}

function matched(written: string, pattern: RegExp, start: number, value: (one: string) => string): Piece[] {
  pattern.lastIndex = start;
  const pieces: Piece[] = [];
  for (let found = pattern.exec(written); found !== null; found = pattern.exec(written))
    pieces.push({ value: value(found[0]), at: { start: found.index, end: found.index + found[0].length } });
  return pieces;
}

const NAMED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', e: '\x1b', '0': '\0' };

/** A line break behind a backslash is nothing. */
function unescaped(one: string): string {
  if (!one.startsWith('\\') || one === '\\') return one;
  const code = /^\\[xuU]([\da-fA-F]+)$/.exec(one)?.[1];
  if (code !== undefined) return String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, 16)));
  const sign = one[1] ?? '';
  return sign === '\n' || sign === '\r' ? '' : (NAMED[sign] ?? sign);
}

/** How many characters of white space stand there. */
function blanksAt(text: string, from: number): number {
  let end = from;
  while (/\s/.test(text[end] ?? '_')) end += 1;
  return end - from;
}

function isBlank(piece: Piece | undefined): boolean {
  return piece !== undefined && piece.value.trim() === '';
}

/** Offset of a line and column, both 1-based, in a text. */
export function offsetIn(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf('\n', start);
    if (next < 0) break;
    start = next + 1;
  }
  return start + column - 1;
}
