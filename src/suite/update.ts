/**
 * Writes what was observed into a suite, and leaves every other character as it is.
 */
import { type Edit, edited, type Left, type Reader, type Source } from '../core/edit';
import { entryOf, type Tree, type TreeEntry } from '../core/tree';
import { expecting, holds } from './compare';
import type { CaseResult, Data, Fields, Mismatch } from './model';
import { hasExactNumbers } from './number';

/** A case that failed, and the folder that was made for it alone; empty where there was none. */
export type Failed = { readonly result: CaseResult; readonly folder: string };

/** Why an expectation was left as it is. */
export type Why = Left | 'row' | 'nothing' | 'number' | 'folder';

export type Updated = {
  readonly text: string;
  /** For each case what still does not hold, with the reason. */
  readonly left: ReadonlyMap<CaseResult, readonly { readonly mismatch: Mismatch; readonly why: Why }[]>;
};

/**
 * The text with the mismatched expectations replaced by what was observed. Left to people: rows of tables, what is not there at all,
 * what would never hold again, values that hold comments, and values with an anchor that other cases use.
 */
export function updated(source: Source, failed: readonly Failed[], isJson: boolean, reader: Reader): Updated {
  const list = entryOf(source.tree, 'cases')?.value;
  const items = list?.kind === 'list' ? list.items.map((item) => item.value) : [];
  const places = new Map(items.flatMap((item) => (isTable(item) ? [] : [[nameOf(item), item]])));
  const all = failed.map(({ result, folder }) => ({
    result,
    tried: result.mismatches.map((mismatch) => {
      const entry = entryOf(entryOf(places.get(result.name), 'expect')?.value, mismatch.what);
      return { mismatch, edit: editOf(mismatch, entry, folder, source.text, isJson) };
    }),
  }));
  const edits = all.flatMap(({ tried }) => tried.flatMap(({ edit }) => (typeof edit === 'string' ? [] : [edit])));
  const { text, left } = edited(source, edits, reader);
  const whyOf = (edit: Edit | Why) => (typeof edit === 'string' ? edit : left.get(edit));
  const leftOf = ({ tried }: (typeof all)[number]) =>
    tried.flatMap(({ mismatch, edit }) => {
      const why = whyOf(edit);
      return why === undefined ? [] : [{ mismatch, why }];
    });
  return { text, left: new Map(all.map((one) => [one.result, leftOf(one)])) };
}

/** The rows of a table share what is written. */
function isTable(item: Tree): boolean {
  return entryOf(item, 'each') !== undefined;
}

function nameOf(tree: Tree): unknown {
  const name = entryOf(tree, 'name')?.value;
  return name?.kind === 'scalar' ? name.value : undefined;
}

function editOf(
  { what, expected, actual }: Mismatch,
  entry: TreeEntry | undefined,
  folder: string,
  text: string,
  isJson: boolean,
): Edit | Why {
  if (entry === undefined) return 'row';
  if (actual === undefined) return 'nothing';
  const observed = what === 'reply' ? partOf(actual, expected) : what === 'error' ? firstOf(actual) : actual;
  if (!hasExactNumbers(observed)) return 'number';
  if (folder !== '' && JSON.stringify(observed).includes(JSON.stringify(folder).slice(1, -1))) return 'folder';
  const value = expecting(what, observed);
  if (!holds(what, value, what === 'error' ? observed : actual)) return 'meaning';
  return { at: entry.value.span, means: { kind: 'value', value }, change: changeTo(value, entry, text, isJson) };
}

/** A list in the style that it has; else a value on one line, behind its key where it began on the line below. */
function changeTo(value: Data, { keySpan, value: node }: TreeEntry, text: string, isJson: boolean): Edit['change'] {
  const { start } = node.span;
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const isBlock = !isJson && node.kind === 'list' && text[start] === '-' && indent.trim() === '';
  if (isBlock && Array.isArray(value) && value.length > 0) {
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const dash = /^- +/.exec(text.slice(start, node.items[0]?.value.span.start))?.[0] ?? '- ';
    return { ...node.span, text: value.map((item) => dash + yaml(item)).join(`${eol}${indent}`) };
  }
  const written = isJson ? JSON.stringify(value) : yaml(value);
  const gap = text.slice(keySpan.end, start);
  if (gap.trim() !== ':') return { ...node.span, text: written };
  const behindKey = { start: keySpan.end, text: `: ${written}` };
  if (start === node.span.end) return { ...behindKey, end: keySpan.end + gap.trimEnd().length };
  return gap.includes('\n') ? { ...behindKey, end: node.span.end } : { ...node.span, text: written };
}

/** One of several errors is enough. */
function firstOf(errors: Data): Data {
  return Array.isArray(errors) ? (errors[0] ?? null) : errors;
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
