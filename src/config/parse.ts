/**
 * From the bytes of a config file to a tree with places.
 */

import type { Finding, FindingPlace } from '../core/finding';
import { scan } from '../core/json';
import { decode } from '../core/text';
import {
  NO_COMMENTS,
  type Parsed,
  type Tree,
  type TreeEntry,
  type TreeFault,
  type TreeItem,
  type TreeSpan,
} from '../core/tree';

/** So much of a line is kept on each side of a place: a whole file may be one line. */
const WINDOW_CHARS = 200;

/** A file that was parsed, and how its offsets are told to people. */
export type ParsedFile = Parsed & Positions & { readonly text: string };

export type Positions = {
  readonly position: (offset: number) => { readonly line: number; readonly column: number };
  readonly place: (span: TreeSpan) => FindingPlace;
};

/** Parses a file: as strict JSON, or by a reader of YAML. */
export function parseFile(file: string, bytes: Uint8Array, by: 'json' | ((text: string) => Parsed)): ParsedFile {
  const body = withoutBom(bytes);
  const text = textIn(body);
  if (text === undefined) return invalidUtf8(file, body);
  const parsed = by === 'json' ? parseJson(text) : by(file.endsWith('.md') ? frontMatter(text) : text);
  return { ...parsed, text, ...positionsIn(file, text) };
}

/** The tree of a text, or undefined where it has mistakes. */
export function treeIn(file: string, text: string, by: Parameters<typeof parseFile>[2]): Tree | undefined {
  return parseFile(file, new TextEncoder().encode(text), by).tree;
}

/** The finding of a fault. */
export function faultFinding(fault: TreeFault, place: Positions['place']): Finding {
  const at = place(fault.span);
  switch (fault.code) {
    case 'duplicate key':
      return { code: 'HK003', at, args: { key: fault.why } };
    case 'more documents':
      return { code: 'HK004', at, args: {} };
    case 'empty':
      return { code: 'HK005', at, args: {} };
    case 'alias':
      return { code: 'HK017', at, args: { why: fault.why, hint: fault.hint ?? '' } };
    case 'syntax':
      return { code: 'HK002', at, args: { why: fault.why, hint: fault.hint ?? '' } };
  }
}

/** What stands between the first two lines of `---`, at its place; all else is blank. Empty where there is none. */
function frontMatter(text: string): string {
  const [, head = '', inner] = /^(---[ \t]*\r?\n)(.*?)^---[ \t]*\r?$/ms.exec(text) ?? [];
  return text.startsWith('---') && inner !== undefined ? head.replace(/-/g, ' ') + inner : '';
}

/** Does a document have hooks in its front matter, or at least the key? */
export function hasHooks(bytes: Uint8Array): boolean {
  return /^["']?hooks["']?[ \t]*:/m.test(frontMatter(decode(bytes)));
}

function parseJson(text: string): Parsed {
  const bytes = new TextEncoder().encode(text);
  const scanned = scan(bytes);
  if (scanned.kind === 'json') {
    const tree = new JsonReader(text).value();
    return { tree, faults: [], comments: NO_COMMENTS, commas: () => commasIn(text) };
  }
  const start = unitOf(bytes, scanned.offset);
  const code = scanned.why.startsWith('duplicate key') ? 'duplicate key' : scanned.why === 'empty' ? 'empty' : 'syntax';
  const why = code === 'duplicate key' ? scanned.why.replace(/^duplicate key "?|"$/g, '') : scanned.why;
  const end = start + (code === 'duplicate key' ? keyLength(text, start) : 1);
  return { faults: [{ code, why, span: { start, end } }], comments: NO_COMMENTS };
}

/** Those of a JSON text. */
function commasIn(text: string): number[] {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|,/g)].flatMap(({ 0: token, index }) => (token === ',' ? [index] : []));
}

/** Of the JSON string that begins at an offset, with its quotes. */
function keyLength(text: string, start: number): number {
  return /^"(?:[^"\\]|\\.)*"/.exec(text.slice(start, start + 1_000))?.[0].length ?? 1;
}

/** The tree of a JSON text that is known to be valid, in one pass. */
class JsonReader {
  private at = 0;

