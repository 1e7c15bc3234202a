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

/**
 * Why an edit was left out: its place stands for several (inside of an anchor that has aliases), it would take a comment along, it
 * would give a key that is there already, it runs into another edit, or the text would then mean something else.
 */
export type Left = 'shared' | 'comment' | 'twice' | 'overlap' | 'meaning';

export type Edited = {
  readonly text: string;
  readonly done: readonly Edit[];
  readonly left: ReadonlyMap<Edit, Left>;
};

/** Gives the tree of a changed text, or undefined where it has mistakes. */
export type Reader = { readonly read: (text: string) => Tree | undefined; readonly isSpent: () => boolean };

/** Characters, which take a few seconds. */
const MOST_READ = 8 * 1024 * 1024;
const LEAST_READS = 4;

/** A reader that is spent after so many characters and some reads: each edit that does not hold costs several. */
export function readerBy(parse: (text: string) => Tree | undefined, most = MOST_READ): Reader {
  let [reads, characters] = [0, 0];
  return {
    isSpent: () => reads >= LEAST_READS && characters >= most,
    read: (text) => {
      reads += 1;
      characters += text.length;
      return parse(text);
    },
  };
}

/** The text with as many of the edits as can be made, which those are, and why the others were left out. */
export function edited(source: Source, edits: readonly Edit[], reader: Reader): Edited {
  const left = new Map<Edit, Left>();
  const leave = (reason: Left, some: readonly Edit[], isLeft: (edit: Edit) => boolean) => {
    for (const edit of some) if (isLeft(edit)) left.set(edit, reason);
    return some.filter((edit) => !left.has(edit));
  };
  const [places, comments, twice] = [placesIn(source.tree), source.comments, sameKeys(source.tree, edits)];
  let some = leave('shared', edits, (edit) => !isClear(edit, places));
  some = leave('comment', some, (edit) => takesComment(edit, comments));
  some = leave('twice', some, (edit) => twice.has(edit));
  const apart = new Set(withoutOverlaps(some.toSorted((a, b) => a.change.start - b.change.start)));
  leave('overlap', some, (edit) => !apart.has(edit));
  const holds = (tried: readonly Edit[]) => {
    const tree = reader.read(written(source.text, tried));
    return tree !== undefined && isSame(tree, intended(source.tree, tried));
  };
  const done = new Set(mostOf([...apart], [], holds, reader.isSpent));
  leave('meaning', [...apart], (edit) => !done.has(edit));
  return { text: written(source.text, [...done]), done: [...done], left };
}

/** Do two trees say the same? The order of keys counts. */
export function isSame(tree: Tree, data: unknown): boolean {
  return meaning(dataOf(tree)) === meaning(data);
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
function mostOf(
  some: readonly Edit[],
  chosen: readonly Edit[],
  holds: (edits: readonly Edit[]) => boolean,
  isSpent: () => boolean,
): readonly Edit[] {
  if (some.length === 0 || isSpent()) return chosen;
  if (holds([...chosen, ...some])) return [...chosen, ...some];
  if (some.length === 1) return chosen;
  const middle = some.length >> 1;
  const first = mostOf(some.slice(0, middle), chosen, holds, isSpent);
  return mostOf(some.slice(middle), first, holds, isSpent);
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

/** Comments come in order, and apart. */
function takesComment({ means, change }: Edit, comments: readonly TreeSpan[]): boolean {
  if (means.kind === 'nothing') return false;
  let [low, high] = [0, comments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((comments[middle]?.end ?? 0) > change.start) high = middle;
    else low = middle + 1;
  }
  return (comments[low]?.start ?? change.end) < change.end;
}

/** The renames after which a mapping would have a key twice: nobody can say which of the two is meant. */
function sameKeys(tree: Tree, edits: readonly Edit[]): ReadonlySet<Edit> {
  const renames = new Map(edits.flatMap((edit) => (edit.means.kind === 'key' ? [[keyPlace(edit.at), edit]] : [])));
  const twice = new Set<Edit>();
  const visit = (node: Tree): void => {
    if (node.kind === 'list') for (const { value } of node.items) visit(value);
    if (node.kind !== 'map') return;
    const keys = new Map<string, number>();
    const named = node.entries.map((entry) => {
      const edit = renames.get(keyPlace(entry.keySpan));
      return { edit, key: keyOf(entry, edit?.means) };
    });
    for (const { key } of named) keys.set(key, (keys.get(key) ?? 0) + 1);
    for (const { key, edit } of named) if (edit !== undefined && keys.get(key) !== 1) twice.add(edit);
    for (const { value } of node.entries) visit(value);
  };
  if (renames.size > 0) visit(tree);
  return twice;
}

function keyPlace(span: TreeSpan): string {
  return placeOf('key', span);
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
