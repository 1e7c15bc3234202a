import { describe, expect, it } from 'vitest';
import { cheap, cost, type Pattern, parsePattern } from '../../../src/core/pattern';
import { searchV8, wellFormed } from '../../../src/core/search';
import { linearSearch } from '../../../src/engines/regex';

const BRACKET = 'write \\[ for a literal bracket';
const GROUP_NAME = 'a group name is made of ASCII letters, _ and, not first, digits';

function pattern(source: string): Pattern {
  const parsed = parsePattern(source);
  if (parsed.kind === 'pattern fault') throw new Error(`${source} is refused: ${parsed.why}`);
  return parsed;
}

/** The answer of both engines, which must be one. */
function found(source: string, text: string): boolean {
  const { emit, ...rest } = pattern(source);
  const answer = searchV8({ emit, ...rest }, text);
  expect([source, text, linearSearch(emit)(text)]).toEqual([source, text, answer]);
  return answer;
}

/** As the engine will choose. */
function search(source: string, text: string): boolean {
  const parsed = pattern(source);
  return cheap(parsed, text.length) ? searchV8(parsed, text) : linearSearch(parsed.emit)(text);
}

describe('what is emitted', () => {
  it.each([
    ['', ''],
    ['Bash|Read|', 'Bash|Read|'],
    ['fs_*', 'fs_*'],
    ['^mcp__(a|b)$', '^mcp__(?:a|b)$'],
    ['(?<one>a)(?P<_2>b)(?:c)()', '(?:a)(?:b)(?:c)(?:)'],
    ['.', '[^\\n]'],
    ['\\d\\D\\w\\W', '[0-9][^0-9][0-9A-Z_a-z][^0-9A-Z_a-z]'],
    ['\\s\\S', '[\\t-\\r ][^\\t-\\r ]'],
    ['[\\s\\S][^\\s\\S]', '[\\x00-\u{10ffff}][^\\x00-\u{10ffff}]'],
    ['[z\\da-cb-f-]', '[\\-0-9a-fz]'],
    ['[^\\Wk]', '[0-9A-Z_a-jl-z]'],
    ['[\\]^\\\\[.-]', '[\\--\\.\\[-\\^]'],
    ['[a]', 'a'],
    ['[a-fbg-h]', '[a-h]'],
    ['\\x41\\u00e9\\u2028\\x00\\x7f', 'Aé\u2028\\x00\\x7f'],
    ['\\n\\t\\r\\f\\v', '\\n\\t\\r\\f\\v'],
    ['\\.\\-\\_\\/\\"\\<', '\\.-_\\/"<'],
    ['/', '\\/'],
    ['{}]', '\\{\\}\\]'],
    ['a{,2}b{x}', 'a\\{,2\\}b\\{x\\}'],
    ['a{1,}b{0,}c{0,1}d{2,2}e{2,}f{0,3}', 'a+b*c?d{2}e{2,}f{0,3}'],
    ['a*?b+?c??d{2,3}?', 'a*?b+?c??d{2,3}?'],
    ['\\b\\B', '\\b\\B'],
    ['é😀[😀-😂]', 'é😀[😀-😂]'],
    ['(?i)a', '[Aa]'],
    ['(?i)Z_9é', '[Zz]_9é'],
    ['(?i)[^b-d]', '[^B-Db-d]'],
    ['(?i)[Y-b]', '[A-BY-by-z]'],
    ['(?i)\\x6b', '[Kk]'],
    ['(?i)\\w\\W', '[0-9A-Z_a-z][^0-9A-Z_a-z]'],
  ])('%j becomes %j', (source, emitted) => {
    expect(pattern(source).emit).toBe(emitted);
  });
});

