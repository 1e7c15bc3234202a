/**
 * Does an observation hold what was expected?
 */
import type { Tree } from '../core/tree';
import type { Data, Fields, Mismatch, Observed } from './model';

/** The expectations that do not hold, in the order written. `error` is none of these. */
export function mismatches(expect: Fields, observed: Observed): Mismatch[] {
  return Object.entries(expect).flatMap(([what, expected]): Mismatch[] => {
    if (what === 'error') return [];
    const actual = (observed as unknown as Fields)[what];
    return holds(what, expected, actual) ? [] : [{ what, expected, actual }];
  });
}

/** Does one expectation hold? Nothing, where nothing is expected. */
export function holds(what: string, expected: Data, actual: Data | undefined): boolean {
  if (expected === null) return actual === undefined || (what === 'reply' && actual === '');
  switch (what) {
    case 'input':
      return isPart(expected) ? contains(actual, expected.contains) : same(actual, expected);
    case 'reply':
      return contains(actual, expected);
    case 'warnings':
      return isSameList(actual, expected, (text, wanted) => matchesText(wanted, text));
    default:
      return typeof expected === 'string'
        ? matchesText(expected, typeof actual === 'string' ? actual : undefined)
        : same(actual, expected);
  }
}

/** The texts of an expectation that are patterns where they are written like one. All others are compared as they stand. */
export function searchedIn(what: string, expected: Tree): readonly Tree[] {
  switch (what) {
    case 'input': {
      const [only, ...more] = expected.kind === 'map' ? expected.entries : [];
      return only?.key === 'contains' && more.length === 0 ? textsIn(only.value) : [];
    }
    case 'reply':
      return textsIn(expected);
    case 'warnings':
      return expected.kind === 'list' ? expected.items.map(({ value }) => value).filter(isText) : [];
    default:
      return [expected].filter(isText);
  }
}

/** Lists are compared as they stand. */
function textsIn(tree: Tree): readonly Tree[] {
  if (tree.kind === 'map') return tree.entries.flatMap(({ value }) => textsIn(value));
  return [tree].filter(isText);
}

function isText(tree: Tree): boolean {
  return tree.kind === 'scalar' && typeof tree.value === 'string';
}

/** How an observation is written so that it is expected as it is: what looks like a pattern becomes one that finds it alone. */
export function expecting(what: string, observed: Data): Data {
  switch (what) {
    case 'input':
      return isPart(observed) ? { contains: literalsIn(observed) } : observed;
    case 'reply':
      return literalsIn(observed);
    case 'warnings':
      return Array.isArray(observed) ? observed.map(literal) : observed;
    default:
      return literal(observed);
  }
}

function literalsIn(data: Data): Data {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return literal(data);
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, literalsIn(value)]));
}

function literal(data: Data): Data {
  if (typeof data !== 'string' || !LIKE_PATTERN.test(data)) return data;
  return `/^${data.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$/`;
}

/** A text is exact; `/…/` with flags is searched. */
export function matchesText(expected: string, actual: string | undefined): boolean {
  if (actual === undefined) return false;
  const pattern = patternOf(expected);
  return pattern === undefined ? actual === expected : pattern.test(actual);
}

/** Why a text that is written like a pattern is none, or undefined. */
export function patternFault(text: string): string | undefined {
  const [, source, flags = ''] = LIKE_PATTERN.exec(text) ?? [];
  if (source === undefined) return undefined;
  if (source === '') return 'it is empty';
  if (!/^[imsu]*$/.test(flags)) return `"${flags}" are no flags for a search (there is i, m, s and u)`;
  try {
    patternOf(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^.*: /s, '') : String(error);
  }
}

/** Between slashes, and what can only be meant as flags behind them: a path goes on otherwise. */
const LIKE_PATTERN = /^\/(.*)\/([dgimsuvy]*)$/s;

/** The pattern that a text stands for, or undefined. Throws where it is no regular expression. */
function patternOf(text: string): RegExp | undefined {
  const [, source, flags] = /^\/(.+)\/([imsu]*)$/s.exec(text) ?? [];
  return source === undefined ? undefined : new RegExp(source, flags);
}

function isPart(expected: Data): expected is { readonly contains: Data } {
  return (
    typeof expected === 'object' &&
    expected !== null &&
    !Array.isArray(expected) &&
    Object.keys(expected).join() === 'contains'
  );
}

/** Objects may have more keys, deep down too; anything else is the same. A text may be a pattern. */
function contains(actual: Data | undefined, expected: Data): boolean {
  if (typeof expected === 'string') return matchesText(expected, typeof actual === 'string' ? actual : undefined);
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) return same(actual, expected);
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return false;
  return Object.entries(expected).every(
    ([key, value]) => Object.hasOwn(actual, key) && contains((actual as Fields)[key], value),
  );
}

function isSameList(
  actual: Data | undefined,
  expected: Data,
  holdsOne: (actual: string, expected: string) => boolean,
): boolean {
  if (!Array.isArray(actual) || !Array.isArray(expected) || actual.length !== expected.length) return false;
  return expected.every((wanted, index) => holdsOne(String(actual[index]), String(wanted)));
}

function same(actual: Data | undefined, expected: Data): boolean {
  return actual !== undefined && JSON.stringify(sorted(actual)) === JSON.stringify(sorted(expected));
}

/** The order of keys means nothing. */
function sorted(data: Data): Data {
  if (Array.isArray(data)) return data.map(sorted);
  if (typeof data !== 'object' || data === null) return data;
  const fields = data as Fields;
  return Object.fromEntries(
    Object.keys(fields)
      .sort()
      .map((key) => [key, sorted(fields[key] ?? null)]),
  );
}
