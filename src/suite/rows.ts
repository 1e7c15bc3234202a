/**
 * Unrolls the tables of a suite: a case for each row, the row's values at their paths.
 */
import type { Finding, FindingPlace } from '../core/finding';
import { nearest } from '../core/nearest';
import { entryOf, type Tree, type TreeEntry, type TreeSpan } from '../core/tree';

/** A case as it is written, with the row put in. */
export type Unrolled = {
  readonly tree: Tree;
  /** Its row, where it comes from a table. */
  readonly row: Tree | undefined;
  /** What the row says of a payload that is a file: path in the payload, and value. */
  readonly over: readonly Step[];
};

export type Step = {
  readonly path: readonly string[];
  readonly value: Tree;
  readonly keySpan: TreeSpan;
  /** What the table says of each key of the path. */
  readonly rows: readonly Neighbours[];
};

/** `meant`: the key that other rows have in its place, of which it is likely a slip. `beside`: keys that a row has together with it. */
type Neighbours = { readonly meant: string | undefined; readonly beside: readonly string[] };

type Place = (span: TreeSpan) => FindingPlace;

/** Keys of a case that a row cannot set. */
const FIXED = ['name', 'each'];

/** The cases of a suite in order. A path of a row that leads nowhere is a finding: it would change nothing. */
export function unroll(suite: Tree, place: Place): { readonly cases: Unrolled[]; readonly findings: Finding[] } {
  const list = entryOf(suite, 'cases')?.value;
  const all = (list?.kind === 'list' ? list.items : []).map(({ value }) => unrollCase(value, place));
  return { cases: all.flatMap((one) => one.cases), findings: all.flatMap((one) => one.findings) };
}

/** The suite with the cases in place of those that it has. */
export function withCases(suite: Tree, cases: readonly Unrolled[]): Tree {
  if (suite.kind !== 'map') return suite;
  const items = cases.map(({ tree }) => ({ start: tree.span.start, value: tree }));
  const entries = suite.entries.map((entry): TreeEntry => {
    return entry.key === 'cases' ? { ...entry, value: { kind: 'list', span: entry.value.span, items } } : entry;
  });
  return { ...suite, entries };
}

function unrollCase(tree: Tree, place: Place): { cases: Unrolled[]; findings: Finding[] } {
  const each = entryOf(tree, 'each')?.value;
  if (tree.kind !== 'map' || each?.kind !== 'list')
    return { cases: [{ tree, row: undefined, over: [] }], findings: [] };
  const bare = { ...tree, entries: tree.entries.filter(({ key }) => key !== 'each') };
  const rows = each.items.map(({ value }) => value);
  const steps = stepsOf(rows);
  const all = rows.map((row, index) => withRow(bare, row, steps[index] ?? [], place));
  return { cases: all.map(({ unrolled }) => unrolled), findings: all.flatMap((one) => one.findings) };
}

function withRow(
  bare: Tree,
  row: Tree,
  steps: readonly Step[],
  place: Place,
): { unrolled: Unrolled; findings: Finding[] } {
  const findings: Finding[] = [];
  const over: Step[] = [];
  let tree = bare;
  for (const [index, step] of steps.entries()) {
    const put = faultOf(step, steps.slice(index + 1)) ?? (isInFile(step, tree) ? undefined : putInto(tree, step, 0));
    if (put === undefined) over.push({ ...step, path: step.path.slice(1) });
    else if ('tree' in put) tree = put.tree;
    else findings.push({ ...put, at: place(step.keySpan) });
  }
  return { unrolled: { tree, row, over }, findings };
}

/** Does it lead into a payload that is a file? */
function isInFile({ path }: Step, tree: Tree): boolean {
  const payload = entryOf(tree, 'payload')?.value;
  return payload?.kind === 'scalar' && typeof payload.value === 'string' && path[0] === 'payload' && path.length > 1;
}

/** What keeps a path from having an effect, whatever the case says. `later`: what comes behind it in its row. */
function faultOf(step: Step, later: readonly Step[]): Stray | undefined {
  if (step.path.includes('')) return nowhere(step, 'a part of it is empty');
  const over = later.find(({ path }) => path.every((part, depth) => part === step.path[depth]));
  return over && nowhere(step, `"${over.path.join('.')}" comes behind it and replaces it`);
}

/** The steps of each row, compared with those of all. */
function stepsOf(rows: readonly Tree[]): Step[][] {
  const written = rows.map((row) => (row.kind === 'map' ? row.entries : []));
  const said = new Map<string, Map<string, Set<number>>>();
  for (const [index, entries] of written.entries())
    for (const { key } of entries) {
      const path = key.split('.');
      for (const [depth, part] of path.entries()) {
        const keys = said.get(parentOf(path, depth)) ?? new Map<string, Set<number>>();
        said.set(parentOf(path, depth), keys.set(part, (keys.get(part) ?? new Set()).add(index)));
      }
    }
  const neighbours = new Map([...said].map(([parent, rowsOf]) => [parent, neighboursIn(rowsOf)]));
  return written.map((entries) =>
    entries.map(({ key, keySpan, value }): Step => {
      const path = key.split('.');
      const rows = path.map((part, depth) => neighbours.get(parentOf(path, depth))?.get(part) ?? NONE);
      return { path, value, keySpan, rows };
    }),
  );
}

