/**
 * Edits of a JSON text that leave every other byte as it is: indentation, order, unknown keys.
 */
import { items, members, type Span, scan, textOf, typeOf } from '../core/json';

/** A valid JSON text, its root and its bytes. Throws for any other: callers have validated it. */
type Text = { readonly bytes: Uint8Array; readonly root: Span };

/** One step down: a key, or an index. */
export type Path = readonly (string | number)[];

/** The text with one more member at the end of the object at `path`; a missing object becomes one. */
export function withMember(text: string, path: Path, key: string, value: unknown): string {
  const read = textIn(text);
  const object = spanAt(read, path);
  if (object === undefined) throw new Error('no such place');
  const last = members(read.bytes, object).at(-1);
  return inserted(
    read,
    object,
    last === undefined ? undefined : { start: last.keySpan.start, end: last.value.end },
    value,
    key,
  );
}

/** The text with one more item at the end of the list at `path`. */
export function withItem(text: string, path: Path, value: unknown): string {
  const read = textIn(text);
  const list = spanAt(read, path);
  if (list === undefined) throw new Error('no such place');
  return inserted(read, list, items(read.bytes, list).at(-1), value, undefined);
}

/** The text with another value at `path`. */
export function withValue(text: string, path: Path, value: unknown): string {
  const read = textIn(text);
  const span = spanAt(read, path);
  if (span === undefined) throw new Error('no such place');
  const rendered = render(value, indentAt(read, span.start), styleOf(read, span));
  return replaced(read, span, rendered);
}

/** The text without the member or item at `path`, and without its comma. */
export function without(text: string, path: Path): string {
  const read = textIn(text);
  const parent = spanAt(read, path.slice(0, -1));
  const last = path.at(-1);
  if (parent === undefined || last === undefined) return text;
  const all =
    typeof last === 'number'
      ? items(read.bytes, parent)
      : members(read.bytes, parent).map(({ keySpan, value }) => ({ start: keySpan.start, end: value.end }));
  const index = typeof last === 'number' ? last : members(read.bytes, parent).findIndex(({ key }) => key === last);
  const own = all[index];
  if (own === undefined) return text;
  const [before, after] = [all[index - 1], all[index + 1]];
  if (before !== undefined) return replaced(read, { start: before.end, end: own.end }, '');
  if (after !== undefined) return replaced(read, { start: own.start, end: after.start }, '');
  return replaced(read, { start: parent.start + 1, end: parent.end - 1 }, '');
}

/** Is there anything at the path? */
export function has(text: string, path: Path): boolean {
  return spanAt(textIn(text), path) !== undefined;
}

function textIn(text: string): Text {
  const scanned = scan(new TextEncoder().encode(text));
  if (scanned.kind === 'fault') throw new Error(`not valid JSON: ${scanned.why}`);
  return scanned;
}

function spanAt({ bytes, root }: Text, path: Path): Span | undefined {
  let span: Span | undefined = root;
  for (const step of path) {
    if (span === undefined) return undefined;
    const kind = typeOf(bytes, span);
    if (typeof step === 'number') span = kind === 'array' ? items(bytes, span)[step] : undefined;
    else span = kind === 'object' ? members(bytes, span).find(({ key }) => key === step)?.value : undefined;
  }
  return span;
}

/** How a text is laid out: on one line, or with so much more space a level. */
type Style = { readonly unit: string; readonly lines: boolean };

function inserted(
  read: Text,
  container: Span,
  last: Span | undefined,
  value: unknown,
  key: string | undefined,
): string {
  const style = styleOf(read, container);
  const outer = indentAt(read, container.start);
  const inner = last !== undefined && startsLine(read, last.start) ? indentAt(read, last.start) : outer + style.unit;
  const isSpread = last === undefined ? style.lines : startsLine(read, last.start);
  const rendered = `${key === undefined ? '' : `${JSON.stringify(key)}: `}${render(value, inner, isSpread ? style : { ...style, lines: false })}`;
  if (last !== undefined)
    return replaced(read, { start: last.end, end: last.end }, isSpread ? `,\n${inner}${rendered}` : `, ${rendered}`);
  const body = isSpread ? `\n${inner}${rendered}\n${outer}` : rendered;
  return replaced(read, { start: container.start + 1, end: container.end - 1 }, body);
}

function render(value: unknown, indent: string, { unit, lines }: Style): string {
  if (!lines) return spaced(value);
  return JSON.stringify(value, null, unit).replaceAll('\n', `\n${indent}`);
}

/** On one line, with blanks behind commas and colons. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** A text with line feeds is one of many lines; what stands on one line stays there. */
function styleOf(read: Text, span: Span): Style {
  const whole = textOf(read.bytes, { start: 0, end: read.bytes.length });
  const unit = /\n([ \t]+)\S/.exec(whole)?.[1] ?? '  ';
  const own = textOf(read.bytes, span);
  const isEmpty = /^[[{]\s*[\]}]$/.test(own);
  return { unit, lines: whole.trim().includes('\n') && (isEmpty || own.includes('\n')) };
}

/** The white space that the line of an offset begins with. */
function indentAt({ bytes }: Text, offset: number): string {
  const line = textOf(bytes, { start: lineStart(bytes, offset), end: offset });
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function startsLine({ bytes }: Text, offset: number): boolean {
  const start = lineStart(bytes, offset);
  return start > 0 && textOf(bytes, { start, end: offset }).trim() === '';
}

function lineStart(bytes: Uint8Array, offset: number): number {
  return bytes.lastIndexOf(0x0a, offset - 1) + 1;
}

function replaced({ bytes }: Text, { start, end }: Span, text: string): string {
  return textOf(bytes, { start: 0, end: start }) + text + textOf(bytes, { start: end, end: bytes.length });
}
