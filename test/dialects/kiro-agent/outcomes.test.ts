/**
 * What the end of a hook means, in every format on every trigger: exit code, signal, JSON, text.
 */
import { describe, expect, it } from 'vitest';
import { fold, settle } from '../../../src/core/fold';
import type { Event, Hook, Result } from '../../../src/core/model';
import { authorOf, NATIVE, roomOf, rowOf } from '../../../src/dialects';
import { encode, ended, hookNamed } from '../../unit/dialects/sample';

const GUARDED = ['preToolCall', 'preGeneration', 'taskStart'];

/** What is left of a hook of that format and trigger when it ended so; `mm` calls, so that everything can be told. */
function outcome(room: string, native: string, result: Result, launch: object = {}): string {
  const own = roomOf(room);
  const row = own?.spec.rows.find((one) => one.native === native);
  if (row === undefined) throw new Error(`${room} has no ${native}`);
  const event: Event = {
    name: row.canonical,
    cwd: '/w',
    rest: [],
    ...(row.matches === 'tool' ? { tool: { name: 'bash', input: { text: '{}' } } } : {}),
    from: { room: 'mm', event: row.canonical },
  };
  const hook: Hook = hookNamed('H', {
    author: room,
    event: row.canonical,
    onFailure: room === 'kiro-hook' && GUARDED.includes(row.canonical) ? 'block' : 'warn',
    written: { text: JSON.stringify({ native, command: 'node guard.js', ms: 1_000, ...launch }) },
  });
  const caller = rowOf(NATIVE, event);
  const read = authorOf(room).readOutcome(result, hook, event, caller);
  const settled = settle(read, hook, caller);
  const verdict = fold([{ hook: 'H', at: 'f:1', outcome: settled }], caller);
  const parts = [
    verdict.action === undefined ? undefined : `${verdict.action}: ${verdict.reason} (${verdict.source?.kind})`,
    verdict.context === undefined ? undefined : `context: ${verdict.context}`,
    ...verdict.warnings.map((warning) => `! ${warning}`),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '-' : parts.join(' | ');
}

const killed: Result = {
  kind: 'killed',
  why: 'killed by SIGSEGV',
  signal: 'SIGSEGV',
  out: encode(''),
  err: encode(''),
};
const timeout: Result = { kind: 'timeout', why: 'timed out after 1s', out: encode(''), err: encode('') };
const JSON_DENY = '{"permissionDecision":"deny","permissionDecisionReason":"J"}';
const JSON_ASK = '{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"J?"}}';
const FAILED = '! H failed: exit 1: E';
const FAILED_2 = '! H failed: exit 2: E';

/** exit 0 with text, exit 2, exit 1, a signal, a timeout. */
const TABLE: readonly (readonly [
  room: string,
  native: string,
  zero: string,
  two: string,
  one: string,
  signal: string,
])[] = [
  ['kiro-agent', 'agentSpawn', 'context: T', FAILED_2, FAILED, 'failure'],
  ['kiro-agent', 'userPromptSubmit', 'context: T', 'stop: E (exit)', FAILED, 'failure'],
  ['kiro-agent', 'preToolUse', '-', 'deny: E (exit)', FAILED, 'failure'],
  ['kiro-agent', 'postToolUse', '-', FAILED_2, FAILED, 'failure'],
  ['kiro-agent', 'stop', '-', FAILED_2, FAILED, 'failure'],
  ['kiro-hook', 'promptSubmit', 'context: T', 'stop: E (exit)', 'stop: E (exit)', 'stop'],
  ['kiro-hook', 'preToolUse', 'context: T', 'deny: E (exit)', 'deny: E (exit)', 'deny'],
  ['kiro-hook', 'preTaskExecution', 'context: T', 'deny: E (exit)', 'deny: E (exit)', 'deny'],
  ['kiro-hook', 'postToolUse', 'context: T', 'deny: E (exit)', 'deny: E (exit)', 'failure'],
  ['kiro-hook', 'agentStop', 'context: T', 'deny: E (exit)', 'deny: E (exit)', 'failure'],
  ...['fileCreated', 'fileEdited', 'fileDeleted', 'postTaskExecution', 'userTriggered'].map(
    (native) =>
      [
        'kiro-hook',
        native,
        'context: T',
        'context: H returned an error (exit 2): E',
        'context: H returned an error (exit 1): E',
        'failure',
      ] as const,
  ),
  ['kiro-v1', 'SessionStart', 'context: T', FAILED_2, FAILED, 'failure'],
  ['kiro-v1', 'UserPromptSubmit', 'context: T', 'stop: E (exit)', FAILED, 'failure'],
  ['kiro-v1', 'PreToolUse', 'context: T', 'deny: E (exit)', FAILED, 'failure'],
  ['kiro-v1', 'PreTaskExec', 'context: T', 'deny: E (exit)', FAILED, 'failure'],
  ...['PostToolUse', 'PostTaskExec', 'PostFileCreate', 'PostFileSave', 'PostFileDelete', 'Manual', 'Stop'].map(
    (native) => ['kiro-v1', native, 'context: T', FAILED_2, FAILED, 'failure'] as const,
  ),
  ['kiro-v1', 'SessionEnd', '-', FAILED_2, FAILED, 'failure'],
];

describe('the end of a hook', () => {
  it.each(TABLE)('%s %s', (room, native, zero, two, one, signal) => {
    expect(outcome(room, native, ended(0, ' T \n', 'E'))).toBe(zero === 'context: T' ? 'context:  T' : zero);
    expect(outcome(room, native, ended(0, ' \n'))).toBe('-');
    expect(outcome(room, native, ended(2, 'T', ' E\n'))).toBe(two);
    expect(outcome(room, native, ended(1, 'T', 'E'))).toBe(one);
    const broken = (why: string) =>
      signal === 'failure' ? `! H failed: ${why}` : `${signal}: H failed: ${why} (failure)`;
    expect(outcome(room, native, killed)).toBe(broken('killed by SIGSEGV'));
    expect(outcome(room, native, timeout)).toBe(broken('timed out after 1s'));
  });

  it('says a default without a word on stderr', () => {
    expect(outcome('kiro-agent', 'preToolUse', ended(2, 'why not'))).toBe('deny: blocked by H (exit)');
  });
});

describe('JSON before a tool, a prompt, a task', () => {
  it.each([
    ['kiro-agent', 'preToolUse', 'deny: J (decision)', 'ask: J? (decision)'],
    ['kiro-hook', 'preToolUse', 'deny: J (decision)', 'ask: J? (decision)'],
    ['kiro-v1', 'PreToolUse', 'deny: J (decision)', 'ask: J? (decision)'],
    ['kiro-agent', 'userPromptSubmit', 'stop: J (decision)', 'stop: J? (decision)'],
    ['kiro-hook', 'promptSubmit', 'stop: J (decision)', 'stop: J? (decision)'],
    ['kiro-v1', 'UserPromptSubmit', 'stop: J (decision)', 'stop: J? (decision)'],
    ['kiro-hook', 'preTaskExecution', 'deny: J (decision)', 'deny: J? (decision)'],
    ['kiro-v1', 'PreTaskExec', 'deny: J (decision)', 'deny: J? (decision)'],
  ])('%s %s', (room, native, deny, ask) => {
    expect(outcome(room, native, ended(0, JSON_DENY))).toBe(deny);
    expect(outcome(room, native, ended(0, JSON_ASK))).toBe(ask);
    expect(outcome(room, native, ended(0, '{"decision":"block","reason":"J"}'))).toBe(deny);
    expect(outcome(room, native, ended(0, '{"permissionDecision":"allow"}'))).toBe('-');
    expect(outcome(room, native, ended(0, '{"decision":"approve"}'))).toBe('-');
  });

  it.each([
    ['kiro-v1', 'PreToolUse', 'deny: J (decision) | ! H failed: exit 1; its "deny" counts all the same'],
    ['kiro-agent', 'preToolUse', 'deny: J (decision) | ! H failed: exit 1; its "deny" counts all the same'],
    ['kiro-hook', 'preToolUse', 'deny: J (decision) | ! H failed: exit 1; its "deny" counts all the same'],
  ])('counts when %s %s then fails', (room, native, expected) => {
    expect(outcome(room, native, ended(1, JSON_DENY, 'E'))).toBe(expected);
  });

  it('an ask is a block where any code blocks', () => {
    expect(outcome('kiro-hook', 'preToolUse', ended(1, JSON_ASK))).toMatch(/^deny: J\? /);
    expect(outcome('kiro-v1', 'PreToolUse', ended(1, JSON_ASK))).toMatch(/^ask: J\? /);
  });

  it('does not count at exit 2, nor after a timeout', () => {
    expect(outcome('kiro-v1', 'PreToolUse', ended(2, JSON_ASK, 'E'))).toBe('deny: E (exit)');
    expect(outcome('kiro-v1', 'PreToolUse', { ...timeout, out: encode(JSON_DENY) } as Result)).toBe(
      '! H failed: timed out after 1s',
    );
  });

  it('without a word of decision is text; beside text it is text', () => {
    expect(outcome('kiro-v1', 'PreToolUse', ended(0, '{"a":1}'))).toBe('context: {"a":1}');
    expect(outcome('kiro-v1', 'PreToolUse', ended(0, `log\n${JSON_DENY}`))).toBe(`context: log\n${JSON_DENY}`);
  });

  it('asks by its name where no reason is given', () => {
    expect(outcome('kiro-v1', 'PreToolUse', ended(0, '{"permissionDecision":"ask"}'))).toBe(
      'ask: H asks to confirm bash (decision)',
    );
    expect(outcome('kiro-v1', 'PreToolUse', ended(0, '{"decision":"deny"}'))).toBe('deny: blocked by H (decision)');
  });
});

describe('the end of a turn', () => {
  const BLOCK = '{"decision":"block","reason":"go on"}';
  it.each([
    ['kiro-agent', 'stop', BLOCK, 'deny: go on (decision)'],
    ['kiro-v1', 'Stop', BLOCK, 'deny: go on (decision)'],
    ['kiro-v1', 'Stop', `{"hookSpecificOutput":${BLOCK}}`, 'deny: go on (decision)'],
    [
      'kiro-agent',
      'stop',
      '{"decision":"block"}',
      '! H: its "decision": "block" has no "reason", so it does not count',
    ],
    [
      'kiro-v1',
      'Stop',
      '{"decision":"block","reason":" "}',
      '! H: its "decision": "block" has no "reason", so it does not count',
    ],
    ['kiro-agent', 'stop', 'done', '-'],
  ])('%s %s: %s', (room, native, out, expected) => {
    expect(outcome(room, native, ended(0, out))).toBe(expected);
  });

  it.each([
    ['exit 127', ended(127, '', 'sh: guard: not found')],
    ['exit 126', ended(126, '', '')],
    ['a missing script', ended(2, '', 'sh: 0: cannot open guard.js: No such file')],
    ['a missing module', ended(1, '', "node:internal\n  throw err;\nError: Cannot find module '/w/guard.js'\n  at x")],
  ])('of the IDE is not kept going by a hook that cannot start: %s', (_, result) => {
    expect(outcome('kiro-hook', 'agentStop', result)).toMatch(/^! H failed/);
  });
});

describe('the output that counts', () => {
  it.each([
    ['longer', 'abcdé', 5, 'context: abcd ... truncated'],
    ['as long', 'abcdé', 6, 'context: abcdé'],
    ['nothing', 'abc', 0, 'context:  ... truncated'],
  ])('%s', (_, out, cap, expected) => {
    expect(outcome('kiro-agent', 'agentSpawn', ended(0, out), { cap })).toBe(expected);
  });

  it('is cut on stderr too, after JSON was read', () => {
    expect(outcome('kiro-agent', 'preToolUse', ended(2, '', 'abcdef'), { cap: 3 })).toBe(
      'deny: abc ... truncated (exit)',
    );
    expect(outcome('kiro-agent', 'preToolUse', ended(0, JSON_DENY), { cap: 3 })).toBe('deny: J (decision)');
  });

  it('may be invalid UTF-8', () => {
    expect(outcome('kiro-agent', 'agentSpawn', ended(0, new Uint8Array([0x61, 0xff])))).toBe('context: a\ufffd');
  });
});

describe('a prompt for the agent', () => {
  const said: Result = { kind: 'said', context: 'Do it.' };
  it.each([
    ['kiro-v1', 'PostFileSave', 'context: Do it.'],
    ['kiro-hook', 'promptSubmit', 'context: Do it.'],
    ['kiro-v1', 'Stop', '! H: its prompt was not delivered: nothing can be added on postGeneration'],
    ['kiro-v1', 'SessionEnd', '! H: its prompt was not delivered: nothing can be added on sessionEnd'],
  ])('%s %s', (room, native, expected) => {
    expect(outcome(room, native, said)).toBe(expected);
  });
});
