/**
 * Changes a text at places of its tree, and only where the result then means what was intended, and nothing else.
 */
import { dataOf, type Tree, type TreeEntry, type TreeSpan } from './tree';

/** A text with its tree and its comments. */
export type Source = { readonly text: string; readonly tree: Tree; readonly comments: readonly TreeSpan[] };

/** One change of characters, and what it is to mean. */
export type Edit = {
  /** Of the key, the value, the entry (from its key to the end of its value) or the comment that is meant. */
  readonly at: TreeSpan;
  readonly means: Meaning;
  /** The characters that go, and what comes in their place. */
  readonly change: TreeSpan & { readonly text: string };
};

/** `nothing`: a comment. */
export type Meaning =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'gone' | 'nothing' };

export type Edited = { readonly text: string; readonly done: readonly Edit[] };

/**
 * The text with as many of the edits as can be made, and which those are. An edit is left out where its place stands for several
 * (inside of an anchor that has aliases), where it would take a comment along, where it runs into another one, or where the
 * result, parsed again, means something else. `parse` gives the tree of a text, or undefined.
 */
export function edited(source: Source, edits: readonly Edit[], parse: (text: string) => Tree | undefined): Edited {
  const places = placesIn(source.tree);
  const clear = edits.filter((edit) => isClear(edit, places) && !takesComment(edit, source.comments));
  const apart = withoutOverlaps(clear.toSorted((a, b) => a.change.start - b.change.start));
  const holds = (some: readonly Edit[]) => {
    const tree = parse(written(source.text, some));
    return tree !== undefined && meaning(dataOf(tree)) === meaning(intended(source.tree, some));
  };
  const done = mostOf(apart, [], holds);
  return { text: written(source.text, done), done };
}

/** Of edits in order: none that runs into the one before it. */
function withoutOverlaps(edits: readonly Edit[]): Edit[] {
  let end = 0;
  return edits.filter(({ change }) => {
    if (change.start < end) return false;
    end = change.end;
    return true;
  });
}

/** As many of `some` as hold together with those that were chosen. */
function mostOf(some: readonly Edit[], chosen: readonly Edit[], holds: (edits: readonly Edit[]) => boolean): Edit[] {
  if (some.length === 0 || holds([...chosen, ...some])) return [...chosen, ...some];
  if (some.length === 1) return [...chosen];
  const middle = some.length >> 1;
  return mostOf(some.slice(middle), mostOf(some.slice(0, middle), chosen, holds), holds);
}

function written(text: string, edits: readonly Edit[]): string {
  let [result, done] = ['', 0];
  for (const { change } of edits) {
    result += text.slice(done, change.start) + change.text;
    done = change.end;
  }
  return result + text.slice(done);
}

/** How often each place stands in a tree: what an alias stands for has the places of its anchor. */
type Places = ReadonlyMap<string, number>;

function placesIn(tree: Tree): Places {
  const places = new Map<string, number>();
  const add = (key: string) => places.set(key, (places.get(key) ?? 0) + 1);
  const visit = (node: Tree): void => {
    add(placeOf('value', node.span));
    if (node.kind === 'list') for (const { value } of node.items) visit(value);
    if (node.kind !== 'map') return;
    for (const entry of node.entries) {
      add(placeOf('key', entry.keySpan));
      add(placeOf('gone', spanOf(entry)));
      visit(entry.value);
    }
  };
  visit(tree);
  return places;
}

function placeOf(kind: Meaning['kind'], { start, end }: TreeSpan): string {
  return `${kind} ${start} ${end}`;
}

function spanOf({ keySpan, value }: TreeEntry): TreeSpan {
  return { start: keySpan.start, end: Math.max(keySpan.end, value.span.end) };
}

function isClear({ at, means }: Edit, places: Places): boolean {
  return means.kind === 'nothing' || places.get(placeOf(means.kind, at)) === 1;
}

function takesComment({ means, change }: Edit, comments: readonly TreeSpan[]): boolean {
  return means.kind !== 'nothing' && comments.some(({ start, end }) => start < change.end && end > change.start);
}

/** What the tree would say with the edits made. */
function intended(tree: Tree, edits: readonly Edit[]): unknown {
  const meant = new Map(edits.map(({ at, means }) => [placeOf(means.kind, at), means]));
  const of = (kind: Meaning['kind'], span: TreeSpan) => meant.get(placeOf(kind, span));
  const data = (node: Tree): unknown => {
    const change = of('value', node.span);
    if (change?.kind === 'value') return change.value;
    if (node.kind === 'scalar') return node.value;
    if (node.kind === 'list') return node.items.map(({ value }) => data(value));
    const kept = node.entries.filter((entry) => of('gone', spanOf(entry)) === undefined);
    return pairs(kept.map((entry) => [keyOf(entry, of('key', entry.keySpan)), data(entry.value)]));
  };
  return data(tree);
}

function keyOf({ key }: TreeEntry, change: Meaning | undefined): string {
  return change?.kind === 'key' ? change.key : key;
}

/** As `dataOf` makes an object. */
function pairs(entries: readonly (readonly [string, unknown])[]): unknown {
  const data: Record<string, unknown> = {};
  for (const [key, value] of entries)
    Object.defineProperty(data, key, { value, enumerable: true, configurable: true, writable: true });
  return data;
}

function meaning(data: unknown): string {
  return JSON.stringify(data, (_, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? `number ${value}` : value,
  );
}
