/**
 * JSON as it was written: a scanner over bytes that finds where values stand and never turns them into other values.
 *
 * Numbers, key order, escapes and white space survive, because whoever needs a value gets a slice of the text.
 * Nothing here recurses, so nesting costs memory in proportion to the text and no call stack.
 */

import type { Fields, Raw } from './model';

/** Byte offsets of one value or key, without the white space around it; `end` is exclusive. */
export type Span = { readonly start: number; readonly end: number };

/**
 * What is refused although the grammar allows it: levels of nesting, keys in one object, a key given twice.
 *
 * A number may be infinite, but to refuse duplicates among more than 2^24 keys is beyond a Set.
 */
export type Limits = { depth: number; keys: number; duplicates: 'refuse' | 'allow' };

/** The limits where the caller names none. */
export const LIMITS: Limits = { depth: 1000, keys: 100_000, duplicates: 'refuse' };

/**
 * Why bytes are no JSON value, for people: `why` is a phrase such as `duplicate key "command"`.
 *
 * `offset` counts bytes from 0, `line` and `column` count from 1. `where` is left to the caller: what it scanned.
 */
export type Fault = { kind: 'fault'; why: string; offset: number; line: number; column: number; where?: string };

/** Bytes that hold exactly one JSON value, at `root`. The bytes are those that were given, not a copy. */
export type Scanned = { kind: 'json'; bytes: Uint8Array; root: Span };

/** One member of an object: the decoded key, and where key (with its quotes) and value stand. */
export type Member = { key: string; keySpan: Span; value: Span };

/** Reads exactly one JSON value (RFC 8259, UTF-8, one byte order mark allowed) that keeps the limits. Never throws. */
export function scan(bytes: Uint8Array, limits: Limits = LIMITS): Scanned | Fault {
  try {
    const start = textStart(bytes);
    if (start === bytes.length) throw new Bad('empty', start);
    const end = valueEnd(bytes, start, limits);
    const rest = spaceEnd(bytes, end);
    if (rest < bytes.length) throw leftOver(bytes, rest);
    return { kind: 'json', bytes, root: { start, end } };
  } catch (error) {
    if (!(error instanceof Bad)) throw error;
    return { kind: 'fault', why: error.message, offset: error.offset, ...lineAndColumn(bytes, error.offset) };
  }
}

/** The type of a scanned value. */
export function typeOf(bytes: Uint8Array, span: Span): 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' {
  switch (bytes[span.start]) {
    case OPEN_BRACE:
      return 'object';
    case OPEN_BRACKET:
      return 'array';
    case QUOTE:
      return 'string';
    case LOWER_T:
    case LOWER_F:
      return 'boolean';
    case LOWER_N:
      return 'null';
    default:
      return 'number';
  }
}

/** The members of a scanned object, one level, in the order written, repeated keys included. */
export function members(bytes: Uint8Array, span: Span): Member[] {
  const found: Member[] = [];
  let at = spaceEnd(bytes, span.start + 1);
  while (bytes[at] !== CLOSE_BRACE) {
    const keySpan = { start: at, end: stringEnd(bytes, at) };
    const colon = spaceEnd(bytes, keySpan.end);
    const value = valueSpan(bytes, spaceEnd(bytes, colon + 1));
    found.push({ key: unquoted(bytes, keySpan), keySpan, value });
    at = nextStart(bytes, value.end);
  }
  return found;
}

/** The items of a scanned array, one level. */
export function items(bytes: Uint8Array, span: Span): Span[] {
  const found: Span[] = [];
  let at = spaceEnd(bytes, span.start + 1);
  while (bytes[at] !== CLOSE_BRACKET) {
    const item = valueSpan(bytes, at);
    found.push(item);
    at = nextStart(bytes, item.end);
  }
  return found;
}

/** What is written at the span, to the character. */
export function textOf(bytes: Uint8Array, span: Span): string {
  return decoder.decode(bytes.subarray(span.start, span.end));
}

/** The scanned value as written. */
export function raw(bytes: Uint8Array, span: Span): Raw {
  return { text: textOf(bytes, span) };
}

/** The decoded string, or undefined where the scanned value is no string. */
export function stringOf(bytes: Uint8Array, span: Span): string | undefined {
  return bytes[span.start] === QUOTE ? unquoted(bytes, span) : undefined;
}

/** Own plain data as JSON. Throws a TypeError for what JSON cannot express (undefined, a function). */
export function rawOf(value: unknown): Raw {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError('no JSON data');
  return { text };
}

/** The members of an object, each value as written; none where the value is no object. */
export function fieldsOf(value: Raw): Fields {
  if (!isObject(value)) return [];
  const bytes = encoder.encode(value.text);
  return members(bytes, rootOf(bytes)).map((member) => [member.key, raw(bytes, member.value)]);
}

