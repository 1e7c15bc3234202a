import { describe, expect, it } from 'vitest';
import { ROOMS } from '../../../src/dialects';
import { authorOfFile, callerOf, namedSo } from '../../../src/dialects/detect';
import type { Room, Sign, Spec } from '../../../src/dialects/dialect';
import { encode } from './sample';

const NO_AUTHOR: Omit<Room, 'spec'> = {
  readEvent: () => ({ refused: 'not here' }),
  writeReply: () => ({ stdout: '', stderr: '', exit: 0 }),
};

function roomWith(id: string, signs: readonly Sign[], config?: Spec['config']): Room {
  return {
    ...NO_AUTHOR,
    spec: {
      id,
      title: id,
      ...(config === undefined ? {} : { config }),
      rows: [],
      tools: {},
      payload: [{ from: 'stdin' }],
      signs,
      defaults: { timeoutMs: 1, graceMs: 1 },
      extras: {},
    },
  };
}

const CLAUDE = roomWith('claude', [
  { has: ['hook_event_name', 'tool_use_id'], lacks: ['timestamp', 'turn_id'] },
  { has: ['hook_event_name'], values: { hook_event_name: ['PreCompact', 'Notification'] } },
]);
const KIRO = roomWith('kiro', [{ has: ['hook_event_name', 'cwd'] }]);
const PRX = roomWith('prx', [{ has: ['event', 'payload'], values: { event: ['tool_call'] } }]);
const MADE = [CLAUDE, KIRO, PRX];

describe('the caller', () => {
  it.each<[string, string, string | undefined]>([
    ['by keys', '{"hook_event_name":"PreToolUse","tool_use_id":"t"}', 'claude'],
    ['by the value of a key', '{"hook_event_name":"PreCompact"}', 'claude'],
    ['not by a value that no sign has', '{"hook_event_name":"PreToolUse"}', undefined],
    ['the first room of which one sign fits', '{"hook_event_name":"PreCompact","cwd":"/"}', 'claude'],
    [
      'the next where a key stands that the first must lack',
      '{"hook_event_name":"PreToolUse","tool_use_id":"t","timestamp":1,"cwd":"/"}',
      'kiro',
    ],
    ['by another room', '{"event":"tool_call","payload":{}}', 'prx'],
    ['not by a value that is no text', '{"event":1,"payload":{}}', undefined],
    ['not by keys further down', '{"x":{"event":"tool_call","payload":{}}}', undefined],
    ['by keys written with escapes', '{"\\u0065vent":"tool_\\u0063all","payload":{}}', 'prx'],
    ['behind a BOM', '\ufeff{"event":"tool_call","payload":{}}', 'prx'],
    ['not where a key stands twice', '{"event":"tool_call","event":"x","payload":{}}', undefined],
    ['not in an array', '[{"event":"tool_call","payload":{}}]', undefined],
    ['not in what is no JSON', '{"event":"tool_call","payload":{}', undefined],
    ['not in nothing', '', undefined],
  ])('is recognised: %s', (_, payload, id) => {
    expect(callerOf(encode(payload), MADE, {})?.spec.id).toBe(id);
  });

  it('is nobody among rooms without signs', () => {
    expect(callerOf(encode(`{"event":"preToolCall"}`), ROOMS, {})).toBeUndefined();
  });
});

describe('the author of a file', () => {
  const agents = roomWith('agents', [], {
    names: ['agent.yaml', '.agent.yaml'],
    endings: ['.yaml', '.json'],
    schema: 's',
    judges: [],
  });
  const hooks = roomWith('hooks', [], {
    names: ['hooks.json', '.kiro.hook'],
    endings: ['.hook'],
    schema: 's',
    judges: [],
  });
  const ROOMS_MADE = [agents, hooks];

  it.each([
    ['/w/agent.yaml', 'agents'],
    ['/w/team.agent.yaml', 'agents'],
    ['/w/.agent.yaml', 'agents'],
    ['/w/agent.yaml/x.yaml', 'agents'],
    ['/w/hooks.json', 'hooks'],
    ['/w/a.kiro.hook', 'hooks'],
    ['/w/other.json', 'agents'],
    ['/w/other.hook', 'hooks'],
    ['hooks.json', 'hooks'],
    ['/w/readme.md', undefined],
    ['/w/hooks.json/readme', undefined],
    ['/w/HOOKS.JSON', undefined],
  ])('%s: the name before the ending: %s', (path, id) => {
    expect(authorOfFile(path, ROOMS_MADE)?.spec.id).toBe(id);
  });

  it.each([
    ['/w/agent.yaml', true],
    ['/w/a.agent.yaml', true],
    ['/w/xagent.yaml', false],
    ['/w/other.yaml', false],
  ])('%s stands for the configs of its folder: %s', (path, named) => {
    expect(namedSo(path, agents)).toBe(named);
  });
});
