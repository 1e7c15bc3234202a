/**
 * Puts values into a JSON text and takes them out, and keeps the layout of everything else.
 */
import { entryOf, nodeAt, type Tree, type TreePath } from './tree';

/** A JSON text and its tree. */
export type JsonSource = { readonly text: string; readonly tree: Tree };

/** The text with an item behind those of the list at the path of keys; lists and objects that are missing on the way are made. Throws where something else stands in the way. */
export function withItem({ text, tree }: JsonSource, list: readonly string[], item: unknown): string {
  let node = tree;
  for (const [depth, key] of list.entries()) {
    const child = entryOf(node, key)?.value;
    if (child === undefined) return put(text, node, { key, value: nested(list.slice(depth + 1), item) });
    node = child;
  }
  return put(text, node, { value: item });
}

/** The text without the value at the path, and without the comma that parted it from its neighbour. */
export function without({ text, tree }: JsonSource, path: TreePath): string {
  const parent = nodeAt(tree, path.slice(0, -1));
  const spans = parent === undefined ? [] : childrenOf(parent);
  const step = path.at(-1) ?? '';
  const index = parent?.kind === 'map' ? parent.entries.findIndex((entry) => entry.key === step) : Number(step);
  const [own, before, behind] = [spans[index], spans[index - 1], spans[index + 1]];
  if (own === undefined || parent === undefined) return text;
  if (before !== undefined) return text.slice(0, before.end) + text.slice(own.end);
  if (behind !== undefined) return text.slice(0, own.start) + text.slice(behind.start);
  return text.slice(0, parent.span.start + 1) + text.slice(parent.span.end - 1);
}

function nested(keys: readonly string[], item: unknown): unknown {
  return keys.reduceRight<unknown>((value, key) => ({ [key]: value }), [item]);
}

type Child = { readonly key?: string; readonly value: unknown };

function put(text: string, parent: Tree, { key, value }: Child): string {
  if (parent.kind === 'scalar' || (parent.kind === 'map') !== (key !== undefined))
    throw new Error(`there is no ${key === undefined ? 'list' : 'object'} to put it into`);
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const last = childrenOf(parent).at(-1);
  const outer = indentAt(text, parent.span.start);
  const inner = last === undefined ? outer + unit : indentAt(text, last.start);
  const written = JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${inner}`);
  const child = key === undefined ? written : `${JSON.stringify(key)}: ${written}`;
  const isOneLine = last !== undefined && !text.slice(parent.span.start, last.start).includes('\n');
  if (last !== undefined) {
    const gap = isOneLine ? ' ' : `${eol}${inner}`;
    return `${text.slice(0, last.end)},${gap}${child}${text.slice(last.end)}`;
  }
  const { start, end } = parent.span;
  return `${text.slice(0, start + 1)}${eol}${inner}${child}${eol}${outer}${text.slice(end - 1)}`;
}

function childrenOf(node: Tree): { readonly start: number; readonly end: number }[] {
  if (node.kind === 'list') return node.items.map(({ value }) => value.span);
  if (node.kind === 'scalar') return [];
  return node.entries.map(({ keySpan, value }) => ({ start: keySpan.start, end: value.span.end }));
}

/** What the line of an offset begins with. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}
