import { describe, expect, it } from 'vitest';
import { fixed } from '../../../src/config/fix';
import { treeIn } from '../../../src/config/parse';
import { readerBy } from '../../../src/core/edit';
import type { Finding, Fix } from '../../../src/core/finding';
import { parseYaml } from '../../../src/engines/yaml';

const finding = (fix: Fix): Finding => ({ code: 'HK006', at: { file: 'a.yaml' }, args: {}, fix });
/** The fix of the nth occurrence of a word. */
const at = (text: string, word: string, nth = 0) => {
  const start = text.split(word, nth + 1).join(word).length;
  return { start, end: start + word.length };
};
const mend = (text: string, fixes: readonly Fix[]) => {
  const { tree, comments, commas } = parseYaml(text);
  if (tree === undefined) throw new Error('the example has mistakes');
  const reader = readerBy((result) => treeIn('a.yaml', result, parseYaml));
  return fixed({ text, tree, comments: comments(), commas: commas?.() ?? [] }, fixes.map(finding), reader);
};

type How = Omit<Fix, 'start' | 'end'>;

describe('a fix', () => {
  it.each<[string, string, string, How & { text?: string }, string]>([
    ['renames', 'a: b # c\n', 'a', { how: 'rename', text: 'x' }, 'x: b # c\n'],
    ['replaces', 'a: b # c\n', 'b', { how: 'replace', text: 'x' }, 'a: x # c\n'],
    ['keeps double quotes', '"a": b\n', '"a"', { how: 'rename', text: 'x' }, '"x": b\n'],
    ['keeps single quotes', "'a': b\n", "'a'", { how: 'rename', text: 'x' }, "'x': b\n"],
    ['quotes', 'a: 1.0\n', '1.0', { how: 'quote' }, 'a: "1.0"\n'],
    ['removes a whole line', 'a: 1\nc:\n  b: 2\n  d: 3\n', 'b: 2', { how: 'remove' }, 'a: 1\nc:\n  d: 3\n'],
    ['removes the last line', 'a: 1\nb: 2', 'b: 2', { how: 'remove' }, 'a: 1\n'],
    ['removes a comment behind a value', 'a: 1 # x\nb: 2\n', '# x', { how: 'uncomment' }, 'a: 1\nb: 2\n'],
    ['removes a comment line', 'a: 1\n# x\nb: 2\n', '# x', { how: 'uncomment' }, 'a: 1\nb: 2\n'],
    ['removes a key beside a dash', '- a: 1\n  b: 2\n', 'a: 1', { how: 'remove' }, '- b: 2\n'],
    ['removes the first of several in braces', '{ a: 1, b: 2 }\n', 'a: 1', { how: 'remove' }, '{ b: 2 }\n'],
    ['removes the last of several in braces', '{ a: 1, b: 2 }\n', 'b: 2', { how: 'remove' }, '{ a: 1 }\n'],
    ['removes the only one in braces', 'c: { a: 1 }\n', 'a: 1', { how: 'remove' }, 'c: {  }\n'],
    ['removes one behind a comma of a text', '- d: one,\n  b: 2\n', 'b: 2', { how: 'remove' }, '- d: one,\n'],
    ['removes one before a comma of a text', '- b: 2\n  d: ",x"\n', 'b: 2', { how: 'remove' }, '- d: ",x"\n'],
    ['removes one that ends with a comma', '- b: 2,\n  d: 1\n', 'b: 2,', { how: 'remove' }, '- d: 1\n'],
    [
      'removes one behind a comment in braces',
      '{ a: 1, # x\n  b: 2 }\n',
      'b: 2',
      { how: 'remove' },
      '{ a: 1, # x\n   }\n',
    ],
    [
      'removes one before a comment in braces',
      '{ a: 1, # x\n  b: 2 }\n',
      'a: 1',
      { how: 'remove' },
      '{ # x\n  b: 2 }\n',
    ],
    ['removes a line in braces', '{\n  a: 1,\n  b: 2,\n}\n', 'b: 2', { how: 'remove' }, '{\n  a: 1,\n}\n'],
    ['removes the last line in braces', '{\n  a: 1,\n  b: 2\n}\n', 'b: 2', { how: 'remove' }, '{\n  a: 1\n}\n'],
    ['removes a comment below one with a comma', '# a,\n\n# x\nb: 2\n', '# x', { how: 'uncomment' }, '# a,\n\nb: 2\n'],
    [
      'removes a comment with a comma behind a value',
      'a: 1 # x,\nb: 2\n',
      '# x,',
      { how: 'uncomment' },
      'a: 1\nb: 2\n',
    ],
    ['removes a comment behind a comma', '{ a: 1, # x\n  b: 2 }\n', '# x', { how: 'uncomment' }, '{ a: 1,\n  b: 2 }\n'],
    ['removes a comment behind the last comma', '[ 1, # x\n]\n', '# x', { how: 'uncomment' }, '[ 1,\n]\n'],
    ['removes a comment before a comma', '[ 1 # x\n, 2 ]\n', '# x', { how: 'uncomment' }, '[ 1\n, 2 ]\n'],
    [
      'removes a comment and blanks of a Windows line',
      'a: 1 # x \r\nb: 2\r\n',
      '# x',
      { how: 'uncomment' },
      'a: 1\r\nb: 2\r\n',
    ],
  ])('%s', (_, text, word, fix, expected) => {
    expect(mend(text, [{ ...at(text, word), ...fix } as Fix])).toBe(expected);
  });

  it.each<[string, string, string, How & { text?: string }, number?]>([
    ['of an anchored value', 'a: &x fail\nb: *x\n', 'fail', { how: 'replace', text: 'warn' }],
    ['within an anchored mapping', 'a: &x { c: fail }\nb: *x\n', 'fail', { how: 'replace', text: 'warn' }],
    ['of an entry of an anchored mapping', 'a: &x\n  c: 1\n  d: 2\nb: *x\n', 'c: 1', { how: 'remove' }],
    ['of an alias into quotes', 'a: &x 5\nb: *x\n', '*x', { how: 'quote' }],
    ['of a number behind a tag', 'a: !!int 7\n', '7', { how: 'quote' }],
    ['of an explicit key', 'a:\n  ? c\n  : 1\n  d: 2\n', 'c\n  : 1', { how: 'remove' }],
    ['to a key that is there', 'a: 1\nb: 2\n', 'a', { how: 'rename', text: 'b' }],
    ['that would take a comment along', 'a:\n  c: # why\n    1\n  d: 2\n', 'c: # why\n    1', { how: 'remove' }],
    ['of a value that is there for a key', 'a: b\n', 'b', { how: 'rename', text: 'c' }],
  ])('is not made %s', (_, text, word, fix) => {
    expect(mend(text, [{ ...at(text, word), ...fix } as Fix])).toBe(text);
  });

  it('replaces an alias where only the alias changes', () => {
    const text = 'a: &x fail\nb: *x\n';
    expect(mend(text, [{ ...at(text, '*x'), how: 'replace', text: 'warn' }])).toBe('a: &x fail\nb: warn\n');
  });

  it('is not made where two would give the same key, and the others are', () => {
    const text = 'onerror: 1\nOnError: 2\nc: 3\n';
    const fixes: Fix[] = [
      { ...at(text, 'c'), how: 'rename', text: 'd' },
      { ...at(text, 'OnError'), how: 'rename', text: 'onError' },
      { ...at(text, 'onerror'), how: 'rename', text: 'onError' },
    ];
    expect(mend(text, fixes)).toBe('onerror: 1\nOnError: 2\nd: 3\n');
  });

  it('is made in time where many are asked for', () => {
    const [text, mended] = ['- d: one,\n  m: x\n', '- d: one,\n'].map((one) => one.repeat(3_000));
    const places = [...(text ?? '').matchAll(/m: x/g)].map(({ index }) => ({ start: index, end: index + 4 }));
    expect(
      mend(
        text ?? '',
        places.map((place): Fix => ({ ...place, how: 'remove' })),
      ),
    ).toBe(mended);
  });

  it('is given up in time where many do not hold', () => {
    const text = '- ? c\n  : 1\n  d: 2\n'.repeat(3_000);
    const places = [...text.matchAll(/c\n {2}: 1/g)].map(({ index }) => ({ start: index, end: index + 6 }));
    const reader = { reads: 0 };
    const { tree } = parseYaml(text);
    if (tree === undefined) throw new Error('the example has mistakes');
    const parse = (result: string) => {
      reader.reads += 1;
      return treeIn('a.yaml', result, parseYaml);
    };
    const fixes = places.map((place) => finding({ ...place, how: 'remove' }));
    const bounded = readerBy(parse, 50 * text.length);
    expect(fixed({ text, tree, comments: [], commas: [] }, fixes, bounded)).toBe(text);
    expect(reader.reads).toBeLessThan(60);
  }, 60_000);
});
