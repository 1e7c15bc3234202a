/**
 * Payloads of the three formats → events; what a hook of each format reads.
 */
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/core/model';
import { decode } from '../../../src/core/text';
import { authorOf, ROOMS, roomOf } from '../../../src/dialects';
import { callerOf } from '../../../src/dialects/detect';
import type { Hint } from '../../../src/dialects/dialect';
import { encode, eventNamed, HINT, hookNamed, WORLD } from '../../unit/dialects/sample';

function read(room: string, payload: unknown, hint: Partial<Hint> = {}) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return roomOf(room)?.readEvent(encode(text), { ...HINT, ...hint });
}

function ok(room: string, payload: unknown, hint: Partial<Hint> = {}): Event {
  const event = read(room, payload, hint);
  if (event === undefined || 'refused' in event) throw new Error(JSON.stringify(event));
  return event;
}

const PRE = { hook_event_name: 'preToolUse', cwd: '/w', tool_name: 'fs_write', tool_input: { path: 'a' } };

describe('a payload', () => {
  it.each([
    [
      'kiro-agent',
      { hook_event_name: 'agentSpawn', cwd: '/w', prompt: 'hi' },
      { name: 'sessionStart', prompt: { text: '"hi"' } },
    ],
    [
      'kiro-agent',
      PRE,
      { tool: { name: 'fs_write', canonical: 'write', kin: ['write', 'edit', 'notebook', 'delete'] } },
    ],
    ['kiro-agent', { ...PRE, tool_input: undefined }, { tool: { input: { text: '{}' } } }],
    [
      'kiro-agent',
      { hook_event_name: 'stop', cwd: '/w', assistant_response: 'done' },
      { name: 'postGeneration', response: { text: '"done"' } },
    ],
    [
      'kiro-v1',
      { hook_event_name: 'PostFileSave', cwd: '/w', file_path: 'a.ts' },
      { name: 'fileSaved', file: { path: '/w/a.ts' } },
    ],
    [
      'kiro-v1',
      { hook_event_name: 'PostTaskExec', spec_name: '/s', task_name: '1.2', task_success: true },
      { name: 'taskEnd', task: { name: '1.2', spec: '/s', success: true } },
    ],
    [
      'kiro-v1',
      { hook_event_name: 'agentStop', user_decision: 'y' },
      { name: 'postGeneration', rest: [['user_decision', { text: '"y"' }]] },
    ],
    ['kiro-v1', { hook_event_name: 'Newer' }, { name: 'kiro-v1:Newer', from: { event: 'Newer' } }],
    [
      'kiro-v1',
      { hook_event_name: 'PreToolUse', tool_name: '@git/status' },
      { tool: { name: '@git/status', kin: ['mcp__git__status'] } },
    ],
  ])('%s %j', (room, payload, expected) => {
    expect(ok(room, payload)).toMatchObject(expected);
  });

  it.each([
    [{ success: true, result: ['a', { b: 1.0 }] }, 'a\n{"b":1}', true],
    [{ success: false, error: ['no'] }, 'no', false],
    [{ items: [{ Text: 'a' }, { Json: { b: 2 } }] }, 'a\n{"b":2}', undefined],
    ['text', 'text', undefined],
  ])('tool_response %j', (tool_response, output, success) => {
    const { tool } = ok('kiro-agent', { ...PRE, hook_event_name: 'postToolUse', tool_response });
    expect(JSON.parse(tool?.output?.text ?? 'null')).toEqual(output);
    expect(tool?.success).toBe(success);
  });

  it('of anything else stays JSON', () => {
    const { tool } = ok('kiro-agent', { ...PRE, hook_event_name: 'postToolUse', tool_response: { x: [1] } });
    expect(tool?.output?.text).toBe('{"x":[1]}');
  });

  it.each([
    ['kiro-agent', { ...PRE, tool_name: undefined }, {}, 'preToolCall', /tool_name/],
    ['kiro-agent', { ...PRE, tool_input: 'x' }, {}, 'preToolCall', /tool_input/],
    ['kiro-agent', { hook_event_name: 'postToolUse', hook_events: [] }, {}, 'postToolCall', /several tool calls/],
    ['kiro-v1', { hook_event_name: 'UserPromptSubmit' }, {}, 'preGeneration', /prompt/],
    ['kiro-v1', '', {}, undefined, /stdin is empty/],
    ['kiro-v1', '[]', {}, undefined, /one JSON object/],
    ['kiro-v1', '{', {}, undefined, /not valid JSON/],
    ['kiro-v1', '{"a":1,"a":2}', {}, undefined, /duplicate key/],
    ['kiro-v1', {}, {}, undefined, /hook_event_name/],
    ['kiro-v1', { hook_event_name: 'Stop' }, { event: 'PreToolUse' }, 'postGeneration', /--event says/],
    ['kiro-hook', '', {}, undefined, /--event/],
    ['kiro-hook', '{}', { event: 'preToolUse' }, 'preToolCall', /no tool/],
    ['kiro-hook', '', { event: 'preToolUse' }, 'preToolCall', /no tool/],
  ] as const)('%s %j %j is refused', (room, payload, hint, event, why) => {
    const refused = read(room, payload, hint);
    expect(refused).toMatchObject({ refused: expect.stringMatching(why) });
    expect(refused !== undefined && 'refused' in refused ? refused.event : 'read').toBe(event);
  });

  it.each([
    ['fix the bug', 'fix the bug'],
    ['{"prompt":"in JSON"}', 'in JSON'],
    ['{"no":"prompt"}', '{"no":"prompt"}'],
  ])('of the IDE: the prompt %j', (payload, prompt) => {
    expect(JSON.parse(ok('kiro-hook', payload, { event: 'promptSubmit' }).prompt?.text ?? '')).toBe(prompt);
  });

  it('of the IDE: a tool, in both ways', () => {
    const one = { toolName: 'fs_write', toolArgs: { a: 1 }, toolResult: 'ok', toolSuccess: false };
    const other = { tool_name: 'fs_write', tool_input: { a: 1 }, tool_response: 'ok' };
    for (const event of ['postToolUse', 'postToolCall']) {
      expect(ok('kiro-hook', one, { event }).tool).toMatchObject({
        name: 'fs_write',
        success: false,
        input: { text: '{"a":1}' },
      });
      expect(ok('kiro-hook', other, { event }).tool).toMatchObject({ canonical: 'write', output: { text: '"ok"' } });
    }
  });

  it('of the IDE may be nothing', () => {
    expect(ok('kiro-hook', '', { event: 'fileEdited' })).toMatchObject({ name: 'fileSaved', cwd: '/start' });
  });
});