describe('what is refused', () => {
  it.each<[source: string, why: string, offset: number, hint?: string]>([
    [
      '\bbash',
      'a backspace character, which is what \\b means in double quotes',
      0,
      "put a pattern with backslashes into single quotes, as in '\\bbash'",
    ],
    ['a\tb', 'a tab character', 1, "put a pattern with backslashes into single quotes, as in '\\bbash'"],
    ['a\n', 'a line break', 1, "put a pattern with backslashes into single quotes, as in '\\bbash'"],
    ['\x1b[31m', 'a control character', 0, "put a pattern with backslashes into single quotes, as in '\\bbash'"],
    ['a(?=b)', 'look-ahead is not supported', 1],
    ['(?!b)', 'look-ahead is not supported', 0],
    ['(?<=b)', 'look-behind is not supported', 0],
    ['(?<!b)', 'look-behind is not supported', 0],
    ['(a)\\1', 'back-references are not supported', 3],
    ['(?<n>a)\\k<n>', 'back-references are not supported', 7],
    ['(?P<n>a)(?P=n)', 'back-references are not supported', 8],
    ['a(?i)b', 'inline flags are not supported here', 1, 'write (?i) at the very start'],
    ['(?i)(?i)b', 'inline flags are not supported here', 4, 'write (?i) at the very start'],
    ['(?i:b)', 'inline flags are not supported here', 0, 'write (?i) at the very start'],
    ['(?m)b', 'inline flags other than a leading (?i) are not supported', 0],
    ['(?-i)b', 'inline flags other than a leading (?i) are not supported', 0],
    ['(?is)b', 'inline flags other than a leading (?i) are not supported', 0],
    ['(?>a)', 'atomic groups are not supported', 0, 'write (?:…)'],
    ['(?#a)', 'comments are not supported', 0],
    ['(?|a)', 'unknown kind of group', 0],
    ['(?P>a)', 'unknown kind of group', 0],
    ['(?<1>a)', GROUP_NAME, 0],
    ['(?P<é>a)', GROUP_NAME, 0],
    ['(?<n>a)|(?P<n>b)', 'two groups are named n', 8],
    ['a++', 'possessive repeats are not supported', 2],
    ['a?+', 'possessive repeats are not supported', 2],
    ['a{2}+', 'possessive repeats are not supported', 4],
    ['a**', 'a repeat cannot be repeated', 2, 'put the inner one in (?:…)'],
    ['a???', 'a repeat cannot be repeated', 3, 'put the inner one in (?:…)'],
    ['a{2}{3}', 'a repeat cannot be repeated', 4, 'put the inner one in (?:…)'],
    ['*', 'nothing to repeat', 0, 'for every tool leave the matcher out or write "*"; for "anything" write .*'],
    ['+', 'nothing to repeat', 0],
    ['(?i)*', 'nothing to repeat', 4],
    ['a|?', 'nothing to repeat', 2],
    ['(*)', 'nothing to repeat', 1],
    ['{2}', 'nothing to repeat', 0],
    ['^*', 'an anchor cannot be repeated', 1],
    ['\\b{2}', 'an anchor cannot be repeated', 2],
    ['\\p{L}', 'Unicode property classes are not supported', 0],
    ['\\PL', 'Unicode property classes are not supported', 0],
    ['\\Qa\\E', 'quoting with \\Q…\\E is not supported', 0, 'put a backslash before each special character'],
    ['a\\E', 'quoting with \\Q…\\E is not supported', 1, 'put a backslash before each special character'],
    ['\\Aa', '\\A is not supported', 0, 'write ^'],
    ['a\\Z', '\\Z is not supported', 1, 'write $'],
    ['a\\z', '\\z is not supported', 1, 'write $'],
    ['\\Ga', '\\G is not supported', 0],
    ['[\\b]', '\\b is not supported inside […]', 1],
    ['[a\\B]', '\\B is not supported inside […]', 2],
    ['[]a]', 'a class cannot start with ]', 1, 'write \\] for a literal bracket'],
    ['[^]a]', 'a class cannot start with ]', 2, 'write \\] for a literal bracket'],
    ['[[:alpha:]]', 'POSIX classes are not supported', 1, BRACKET],
    ['[z-a]', 'range out of order', 1],
    ['[\\w-.]', 'a range needs one character at each end', 1, 'write \\- for a literal dash'],
    ['[+-\\d]', 'a range needs one character at each end', 1, 'write \\- for a literal dash'],
    ['\\e', 'unknown escape \\e', 0],
    ['\\é', 'unknown escape \\é', 0],
    ['\\😀', 'unknown escape \\😀', 0],
    ['\\0', 'octal escapes are not supported', 0, 'write \\xHH'],
    ['\\x4', '\\x takes two hexadecimal digits', 0],
    ['\\u{41}', '\\u takes four hexadecimal digits', 0, 'or write the character itself'],
    ['\\ud83d\\ude00', 'half of a surrogate pair is no character', 0, 'write the character itself'],
    ['a\ud83d', 'half of a surrogate pair is no character', 1],
    ['a{3,2}', 'repeat counts are out of order', 1],
    ['a{01}', 'a repeat count starts with 0', 1],
    ['a{1,02}', 'a repeat count starts with 0', 1],
    ['a{1001}', 'repeats more than 1000 times', 1],
    ['a{99999999999}', 'repeats more than 1000 times', 1],
    ['(?:(?:a{10}){10}b){11}', 'repeats more than 1000 times', 18],
    ['(?:ab|c){501}', 'too large', 0, 'lower the repeat counts'],
    ['a(b', 'unclosed group', 1, 'write \\( for a literal parenthesis'],
    ['a)b', 'unmatched )', 1, 'write \\) for a literal parenthesis'],
    ['a[b', 'unclosed class', 1, BRACKET],
    ['[a-', 'unclosed class', 0, BRACKET],
    ['[', 'unclosed class', 0, BRACKET],
    ['a\\', 'trailing backslash', 1, 'write \\\\ for a literal backslash'],
    ['[\\', 'trailing backslash', 1, 'write \\\\ for a literal backslash'],
    ['a'.repeat(1_001), 'longer than 1000 bytes', 0],
    ['é'.repeat(501), 'longer than 1000 bytes', 0],
  ])('%j: %s', (source, why, offset, hint) => {
    const fault = { kind: 'pattern fault', why, offset };
    expect(parsePattern(source)).toEqual(hint === undefined ? fault : { ...fault, hint });
  });

  it('leaves what stands at the limits', () => {
    for (const source of [
      'a'.repeat(1_000),
      'é'.repeat(500),
      'a{1000}',
      '.{0,1000}',
      '(?:a{10}){100}',
      '(?:ab|c){500}',
    ]) {
      expect([source, parsePattern(source).kind]).toEqual([source, 'pattern']);
    }
  });
});

