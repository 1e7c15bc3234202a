import { applyPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../src/engines/diff';

describe('a unified diff', () => {
  it('has three lines of context', () => {
    const before = '1\n2\n3\n4\n5\n6\n7\n8\n9';
    expect(unifiedDiff('a', before, before.replace('5\n', ''))).toBe(
      '--- a\n+++ a\n@@ -2,7 +2,6 @@\n 2\n 3\n 4\n-5\n 6\n 7\n 8\n',
    );
  });

  it.each<[string, string, string]>([
    ['the last line', 'a\nb', 'a\nc'],
    ['the last line break', 'a\nb\n', 'a\nb'],
    ['all', 'a\n', ''],
    ['nothing before', '', 'a\n'],
    ['a line of each two, all alike', '# x\n- y\n'.repeat(20_000), '- y\n'.repeat(20_000)],
    ['another word in each line', 'a b\n'.repeat(5_000), 'a c\n'.repeat(5_000)],
    ['a long block', `a\n${'b\n'.repeat(5_000)}c\n`, `a\n${'d\n'.repeat(50)}c\n`],
  ])('says how the one becomes the other: %s', (_, before, after) => {
    expect(applyPatch(before, unifiedDiff('a', before, after))).toBe(after);
  });
});
