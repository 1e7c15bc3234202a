import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding, FindingPlace } from '../../../src/core/finding';
import { helpOf, renderFinding, renderFindingLine, sentenceOf, suggestionOf } from '../../../src/render/findings';

const KEYS = ['name', 'matcher', 'command'];

function place(more: Partial<FindingPlace> = {}): FindingPlace {
  const at = { file: 'agent.yaml', line: 6, column: 7, endLine: 6, endColumn: 13, source: '      comand: node x.js' };
  return { ...at, caret: (more.column ?? at.column) - 1, ...more };
}

const unknownKey = (at: Finding['at'] = place(), key = 'comand'): Finding => ({
  code: 'HK006',
  at,
  args: { key, where: 'a hook' },
  allowed: KEYS,
});

describe('a finding in full', () => {
  it('is its place, sentence, suggestion, line, caret and allowed values', () => {
    expect(renderFinding(unknownKey())).toBe(
      `agent.yaml:6:7: error: unknown key "comand" in a hook; did you mean "command"? [HK006]
  6 |       comand: node x.js
    |       ^^^^^^
  = allowed: name, matcher, command`,
    );
  });

  it('has the help of its code where there are no allowed values', () => {
    const finding: Finding = { code: 'HK012', at: place({ endColumn: 14 }), args: { event: 'manual' } };
    expect(renderFinding(finding)).toBe(
      `agent.yaml:6:7: warning: manual has no tool, so the matcher has no effect and the hook always runs [HK012]
  6 |       comand: node x.js
    |       ^^^^^^^
  = remove the matcher`,
    );
  });

  it('has no line where the file as a whole is meant', () => {
    const finding: Finding = { code: 'HK016', at: { file: 'conf' }, args: { why: 'the folder holds no config' } };
    expect(renderFinding(finding)).toBe('conf: error: the folder holds no config [HK016]');
  });

  const lines = (at: Partial<FindingPlace>) =>
    renderFinding(unknownKey(place(at)))
      .split('\n')
      .slice(1, 3);

  it.each<[string, Partial<FindingPlace>, string[]]>([
    [
      'under a wide line number',
      { line: 1234, endLine: 1234 },
      ['  1234 |       comand: node x.js', '       |       ^^^^^^'],
    ],
    [
      'to the end of the first line of several',
      { endLine: 8, endColumn: 3 },
      ['  6 |       comand: node x.js', '    |       ^^^^^^^^^^^^^^^^^'],
    ],
    [
      'one where there is nothing',
      { column: 24, endColumn: 24 },
      ['  6 |       comand: node x.js', '    |                        ^'],
    ],
    ['one on an empty line', { column: 1, endColumn: 1, source: '' }, ['  6 | ', '    | ^']],
    ['a tab as one blank', { column: 2, endColumn: 8, source: '\tcomand: x' }, ['  6 |  comand: x', '    |  ^^^^^^']],
    [
      'characters beyond the basic plane as one',
      { column: 3, endColumn: 4, source: '😀😀x' },
      ['  6 | 😀😀x', '    |   ^'],
    ],
  ])('puts carets: %s', (_, at, expected) => {
    expect(lines(at)).toEqual(expected);
  });

  it('shows a window of a long line, the place in it', () => {
    const source = `${'a'.repeat(300)}comand${'b'.repeat(300)}`;
    const [line = '', carets = ''] = lines({ column: 301, endColumn: 307, source });
    expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('comand');
  });

  it('shows the place under its caret, wherever it stands in a line of any length', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), (before, behind) => {
        const source = `${'a'.repeat(before)}X${'b'.repeat(behind)}`;
        const [line = '', carets = ''] = lines({ column: before + 1, endColumn: before + 2, source });
        expect(line[carets.indexOf('^')]).toBe('X');
      }),
    );
  });

  it('shows no line longer than a window', () => {
    const [line = ''] = lines({ column: 1, endColumn: 2, source: 'a'.repeat(10_000) });
    expect(line.length).toBe('  6 | '.length + 160);
  });

  it('shows the place under its caret behind what steers a terminal', () => {
    const [line = '', carets = ''] = lines({ column: 6, endColumn: 7, source: '\x1b[31mX' });
    expect(line[carets.indexOf('^')]).toBe('X');
  });

  it.each<[string, Finding]>([
    ['its line', unknownKey(place({ source: '\x1b]0;owned\x07      comand: x' }))],
    ['its arguments', unknownKey(place(), '\x1b[31mcomand\x07')],
    ['its file', unknownKey(place({ file: 'a\x1b[31m.yaml' }))],
  ])('steers no terminal by %s', (_, finding) => {
    expect(renderFinding(finding)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
  });

  it('has one line for its sentence, though an argument has two', () => {
    expect(renderFinding(unknownKey(place(), 'com\nand')).split('\n')[0]).toBe(
      'agent.yaml:6:7: error: unknown key "com and" in a hook; did you mean "command"? [HK006]',
    );
  });
});

describe('a finding on one line', () => {
  it.each<[string, Finding, string]>([
    ['with its suggestion', unknownKey(), 'agent.yaml:6:7: unknown key "comand" in a hook; did you mean "command"?'],
    [
      'with the allowed values where none is near',
      unknownKey(place(), 'xyz'),
      'agent.yaml:6:7: unknown key "xyz" in a hook (allowed: name, matcher, command)',
    ],
    [
      'with the help of its code',
      { code: 'HK005', at: place(), args: {} },
      'agent.yaml:6:7: the file is empty (an agent without hooks is `{}`)',
    ],
    [
      'with neither',
      { code: 'HK002', at: place(), args: { why: 'a trailing comma' } },
      'agent.yaml:6:7: a trailing comma',
    ],
    [
      'without a line',
      { code: 'HK001', at: { file: 'a' }, args: { path: 'a', why: 'it is a folder' } },
      'a: cannot read a: it is a folder (check the path; it is relative to the folder that hookctl was started in)',
    ],
  ])('%s', (_, finding, line) => {
    expect(renderFindingLine(finding)).toBe(line);
  });
});

describe('the parts of a finding', () => {
  it.each<[string, Finding, string | undefined]>([
    ['a key', unknownKey(), 'command'],
    [
      'an event',
      { code: 'HK007', at: place(), args: { event: 'preToolcall' }, allowed: ['preToolCall'] },
      'preToolCall',
    ],
    [
      'a value in quotes',
      { code: 'HK009', at: place(), args: { where: '"onError"', got: '"Fail"' }, allowed: ['fail'] },
      'fail',
    ],
    ['nothing near', unknownKey(place(), 'xyz'), undefined],
    ['nothing allowed', { code: 'HK003', at: place(), args: { key: 'command' } }, undefined],
  ])('suggest for %s', (_, finding, suggestion) => {
    expect(suggestionOf(finding)).toBe(suggestion);
  });

  it('are no templates: an argument in braces stays as it is', () => {
    const finding: Finding = { code: 'HK006', at: place(), args: { key: '{where}', where: 'a hook' } };
    expect(sentenceOf(finding)).toBe('unknown key "{where}" in a hook');
  });

  it('have no help where the hint is empty', () => {
    const finding: Finding = { code: 'HK011', at: place(), args: { matcher: '"a"', why: 'w', hint: '' } };
    expect(helpOf(finding)).toBeUndefined();
  });
});
