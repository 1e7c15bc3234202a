/**
 * Matchers that cannot hang: the regular expressions a hook may use for tool names.
 *
 * Two engines run them. V8 is at hand and backtracks; the linear one (`engines/regex.ts`) never does. Which of the two
 * runs must not show, so only syntax that both read alike is accepted, and it is written anew (`emit`) in a form that
 * means the same for V8 with the flag `u` and for RE2: a match is a search for code points, `\s` is `[\t\n\v\f\r ]`,
 * `\d` and `\w` are ASCII, `.` is anything but `\n`, `^` and `$` are the ends of the whole text, and a leading `(?i)`
 * folds ASCII letters.
 */
import { type Compiled, MAX_STEPS } from './search';

/** `emit` is the pattern for both engines; it needs no flag but V8's `u`. */
export type Pattern = { readonly kind: 'pattern'; readonly emit: string; readonly tree: Tree };

/** `offset` counts UTF-16 units of the source. `why` and `hint` are phrases for people. */
export type PatternFault = {
  readonly kind: 'pattern fault';
  readonly why: string;
  readonly offset: number;
  readonly hint?: string;
};

/** Code points from `low` to `high`, both included. */
export type Range = readonly [low: number, high: number];

/** A parsed pattern. The ranges of a set are sorted and apart; only a set or a group is ever repeated. */
export type Tree =
  | { readonly kind: 'set'; readonly ranges: readonly Range[] }
  | { readonly kind: 'anchor'; readonly text: '^' | '$' | '\\b' | '\\B' }
  | { readonly kind: 'group'; readonly body: Tree }
  | { readonly kind: 'sequence'; readonly parts: readonly Tree[] }
  | { readonly kind: 'choice'; readonly branches: readonly Tree[] }
  | ({ readonly kind: 'repeat'; readonly body: Tree; readonly lazy: boolean } & Count);

/** `max` may be `Infinity`. */
type Count = { readonly min: number; readonly max: number };

/** Where the parser stands. `names` are the group names seen, `fold` tells of a leading `(?i)`. */
type Cursor = { readonly source: string; at: number; readonly fold: boolean; readonly names: Set<string> };

/** Upper bounds for a backtracking engine in one part of a pattern: the ways through it, and the steps to try them all. */
type Effort = { readonly ways: number; readonly steps: number };

const LEAST: Effort = { ways: 1, steps: 1 };

const UNBOUNDED: Effort = { ways: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };

type Refusal = readonly [start: string, why: string, hint?: string];

/** `repeats` is RE2's own limit. `size` keeps the linear engine's worst case below a tenth of a second. */
const LIMITS = { bytes: 1_000, size: 2_000, repeats: 1_000, steps: MAX_STEPS };

/** A pattern that matches more texts is no list of words. */
const MAX_WORDS = 64;

const LAST = 0x10ffff;

const FOLD = '(?i)';

const SHORTHANDS: Readonly<Record<string, readonly Range[]>> = {
  d: [[0x30, 0x39]],
  // biome-ignore format: one line a shorthand
  w: [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]],
  // biome-ignore format: one line a shorthand
  s: [[0x09, 0x0d], [0x20, 0x20]],
};

/** The letters of `\t \n \v \f \r`, whose code points follow one another. */
const CONTROLS = 'tnvfr';
const FIRST_CONTROL = 0x09;

/** What double quotes make of an escape that was meant for the pattern. */
const CONTROL_WORDS: Readonly<Record<string, string>> = {
  '\b': 'a backspace character, which is what \\b means in double quotes',
  '\n': 'a line break',
  '\t': 'a tab character',
};
const IN_SINGLE_QUOTES = "put a pattern with backslashes into single quotes, as in '\\bbash'";

