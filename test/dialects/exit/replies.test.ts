/**
 * What a wrapper that reads only the exit code gets for each native verdict: stdout stays empty, stderr is the reason.
 */
import { describe, expect, it } from 'vitest';
import { fit } from '../../../src/core/fit';
import { fold, settle } from '../../../src/core/fold';
import type { OnFailure, Reply, Result } from '../../../src/core/model';
import { rowOf } from '../../../src/dialects';
import { exit } from '../../../src/dialects/exit';
import { mm } from '../../../src/dialects/mm';
import { BEFORE, EVENT_NAMES, ended, eventNamed, hookNamed } from '../../unit/dialects/sample';

const AFTER = EVENT_NAMES.filter((name) => !BEFORE.some((before) => before === name));
const BLOCKED_BY_EXIT = ['postToolCall'];

/** One hook, called guard, under the caller `exit`. */
function replyTo(result: Result, eventName: string, onFailure: OnFailure = 'warn'): Reply {
  const hook = hookNamed('guard', { event: eventName, onFailure });
  const [event, row] = [eventNamed(eventName), rowOf(exit, { name: eventName })];
  const outcome = settle(mm.author.readOutcome(result, hook, event, row), hook, row);
  return exit.writeReply(fit(fold([{ hook: 'guard', at: 'agent.yaml:3', outcome }], row), row), event);
}

describe('a wrapper that reads the exit code', () => {
  const REWRITTEN =
    'guard rewrote the arguments of this call, which this caller cannot be told; use instead: {"a":1.10}';

  it.each<[string, string, Result, Reply]>([
    ['no opinion goes on', 'preToolCall', ended(0), { stdout: '', stderr: '', exit: 0 }],
    ['an allow goes on', 'preToolCall', ended(0, '{"action":"allow"}'), { stdout: '', stderr: '', exit: 0 }],
    ['a deny is 2', 'preToolCall', ended(0, '{"action":"deny","reason":"R"}'), { stdout: '', stderr: 'R\n', exit: 2 }],
    [
      'a stop is 2',
      'preToolCall',
      ended(0, '{"action":"stop","reason":"R","response":"S"}'),
      { stdout: '', stderr: 'R\n', exit: 2 },
    ],
    ['an ask is 2', 'preToolCall', ended(0, '{"action":"ask","reason":"R"}'), { stdout: '', stderr: 'R\n', exit: 2 }],
    [
      'a defer is 2',
      'preToolCall',
      ended(0, '{"action":"defer","reason":"R"}'),
      { stdout: '', stderr: 'R\n', exit: 2 },
    ],
    [
      'a rewrite is 2',
      'preToolCall',
      ended(0, '{"input":{"a":1.10}}'),
      { stdout: '', stderr: `${REWRITTEN}\n`, exit: 2 },
    ],
    [
      'a rewrite that is allowed is 2',
      'preToolCall',
      ended(0, '{"input":{"a":1.10},"action":"allow"}'),
      { stdout: '', stderr: `${REWRITTEN}\n`, exit: 2 },
    ],
    [
      'a rewritten prompt is 2',
      'preGeneration',
      ended(0, '{"prompt":"P"}'),
      { stdout: '', stderr: 'guard rewrote the prompt, which this caller cannot be told; use instead: P\n', exit: 2 },
    ],
    [
      'context goes on with a warning',
      'preToolCall',
      ended(0, '{"context":"C"}'),
      { stdout: '', stderr: 'hookctl: warning: the added context (1 chars) cannot be told on preToolCall\n', exit: 0 },
    ],
    ['exit 2 is 2', 'preToolCall', ended(2, '', 'no\nway'), { stdout: '', stderr: 'no\nway\n', exit: 2 }],
    [
      'a failure goes on with a warning',
      'preToolCall',
      ended(1),
      { stdout: '', stderr: 'hookctl: warning: guard failed: exit 1\n', exit: 0 },
    ],
    [
      'a question where the user is asked anyway goes on',
      'permissionRequest',
      ended(0, '{"action":"ask"}'),
      { stdout: '', stderr: 'hookctl: warning: guard: "ask" on permissionRequest is read as no opinion\n', exit: 0 },
    ],
    [
      'feedback after the fact is 2',
      'postToolCall',
      ended(0, '{"action":"deny","reason":"R"}'),
      { stdout: '', stderr: 'R\n', exit: 2 },
    ],
    [
      '"keep working" is 2',
      'postGeneration',
      ended(0, '{"action":"deny","reason":"R"}'),
      { stdout: '', stderr: 'R\n', exit: 2 },
    ],
  ])('%s', (_, event, result, reply) => {
    expect(replyTo(result, event)).toEqual(reply);
  });

  it.each([...BEFORE])('a failure under "fail" on %s is 2', (name) => {
    expect(replyTo(ended(1, '', 'boom'), name, 'block')).toEqual({
      stdout: '',
      stderr: 'guard failed: exit 1: boom\n',
      exit: 2,
    });
  });

  it.each(AFTER)('a failure under "fail" on %s goes on', (name) => {
    expect(replyTo(ended(1), name, 'block')).toEqual({
      stdout: '',
      stderr: 'hookctl: warning: guard failed: exit 1\n',
      exit: 0,
    });
  });

  it.each(AFTER.filter((name) => !BLOCKED_BY_EXIT.includes(name)))('exit 2 on %s goes on', (name) => {
    expect(replyTo(ended(2), name, 'block').exit).toBe(0);
  });
});
