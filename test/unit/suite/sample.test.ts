import { describe, expect, it } from 'vitest';
import type { Hook } from '../../../src/core/model';
import { readNativeEvent } from '../../../src/dialects/_shared/native-event';
import { NATIVE_ROWS } from '../../../src/dialects/_shared/native-rows';
import { samplesFor } from '../../../src/suite/sample';

const hook = (event: string, pattern?: string): Hook => ({
  author: 'mm',
  at: { file: 'agent.yaml', line: 1, column: 1 },
  label: 'x',
  event,
  tests: pattern === undefined ? [] : [{ kind: 'regex', of: 'tool', any: [pattern] }],
  group: 'mm',
  order: { start: 'in turn', sees: 'rewritten', afterBlock: 'end', decides: true },
  phase: 0,
  onFailure: 'warn',
  root: '/conf',
  written: { text: '{}' },
});

const toolsFor = (...patterns: (string | undefined)[]) =>
  samplesFor(
    patterns.map((pattern) => hook('preToolCall', pattern)),
    '/w',
  ).map(({ tool }) => (tool as { name: string }).name);

describe('samples', () => {
  it.each(NATIVE_ROWS.map((row) => row.canonical))('of %s are events that hookctl reads', (event) => {
    const hint = { cwd: '/', env: {}, events: NATIVE_ROWS.map((row) => row.canonical), now: '' };
    for (const sample of samplesFor([hook(event)], '/a "folder"')) {
      const bytes = new TextEncoder().encode(JSON.stringify(sample));
      expect(readNativeEvent(bytes, hint, 'mm', NATIVE_ROWS)).toMatchObject({ name: event, cwd: '/a "folder"' });
    }
  });

  it.each<[string, (string | undefined)[], string[]]>([
    ['no matcher', [undefined], ['bash']],
    ['names', ['^(bash|edit)$'], ['bash', 'edit']],
    ['another agent’s names', ['Edit|Write'], ['Edit', 'Write']],
    ['a server', ['^mcp__github__create_issue$'], ['mcp__github__create_issue']],
    ['Kiro’s way', ['@github/create_issue'], ['@github/create_issue']],
    ['a pattern that spells none out', ['^e.*t$'], ['edit']],
    ['the same twice', ['^bash$', 'bash'], ['bash']],
    ['one that finds none', ['^x{3}y$'], []],
  ])('tools by matcher: %s', (_, patterns, expected) => {
    expect(toolsFor(...patterns)).toEqual(expected);
  });

  it('have arguments like those of the real tool', () => {
    const [sample] = samplesFor([hook('preToolCall', '^NotebookEdit$')], '/w');
    expect(sample).toMatchObject({ tool: { name: 'NotebookEdit', input: { notebook_path: '/w/a.ipynb' } } });
  });
});