describe('whose payload', () => {
  it.each([
    [{ hook_event_name: 'preToolUse' }, 'kiro-agent'],
    [{ hook_event_name: 'stop', conversation_id: 'c' }, undefined],
    [{ hook_event_name: 'stop' }, 'kiro-agent'],
    [{ hook_event_name: 'PreTaskExec' }, 'kiro-v1'],
    [{ hook_event_name: 'PreToolUse', session_id: 's' }, 'kiro-v1'],
    [{ hook_event_name: 'PreToolUse', tool_use_id: 't' }, 'claude'],
    [{ hook_event_name: 'Stop', transcript_path: '' }, 'claude'],
    [{ hook_event_name: 'Stop', turn_id: '' }, undefined],
    [{ hook_event_name: 'SessionEnd', timestamp: 1 }, undefined],
    [{ toolName: 'a', toolArgs: {} }, 'kiro-hook'],
    [{ toolName: 'a', toolArgs: {}, sessionId: 's' }, undefined],
  ])('%j: %s', (payload, room) => {
    expect(callerOf(encode(JSON.stringify(payload)), ROOMS, {})?.spec.id).toBe(room);
  });
});

/** Stdin and environment of a hook. */
function job(room: string, native: string, event: Event) {
  const written = { text: JSON.stringify({ native, command: 'x', ms: 'none' }) };
  const job = authorOf(room).job(hookNamed('H', { author: room, event: event.name, written }), event, WORLD);
  if (job.kind !== 'process') throw new Error(job.kind);
  const stdin =
    job.stdin === 'event bytes' ? decode(event.from.bytes ?? encode('')) : job.stdin === 'closed' ? '' : job.stdin.text;
  return { stdin, newline: job.newline, set: job.env.set, drop: job.env.drop, argv: job.argv };
}

