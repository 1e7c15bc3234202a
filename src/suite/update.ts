/**
 * Writes what was observed into a suite, and leaves every other character as it is.
 */
import { entryOf, type Tree } from '../core/tree';
import type { CaseResult, Data } from './model';

export type Updated = {
  readonly text: string;
  /** Cases of which nothing is left that does not hold. */
  readonly mended: ReadonlySet<CaseResult>;
};

/** The text with the mismatched expectations replaced by what was observed. Rows of tables are left to people. */
export function updated(text: string, tree: Tree, failed: readonly CaseResult[]): Updated {
  const list = entryOf(tree, 'cases')?.value;
  const items = list?.kind === 'list' ? list.items.map((item) => item.value) : [];
  const all = failed.map((result) => ({ result, changes: changesOf(result, items) }));
  const changes = all.flatMap((one) => one.changes).toSorted((a, b) => b.start - a.start);
  return {
    text: changes.reduce((old, { start, end, text: put }) => old.slice(0, start) + put + old.slice(end), text),
    mended: new Set(all.flatMap((one) => (one.changes.length === one.result.mismatches.length ? [one.result] : []))),
  };
}

type Change = { readonly start: number; readonly end: number; readonly text: string };

function changesOf({ name, mismatches }: CaseResult, items: readonly Tree[]): Change[] {
  const own = items.find((item) => nameOf(item) === name);
  const expect = entryOf(own, 'expect')?.value;
  return mismatches.flatMap(({ what, actual }) => {
    const value = entryOf(expect, what)?.value;
    return value === undefined || actual === undefined ? [] : [{ ...value.span, text: yaml(actual) }];
  });
}

function nameOf(tree: Tree): unknown {
  const name = entryOf(tree, 'name')?.value;
  return name?.kind === 'scalar' ? name.value : undefined;
}

/** On one line: plain words as they are, anything else as JSON, which YAML reads. */
function yaml(data: Data): string {
  return typeof data === 'string' &&
    /^[a-z][\w-]*$/i.test(data) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(data)
    ? data
    : JSON.stringify(data);
}
