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

export type Step = { readonly path: readonly string[]; readonly value: Tree; readonly keySpan: TreeSpan };

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
  const all = each.items.map(({ value }) => withRow(bare, value, place));
  return { cases: all.map(({ unrolled }) => unrolled), findings: all.flatMap((one) => one.findings) };
}

function withRow(bare: Tree, row: Tree, place: Place): { unrolled: Unrolled; findings: Finding[] } {
  const steps = row.kind === 'map' ? row.entries.map(stepOf) : [];
  const isFile = entryOf(bare, 'payload')?.value.kind === 'scalar';
  const over = steps.filter(({ path }) => isFile && path[0] === 'payload' && path.length > 1);
  const findings: Finding[] = [];
  let tree = bare;
  for (const step of steps.filter((one) => !over.includes(one))) {
    const put = putInto(tree, step, 0);
    if ('tree' in put) tree = put.tree;
    else findings.push({ ...put, at: place(step.keySpan) });
  }
  const inFile = over.map((step) => ({ ...step, path: step.path.slice(1) }));
  return { unrolled: { tree, row, over: inFile }, findings };
}

function stepOf({ key, keySpan, value }: TreeEntry): Step {
  return { path: key.split('.'), value, keySpan };
}

type Stray = Omit<Finding, 'at'>;

/** Why a path leads nowhere in a payload, or undefined. */
export function strayIn(payload: Tree, step: Step): Stray | undefined {
  const put = putInto(payload, { ...step, path: ['payload', ...step.path] }, 1);
  return 'tree' in put ? undefined : put;
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
  if (index < 0 && isFree(step, depth) && key.length > 3 && nearest(key, keys, 1) !== undefined)
    return { code: 'HK006', args: { key, where: 'a row of "each"', hint: '' }, allowed: keys };
  const old = entries[index] ?? { key, keySpan: step.keySpan, value: { kind: 'map', span: step.keySpan, entries: [] } };
  const put = putInto(old.value, step, depth + 1);
  if (!('tree' in put)) return put;
  const entry = { ...old, value: put.tree };
  return {
    tree: { kind: 'map', span: tree.span, entries: index < 0 ? [...entries, entry] : entries.with(index, entry) },
  };
}

function putIntoList(tree: Tree & { kind: 'list' }, step: Step, depth: number, key: string) {
  const item = /^\d+$/.test(key) ? tree.items[Number(key)] : undefined;
  if (item === undefined)
    return nowhere(step, `"${step.path[depth - 1]}" is a list of ${tree.items.length}, and there is no item ${key}`);
  const put = putInto(item.value, step, depth + 1);
  if (!('tree' in put)) return put;
  return { tree: { ...tree, items: tree.items.map((one) => (one === item ? { ...one, value: put.tree } : one)) } };
}

/** Where any key may stand, so that no schema tells a slip. */
function isFree({ path }: Step, depth: number): boolean {
  return depth >= 2 || (depth === 1 && path[0] === 'payload');
}

function nowhere({ path }: Step, why: string): Stray {
  return { code: 'HK044', args: { path: path.join('.'), why } };
}
