/**
 * From the bytes of a config file to a tree with places.
 */
import type { Finding, FindingPlace } from '../core/finding';
import { items, members, type Span, scan, stringOf, textOf, typeOf } from '../core/json';
import type { Parsed, Tree, TreeFault, TreeSpan } from '../core/tree';

/** A file that was parsed, and how its offsets are told to people. */
export type ParsedFile = Parsed & Positions;

export type Positions = {
  readonly position: (offset: number) => { readonly line: number; readonly column: number };
  readonly place: (span: TreeSpan) => FindingPlace;
};

/** Parses a file. JSON (`.json`) is read strictly, anything else as YAML by `yaml`. */
export function parseFile(file: string, bytes: Uint8Array, yaml: (text: string) => Parsed): ParsedFile {
  const body = withoutBom(bytes);
  const text = textIn(body);
  if (text === undefined) return invalidUtf8(file, body);
  const parsed = file.endsWith('.json') ? parseJson(text) : yaml(text);
  return { ...parsed, ...positionsIn(file, text) };
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
      return { code: 'HK002', at, args: { why: fault.why } };
  }
}

function parseJson(text: string): Parsed {
  const bytes = new TextEncoder().encode(text);
  const units = unitsOf(text, bytes);
  const scanned = scan(bytes);
  if (scanned.kind === 'json') return { tree: jsonTree(bytes, scanned.root, units), faults: [] };
  const start = units(scanned.offset);
  const code = scanned.why.startsWith('duplicate key') ? 'duplicate key' : scanned.why === 'empty' ? 'empty' : 'syntax';
  const why = code === 'duplicate key' ? scanned.why.replace(/^duplicate key "?|"$/g, '') : scanned.why;
  const end = start + (code === 'duplicate key' ? keyLength(text, start) : 1);
  return { faults: [{ code, why, span: { start, end } }] };
}

/** Of the JSON string that begins at an offset, with its quotes. */
function keyLength(text: string, start: number): number {
  return /^"(?:[^"\\]|\\.)*"/.exec(text.slice(start, start + 1_000))?.[0].length ?? 1;
}

function jsonTree(bytes: Uint8Array, at: Span, units: (offset: number) => number): Tree {
  const span = { start: units(at.start), end: units(at.end) };
  const kind = typeOf(bytes, at);
  if (kind === 'object') {
    const entries = members(bytes, at).map(({ key, keySpan, value }) => ({
      key,
      keySpan: { start: units(keySpan.start), end: units(keySpan.end) },
      value: jsonTree(bytes, value, units),
    }));
    return { kind: 'map', span, entries };
  }
  if (kind === 'array') {
    const list = items(bytes, at).map((item) => ({ start: units(item.start), value: jsonTree(bytes, item, units) }));
    return { kind: 'list', span, items: list };
  }
  return { kind: 'scalar', span, value: scalarOf(bytes, at, kind) };
}

function scalarOf(bytes: Uint8Array, at: Span, kind: 'string' | 'number' | 'boolean' | 'null') {
  if (kind === 'null') return null;
  if (kind === 'string') return stringOf(bytes, at) ?? '';
  const text = textOf(bytes, at);
  return kind === 'number' ? Number(text) : text === 'true';
}

/** Byte offset → UTF-16 offset; the same where all is ASCII. */
function unitsOf(text: string, bytes: Uint8Array): (offset: number) => number {
  if (bytes.length === text.length) return (offset) => offset;
  const units = new Uint32Array(bytes.length + 1);
  for (let offset = 0; offset < bytes.length; offset++) {
    units[offset + 1] = (units[offset] ?? 0) + unitsOfLead(bytes[offset] ?? 0);
  }
  return (offset) => units[offset] ?? text.length;
}

/** UTF-16 units of the character that begins with a byte; none for a byte inside of one. */
function unitsOfLead(byte: number): number {
  if (byte >= 0x80 && byte < 0xc0) return 0;
  return byte >= 0xf0 ? 2 : 1;
}

function positionsIn(file: string, text: string): Positions {
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
    const source = text.slice(starts[line - 1] ?? 0, starts[line] ?? text.length).replace(/[\r\n]+$/, '');
    return { file, line, column, endLine: end.line, endColumn: end.column, source };
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
  const fault: TreeFault = { code: 'syntax', why: 'the file is not valid UTF-8', span: { start, end: start + 1 } };
  return { faults: [fault], ...positionsIn(file, text) };
}
