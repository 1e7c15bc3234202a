/**
 * From the bytes of a config file to a tree with places.
 */
import type { Finding, FindingPlace } from '../core/finding';
import { scan } from '../core/json';
import type { Parsed, Tree, TreeEntry, TreeFault, TreeItem, TreeSpan } from '../core/tree';

/** So much of a line is kept on each side of a place: a whole file may be one line. */
const WINDOW_CHARS = 200;

/** A file that was parsed, and how its offsets are told to people. */
export type ParsedFile = Parsed & Positions & { readonly text: string };

export type Positions = {
  readonly position: (offset: number) => { readonly line: number; readonly column: number };
  readonly place: (span: TreeSpan) => FindingPlace;
};

/** Parses a file. Without `parser` it is read as strict JSON. */
export function parseFile(file: string, bytes: Uint8Array, parser: ((text: string) => Parsed) | undefined): ParsedFile {
  const body = withoutBom(bytes);
  const text = textIn(body);
  if (text === undefined) return invalidUtf8(file, body);
  const parsed = parser === undefined ? parseJson(text) : parser(file.endsWith('.md') ? frontMatter(text) : text);
  return { ...parsed, text, ...positionsIn(file, text) };
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

function parseJson(text: string): Parsed {
  const bytes = new TextEncoder().encode(text);
  const scanned = scan(bytes);
  if (scanned.kind === 'json') return { tree: new JsonReader(text).value(), faults: [] };
  const start = unitOf(bytes, scanned.offset);
  const code = scanned.why.startsWith('duplicate key') ? 'duplicate key' : scanned.why === 'empty' ? 'empty' : 'syntax';
  const why = code === 'duplicate key' ? scanned.why.replace(/^duplicate key "?|"$/g, '') : scanned.why;
  const end = start + (code === 'duplicate key' ? keyLength(text, start) : 1);
  return { faults: [{ code, why, span: { start, end } }] };
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
  // Places are mostly asked for in order: a long line is counted on from the last one.
  let last = { line: -1, offset: 0, column: 1 };
  const position = (offset: number) => {
    const line = lastAtMost(starts, Math.min(offset, text.length));
    const from = last.line === line && last.offset <= offset ? last : { offset: starts[line] ?? 0, column: 1 };
    last = { line, offset, column: from.column + [...text.slice(from.offset, offset)].length };
    return { line: line + 1, column: last.column };
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
  return { faults: [fault], text, ...positionsIn(file, text) };
}