describe('what is found', () => {
  it.each<[source: string, hits: string[], misses: string[]]>([
    ['Bash', ['Bash', 'BashOutput', 'xBash'], ['bash', '']],
    ['^(?:Edit|Write)$', ['Edit', 'Write'], ['MultiEdit', 'Edit\n', '\nEdit']],
    ['', ['', 'a'], []],
    ['a.c', ['abc', 'a\rc', 'a\u2028c', 'a😀c'], ['a\nc', 'ac']],
    ['^.$', ['a', '😀', '\ud83d'], ['😀😀', '']],
    ['\\s', [' ', '\t', '\n', '\v', '\f', '\r'], ['\u00a0', '\ufeff', '\u2028', 's']],
    ['^[^\\S]$', [' '], ['\u00a0', 'a']],
    ['\\w', ['a', '_', '0'], ['é', '-', '\u017f']],
    ['\\bé', ['aé'], ['é', ' é']],
    ['a\\B', ['ab'], ['a', 'a-']],
    ['^\\B|x', ['-', '😀', 'x'], ['a']],
    ['\\B', ['ab', '😀'], ['a', 'a😀a']],
    ['(?i)k', ['k', 'K'], ['\u212a']],
    ['(?i)[^s]', ['a', '\u017f'], ['s', 'S', 'sS']],
    ['(?i)\\u017f', ['\u017f'], ['s', 'S']],
    ['[^a]', ['b', '\n', '😀'], ['a', 'aa', '']],
    ['a{0}b', ['b'], ['a']],
    ['^(?:a*)*$', ['', 'aaa'], ['ab']],
    ['^(?:|a)+$', ['', 'aa'], ['b']],
    ['^(?:\\b|a){2}$', ['a', 'aa'], ['', 'aaa']],
    ['[\\d-]', ['-', '1'], ['a']],
    ['[^\\s\\S]', [], ['', 'a', '\n']],
    ['\ufffd', ['\ufffd', 'a\ud83d', '\ude00\ud83d'], ['😀', '']],
  ])('%j', (source, hits, misses) => {
    expect(hits.filter((text) => !found(source, text))).toEqual([]);
    expect(misses.filter((text) => found(source, text))).toEqual([]);
  });

  it('replaces halves of surrogate pairs only', () => {
    expect(wellFormed('\ude00a\ud83d😀\ud83d')).toBe('\ufffda\ufffd😀\ufffd');
  });
});

