/**
 * A parsed config document with places: what the YAML and the JSON parser both give.
 */

/** A longer config is refused. */
export const MAX_CONFIG_BYTES = 16 * 1024 * 1024;

/** Offsets into the document, end exclusive; in the unit that the document's `position` reads. */
export type TreeSpan = { readonly start: number; readonly end: number };

export type Tree =
  | { readonly kind: 'map'; readonly span: TreeSpan; readonly entries: readonly TreeEntry[] }
  | { readonly kind: 'list'; readonly span: TreeSpan; readonly items: readonly TreeItem[] }
  | { readonly kind: 'scalar'; readonly span: TreeSpan; readonly value: string | number | boolean | null };

export type TreeEntry = { readonly key: string; readonly keySpan: TreeSpan; readonly value: Tree };

/** `start` is where the item begins, its dash in YAML. */
export type TreeItem = { readonly start: number; readonly value: Tree };

/** What is wrong with a text, and where. `code` is `syntax` where nothing more special fits. */
export type TreeFault = {
  readonly code: 'syntax' | 'duplicate key' | 'alias' | 'more documents' | 'empty';
  readonly why: string;
  readonly hint?: string;
  readonly span: TreeSpan;
};

export type Parsed = {
  readonly tree?: Tree;
  readonly faults: readonly TreeFault[];
  /** The places of the comments in order, each from its sign to the end of its line. */
  readonly comments: () => readonly TreeSpan[];
  /** The offsets of the commas that part the items of braces and brackets. Absent where nothing changes such texts. */
  readonly commas?: () => readonly number[];
};

/** A text that has no comments. */
export const NO_COMMENTS = (): readonly TreeSpan[] => [];

/** One step down: a key of a map, an index of a list. */
export type TreePath = readonly (string | number)[];

/** The node at a path, or undefined. */
export function nodeAt(tree: Tree, path: TreePath): Tree | undefined {
  let node: Tree | undefined = tree;
  for (const step of path) node = node && childOf(node, step);
  return node;
}

/** The entry of a map, or undefined; the last one of several. */
export function entryOf(tree: Tree | undefined, key: string): TreeEntry | undefined {
  return tree?.kind === 'map' ? tree.entries.findLast((entry) => entry.key === key) : undefined;
}

/** The node as plain data. `__proto__` becomes a key like any other. */
export function dataOf(tree: Tree): unknown {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'list') return tree.items.map((item) => dataOf(item.value));
  const data: Record<string, unknown> = {};
  for (const { key, value } of tree.entries) {
    Object.defineProperty(data, key, { value: dataOf(value), enumerable: true, configurable: true, writable: true });
  }
  return data;
}

function childOf(tree: Tree, step: string | number): Tree | undefined {
  if (tree.kind === 'map') return entryOf(tree, String(step))?.value;
  return tree.kind === 'list' ? tree.items[Number(step)]?.value : undefined;
}
