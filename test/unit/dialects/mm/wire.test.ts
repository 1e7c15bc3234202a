import { describe, expect, it } from 'vitest';
import { rawOf } from '../../../../src/core/json';
import type { Hook, Outcome, ProcessJob, Result } from '../../../../src/core/model';
import type { World } from '../../../../src/dialects/dialect';
import { job, readOutcome } from '../../../../src/dialects/mm/wire';
import { encode, ended, eventNamed, hookNamed, rowNamed, WORLD } from '../sample';

function jobOf(
  more: Partial<Hook> = {},
  payload: Record<string, unknown> = {},
  world: Partial<World> = {},
): ProcessJob {
  const made = job(hookNamed('h', more), eventNamed('preToolCall', payload), { ...WORLD, ...world });
  if (made.kind !== 'process') throw new Error('a native hook is a process');
  return made;
}

function outcomeOf(result: Result, name = 'preToolCall'): Outcome {
  return readOutcome(result, hookNamed('guard'), eventNamed(name), rowNamed(name));
}

describe('a native hook is started', () => {
  const launch = { command: 'node "$MM_CONFIG_DIR/x.js"', ms: 5_000, env: { MODE: 'strict' } };

  it('by /bin/sh -c with its own timeout, two seconds of grace, a newline behind the event', () => {
    const { argv, ms, graceMs, newline, wait } = jobOf({ written: rawOf(launch) });
    expect({ argv, ms, graceMs, newline, wait }).toEqual({
      argv: [['/bin/sh', '-c', 'node "$MM_CONFIG_DIR/x.js"']],
      ms: 5_000,
      graceMs: 2_000,
      newline: true,
      wait: true,
    });
  });

  it('in the folder of the event, else in that of the agent file', () => {
    expect(jobOf({ root: '/conf' }, { cwd: '/work' }).cwd).toEqual(['/work', '/conf']);
  });

  it('with everything that hookctl has, its own variables and then those of the hook', () => {
    expect(jobOf({ written: rawOf(launch), root: '/conf' }, { session: 's1' }).env).toMatchObject({
      from: 'all',
      set: {
        MM_CONFIG_DIR: '/conf',
        MM_HOOK_EVENT: 'preToolCall',
        HOOKCTL_CONFIG_DIR: '/conf',
        HOOKCTL_EVENT: 'preToolCall',
        HOOKCTL_DEPTH: '1',
        HOOKCTL_SESSION: 's1',
        MODE: 'strict',
      },
    });
  });

  it('without the session of a hookctl further up', () => {
    expect(jobOf().env.drop).toContain('HOOKCTL_SESSION');
  });

  it.each<[string, Record<string, unknown>]>([
    ['is missing', {}],
    ['is null', { session: null }],
    ['is empty', { session: '' }],
  ])('without HOOKCTL_SESSION where the session %s', (_, payload) => {
    expect(jobOf({}, payload).env.set).not.toHaveProperty('HOOKCTL_SESSION');
  });

  it('with a session that no variable could hold made one that it can', () => {
    expect(jobOf({}, { session: 'a\0b' }).env.set['HOOKCTL_SESSION']).toBe('ab');
  });

  it.each([
    [true, '1'],
    [false, undefined],
  ])('with HOOKCTL_TEST under hookctl test alone: %s', (test, value) => {
    expect(jobOf({}, {}, { test }).env.set['HOOKCTL_TEST']).toBe(value);
  });

  it('with the depth of its world', () => {
    expect(jobOf({}, {}, { depth: 8 }).env.set['HOOKCTL_DEPTH']).toBe('8');
  });
});

describe('why a native hook failed', () => {
  it.each<[string, Result, string]>([
    ['an exit code', ended(3), 'exit 3'],
    ['an exit code and the first line of stderr', ended(3, '', '\n\n  boom  \nmore'), 'exit 3: boom'],
    ['at most 200 characters of stderr', ended(3, '', 'x'.repeat(300)), `exit 3: ${'x'.repeat(199)}…`],
    ['stderr without terminal sequences', ended(3, '', '\x1b[31mboom\x1b[0m\x07'), 'exit 3: boom'],
    [
      'stderr that is no UTF-8',
      { kind: 'ended', exit: 3, out: encode(''), err: Uint8Array.from([0x61, 0xff]) },
      'exit 3: a\ufffd',
    ],
    [
      'a signal',
      { kind: 'killed', why: 'killed by SIGKILL', signal: 'SIGKILL', out: encode(''), err: encode('') },
      'killed by SIGKILL',
    ],
    [
      'a timeout',
      { kind: 'timeout', why: 'timed out after 5s', out: encode(''), err: encode('slow') },
      'timed out after 5s: slow',
    ],
    ['a start that failed', { kind: 'not started', why: 'EAGAIN', out: encode(''), err: encode('') }, 'EAGAIN'],
    [
      'an answer from elsewhere',
      { kind: 'answered', status: 200, body: encode('{"action":"allow"}') },
      'the hook gave no process result',
    ],
    ['a prompt', { kind: 'said', context: 'C' }, 'the hook gave no process result'],
    [
      'a bad answer and stderr',
      ended(0, 'x', 'boom'),
      "stdout is not one JSON object: unexpected 'x' (column 1): boom",
    ],
  ])('%s', (_, result, why) => {
    expect(outcomeOf(result)).toEqual({ kind: 'failure', failure: why, warnings: [] });
  });
});

describe('what a native hook said', () => {
  it.each<[string, Result, Outcome]>([
    ['nothing, whatever stderr says', ended(0, '', 'debug'), { kind: 'none', warnings: [] }],
    ['context alone', ended(0, '{"context":"C"}'), { kind: 'none', context: 'C', warnings: [] }],
    [
      'texts without terminal sequences',
      ended(
        0,
        '{"action":"stop","reason":"\\u001b[31mR","response":"\\u001b]0;x\\u0007S\\r\\n","context":"a\\u0000\\tb"}',
      ),
      { kind: 'decision', action: 'stop', reason: 'R', response: 'S\n', context: 'a\tb', warnings: [] },
    ],
    [
      'a reason of nothing but terminal sequences',
      ended(0, '{"action":"deny","reason":"\\u001b[31m"}'),
      { kind: 'decision', action: 'deny', reason: 'denied by guard', warnings: [] },
    ],
    [
      'warnings in the name of the hook, without terminal sequences',
      ended(0, '{"no\\u001b[31mte":1}'),
      { kind: 'none', warnings: ['guard: unknown field "note"'] },
    ],
    [
      'an allow',
      ended(0, '{"action":"allow"}'),
      { kind: 'decision', action: 'allow', reason: 'allowed by guard', warnings: [] },
    ],
    [
      'an ask',
      ended(0, '{"action":"ask"}'),
      { kind: 'decision', action: 'ask', reason: 'asked by guard', warnings: [] },
    ],
    [
      'a defer',
      ended(0, '{"action":"defer"}'),
      { kind: 'decision', action: 'defer', reason: 'deferred by guard', warnings: [] },
    ],
    [
      'exit 2 with a reason on stderr',
      ended(2, '', ' \x1b[31mno\x1b[0m \n'),
      { kind: 'exit', action: 'deny', reason: 'no', warnings: [] },
    ],
  ])('%s', (_, result, outcome) => {
    expect(outcomeOf(result)).toEqual(outcome);
  });

  it('with exit 2 keeps the warnings of its answer', () => {
    expect(outcomeOf(ended(2, '{"action":"deny","note":1}')).warnings).toEqual(['guard: unknown field "note"']);
  });
});