const PUNCTUATION = /^[!-/:-@[-`{-~]$/;

const SYNTAX = '^$\\.*+?()[]{}|/';

const COUNTS: Readonly<Record<string, Count>> = {
  '*': { min: 0, max: Number.POSITIVE_INFINITY },
  '+': { min: 1, max: Number.POSITIVE_INFINITY },
  '?': { min: 0, max: 1 },
};

/** The first row whose start fits is the reason. */
const REFUSED_GROUPS: readonly Refusal[] = [
  ['(?=', 'look-ahead is not supported'],
  ['(?!', 'look-ahead is not supported'],
  ['(?<=', 'look-behind is not supported'],
  ['(?<!', 'look-behind is not supported'],
  ['(?<', 'a group name is made of ASCII letters, _ and, not first, digits'],
  ['(?P<', 'a group name is made of ASCII letters, _ and, not first, digits'],
  ['(?P=', 'back-references are not supported'],
  ['(?P', 'unknown kind of group'],
  ['(?>', 'atomic groups are not supported', 'write (?:…)'],
  ['(?#', 'comments are not supported'],
  ['(?i)', 'inline flags are not supported here', 'write (?i) at the very start'],
  ['(?i:', 'inline flags are not supported here', 'write (?i) at the very start'],
];

/** By the letter after the backslash. */
const REFUSED_ESCAPES: readonly Refusal[] = [
  ['k', 'back-references are not supported'],
  ['0', 'octal escapes are not supported', 'write \\xHH'],
  ['p', 'Unicode property classes are not supported'],
  ['P', 'Unicode property classes are not supported'],
  ['Q', 'quoting with \\Q…\\E is not supported', 'put a backslash before each special character'],
  ['E', 'quoting with \\Q…\\E is not supported', 'put a backslash before each special character'],
  ['A', '\\A is not supported', 'write ^'],
  ['Z', '\\Z is not supported', 'write $'],
  ['z', '\\z is not supported', 'write $'],
  ['G', '\\G is not supported'],
  ['b', '\\b is not supported inside […]'],
  ['B', '\\B is not supported inside […]'],
  ['x', '\\x takes two hexadecimal digits'],
  ['u', '\\u takes four hexadecimal digits', 'or write the character itself'],
];

/** Reads a pattern. It never throws. */
export function parsePattern(source: string): Pattern | PatternFault {
  try {
    checkText(source);
    const fold = source.startsWith(FOLD);
    const cursor = { source, at: fold ? FOLD.length : 0, fold, names: new Set<string>() };
    const tree = choice(cursor);
    if (cursor.at < source.length) refuse('unmatched )', cursor.at, 'write \\) for a literal parenthesis');
    if (size(tree) > LIMITS.size) refuse('too large', 0, 'lower the repeat counts');
    return { kind: 'pattern', emit: emit(tree), tree };
  } catch (error) {
    if (error instanceof Refused) return error.fault;
    throw error;
  }
}

/** An upper bound of V8's single steps (a character, an anchor or a branch tried) in a text of that many UTF-16 units. */
export function cost(pattern: Pattern, length: number): number {
  const positions = length + 1;
  const { steps } = effort(pattern.tree, positions);
  return startsWithText(pattern.tree) ? 2 * positions + steps : positions * steps;
}

/** May V8 search a text of that many UTF-16 units? */
export function cheap(pattern: Pattern, length: number): boolean {
  return cost(pattern, length) <= LIMITS.steps;
}

/** Is it a regular expression of JavaScript, of whatever kind? */
export function compilesAsJs(source: string): boolean {
  try {
    new RegExp(source);
    return source.length <= LIMITS.bytes;
  } catch {
    return false;
  }
}

/** The pattern as it is kept until it is searched. */
export function compile(source: string): Compiled {
  const pattern = parsePattern(source);
  return pattern.kind === 'pattern' ? { source, emit: pattern.emit, cheapTo: cheapTo(pattern) } : { source };
}

/** The texts that a pattern matches, where those are few and nothing else is; undefined where that cannot be told. */
export function exactWords(source: string): readonly string[] | undefined {
  const pattern = parsePattern(source);
  if (pattern.kind !== 'pattern') return undefined;
  const branches = pattern.tree.kind === 'choice' ? pattern.tree.branches : [pattern.tree];
  return united(branches.map(wholeWords));
}

/** Of a branch that begins with `^` and ends with `$`. */
function wholeWords(branch: Tree): readonly string[] | undefined {
  if (branch.kind !== 'sequence') return undefined;
  const [first, ...rest] = branch.parts;
  const last = rest.pop();
  const isWhole = first?.kind === 'anchor' && first.text === '^' && last?.kind === 'anchor' && last.text === '$';
  return isWhole ? wordsIn({ kind: 'sequence', parts: rest }) : undefined;
}

function wordsIn(tree: Tree): readonly string[] | undefined {
  switch (tree.kind) {
    case 'set':
      return charactersIn(tree.ranges);
    case 'group':
      return wordsIn(tree.body);
    case 'choice':
      return united(tree.branches.map(wordsIn));
    case 'sequence':
      return tree.parts.map(wordsIn).reduce(joinedWords, ['']);
    case 'anchor':
    case 'repeat':
      return undefined;
  }
}

function charactersIn(ranges: readonly Range[]): readonly string[] | undefined {
  const count = ranges.reduce((sum, [low, high]) => sum + high - low + 1, 0);
  if (count > MAX_WORDS) return undefined;
  return ranges.flatMap(([low, high]) =>
    Array.from({ length: high - low + 1 }, (_, at) => String.fromCodePoint(low + at)),
  );
}

function joinedWords(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): readonly string[] | undefined {
  if (before === undefined || after === undefined || before.length * after.length > MAX_WORDS) return undefined;
  return before.flatMap((head) => after.map((tail) => head + tail));
}

function united(words: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const all = words.flatMap((one) => one ?? []);
  return words.includes(undefined) || all.length > MAX_WORDS ? undefined : all;
}

/** The longest text, in UTF-16 units, that V8 may search; -1 where it may search none. A longer one never costs less. */
function cheapTo(pattern: Pattern): number {
  let [low, high] = [-1, LIMITS.steps];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (cheap(pattern, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

class Refused extends Error {
  constructor(readonly fault: PatternFault) {
    super(fault.why);
  }
}

function refuse(why: string, offset: number, hint?: string): never {
  throw new Refused({ kind: 'pattern fault', why, offset, ...(hint === undefined ? {} : { hint }) });
}

function checkText(source: string): void {
  if (new TextEncoder().encode(source).length > LIMITS.bytes) refuse(`longer than ${LIMITS.bytes} bytes`, 0);
  const half = source.search(/\p{Surrogate}/u);
  if (half >= 0) refuse('half of a surrogate pair is no character', half);
  const control = source.search(/[\x00-\x1f\x7f]/);
  if (control >= 0) refuse(CONTROL_WORDS[source[control] ?? ''] ?? 'a control character', control, IN_SINGLE_QUOTES);
}

function choice(cursor: Cursor): Tree {
  const first = sequence(cursor);
  const branches = [first];
  while (took(cursor, '|')) branches.push(sequence(cursor));
  return branches.length === 1 ? first : { kind: 'choice', branches };
}

function sequence(cursor: Cursor): Tree {
  const parts: Tree[] = [];
  while (cursor.at < cursor.source.length && !'|)'.includes(here(cursor))) parts.push(piece(cursor));
  return { kind: 'sequence', parts };
}

function piece(cursor: Cursor): Tree {
  const start = cursor.at;
  if (count(cursor)) {
    const hint = 'for every tool leave the matcher out or write "*"; for "anything" write .*';
    refuse('nothing to repeat', start, cursor.source.startsWith('*') && start === 0 ? hint : undefined);
  }
  const body = atom(cursor);
  const at = cursor.at;
  const times = count(cursor);
  if (!times) return body;
  if (body.kind === 'anchor') refuse('an anchor cannot be repeated', at);
  if (multiplied(body) * factor(times) > LIMITS.repeats) refuse(`repeats more than ${LIMITS.repeats} times`, at);
  return { kind: 'repeat', body, ...times, lazy: suffix(cursor) };
}

/** Reads `*`, `+`, `?` or `{…}`. A brace that counts nothing is left for a literal. */
function count(cursor: Cursor): Count | undefined {
  const start = cursor.at;
  const simple = COUNTS[here(cursor)];
  if (simple) {
    cursor.at += 1;
    return simple;
  }
  const found = matched(cursor, /\{(\d+)(?:(,)(\d*))?\}/y);
  if (!found) return undefined;
  const [, low = '', comma, high] = found;
  // JavaScript reads {01} as a count, RE2 as text.
  if (/^0\d/.test(low) || /^0\d/.test(high ?? '')) refuse('a repeat count starts with 0', start);
  const min = Number(low);
  const max = comma === undefined ? min : Number(high || Number.POSITIVE_INFINITY);
  if (min > max) refuse('repeat counts are out of order', start);
  return { min, max };
}

/** What may follow a count: a `?` that makes it lazy, and nothing else that repeats. */
function suffix(cursor: Cursor): boolean {
  const lazy = took(cursor, '?');
  const start = cursor.at;
  if (!lazy && here(cursor) === '+') refuse('possessive repeats are not supported', start);
  if (count(cursor)) refuse('a repeat cannot be repeated', start, 'put the inner one in (?:…)');
  return lazy;
}

function atom(cursor: Cursor): Tree {
  for (const text of ['^', '$', '\\b', '\\B'] as const) {
    if (took(cursor, text)) return { kind: 'anchor', text };
  }
  if (here(cursor) === '(') return group(cursor);
  if (here(cursor) === '[') return bracketed(cursor);
  if (took(cursor, '.')) return { kind: 'set', ranges: complement(single(0x0a)) };
  return { kind: 'set', ranges: folded(cursor, character(cursor)) };
}

function group(cursor: Cursor): Tree {
  const start = cursor.at;
  opening(cursor);
  const body = choice(cursor);
  if (!took(cursor, ')')) refuse('unclosed group', start, 'write \\( for a literal parenthesis');
  return { kind: 'group', body };
}

function opening(cursor: Cursor): void {
  const start = cursor.at;
  const name = matched(cursor, /\(\?P?<([A-Za-z_][A-Za-z0-9_]*)>/y)?.[1];
  if (name !== undefined) {
    if (cursor.names.has(name)) refuse(`two groups are named ${name}`, start);
    cursor.names.add(name);
    return;
  }
  if (took(cursor, '(?:')) return;
  const row = REFUSED_GROUPS.find(([text]) => cursor.source.startsWith(text, start));
  if (row) refuse(row[1], start, row[2]);
  if (matched(cursor, /\(\?[A-Za-z^-]/y)) refuse('inline flags other than a leading (?i) are not supported', start);
  if (took(cursor, '(?')) refuse('unknown kind of group', start);
  cursor.at += 1;
}

function bracketed(cursor: Cursor): Tree {
  const start = cursor.at;
  cursor.at += 1;
  const negated = took(cursor, '^');
  if (here(cursor) === ']') refuse('a class cannot start with ]', cursor.at, 'write \\] for a literal bracket');
  const ranges: Range[] = [];
  while (!took(cursor, ']')) ranges.push(...member(cursor, start));
  const all = folded(cursor, ranges);
  return { kind: 'set', ranges: negated ? complement(all) : all };
}

/** One character, shorthand or range of the class that starts at `open`. */
function member(cursor: Cursor, open: number): readonly Range[] {
  const start = cursor.at;
  const first = memberEnd(cursor, open);
  if (here(cursor) !== '-' || cursor.source[cursor.at + 1] === ']') return first;
  cursor.at += 1;
  const last = memberEnd(cursor, open);
  const [low, high] = [point(first), point(last)];
  if (low === undefined || high === undefined) {
    refuse('a range needs one character at each end', start, 'write \\- for a literal dash');
  }
  if (low > high) refuse('range out of order', start);
  return [[low, high]];
}

function memberEnd(cursor: Cursor, open: number): readonly Range[] {
  if (cursor.at >= cursor.source.length) refuse('unclosed class', open, 'write \\[ for a literal bracket');
  if (cursor.source.startsWith('[:', cursor.at)) {
    refuse('POSIX classes are not supported', cursor.at, 'write \\[ for a literal bracket');
  }
  return character(cursor);
}

/** The code point of a set that holds just one. */
function point(ranges: readonly Range[]): number | undefined {
  const [range] = ranges;
  return ranges.length === 1 && range?.[0] === range?.[1] ? range?.[0] : undefined;
}

/** A literal or an escape, inside or outside a class. */
function character(cursor: Cursor): readonly Range[] {
  if (here(cursor) === '\\') return escaped(cursor);
  const code = cursor.source.codePointAt(cursor.at) ?? LAST;
  cursor.at += String.fromCodePoint(code).length;
  return single(code);
}

function escaped(cursor: Cursor): readonly Range[] {
  const start = cursor.at;
  const hex = matched(cursor, /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4}))/y);
  if (hex) return numbered(Number.parseInt(hex[1] ?? hex[2] ?? '', 16), start);
  const [, letter = ''] = [...cursor.source.slice(start, start + 3)];
  cursor.at += 1 + letter.length;
  if (letter === '') refuse('trailing backslash', start, 'write \\\\ for a literal backslash');
  const shorthand = SHORTHANDS[letter.toLowerCase()];
  if (shorthand) return letter === letter.toLowerCase() ? shorthand : complement(shorthand);
  if (CONTROLS.includes(letter)) return single(FIRST_CONTROL + CONTROLS.indexOf(letter));
  return PUNCTUATION.test(letter) ? single(letter.charCodeAt(0)) : refuseEscape(letter, start);
}

function numbered(code: number, start: number): readonly Range[] {
  if (code < 0xd800 || code > 0xdfff) return single(code);
  return refuse('half of a surrogate pair is no character', start, 'write the character itself');
}

function single(code: number): readonly Range[] {
  return [[code, code]];
}

function refuseEscape(letter: string, start: number): never {
  if (/[1-9]/.test(letter)) refuse('back-references are not supported', start);
  const [, why, hint] = REFUSED_ESCAPES.find(([text]) => text === letter) ?? [];
  refuse(why ?? `unknown escape \\${letter}`, start, hint);
}

/** The UTF-16 unit at the cursor, empty at the end. */
function here(cursor: Cursor): string {
  return cursor.source[cursor.at] ?? '';
}

function took(cursor: Cursor, text: string): boolean {
  if (!cursor.source.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
}

/** Reads what the sticky `shape` matches at the cursor. */
function matched(cursor: Cursor, shape: RegExp): RegExpExecArray | undefined {
  shape.lastIndex = cursor.at;
  const found = shape.exec(cursor.source) ?? undefined;
  cursor.at += found?.[0].length ?? 0;
  return found;
}

/** The same set, with both cases of its ASCII letters where the pattern says `(?i)`. */
function folded(cursor: Cursor, ranges: readonly Range[]): readonly Range[] {
  if (!cursor.fold) return merged(ranges);
  return merged([...ranges, ...shifted(ranges, 0x41, 0x5a, 0x20), ...shifted(ranges, 0x61, 0x7a, -0x20)]);
}

/** What the ranges have from `low` to `high`, moved by `by`. */
function shifted(ranges: readonly Range[], low: number, high: number, by: number): readonly Range[] {
  return ranges
    .map(([from, to]): Range => [Math.max(from, low) + by, Math.min(to, high) + by])
    .filter(([from, to]) => from <= to);
}

function merged(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = [];
  for (const [low, high] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last && low <= last[1] + 1) result[result.length - 1] = [last[0], Math.max(last[1], high)];
    else result.push([low, high]);
  }
  return result;
}

/** Every other code point. The ranges must be sorted and apart. */
function complement(ranges: readonly Range[]): readonly Range[] {
  const starts = [0, ...ranges.map(([, high]) => high + 1)];
  const ends = [...ranges.map(([low]) => low - 1), LAST];
  return starts.map((low, index): Range => [low, ends[index] ?? LAST]).filter(([low, high]) => low <= high);
}

function emit(tree: Tree): string {
  switch (tree.kind) {
    case 'set':
      return emitSet(tree.ranges);
    case 'anchor':
      return tree.text;
    case 'group':
      return `(?:${emit(tree.body)})`;
    case 'sequence':
      return tree.parts.map(emit).join('');
    case 'choice':
      return tree.branches.map(emit).join('|');
    case 'repeat':
      return `${emit(tree.body)}${emitCount(tree)}${tree.lazy ? '?' : ''}`;
  }
}

function emitSet(ranges: readonly Range[]): string {
  const only = point(ranges);
  if (only !== undefined) return emitPoint(only, SYNTAX);
  // RE2 knows neither [] nor [^], so nothing is the complement of everything, and everything is no complement.
  const negated = ranges.length !== 1 && (ranges.at(-1)?.[1] ?? LAST) === LAST;
  const listed = (negated ? complement(ranges) : ranges).map(([low, high]) => {
    const [first, last] = [emitPoint(low, `${SYNTAX}-`), emitPoint(high, `${SYNTAX}-`)];
    return low === high ? first : `${first}-${last}`;
  });
  return `[${negated ? '^' : ''}${listed.join('')}]`;
}

function emitPoint(code: number, special: string): string {
  const control = CONTROLS[code - FIRST_CONTROL];
  if (control !== undefined) return `\\${control}`;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  const text = String.fromCodePoint(code);
  return special.includes(text) ? `\\${text}` : text;
}

function emitCount({ min, max }: Count): string {
  const simple = Object.keys(COUNTS).find((sign) => COUNTS[sign]?.min === min && COUNTS[sign]?.max === max);
  if (simple !== undefined) return simple;
  if (min === max) return `{${min}}`;
  return max === Number.POSITIVE_INFINITY ? `{${min},}` : `{${min},${max}}`;
}

/** How often a count writes its body out when RE2 compiles it. */
function factor({ min, max }: Count): number {
  return Math.max(1, max === Number.POSITIVE_INFINITY ? min : max);
}

function children(tree: Tree): readonly Tree[] {
  if (tree.kind === 'group' || tree.kind === 'repeat') return [tree.body];
  if (tree.kind === 'sequence') return tree.parts;
  return tree.kind === 'choice' ? tree.branches : [];
}

/** The largest product of counts inside one another. */
function multiplied(tree: Tree): number {
  const inner = Math.max(1, ...children(tree).map(multiplied));
  return tree.kind === 'repeat' ? factor(tree) * inner : inner;
}

/** Instructions of the pattern when RE2 compiles it, about. */
function size(tree: Tree): number {
  const inner = Math.max(
    1,
    children(tree).reduce((sum, child) => sum + size(child), 0),
  );
  if (tree.kind === 'choice') return inner + tree.branches.length - 1;
  if (tree.kind !== 'repeat') return inner;
  return factor(tree) * inner + (tree.max === Number.POSITIVE_INFINITY ? 1 : tree.max - tree.min);
}

/** Is `^` the first that is tried, so that a search goes on from one place only? */
function startsWithText(tree: Tree): boolean {
  const first = tree.kind === 'sequence' ? tree.parts[0] : undefined;
  return first?.kind === 'anchor' && first.text === '^';
}

function effort(tree: Tree, positions: number): Effort {
  switch (tree.kind) {
    case 'set':
    case 'anchor':
      return LEAST;
    case 'group':
      return effort(tree.body, positions);
    case 'sequence':
      return tree.parts.reduce<Effort>((before, part) => {
        const { ways, steps } = effort(part, positions);
        return { ways: before.ways * ways, steps: before.steps + before.ways * steps };
      }, LEAST);
    case 'choice':
      return tree.branches.map((branch) => effort(branch, positions)).reduce(either);
    case 'repeat':
      return effortOfRepeat(tree, positions);
  }
}

function either(one: Effort, other: Effort): Effort {
  return { ways: one.ways + other.ways, steps: one.steps + other.steps };
}

function effortOfRepeat({ body, min, max }: Tree & { kind: 'repeat' }, positions: number): Effort {
  if (max <= 1) return either(effort(body, positions), LEAST);
  // What a repeated group costs depends on how its choices meet; no simple bound is small enough to be of use.
  if (body.kind === 'group') return UNBOUNDED;
  return { ways: Math.min(positions, max - min + 1), steps: 1 + Math.min(positions, max) };
}
