import { describe, expect, it } from 'vitest';
import { dataOf, entryOf, nodeAt } from '../../../src/core/tree';
import { parseToml } from '../../../src/engines/toml';

const TEXT = `title = "x"
[a]
b = 1 # one
[[list]]
n = [1, 2]
[[list]]
n = 3
  [[list.inner]]
  m = true
`;

describe('TOML', () => {
  it('is a tree whose keys have places', () => {
    const { tree } = parseToml(TEXT);
    if (tree === undefined) throw new Error('no tree');
    expect(dataOf(tree)).toEqual({ title: 'x', a: { b: 1 }, list: [{ n: [1, 2] }, { n: 3, inner: [{ m: true }] }] });
    const at = (path: (string | number)[], key: string) => {
      const span = entryOf(nodeAt(tree, path), key)?.keySpan;
      return span === undefined ? undefined : TEXT.slice(span.start, span.end);
    };
    expect([at([], 'title'), at(['a'], 'b'), at(['list', 1], 'n'), at(['list', 1, 'inner', 0], 'm')]).toEqual([
      'title = "x"',
      'b = 1 # one',
      'n = 3',
      'm = true',
    ]);
  });

  it('has comments behind signs that stand in no string', () => {
    const text = 'a = "#" # one\n# two\nb = \'#\'\n';
    expect(
      parseToml(text)
        .comments()
        .map(({ start, end }) => text.slice(start, end)),
    ).toEqual(['# one', '# two']);
  });

  it('says where it is none', () => {
    expect(parseToml('a = 1\nb = "x').faults).toMatchObject([{ code: 'syntax', span: { start: expect.any(Number) } }]);
    expect(parseToml('a = 1\na = 2').faults).toHaveLength(1);
  });
});