describe('cost', () => {
  it.each<[source: string, length: number, steps: number]>([
    ['', 9, 10],
    ['abc', 9, 10 * 4],
    ['a|b', 9, 10 * 4],
    ['a?', 9, 10 * 3],
    ['^a*b', 9, 20 + 23],
    ['^a|b', 9, 10 * 5],
    ['a*', 9, 10 * 12],
    ['a*b', 9, 10 * 22],
    ['a*b*', 9, 10 * 122],
    ['a{3}b', 9, 10 * 6],
    ['a{3}b', 1, 2 * 5],
    ['a{2,4}b', 9, 10 * 9],
    ['(?:ab)?c', 9, 10 * 7],
    ['(?:a|b)(?:c|d)', 9, 10 * 13],
    ['(?:ab){2}', 9, Number.POSITIVE_INFINITY],
    ['(?:a*)*(?:)b', 9, Number.POSITIVE_INFINITY],
    ['(?:a|(?:b+)+)?c', 9, Number.POSITIVE_INFINITY],
  ])('of %j for %i characters is %d', (source, length, steps) => {
    expect(cost(pattern(source), length)).toBe(steps);
  });

  it('lets V8 have what people write', () => {
    for (const source of [
      'Bash',
      'Edit|MultiEdit|Write|NotebookEdit',
      '^mcp__.*__(read|list)_.*$',
      '(?i)mcp__\\w+__write.*',
    ]) {
      expect([source, cheap(pattern(source), 64)]).toEqual([source, true]);
    }
  });

  it('keeps from V8 what multiplies', () => {
    const optional = 'a?'.repeat(20);
    for (const source of ['(a+)+$', 'a*a*a*b', `${optional}${'a'.repeat(20)}`, '(?:a|b){2,}', 'a*a{333}b']) {
      expect([source, cheap(pattern(source), 998)]).toEqual([source, false]);
    }
  });
});

describe('patterns that make a backtracking engine explode', () => {
  const long = 'a'.repeat(1_024);
  const optional = 'a?'.repeat(300) + 'a'.repeat(300);

  const rows: [source: string, text: string, hit: boolean][] = [
    ['(a+)+$', `${long.slice(1)}!`, false],
    ['(a|a)*b', long, false],
    ['(.*)*x', long, false],
    ['^(a|aa)+$', `${long.slice(1)}!`, false],
    ['(x+x+)+y', 'x'.repeat(1_024), false],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', long, false],
    ['.*.*.*=.*', long, false],
    ['a*a{333}b', long, false],
    ['.*.{333}!', '\u{1f600}'.repeat(499), false],
    [optional, 'a'.repeat(300), true],
    [`^${optional}b`, long, false],
    ['(?:a?){900}b', long, false],
    ['(?:(?:(?:(?:a*)*)*)*)*b', long, false],
    [`^${Array.from({ length: 320 }, (_, index) => `${String.fromCodePoint(0x100 + index)}?`).join('')}$`, long, false],
    ['(?:.|(?:[bc]){13}|(?:(?:\\w){0,19}){15})a.{300}[!?]', long, false],
  ];

  it.each(rows.map((row) => [row[0].slice(0, 40), ...row] as const))('%s', (_, source, text, hit) => {
    // Nothing stops V8 once it has begun, not even the timeout of the test.
    expect(cheap(pattern(source), text.length)).toBe(false);
    const start = performance.now();
    expect(search(source, text)).toBe(hit);
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});
