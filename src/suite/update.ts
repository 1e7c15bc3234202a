/**
 * Writes what was observed into a suite, and leaves every other character as it is.
 */
import { type Edit, edited, type Source } from '../core/edit';
import { entryOf, type Tree } from '../core/tree';
import type { CaseResult, Data, Fields } from './model';

export type Updated = {
  readonly text: string;
  /** Cases of which nothing is left that does not hold. */
  readonly mended: ReadonlySet<CaseResult>;
};

/**
 * The text with the mismatched expectations replaced by what was observed. Left to people: rows of tables, what is not there at all,
 * values that hold comments, and values with an anchor that other cases use. `parse` gives the tree of a text, or undefined.
 */
export function updated(
  source: Source,
  failed: readonly CaseResult[],
  isJson: boolean,
  parse: (text: string) => Tree | undefined,
): Updated {
  const list = entryOf(source.tree, 'cases')?.value;
  const items = list?.kind === 'list' ? list.items.map((item) => item.value) : [];
  const all = failed.map((result) => ({ result, edits: editsOf(result, items, isJson) }));
  const { text, done } = edited(
    source,
    all.flatMap((one) => one.edits),
    parse,
  );
  const isMended = ({ result, edits }: (typeof all)[number]) =>
    edits.length === result.mismatches.length && edits.every((edit) => done.includes(edit));
  return { text, mended: new Set(all.flatMap((one) => (isMended(one) ? [one.result] : []))) };
}

function editsOf({ name, mismatches }: CaseResult, items: readonly Tree[], isJson: boolean): Edit[] {
  const own = items.find((item) => nameOf(item) === name);
  const expect = entryOf(own, 'expect')?.value;
  return mismatches.flatMap(({ what, expected, actual }): Edit[] => {
    const node = entryOf(expect, what)?.value;
    if (node === undefined || actual === undefined) return [];
    const value = what === 'reply' ? partOf(actual, expected) : actual;
    const text = isJson ? JSON.stringify(value) : yaml(value);
    return [{ at: node.span, means: { kind: 'value', value }, change: { ...node.span, text } }];
  });
}

function nameOf(tree: Tree): unknown {
  const name = entryOf(tree, 'name')?.value;
  return name?.kind === 'scalar' ? name.value : undefined;
}

/** Of a reply, the fields that were asked for; all of it where none of them is there. */
function partOf(actual: Data, expected: Data): Data {
  if (!isFields(actual) || !isFields(expected)) return actual;
  const shared = Object.keys(expected).filter((key) => Object.hasOwn(actual, key));
  if (shared.length === 0) return actual;
  return Object.fromEntries(shared.map((key) => [key, partOf(actual[key] ?? null, expected[key] ?? null)]));
}

function isFields(data: Data): data is Fields {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

/** On one line: plain words as they are, anything else as JSON, which YAML reads. */
function yaml(data: Data): string {
  return typeof data === 'string' &&
    /^[a-z][\w-]*$/i.test(data) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(data)
    ? data
    : JSON.stringify(data);
}
