import { describe, expect, it } from 'vitest';
import { fixed } from '../../../src/config/fix';
import type { Finding, Fix } from '../../../src/core/finding';

const finding = (fix: Fix): Finding => ({ code: 'HK006', at: { file: 'a.yaml' }, args: {}, fix });
/** The fix of the first occurrence of a word. */
const at = (text: string, word: string) => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length });

describe('a fix', () => {
  it.each<[string, string, string, Pick<Fix, 'how'> & { text?: string }, string]>([
    ['replaces', 'a: b # c\n', 'a', { how: 'replace', text: 'x' }, 'x: b # c\n'],
    ['keeps double quotes', '"a": b\n', '"a"', { how: 'replace', text: 'x' }, '"x": b\n'],
    ['keeps single quotes', "'a': b\n", "'a'", { how: 'replace', text: 'x' }, "'x': b\n"],
    ['quotes', 'a: 1.0\n', '1.0', { how: 'quote' }, 'a: "1.0"\n'],
    ['removes a whole line', 'a: 1\n  b: 2\nc: 3\n', 'b: 2', { how: 'remove' }, 'a: 1\nc: 3\n'],
    ['removes the last line', 'a: 1\nb: 2', 'b: 2', { how: 'remove' }, 'a: 1\n'],
    ['removes a comment behind a value', 'a: 1 # x\nb: 2\n', '# x', { how: 'remove' }, 'a: 1\nb: 2\n'],
    ['leaves a key beside a dash', '- a: 1\n  b: 2\n', 'a: 1', { how: 'remove' }, '- a: 1\n  b: 2\n'],
    ['leaves a key among others on its line', '{ a: 1, b: 2 }\n', 'a: 1', { how: 'remove' }, '{ a: 1, b: 2 }\n'],
    ['leaves the only key of a flow mapping', '{ a: 1\n}\n', 'a: 1', { how: 'remove' }, '{ a: 1\n}\n'],
  ])('%s', (_, text, word, fix, expected) => {
    expect(fixed(text, [finding({ ...at(text, word), ...fix } as Fix)])).toBe(expected);
  });

  it('goes with others, whatever their order, but not into one that was made', () => {
    const fixes: Fix[] = [
      { start: 4, end: 5, how: 'replace', text: 'X' },
      { start: 0, end: 3, how: 'replace', text: 'Y' },
      { start: 1, end: 2, how: 'replace', text: 'Z' },
    ];
    expect(fixed('abc d e', fixes.map(finding))).toBe('Y X e');
  });
});