const NONE: Neighbours = { meant: undefined, beside: [] };
/** Where more different keys stand in one place, none is the slip of another. */
const MOST_KEYS = 100;

function neighboursIn(rowsOf: ReadonlyMap<string, ReadonlySet<number>>): ReadonlyMap<string, Neighbours> {
  const keys = rowsOf.size > MOST_KEYS ? [] : [...rowsOf.keys()];
  return new Map(keys.map((key) => [key, neighboursOf(key, rowsOf)]));
}

function parentOf(path: readonly string[], depth: number): string {
  return JSON.stringify(path.slice(0, depth));
}

/** Meant is the near key that stands in more rows, or first. */
function neighboursOf(key: string, rowsOf: ReadonlyMap<string, ReadonlySet<number>>): Neighbours {
  const own = rowsOf.get(key) ?? new Set();
  // Rows come in order.
  const firstOf = ([first = 0]: Iterable<number>) => first;
  const isLikelier = (rows: ReadonlySet<number>) =>
    rows.size > own.size || (rows.size === own.size && firstOf(rows) < firstOf(own));
  const others = [...rowsOf].filter(([other]) => other !== key);
  const beside = others.flatMap(([other, rows]) => ([...rows].some((row) => own.has(row)) ? [other] : []));
  const likelier = others.flatMap(([other, rows]) => (isLikelier(rows) && !beside.includes(other) ? [other] : []));
  return { meant: slipOf(key, likelier), beside };
}

/** The key of which another one is likely a slip. Such as differ in a number are meant so. */
function slipOf(key: string, keys: readonly string[]): string | undefined {
  const bare = (one: string) => one.replace(/\d+/g, '');
  return key.length > 3
    ? nearest(
        key,
        keys.filter((one) => bare(one) !== bare(key)),
        1,
      )
    : undefined;
}

type Stray = Omit<Finding, 'at'>;

/** The paths of a row that lead nowhere in a payload, and why. */
export function straysIn(payload: Tree, steps: readonly Step[]): (Stray & { readonly step: Step })[] {
  const strays: (Stray & { readonly step: Step })[] = [];
  let tree = payload;
  for (const step of steps) {
    const put = putInto(tree, { ...step, path: ['payload', ...step.path] }, 1);
    if ('tree' in put) tree = put.tree;
    else strays.push({ ...put, step });
  }
  return strays;
}

/** The tree with the value at the path from `depth` on. What is not there is made, unless it looks like a slip. */
function putInto(tree: Tree, step: Step, depth: number): { readonly tree: Tree } | Stray {
  const key = step.path[depth];
  if (key === undefined) return { tree: step.value };
  if (depth === 0 && FIXED.includes(key)) return nowhere(step, `a row cannot set "${key}"`);
  if (tree.kind === 'list') return putIntoList(tree, step, depth, key);
  if (tree.kind === 'scalar' && tree.value !== null)
    return nowhere(step, `"${step.path[depth - 1]}" is no mapping, so there is no "${key}" in it`);
  const entries = tree.kind === 'map' ? tree.entries : [];
  const index = entries.findIndex((entry) => entry.key === key);
  const keys = entries.map((entry) => entry.key);
  const meant = index < 0 && isFree(step, depth) ? meantBy(key, keys, step.rows[depth]) : undefined;
  if (meant !== undefined)
    return {
      code: 'HK006',
      args: { key, where: 'a row of "each"', hint: '' },
      allowed: [...new Set([...keys, meant])],
    };
  const old = entries[index] ?? { key, keySpan: step.keySpan, value: { kind: 'map', span: step.keySpan, entries: [] } };
  const put = putInto(old.value, step, depth + 1);
  if (!('tree' in put)) return put;
  const entry = { ...old, value: put.tree };
  return {
    tree: { kind: 'map', span: tree.span, entries: index < 0 ? [...entries, entry] : entries.with(index, entry) },
  };
}

function putIntoList(tree: Tree & { kind: 'list' }, step: Step, depth: number, key: string) {
  const item = /^(?:0|[1-9]\d*)$/.test(key) ? tree.items[Number(key)] : undefined;
  if (item === undefined)
    return nowhere(step, `"${step.path[depth - 1]}" is a list of ${tree.items.length}, and there is no item ${key}`);
  const put = putInto(item.value, step, depth + 1);
  if (!('tree' in put)) return put;
  return { tree: { ...tree, items: tree.items.map((one) => (one === item ? { ...one, value: put.tree } : one)) } };
}

function meantBy(key: string, keys: readonly string[], rows: Neighbours | undefined): string | undefined {
  const others = keys.filter((one) => !rows?.beside.includes(one));
  return slipOf(key, others) ?? rows?.meant;
}

/** Where any key may stand, so that no schema tells a slip. */
function isFree({ path }: Step, depth: number): boolean {
  return depth >= 2 || (depth === 1 && path[0] === 'payload');
}

function nowhere({ path }: Step, why: string): Stray {
  return { code: 'HK044', args: { path: path.join('.'), why } };
}
