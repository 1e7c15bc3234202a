import { describe, expect, it } from 'vitest';
import { suppressed } from '../../../src/check/suppress';
import { parseFile } from '../../../src/config/parse';
import type { Finding } from '../../../src/core/finding';
import { parseYaml } from '../../../src/engines/yaml';

/** What is left of a finding HK028 on each of the lines: `code line`. */
function left(text: string, lines: readonly number[], refused: readonly number[] = []): string[] {
  const file = parseFile('a.yaml', new TextEncoder().encode(text), parseYaml);
  const findings = lines.map((line): Finding => {
    const start = text.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0);
    return { code: 'HK028', at: file.place({ start, end: start + 1 }), args: {} };
  });
  const isRefused = ({ at }: Finding) => 'line' in at && refused.includes(at.line);
  return suppressed(findings, file, isRefused).map(({ code, at }) => `${code} ${'line' in at ? at.line : 0}`);
}

describe('a comment', () => {
  it.each<[string, string, number[], string[]]>([
    ['behind a value', 'a: 1 # hookctl-ignore HK028 x\nb: 2\n', [1, 2], ['HK028 2']],
    ['on a line of its own', '# hookctl-ignore HK028 x\na: 1\nb: 2\n', [2, 3], ['HK028 3']],
    ['above others', '# hookctl-ignore HK028 x\n# other\n# hookctl-ignore HK022 x\na: 1\n', [4], ['HK034 3']],
    ['above a blank line', '# hookctl-ignore HK028 x\n\na: 1\n', [3], ['HK028 3', 'HK034 1']],
    ['above a block', '# hookctl-ignore HK028 x\na: |\n  b\n  c\nd: 1\n', [4, 5], ['HK028 5']],
    ['behind the sign of a block', 'a: | # hookctl-ignore HK028 x\n  b\nd: 1\n', [2], []],
    ['above quotes on two lines', '# hookctl-ignore HK028 x\na: "b\n  c"\n', [3], []],
    ['inside of a block', 'a: |\n  # hookctl-ignore HK028 x\n  b\n', [3], ['HK028 3']],
    [
      'between two blocks that share a line',
      '- [ "a\n  b", "c\n  d" ] # hookctl-ignore HK028 x\n',
      [2, 3],
      ['HK028 2'],
    ],
    [
      'above an alias of a block',
      'a: &a\n  - |\n    b\n# hookctl-ignore HK028 x\nc: *a\n',
      [3],
      ['HK028 3', 'HK034 4'],
    ],
  ])('%s', (_, text, lines, expected) => {
    expect(left(text, lines)).toEqual(expected);
  });

  it('cannot silence what run refuses', () => {
    expect(left('a: 1 # hookctl-ignore HK028 x\n', [1], [1])).toEqual(['HK028 1', 'HK035 1']);
  });

  it('is found in time among many', () => {
    const hooks = 3_000;
    const text = '# hookctl-ignore HK028 x\n- |\n  a\n  b\n'.repeat(hooks);
    const file = parseFile('a.yaml', new TextEncoder().encode(text), parseYaml);
    const findings = Array.from({ length: hooks }, (_, hook): Finding => {
      const start = hook * (text.length / hooks) + text.indexOf('  b');
      return { code: 'HK028', at: file.place({ start, end: start + 1 }), args: {} };
    });
    expect(suppressed(findings, file, () => false)).toEqual([]);
  });

  it('is found in time among many that stand alone', () => {
    const comments = 50_000;
    const text = `${'# hookctl-ignore HK028 x\n'.repeat(comments)}a: 1\n`;
    expect(left(text, [])).toHaveLength(comments);
  });
});