/** The decoded string, or undefined where the value is no string. */
export function stringIn(value: Raw): string | undefined {
  return /^[ \t\n\r]*"/.test(value.text) ? JSON.parse(value.text) : undefined;
}

/** Is the value an object (and no array)? */
export function isObject(value: Raw): boolean {
  return /^[ \t\n\r]*\{/.test(value.text);
}

/** An object of the fields in their order. Nothing is added between them; the values stay as written. */
export function objectText(fields: Fields): string {
  return `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${value.text}`).join(',')}}`;
}

/** A valid JSON text on one line: without the white space between tokens, everything else as written. */
export function compact(text: string): string {
  const bytes = encoder.encode(text);
  let size = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? END;
    if (!inString && isSpace(byte)) continue;
    bytes[size++] = byte;
    if (byte === QUOTE) inString = !inString;
    else if (byte === BACKSLASH) bytes[size++] = bytes[++at] ?? END;
  }
  return size === bytes.length ? text : textOf(bytes, { start: 0, end: size });
}

/**
 * A JSON text with the value at a path of nested keys replaced, every other byte as it was.
 *
 * A missing key becomes the last member; what stands in the way and is no object is replaced by one. Of a repeated key
 * the last is followed, as JSON.parse does, but at the end of the path all of them are replaced: a reader that takes
 * the first must not see the old value. In a list a number is an item, where there is such. The empty path is the whole value.
 */
export function splice(text: string, path: readonly string[], value: Raw): string {
  const bytes = encoder.encode(text);
  let target = rootOf(bytes);
  for (const [depth, name] of path.entries()) {
    const rest = path.slice(depth + 1);
    const isItem = /^(?:0|[1-9]\d*)$/.test(name) && typeOf(bytes, target) === 'array';
    const item = isItem ? items(bytes, target)[Number(name)] : undefined;
    if (item !== undefined) {
      target = item;
      continue;
    }
    if (typeOf(bytes, target) !== 'object') return replaced(bytes, [target], nested([name, ...rest], value));
    const all = members(bytes, target);
    const named = all.filter((member) => member.key === name).map((member) => member.value);
    const last = named.at(-1);
    if (last === undefined) {
      const before = all.at(-1)?.value.end;
      const at = before ?? target.start + 1;
      const added = `${JSON.stringify(name)}:${nested(rest, value)}`;
      return replaced(bytes, [{ start: at, end: at }], before === undefined ? added : `,${added}`);
    }
    if (rest.length === 0) return replaced(bytes, named, value.text);
    target = last;
  }
  return replaced(bytes, [target], value.text);
}

/** Where a byte offset stands, for people: both from 1, the column in characters. A byte order mark is none. */
export function lineAndColumn(bytes: Uint8Array, offset: number): { line: number; column: number } {
  let line = 1;
  let column = 1;
  const end = Math.min(offset, bytes.length);
  for (let at = markEnd(bytes); at < end; at++) {
    const byte = bytes[at] ?? END;
    if (byte === NEWLINE) {
      line++;
      column = 1;
    } else if (!isContinuation(byte)) column++;
  }
  return { line, column };
}

// --- tokens ---

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const STAR = 0x2a;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Stands for the byte after the last. */
const END = -1;

const encoder = new TextEncoder();
/** Without `ignoreBOM` a string that begins with U+FEFF would lose it. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** How a fault travels up to `scan`. */
class Bad extends Error {
  constructor(
    why: string,
    readonly offset: number,
  ) {
    super(why);
  }
}

/** What the grammar does not have at this offset. */
function unexpected(bytes: Uint8Array, at: number): Bad {
  const byte = bytes[at];
  if (byte === undefined) return new Bad('unexpected end', inkEnd(bytes));
  if (isComment(bytes, at)) return new Bad('a comment (JSON has none)', at);
  if (byte === APOSTROPHE)
    return new Bad('a key or string in single quotes; JSON has double quotes alone (in Python: json.dumps)', at);
  const character = textOf(bytes, { start: at, end: characterEnd(bytes, at) });
  return new Bad(`unexpected '${printable(character)}'`, at);
}

/** Behind the last byte that is no white space: a line break at the end is not where something is missing. */
function inkEnd(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && isBlank(bytes[end - 1])) end -= 1;
  return end;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function leftOver(bytes: Uint8Array, at: number): Bad {
  return isComment(bytes, at) ? unexpected(bytes, at) : new Bad('text after the JSON value', at);
}

function isComment(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === SLASH && (bytes[at + 1] === SLASH || bytes[at + 1] === STAR);
}

/** Text with everything escaped that nobody sees, or that would steer a terminal. */
function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}]|(?! )\p{Z}/gu,
    (found) => `\\u${found.codePointAt(0)?.toString(16).padStart(4, '0')}`,
  );
}

/** The start of the text's first token, after byte order mark and white space. */
function textStart(bytes: Uint8Array): number {
  return spaceEnd(bytes, markEnd(bytes));
}

function markEnd(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function isSpace(byte: number): boolean {
  return byte <= SPACE && (byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB);
}

function spaceEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isSpace(bytes[at] ?? END)) at++;
  return at;
}

function scalarEnd(bytes: Uint8Array, at: number): number {
  switch (bytes[at]) {
    case QUOTE:
      return stringEnd(bytes, at);
    case LOWER_T:
      return wordEnd(bytes, at, 'true');
    case LOWER_F:
      return wordEnd(bytes, at, 'false');
    case LOWER_N:
      return wordEnd(bytes, at, 'null');
    default:
      return numberEnd(bytes, at);
  }
}

function wordEnd(bytes: Uint8Array, start: number, word: string): number {
  for (let i = 1; i < word.length; i++) {
    if (bytes[start + i] !== word.charCodeAt(i)) throw unexpected(bytes, start + i);
  }
  return start + word.length;
}

function numberEnd(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start;
  at = bytes[at] === ZERO ? at + 1 : digitsEnd(bytes, at);
  if (bytes[at] === DOT) at = digitsEnd(bytes, at + 1);
  if (((bytes[at] ?? 0) | 0x20) === LOWER_E) {
    at++;
    if (bytes[at] === PLUS || bytes[at] === MINUS) at++;
    at = digitsEnd(bytes, at);
  }
  return at;
}

/** The end of one or more digits. */
function digitsEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at] ?? END)) at++;
  if (at === start) throw unexpected(bytes, at);
  return at;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** The end of a string, its closing quote included. */
function stringEnd(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== QUOTE) throw unexpected(bytes, start);
  let at = start + 1;
  for (;;) {
    const byte = bytes[at] ?? END;
    if (byte === QUOTE) return at + 1;
    if (byte === END) throw new Bad('a string that is not closed', start);
    if (byte < SPACE) throw new Bad('a control character in a string', at);
    if (byte === BACKSLASH) at = escapeEnd(bytes, at);
    else if (byte < 0x80) at++;
    else at = characterEnd(bytes, at);
  }
}

/** The end of an escape; the end of the bytes where they end within it, which the string then runs into. */
function escapeEnd(bytes: Uint8Array, start: number): number {
  const letter = bytes[start + 1];
  if (letter === undefined) return bytes.length;
  if (letter !== LOWER_U) {
    if ('"\\/bfnrt'.includes(String.fromCharCode(letter))) return start + 2;
    throw new Bad('an unknown escape (a backslash is written as two)', start);
  }
  for (let at = start + 2; at < start + 6; at++) {
    const byte = bytes[at];
    if (byte === undefined) return bytes.length;
    if (!isHex(byte)) throw new Bad('a \\u without four hexadecimal digits', start);
  }
  return start + 6;
}

function isHex(byte: number): boolean {
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= LOWER_F);
}

/** The end of the UTF-8 sequence that starts here (the Unicode Standard, table 3-7). */
function characterEnd(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return at + 1;
  // The narrower ranges shut out overlong forms, surrogates, and what lies beyond U+10FFFF.
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] ?? 0;
  if (lead >= 0xc2 && lead <= 0xf4 && second >= low && second <= high) {
    if (lead < 0xe0) return at + 2;
    if (isContinuation(bytes[at + 2] ?? 0)) {
      if (lead < 0xf0) return at + 3;
      if (isContinuation(bytes[at + 3] ?? 0)) return at + 4;
    }
  }
  throw new Bad('invalid UTF-8', at);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

// --- values ---

/** The keys of one open object: how many so far, and which. `all` stays unset as long as `few` can hold them. */
type Keys = { count: number; readonly few: Span[]; all?: Set<string> };

/** An object that is not closed yet, or (undefined) an array. */
type Open = Keys | undefined;

/** So many keys are compared one by one; a Set of every small object would cost more than all the rest. */
const FEW = 32;

/** For text that is known to be valid. */
const NO_LIMITS: Limits = { depth: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY, duplicates: 'allow' };

/** The end of the value that starts here, whatever follows it. */
function valueEnd(bytes: Uint8Array, start: number, limits: Limits): number {
  const open: Open[] = [];
  let at = start;
  do {
    const first = bytes[at];
    if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      if (open.length >= limits.depth) throw new Bad(`nesting deeper than ${limits.depth}`, at);
      const keys = first === OPEN_BRACE ? { count: 0, few: [] } : undefined;
      const inner = spaceEnd(bytes, at + 1);
      if (bytes[inner] !== closer(keys)) {
        open.push(keys);
        at = keys === undefined ? inner : keyEnd(bytes, inner, keys, limits);
        continue;
      }
      at = inner + 1;
    } else at = scalarEnd(bytes, at);
    at = nextValue(bytes, at, open, limits);
  } while (open.length > 0);
  return at;
}

/** After a value: closes what ends here. The start of the next value, or the very end where nothing is open any more. */
function nextValue(bytes: Uint8Array, end: number, open: Open[], limits: Limits): number {
  let at = end;
  while (open.length > 0) {
    const keys = open[open.length - 1];
    at = spaceEnd(bytes, at);
    if (bytes[at] === COMMA) {
      const next = spaceEnd(bytes, at + 1);
      if (bytes[next] === closer(keys)) throw new Bad('a trailing comma', at);
      return keys === undefined ? next : keyEnd(bytes, next, keys, limits);
    }
    if (bytes[at] !== closer(keys)) throw unexpected(bytes, at);
    open.pop();
    at++;
  }
  return at;
}

function closer(keys: Open): number {
  return keys === undefined ? CLOSE_BRACKET : CLOSE_BRACE;
}

/** Reads a key and its colon; the start of the member's value. */
function keyEnd(bytes: Uint8Array, start: number, keys: Keys, limits: Limits): number {
  const end = stringEnd(bytes, start);
  if (++keys.count > limits.keys) throw new Bad(`more than ${limits.keys} keys in one object`, start);
  if (limits.duplicates === 'refuse' && isRepeated(bytes, { start, end }, keys)) {
    throw new Bad(`duplicate key ${shown(unquoted(bytes, { start, end }))}`, start);
  }
  const colon = spaceEnd(bytes, end);
  if (bytes[colon] !== COLON) throw unexpected(bytes, colon);
  return spaceEnd(bytes, colon + 1);
}

/** Has the object this key already? Else it has now. */
function isRepeated(bytes: Uint8Array, key: Span, keys: Keys): boolean {
  if (keys.all === undefined && keys.few.length < FEW && isPlain(bytes, key)) {
    for (const other of keys.few) if (sameBytes(bytes, key, other)) return true;
    keys.few.push(key);
    return false;
  }
  // With an escape, or many keys: by the decoded text.
  keys.all ??= new Set(keys.few.map((span) => unquoted(bytes, span)));
  const size = keys.all.size;
  return keys.all.add(unquoted(bytes, key)).size === size;
}

function sameBytes(bytes: Uint8Array, one: Span, other: Span): boolean {
  const size = one.end - one.start;
  if (size !== other.end - other.start) return false;
  for (let i = 0; i < size; i++) if (bytes[one.start + i] !== bytes[other.start + i]) return false;
  return true;
}

/** Is the string written without escapes? */
function isPlain(bytes: Uint8Array, span: Span): boolean {
  for (let at = span.start; at < span.end; at++) if (bytes[at] === BACKSLASH) return false;
  return true;
}

/** The decoded string at a span that has its quotes. */
function unquoted(bytes: Uint8Array, span: Span): string {
  if (isPlain(bytes, span)) return textOf(bytes, { start: span.start + 1, end: span.end - 1 });
  return JSON.parse(textOf(bytes, span));
}

/** A key in a message: quoted, without control characters, cut at 60 characters. */
function shown(key: string): string {
  const start = [...key.slice(0, 122)];
  return printable(JSON.stringify(start.length > 60 ? `${start.slice(0, 60).join('')}…` : key));
}

function valueSpan(bytes: Uint8Array, start: number): Span {
  return { start, end: valueEnd(bytes, start, NO_LIMITS) };
}

/** After a member or item: the start of the next one, or the closing bracket. */
function nextStart(bytes: Uint8Array, end: number): number {
  const at = spaceEnd(bytes, end);
  return bytes[at] === COMMA ? spaceEnd(bytes, at + 1) : at;
}

/** Where the value of a valid text stands. */
function rootOf(bytes: Uint8Array): Span {
  let end = bytes.length;
  while (isSpace(bytes[end - 1] ?? END)) end--;
  return { start: textStart(bytes), end };
}

/** The value within objects of one key each. */
function nested(path: readonly string[], value: Raw): string {
  return path.reduceRight((text, key) => `{${JSON.stringify(key)}:${text}}`, value.text);
}

/** The text with other text at some spans, which are in order and apart. */
function replaced(bytes: Uint8Array, spans: readonly Span[], text: string): string {
  const kept: string[] = [];
  let start = 0;
  for (const span of spans) {
    kept.push(textOf(bytes, { start, end: span.start }));
    start = span.end;
  }
  kept.push(textOf(bytes, { start, end: bytes.length }));
  return kept.join(text);
}
