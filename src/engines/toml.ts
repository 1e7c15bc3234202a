/**
 * TOML with places. The parser gives values alone, so keys are looked for in the lines of their table.
 */
import { parse, TomlError } from 'smol-toml';
import { NO_COMMENTS, type Parsed, type Tree, type TreeEntry, type TreeSpan } from '../core/tree';

/** Parses a document. A date is its text, a number beyond 2^53 a number. */
export function parseToml(text: string): Parsed {
  try {
    const places = new Places(text);
    const tree = treeOf(parse(text), [], places, { start: 0, end: 0 });
    return { tree, faults: [], comments: () => commentsIn(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const start = offsetOf(text, error.line, error.column);
    const why = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? 'not valid TOML';
    return { faults: [{ code: 'syntax', why, span: { start, end: start + 1 } }], comments: NO_COMMENTS };
  }
}

/** Behind a sign that stands in no string of its line. */
function commentsIn(text: string): TreeSpan[] {
  const line = /^((?:[^"'#\r\n]|"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*')*)(#.*)$/gm;
  return [...text.matchAll(line)].map(({ index, 1: before = '', 2: comment = '' }) => {
    const start = index + before.length;
    return { start, end: start + comment.trimEnd().length };
  });
}

function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1);
  return Math.min(text.length, before.reduce((sum, one) => sum + one.length + 1, 0) + Math.max(0, column - 1));
}

function treeOf(value: unknown, path: readonly string[], places: Places, span: TreeSpan): Tree {
  if (Array.isArray(value)) {
    const items = value.map((item, index) => {
      const own = places.of([...path, String(index)]) ?? span;
      return { start: own.start, value: treeOf(item, [...path, String(index)], places, own) };
    });
    return { kind: 'list', span, items };
  }
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const entries = Object.entries(value).map(([key, inner]): TreeEntry => {
      const keySpan = places.of([...path, key]) ?? span;
      return { key, keySpan, value: treeOf(inner, [...path, key], places, keySpan) };
    });
    return { kind: 'map', span, entries };
  }
  const scalar = value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? Number(value) : value;
  return { kind: 'scalar', span, value: scalar as string | number | boolean };
}

/** Where the keys of tables stand; a key that is written in no line of its own has no place. */
class Places {
  private readonly spans = new Map<string, TreeSpan>();

  constructor(text: string) {
    const counts = new Map<string, number>();
    let table: readonly string[] = [];
    let offset = 0;
    for (const line of text.split('\n')) {
      const [, open, name = ''] = /^\s*(\[\[?)\s*([\w.\- "']+?)\s*\]\]?\s*(?:#.*)?\r?$/.exec(line) ?? [];
      const key = open === undefined ? /^\s*("?)([\w-]+)\1\s*=/.exec(line)?.[2] : undefined;
      const path = open === undefined ? [...table, key ?? ''] : this.enter(name, open === '[[', counts);
      if (open !== undefined) table = path;
      if (open !== undefined || key !== undefined) this.put(path, line, offset);
      offset += line.length + 1;
    }
  }

  of(path: readonly string[]): TreeSpan | undefined {
    return this.spans.get(path.join('\0'));
  }

  /** The path of a table; `[[x]]` opens the next item of a list, and `[x.y]` stands in the last one. */
  private enter(name: string, isItem: boolean, counts: Map<string, number>): readonly string[] {
    const path: string[] = [];
    const steps = name.split('.').map((step) => step.trim().replace(/^["']|["']$/g, ''));
    for (const [index, step] of steps.entries()) {
      path.push(step);
      const list = path.join('\0');
      if (isItem && index === steps.length - 1) counts.set(list, (counts.get(list) ?? -1) + 1);
      const item = counts.get(list);
      if (item !== undefined) path.push(String(item));
    }
    return path;
  }

  private put(path: readonly string[], line: string, offset: number): void {
    const start = offset + (line.length - line.trimStart().length);
    this.spans.set(path.join('\0'), { start, end: offset + line.trimEnd().length });
  }
}
