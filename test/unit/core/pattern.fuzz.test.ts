import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cheap, cost, exactWords, type Pattern, parsePattern, type Tree } from '../../../src/core/pattern';
import { searchV8, wellFormed } from '../../../src/core/search';
import { linearSearch } from '../../../src/engines/regex';

const QUANTIFIERS = ['*', '+', '?', '*?', '+?', '??', '{2}', '{0}', '{1,}', '{0,2}', '{1,3}?', '{2,2}'];

/** Read alike by JavaScript without flags, by RE2 and by us. */
const PLAIN = [
  ...['a', 'b', 'A', 'k', '_', '-', '0', ' ', '\\n', '\n', 'é', '\\d', '\\w', '\\D', '\\W', '\\x61', '\\u0062'],
  ...[
    '[ab]',
    '[^a]',
    '[a-c-]',
    '[a-cb]',
    '[^\\w]',
    '[\\W\\d]',
    '[^-a]',
    '[\\]b]',
    '[[a]',
    '[*-b]',
    '[\\d\\D]',
    '[^\\d\\D]',
  ],
  ...['\\.', '\\/', '\\_', '}', ']', '()', '(?:)', '(|a)'],
];
const ANCHORS = ['^', '$', '\\b', '\\B', '{', '{,2}'];

/** Given one meaning by us, or beyond the basic plane. */
const OURS = [
  ...['.', '\\s', '\\S', '[\\s]', '[^\\s]', '[\\S]', '[^\\S]', '[\\s\\S]', '[^\\s\\S]'],
  ...['😀', '[😀-😂]', '[^😀]', '\u2028', '\ufeff', '\u017f', '\u212a', '[k-\u212a]'],
];

/** What lists of words are made of, and a little more. */
const FEW = [
  'a',
  'b',
  'k',
  'A',
  '_',
  '0',
  '[ab]',
  '[a-c]',
  '(|a)',
  '()',
  '😀',
  '[😀-😂]',
  '\u017f',
  '\\d',
  '\\x61',
  'é',
  '.',
];

/** The letters beyond ASCII fold to s and k in Unicode, and must not here. */
const basicText = texts('a', 'b', 'c', 'A', 'k', '_', '-', '0', ' ', '\n', 'é', '.', '{', '\u2028');
const anyText = texts(
  'a',
  'b',
  'K',
  's',
  '\u017f',
  '\u212a',
  '0',
  ' ',
  '\v',
  '\n',
  '\ufeff',
  '😀',
  '😁',
  '\ud83d',
  '\ude00',
);

const plain = sources(PLAIN);
const every = fc
  .tuple(fc.constantFrom('', '(?i)'), sources([...PLAIN, ...OURS, ...OURS]))
  .map(([flag, source]) => flag + source);
const soup = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...'aab()[]{}*+?|^$\\.,-:<>=!iPnkdwsWbBxu0123/ é'), maxLength: 14 }),
);

describe('accepted patterns', () => {
  it('are searched alike by both engines', () => {
    check(every, anyText, (pattern, text) => linearSearch(pattern.emit)(text) === searchV8(pattern, text));
  });

  it('are emitted with the meaning that the source has for JavaScript and for RE2', () => {
    check(plain, basicText, sameMeaning);
  });

  it('cost V8 no more than the steps of a backtracking search, which finds what V8 finds', () => {
    check(every, anyText, (pattern, text) => {
      if (!cheap(pattern, text.length)) return true;
      const { found, steps } = backtrack(pattern.tree, wellFormed(text));
      return found === searchV8(pattern, text) && steps <= cost(pattern, text.length);
    });
  });
});

