/**
 * From an offset in a YAML or JSON text value to the offset in the file where that character is written.
 */
import type { TreeSpan } from '../core/tree';
import type { WrittenText } from '../dialects/dialect';

/** Exact for plain and quoted values on one line and for `|` blocks; elsewhere the whole value. */
export function spanIn(source: string, { text, span }: WrittenText, start: number, end: number): TreeSpan {
  const map = mapOf(source, text, span);
  if (map === undefined) return span;
  const from = map(start);
  return { start: from, end: Math.max(from + 1, map(Math.max(start, end - 1)) + 1) };
}

function mapOf(source: string, text: string, span: TreeSpan): ((offset: number) => number) | undefined {
  const written = source.slice(span.start, span.end);
  if (written.startsWith('|')) return blockMap(source, text, span);
  if (written === text) return (offset) => span.start + offset;
  return written.slice(1, -1) === text ? (offset) => span.start + 1 + offset : undefined;
}

/** The lines below the `|`, each without its indentation. */
function blockMap(source: string, text: string, span: TreeSpan): ((offset: number) => number) | undefined {
  const lines = text.split('\n');
  const below = source.slice(source.indexOf('\n', span.start) + 1).split(/\r?\n/);
  const first = lines.findIndex((line) => line !== '');
  const indent = (below[first] ?? '').length - (lines[first] ?? '').length;
  if (first < 0 || indent < 0 || lines.some((line, index) => line !== '' && below[index]?.slice(indent) !== line))
    return undefined;
  const starts = startsOf(source, source.indexOf('\n', span.start) + 1, lines.length);
  return (offset) => {
    const before = text.slice(0, offset).split('\n');
    return (starts[before.length - 1] ?? span.start) + indent + (before.at(-1)?.length ?? 0);
  };
}

function startsOf(source: string, from: number, count: number): number[] {
  const starts = [from];
  while (starts.length < count) {
    const next = source.indexOf('\n', starts.at(-1) ?? from);
    if (next < 0) break;
    starts.push(next + 1);
  }
  return starts;
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
