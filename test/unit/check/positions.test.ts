import { describe, expect, it } from 'vitest';
import { placesIn } from '../../../src/check/positions';
import { entryOf } from '../../../src/core/tree';
import { parseYaml } from '../../../src/engines/yaml';

/** What a word of the value of `command` covers in the file. */
function covered(source: string, word: string): string {
  const { tree } = parseYaml(source);
  const value = entryOf(tree, 'command')?.value;
  if (value?.kind !== 'scalar' || typeof value.value !== 'string') throw new Error('no text');
  const start = value.value.indexOf(word);
  const placed = placesIn(source, { text: value.value, span: value.span });
  const { start: from, end } = placed(start, start + word.length);
  return source.slice(from, end);
}

describe('a word of a command is found in the file', () => {
  it.each([
    ['plain', 'a: 1\ncommand: echo word x\n'],
    ['in double quotes', 'command: "echo word x"\n'],
    ['in single quotes', "command: 'echo word x'\n"],
    ['a block', 'command: |\n  echo\n  word x\n'],
    ['a block of Windows lines', 'command: |\r\n  echo\r\n  word x\r\n'],
    ['a block with an empty line', 'command: |-\n\n  echo\n\n    word x\n'],
    ['a block with its indentation written', 'command: |2\n    echo word\n'],
    ['beyond ASCII', 'command: "é 🪝 word"\n'],
    ['escapes', 'command: "a\\tb word"\n'],
    ['escapes of every length', 'command: "\\x41 \\u00e9\\U0001F680 \\"word"\n'],
    ['a line broken by a backslash', 'command: "echo\\\n   word"\n'],
    ['double quotes on two lines', 'command: "echo\n\n  word"\n'],
    ['single quotes with a quote', "command: 'it''s word'\n"],
    ['single quotes on two lines', "command: 'a\n  word'\n"],
    ['folded', 'command: >\n  echo\n  word\n'],
    ['folded, with a paragraph and a deeper line', 'command: >-\n  echo\n\n    word\n  x\n'],
    ['plain on two lines', 'command: echo\n  word\n'],
    ['JSON', '{"command": "echo \\"a\\"\\n\\tword"}'],
  ])('%s', (_, source) => {
    expect(covered(source, 'word')).toBe('word');
  });

  it.each([
    ['at its end', 'command: "echo wor\\x64"\n', 'word', 'wor\\x64'],
    ['at its end, of five units', 'command: "echo wor\\u0064 x"\n', 'word', 'wor\\u0064'],
    ['at its beginning', 'command: "echo \\x77ord"\n', 'word', '\\x77ord'],
    ['in quotes of a shell in JSON', '{"command": "echo \\"word\\" x"}', '"word"', '\\"word\\"'],
    ['a quote of YAML', "command: 'echo ''word'' x'\n", "'word'", "''word''"],
    ['a pair of halves', 'command: "echo \\ud83e\\ude9d x"\n', '🪝', '\\ud83e\\ude9d'],
  ])('an escape is covered whole: %s', (_, source, word, written) => {
    expect(covered(source, word)).toBe(written);
  });
});
