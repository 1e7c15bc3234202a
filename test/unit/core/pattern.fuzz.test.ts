import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cheap, cost, type Pattern, parsePattern, searchV8, type Tree } from '../../../src/core/pattern';
import { linearSearch } from '../../../src/engines/regex';

const QUANTIFIERS = ['*', '+', '?', '*?', '+?', '??', '{2}', '{0}', '{1,}', '{0,2}', '{1,3}?', '{2,2}'];

/** Read alike by JavaScript without flags, by RE2 and by us. */
const PLAIN = ['a', 'b', 'A', 'k', '_', '-', '0', ' ', '\\n', '\n', 'é', '\\d', '\\w', '\\D', '\\W', '\\x61', '\\u0062'];
const PLAIN_CLASSES = ['[ab]', '[^a]', '[a-c-]', '[^\\w]', '[\\W\\d]', '[^-a]', '[\\]b]', '[[a]', '[*-b]', '[\\d\\D]'];
const PLAIN_OTHERS = ['^', '$', '\\b', '\\B', '\\.', '\\/', '\\_', '{', '}', ']', 'a{', '{,2}', '()', '(?:)', '(|a)'];

/** Given one meaning by us, or beyond the basic plane. */
const OURS = ['.', '\\s', '\\S', '[\\s]', '[^\\s]', '[\\S]', '[^\\S]', '[\\s\\S]', '[^\\s\\S]', '.\\s', '[^\\D]'];
const ASTRAL = ['😀', '[😀-😂]', '[^😀]', '\u2028', '\ufeff', 'ſ', 'K'];

const plain = sources([...PLAIN, ...PLAIN_CLASSES, ...PLAIN_OTHERS]);
const every = fc
  .tuple(fc.constantFrom('', '(?i)'), sources([...PLAIN, ...PLAIN_CLASSES, ...PLAIN_OTHERS, ...OURS, ...ASTRAL]))
  .map(([flag, source]) => flag + source);

const basicText = texts('a', 'b', 'c', 'A', 'k', '_', '-', '0', ' ', '\n', 'é', '.', '{', '\u2028');
const anyText = texts('a', 'b', 'K', 'k', 'ſ', 's', 'K', '0', ' ', '\v', '\n', 'é', '\ufeff', '😀', '😁', '\ud83d', '\ude00');

const soup = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...'ab()[]{}*+?|^$\\.,-:<>=!iPnkdwsWbBxu0123/ é'), maxLength: 14 }),
);

test('both engines agree on every accepted pattern', () => {
  check(every, anyText, (source, text) => {
    const pattern = accepted(source);
    if (pattern) expect([source, linearSearch(pattern.emit)(text)]).toEqual([source, searchV8(pattern, text)]);
  });
});

test('what is emitted means what the source means to JavaScript and to RE2', () => {
  check(plain, basicText, (source, text) => {
    const pattern = accepted(source);
    if (pattern) expectOneMeaning(source, pattern, text);
  });
});

test('any text for a pattern is refused or read by both engines, and never throws', () => {
  check(soup, basicText, (source, text) => {
    const pattern = accepted(source);
    if (!pattern) return;
    expect([source, linearSearch(pattern.emit)(text)]).toEqual([source, searchV8(pattern, text)]);
    if (!/\.|\\s|\(\?[iP]/i.test(source)) expectOneMeaning(source, pattern, text);
  });
});

test('the cost bounds the steps of a backtracking search, which finds what V8 finds', () => {
  check(every, anyText, (source, text) => {
    const pattern = accepted(source);
    if (!pattern || !cheap(pattern, text.length)) return;
    const { found, steps } = backtrack(pattern.tree, text.toWellFormedPoints());
    expect([source, found]).toEqual([source, searchV8(pattern, text)]);
    expect(steps).toBeLessThanOrEqual(cost(pattern, text.length));
  });
});
