import { describe, expect, it } from 'vitest';
import { fixed } from '../../../src/config/fix';
import { treeIn } from '../../../src/config/parse';
import type { Finding, Fix } from '../../../src/core/finding';
import { parseYaml } from '../../../src/engines/yaml';

const finding = (fix: Fix): Finding => ({ code: 'HK006', at: { file: 'a.yaml' }, args: {}, fix });
/** The fix of the nth occurrence of a word. */
const at = (text: string, word: string, nth = 0) => {
  const start = text.split(word, nth + 1).join(word).length;
  return { start, end: start + word.length };
};
const mend = (text: string, fixes: readonly Fix[]) => {
  const { tree, comments } = parseYaml(text);
  if (tree === undefined) throw new Error('the example has mistakes');
  const parse = (result: string) => treeIn('a.yaml', result, parseYaml);
  return fixed({ text, tree, comments: comments() }, fixes.map(finding), parse);
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

  it('is left out where two would give the same key, and the others are made', () => {
    const text = 'onerror: 1\nOnError: 2\nc: 3\n';
    const fixes: Fix[] = [
      { ...at(text, 'c'), how: 'rename', text: 'd' },
      { ...at(text, 'OnError'), how: 'rename', text: 'onError' },
      { ...at(text, 'onerror'), how: 'rename', text: 'onError' },
    ];
    expect(mend(text, fixes)).toBe('onError: 1\nOnError: 2\nd: 3\n');
  });
});
