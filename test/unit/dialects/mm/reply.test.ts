import { describe, expect, it } from 'vitest';
import type { Event, Verdict } from '../../../../src/core/model';
import { writeReply } from '../../../../src/dialects/mm/reply';
import { eventNamed } from '../sample';

const verdict = (more: Partial<Verdict>): Verdict => ({ warnings: [], losses: [], ...more });
const bash = eventNamed('preToolCall');
const source = { hook: 'guard', at: 'agent.yaml:6', kind: 'decision' } as const;

describe('the native reply', () => {
  it.each<[string, Verdict, Event | undefined, string]>([
    ['no opinion', verdict({}), bash, '{"event":"preToolCall"}'],
    ['no event', verdict({}), undefined, '{}'],
    [
      'a deny',
      verdict({ action: 'deny', reason: 'force-push is not allowed in this project', source }),
      bash,
      '{"event":"preToolCall","action":"deny","reason":"force-push is not allowed in this project","source":{"hook":"guard","at":"agent.yaml:6","kind":"decision"}}',
    ],
    [
      'a rewrite as it was written, with context and warnings',
      verdict({
        rewrite: { field: 'input', how: 'replace', value: { text: '{"n": 9007199254740993, "d":1.10,"s":"\\ud800"}' } },
        rewriter: { hook: 'h', at: 'agent.yaml:9' },
        context: 'C',
        warnings: ['audit failed: exit 1'],
        losses: ['not told'],
      }),
      bash,
      '{"event":"preToolCall","input":{"n": 9007199254740993, "d":1.10,"s":"\\ud800"},"context":"C","warnings":["audit failed: exit 1"]}',
    ],
    [
      'a rewritten prompt',
      verdict({ rewrite: { field: 'prompt', how: 'replace', value: { text: '""' } } }),
      eventNamed('preGeneration'),
      '{"event":"preGeneration","prompt":""}',
    ],
    [
      'a stop with its response',
      verdict({ action: 'stop', reason: 'R', response: 'S', source }),
      bash,
      '{"event":"preToolCall","action":"stop","reason":"R","response":"S","source":{"hook":"guard","at":"agent.yaml:6","kind":"decision"}}',
    ],
    [
      'a trace',
      verdict({ trace: [{ hook: 'h', at: 'agent.yaml:3', matched: false, skipped: 'disabled' }] }),
      bash,
      '{"event":"preToolCall","trace":[{"hook":"h","at":"agent.yaml:3","matched":false,"skipped":"disabled"}]}',
    ],
    [
      "hookctl's own failure where nothing lands",
      verdict({ warnings: ['W'], own: 'words' }),
      eventNamed('manual'),
      '{"event":"manual","warnings":["W"]}',
    ],
    [
      "hookctl's own failure without an event",
      verdict({ warnings: ['W'], own: 'words' }),
      undefined,
      '{"warnings":["W"]}',
    ],
    [
      'texts that JSON escapes',
      verdict({ context: 'a\n"\u2028\ud800' }),
      bash,
      '{"event":"preToolCall","context":"a\\n\\"\u2028\\ud800"}',
    ],
  ])('%s is one line', (_, said, event, stdout) => {
    expect(writeReply(said, event).stdout).toBe(`${stdout}\n`);
  });

  it('is one line, though the rewrite was written on many', () => {
    const value = { text: '{\n  "a": 1\n}' };
    const { stdout } = writeReply(verdict({ rewrite: { field: 'input', how: 'replace', value } }), bash);
    expect(stdout.split('\n')).toHaveLength(2);
  });

  it.each<[string, Partial<Verdict>, number]>([
    ['no opinion', {}, 0],
    ['allow', { action: 'allow' }, 0],
    ['ask', { action: 'ask' }, 0],
    ['a rewrite', { rewrite: { field: 'input', how: 'replace', value: { text: '{}' } } }, 0],
    ['context', { context: 'C' }, 0],
    ['a warning', { warnings: ['W'] }, 0],
    ['deny', { action: 'deny' }, 2],
    ['stop', { action: 'stop' }, 2],
    ['defer', { action: 'defer' }, 2],
    ["hookctl's own block", { action: 'deny', own: 'words' }, 2],
    ["hookctl's own warning", { warnings: ['W'], own: 'words' }, 0],
  ])('%s exits %s', (_, said, exit) => {
    expect(writeReply(verdict(said), bash).exit).toBe(exit);
  });

  it.each<[string, Verdict, Event | undefined, string]>([
    ['nothing', verdict({}), bash, ''],
    ['a warning', verdict({ warnings: ['W'] }), bash, 'hookctl: warning: W\n'],
    ['a deny', verdict({ action: 'deny', reason: 'R' }), bash, '🪝 bash [denied by a hook: R]\n'],
    [
      'a stop',
      verdict({ action: 'stop', reason: 'R' }),
      eventNamed('preGeneration'),
      '🪝 prompt [stopped by a hook: R]\n',
    ],
    ['a defer', verdict({ action: 'defer', reason: 'R' }), bash, '🪝 bash [deferred by a hook: R]\n'],
    [
      'a response without a reason',
      verdict({ action: 'stop', response: 'S' }),
      bash,
      '🪝 bash [stopped by a hook: S]\n',
    ],
    [
      'a deny of an event without a tool',
      verdict({ action: 'deny', reason: 'R' }),
      eventNamed('taskStart'),
      '🪝 taskStart [denied by a hook: R]\n',
    ],
    [
      'what was displayed, then warnings, then the block',
      verdict({ action: 'deny', reason: 'R', warnings: ['W'], display: ['D1', 'D2'] }),
      bash,
      'D1\nD2\nhookctl: warning: W\n🪝 bash [denied by a hook: R]\n',
    ],
    ['an allow', verdict({ action: 'allow', reason: 'R' }), bash, ''],
    [
      "hookctl's own failure: what to mend and nothing else",
      verdict({ action: 'deny', reason: 'hookctl: R', own: 'mend it', warnings: ['W'] }),
      bash,
      'mend it\n',
    ],
    [
      'a tool whose name steers a terminal',
      verdict({ action: 'deny', reason: 'R' }),
      eventNamed('preToolCall', { tool: { name: '\x1b[31mbash\x07', input: {} } }),
      '🪝 bash [denied by a hook: R]\n',
    ],
  ])('says to people: %s', (_, said, event, stderr) => {
    expect(writeReply(said, event).stderr).toBe(stderr);
  });

  it('is a valid answer of a native hook in turn', () => {
    const said = verdict({ action: 'deny', reason: 'R', source, warnings: ['W'], trace: [] });
    const { stdout } = writeReply(said, bash);
    expect(Object.keys(JSON.parse(stdout))).toEqual(['event', 'action', 'reason', 'source', 'warnings', 'trace']);
  });
});