  constructor(private readonly text: string) {}

  value(): Tree {
    const start = this.skipBlanks();
    const open = this.text[start];
    if (open === '{') return this.object(start);
    if (open === '[') return this.list(start);
    this.at = open === '"' ? this.stringEnd(start) : this.wordEnd(start);
    return { kind: 'scalar', span: { start, end: this.at }, value: JSON.parse(this.text.slice(start, this.at)) };
  }

  private object(start: number): Tree {
    const entries: TreeEntry[] = [];
    for (this.at += 1; !this.took('}'); this.took(',')) {
      const from = this.skipBlanks();
      const keySpan = { start: from, end: this.stringEnd(from) };
      this.at = keySpan.end;
      this.took(':');
      entries.push({ key: JSON.parse(this.text.slice(from, keySpan.end)), keySpan, value: this.value() });
    }
    return { kind: 'map', span: { start, end: this.at }, entries };
  }

  private list(start: number): Tree {
    const items: TreeItem[] = [];
    for (this.at += 1; !this.took(']'); this.took(',')) {
      const value = this.value();
      items.push({ start: value.span.start, value });
    }
    return { kind: 'list', span: { start, end: this.at }, items };
  }

  private took(sign: string): boolean {
    if (this.text[this.skipBlanks()] !== sign) return false;
    this.at += 1;
    return true;
  }

  private skipBlanks(): number {
    while (' \t\r\n'.includes(this.text[this.at] ?? '_')) this.at += 1;
    return this.at;
  }

  /** Behind the quote that ends the string: one with an even number of backslashes before it. */
  private stringEnd(start: number): number {
    for (let end = this.text.indexOf('"', start + 1); ; end = this.text.indexOf('"', end + 1)) {
      let before = end;
      while (this.text[before - 1] === '\\') before -= 1;
      if ((end - before) % 2 === 0) return end + 1;
    }
  }

  private wordEnd(start: number): number {
    let end = start;
    while (/[\w.+-]/.test(this.text[end] ?? ' ')) end += 1;
    return end;
  }
}

/** Byte offset → UTF-16 offset. */
function unitOf(bytes: Uint8Array, offset: number): number {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, offset)).length;
}

/** How offsets of a text are told to people. */
export function positionsIn(file: string, text: string): Positions {
  const starts = lineStarts(text);
  const pairs = pairsIn(text);
  const position = (offset: number) => {
    const end = Math.min(offset, text.length);
    const line = lastAtMost(starts, end);
    const start = starts[line] ?? 0;
    const halves = countBelow(pairs, end) - countBelow(pairs, start);
    return { line: line + 1, column: end - start - halves + 1 };
  };
  const place = (span: TreeSpan) => {
    const { line, column } = position(span.start);
    const end = position(span.end);
    return { file, line, column, endLine: end.line, endColumn: end.column, ...windowOf(line - 1, span.start) };
  };
  const windowOf = (index: number, offset: number) => {
    const start = Math.max(starts[index] ?? 0, offset - WINDOW_CHARS);
    const lineEnd = starts[index + 1] ?? text.length;
    const source = text.slice(start, Math.min(lineEnd, offset + WINDOW_CHARS)).replace(/[\r\n]+$/, '');
    return { source, caret: [...text.slice(start, offset)].length };
  };
  return { position, place };
}

/** Offsets of the second halves of the characters that are two units: columns count characters. */
function pairsIn(text: string): number[] {
  return [...text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)].map(({ index }) => index + 1);
}

/** How many of the sorted numbers are below the limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Index of the last start that is not beyond the offset. */
function lastAtMost(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function withoutBom(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Read with replacement characters, so that the place can be shown. */
function invalidUtf8(file: string, bytes: Uint8Array): ParsedFile {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const start = Math.max(0, text.indexOf('\ufffd'));
  const fault: TreeFault = {
    code: 'syntax',
    why: 'the file is not valid UTF-8',
    hint: 'save it as UTF-8',
    span: { start, end: start + 1 },
  };
  return { faults: [fault], comments: NO_COMMENTS, text, ...positionsIn(file, text) };
}