describe('the words of a pattern', () => {
  const few = fc.oneof(
    { weight: 2, arbitrary: fc.array(fc.constantFrom(...FEW), { maxLength: 3 }).map((atoms) => atoms.join('')) },
    { weight: 1, arbitrary: sources(FEW) },
  );
  /** Whole ones, and others that nearly are. */
  const whole = fc
    .tuple(
      fc.constantFrom('', '(?i)'),
      fc.array(
        fc
          .tuple(fc.constantFrom('^', '^', '^', '', '(^', '^(?:'), few, fc.constantFrom('$', '$', '$', '', '$)'))
          .map((parts) => parts.join('')),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([flag, branches]) => flag + branches.join('|'));
  /** A word itself, and one beside which something stands. */
  const nearWords = (words: readonly string[], text: string) => [
    text,
    ...words.flatMap((word) => [word, `${word}\n`, `\n${word}`, `${word}${text}`, word.toUpperCase(), word.slice(1)]),
  ];

  it('are all that it finds, on both engines', () => {
    let listed = 0;
    check(whole, anyText, (pattern, text, source) => {
      const words = exactWords(source);
      if (words === undefined) return true;
      listed += words.length > 0 ? 1 : 0;
      const linear = linearSearch(pattern.emit);
      return nearWords(words, text).every((near) => {
        const isWord = words.includes(wellFormed(near));
        return searchV8(pattern, near) === isWord && linear(near) === isWord;
      });
    });
    expect(listed).toBeGreaterThan(100);
  });

  it.each<[source: string, words: readonly string[] | undefined]>([
    ['^bash$', ['bash']],
    ['^(bash|edit|)$', ['bash', 'edit', '']],
    ['^bash$|^edit$', ['bash', 'edit']],
    ['^(?:a[bc]|(d))$', ['ab', 'ac', 'd']],
    ['(?i)^ab$', ['AB', 'Ab', 'aB', 'ab']],
    ['^$', ['']],
    ['^[😀-😂]$', ['😀', '😁', '😂']],
    ['^a\\.b$', ['a.b']],
    ['^[^\\s\\S]$', []],
    ['bash', undefined],
    ['^bash', undefined],
    ['bash$', undefined],
    ['^bash$|edit', undefined],
    ['^a|b$', undefined],
    ['(^bash$)', undefined],
    ['^(bash$|edit)$', undefined],
    ['^a\\b$', undefined],
    ['^a?$', undefined],
    ['^a{2}$', undefined],
    ['^.$', undefined],
    ['^\\d\\d$', undefined],
    ['^', undefined],
    ['', undefined],
    ['^(?=a)a$', undefined],
    ['^(a$', undefined],
  ])('%s', (source, words) => {
    expect(exactWords(source)).toEqual(words);
  });
});

describe('any text', () => {
  it('is refused, or read alike by both engines; it never throws', () => {
    check(soup, basicText, (pattern, text) => linearSearch(pattern.emit)(text) === searchV8(pattern, text));
  });

  it('that has no construct with a meaning of ours means what it means to JavaScript and to RE2', () => {
    const ours = /\.|\\s|\(\?[iP]/i;
    check(
      soup.filter((source) => !ours.test(source)),
      basicText,
      sameMeaning,
    );
  });

  it('of any length is answered at once', () => {
    const start = performance.now();
    for (const part of ['(', ')', '[', 'a{', 'a{1,9}', '(?:', '\\', '|', '(a*', '[^', '{9', '\ud800', '(?<a>']) {
      for (const times of [100, 250, 1_000, 100_000]) parsePattern(part.repeat(times));
    }
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

/** Texts that mostly are patterns. Repeats nest only so deep that V8 can still run them on short texts. */
function sources(atoms: readonly string[]): fc.Arbitrary<string> {
  const { choice } = fc.letrec<{ choice: string; sequence: string; piece: string; atom: string }>((tie) => ({
    choice: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')),
    sequence: fc.array(tie('piece'), { maxLength: 4 }).map((parts) => parts.join('')),
    piece: fc.oneof(
      { weight: 3, arbitrary: tie('atom') },
      { weight: 1, arbitrary: fc.constantFrom(...ANCHORS) },
      { weight: 2, arbitrary: fc.tuple(tie('atom'), fc.constantFrom(...QUANTIFIERS)).map(([a, q]) => a + q) },
    ),
    atom: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'atom' },
      { weight: 4, arbitrary: fc.constantFrom(...atoms) },
      { weight: 1, arbitrary: tie('choice').map((inner) => `(?:${inner})`) },
      { weight: 1, arbitrary: tie('choice').map((inner) => `(${inner})`) },
    ),
  }));
  return choice;
}

function texts(...characters: readonly string[]): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...characters), maxLength: 8 });
}

function check(
  source: fc.Arbitrary<string>,
  text: fc.Arbitrary<string>,
  holds: (pattern: Pattern, text: string, source: string) => boolean,
): void {
  const property = fc.property(source, text, (written, name) => {
    const pattern = parsePattern(written);
    return pattern.kind === 'pattern fault' || holds(pattern, name, written);
  });
  fc.assert(property, { numRuns: Number(process.env['FUZZ_RUNS'] ?? 3_000) });
}

function sameMeaning(pattern: Pattern, text: string, source: string): boolean {
  const found = searchV8(pattern, text);
  // RE2 writes \uHHHH as \x{HHHH}; the escapes are read in pairs so that \\u stays what it is.
  const forRE2 = source.replace(/\\(?:u([0-9A-Fa-f]{4})|.)/gs, (all, hex?: string) => (hex ? `\\x{${hex}}` : all));
  return new RegExp(source).test(text) === found && linearSearch(forRE2)(text) === found;
}

type Next = (at: number) => boolean;

/** A search as simple as can be that tries every way, and counts the steps. Only for trees that repeat no group. */
function backtrack(tree: Tree, text: string): { found: boolean; steps: number } {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const isWord = (at: number): boolean => /^\w$/.test(String.fromCodePoint(points[at] ?? 0));
  const anchors = {
    '^': (at: number) => at === 0,
    $: (at: number) => at === points.length,
    '\\b': (at: number) => isWord(at - 1) !== isWord(at),
    '\\B': (at: number) => isWord(at - 1) === isWord(at),
  };
  let steps = 0;
  let found = false;

  function visit(node: Tree, at: number, next: Next): boolean {
    switch (node.kind) {
      case 'set': {
        steps += 1;
        const point = points[at] ?? -1;
        return node.ranges.some(([low, high]) => low <= point && point <= high) && next(at + 1);
      }
      case 'anchor':
        steps += 1;
        return anchors[node.text](at) && next(at);
      case 'group':
        return visit(node.body, at, next);
      case 'sequence':
        return node.parts.reduceRight<Next>((then, part) => (from) => visit(part, from, then), next)(at);
      case 'choice':
        return node.branches.some((branch, index) => {
          steps += index === 0 ? 0 : 1;
          return visit(branch, at, next);
        });
      case 'repeat':
        return repeat(node, 0, at, next);
    }
  }

  function repeat(node: Tree & { kind: 'repeat' }, times: number, at: number, next: Next): boolean {
    const again = () => times < node.max && visit(node.body, at, (from) => repeat(node, times + 1, from, next));
    const leave = () => times >= node.min && next(at);
    return node.lazy ? leave() || again() : again() || leave();
  }

  for (let start = 0; start <= points.length; start += 1) {
    steps += 1;
    visit(tree, start, () => {
      found = true;
      return false;
    });
  }
  return { found, steps };
}
