import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { surprises, whyNever } from '../../../src/core/matcher';
import { parsePattern } from '../../../src/core/pattern';
import { searchV8 } from '../../../src/core/search';

describe('a matcher that can never match', () => {
  it.each([
    ['/^bash$/', 'the slashes are part of it'],
    ['bash,edit', 'no name of a tool has a comma'],
    ['Bash(git *)', "it is searched in the tool's name alone, not in its arguments"],
    ['bash edit', 'no name of a tool has a space'],
    [' ', 'no name of a tool has a space'],
    ['!bash', 'no name of a tool has a "!"'],
    ['bash$x', 'no name of a tool looks so'],
    ['x^bash', 'no name of a tool looks so'],
    ['(a|b)+^c', 'no name of a tool looks so'],
    ['^$a', 'no name of a tool looks so'],
    ['a{2}§', 'no name of a tool looks so'],
    ['[]', 'no name of a tool looks so'],
  ])('%j: %s', (source, why) => {
    if (source === '[]') expect(parsePattern(source).kind).toBe('pattern fault');
    else expect(whyNever(source)?.why).toBe(why);
  });

  it.each([
    'bash',
    '^bash$',
    '^(bash|edit)$',
    'mcp__.*__create',
    '@server/tool',
    '.*',
    'a|/x y/',
    '^$',
    '(^a|b)$',
    'x*^a',
    'a$b*',
    '\\w+',
    '(?i)BASH',
    'ä?a',
    'a?^b',
  ])('%j can', (source) => {
    expect(whyNever(source)).toBeUndefined();
  });

  it('is none that matches a name', () => {
    const piece = fc.constantFrom('a', 'B', '^', '$', '|', '(', ')', 'x*', '.', ' ', ',', '/', 'b?', '[a-c]', '\\b');
    const name = fc.stringMatching(/^[A-Za-z0-9_.:/@-]{1,6}$/);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), name, (pieces, text) => {
        const source = pieces.join('');
        const pattern = parsePattern(source);
        if (pattern.kind === 'pattern' && searchV8(pattern, text)) expect(whyNever(source)).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a matcher that matches more than it names', () => {
  it.each([
    ['Edit', ['MultiEdit', 'NotebookEdit'], '^Edit$'],
    ['Edit|Write', ['MultiEdit', 'NotebookEdit', 'TodoWrite'], '^(Edit|Write)$'],
    ['^Edit|Write$', ['TodoWrite'], '^(Edit|Write)$'],
    ['Bash', ['BashOutput'], '^Bash$'],
  ])('%s: %j', (source, names, anchored) => {
    expect(surprises(source)).toEqual({ names, anchored });
  });

  it.each([
    '^Edit$',
    '^(Edit|Write)$',
    'bash',
    'edit',
    '.*Edit',
    'Notebook.*',
    'Edit|MultiEdit|NotebookEdit',
    'mcp__',
    '(',
    'Ed',
  ])('%s does not', (source) => {
    expect(surprises(source)).toBeUndefined();
  });
});