describe('a hook reads', () => {
  const bash = eventNamed('preToolCall', { session: 's', tool: { name: 'bash', input: { command: 'ls' } } });

  it.each([
    [
      'kiro-agent',
      'preToolUse',
      '{"hook_event_name":"preToolUse","cwd":"/work","session_id":"s","tool_name":"execute_bash","tool_input":{"command":"ls"}}',
    ],
    [
      'kiro-v1',
      'PreToolUse',
      '{"session_id":"s","hook_event_name":"PreToolUse","cwd":"/work","tool_name":"execute_bash","tool_input":{"command":"ls"}}',
    ],
    [
      'kiro-hook',
      'preToolUse',
      '{"session_id":"s","hook_event_name":"preToolUse","cwd":"/work","tool_name":"execute_bash","tool_input":{"command":"ls"}}',
    ],
  ])('%s: its own payload, made from a native event', (room, native, expected) => {
    expect(job(room, native, bash)).toMatchObject({ stdin: expected, newline: false });
  });

  it.each([
    ['kiro-agent', true, '{"success":true,"result":["a\\nb"]}'],
    ['kiro-agent', false, '{"success":false,"error":["a\\nb"]}'],
    ['kiro-agent', undefined, '{"success":true,"result":["a\\nb"]}'],
    ['kiro-v1', true, '"a\\nb"'],
  ])('%s: the output of a tool, success %s', (room, success, expected) => {
    const event = eventNamed('postToolCall', { tool: { name: 'bash', output: 'a\nb', success } });
    expect(job(room, 'x', event).stdin).toContain(`"tool_response":${expected}`);
  });

  it('tasks and files', () => {
    const task = eventNamed('taskEnd', { task: { name: 'T', spec: '/s', success: true } });
    expect(job('kiro-v1', 'PostTaskExec', task).stdin).toBe(
      '{"hook_event_name":"PostTaskExec","cwd":"/work","spec_name":"/s","task_name":"T","task_success":true}',
    );
    const file = eventNamed('fileSaved', { file: { path: 'a b.ts' } });
    expect(job('kiro-v1', 'PostFileSave', file).stdin).toContain('"file_path":"/work/a b.ts"');
    expect(job('kiro-v1', 'PostFileSave', file).set).toMatchObject({
      KIRO_HOOK_FILE: '/work/a b.ts',
      WORKSPACE_ROOT: '/work',
    });
    expect(job('kiro-hook', 'fileEdited', file).set).toMatchObject({ KIRO_HOOK_FILE: '/work/a b.ts' });
  });

  it("its own agent's bytes untouched, a rewrite spliced in", () => {
    const payload =
      '{ "hook_event_name":"preToolUse", "cwd":"/w","tool_name":"fs_write","tool_input":{"n":1.0},"x":1 }\n';
    const event = ok('kiro-agent', payload);
    expect(job('kiro-agent', 'preToolUse', event).stdin).toBe(payload);
    const tool = { name: 'fs_write', input: { text: '{"n":2}' } };
    expect(job('kiro-agent', 'preToolUse', { ...event, tool, rewritten: 'input' }).stdin).toBe(
      payload.replace('{"n":1.0}', '{"n":2}'),
    );
  });

  it('a Kiro tool by the name that was sent, another by its own', () => {
    expect(job('kiro-v1', 'PreToolUse', ok('kiro-agent', PRE)).stdin).toContain('"tool_name":"fs_write"');
    const edit = eventNamed('preToolCall', { tool: { name: 'edit', input: {} } });
    expect(job('kiro-agent', 'preToolUse', edit).stdin).toContain('"tool_name":"fs_write"');
    expect(job('kiro-v1', 'PreToolUse', edit).stdin).toContain('"tool_name":"str_replace"');
    const mcp = eventNamed('preToolCall', { tool: { name: 'mcp__git__status', input: {} } });
    expect(job('kiro-v1', 'PreToolUse', mcp).stdin).toContain('"tool_name":"@git/status"');
  });

  it('the prompt in its environment: short and clean for agent files', () => {
    const prompt = `a\u0007b\tc\n${'é'.repeat(4_000)}`;
    const event = eventNamed('preGeneration', { prompt });
    const said = job('kiro-agent', 'userPromptSubmit', event).set['USER_PROMPT'] ?? '';
    expect(said.startsWith('ab\tc\né')).toBe(true);
    expect(encode(said).length).toBe(4_095);
    expect(JSON.parse(job('kiro-agent', 'userPromptSubmit', event).stdin)['prompt']).toBe(prompt);
    expect(job('kiro-agent', 'stop', eventNamed('postGeneration'))).toMatchObject({
      drop: expect.arrayContaining(['USER_PROMPT']),
    });
    expect(job('kiro-agent', 'stop', eventNamed('postGeneration')).set).not.toHaveProperty('USER_PROMPT');
  });

  it('a tool call in the environment of a .kiro.hook, at most 64 KiB', () => {
    const call = (size: number) =>
      eventNamed('postToolCall', { tool: { name: 'bash', input: { a: 'x'.repeat(size) }, output: 'O' } });
    expect(JSON.parse(job('kiro-hook', 'postToolUse', call(3)).set['USER_PROMPT'] ?? '')).toEqual({
      toolName: 'execute_bash',
      toolArgs: { a: 'xxx' },
      toolResult: 'O',
      toolSuccess: true,
    });
    expect(JSON.parse(job('kiro-hook', 'postToolUse', call(70_000)).set['USER_PROMPT'] ?? '')).toEqual({
      toolName: 'execute_bash',
      toolArgs: {},
      toolResult: '',
      toolSuccess: true,
      truncated: true,
    });
  });

  it('bash where there is one, for agent files', () => {
    expect(job('kiro-agent', 'preToolUse', bash).argv).toEqual([
      ['bash', '-c', 'x'],
      ['/bin/sh', '-c', 'x'],
    ]);
    expect(job('kiro-v1', 'PreToolUse', bash).argv).toEqual([['/bin/sh', '-c', 'x']]);
  });
});
