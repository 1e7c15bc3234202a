import { describe, expect, it } from 'vitest';
import { blocks } from '../../../src/core/fold';
import type { Action, Carried, Row } from '../../../src/core/model';
import { authorOf, knownEvents, ROOM_IDS, ROOMS, roomOf, rowOf, subjects } from '../../../src/dialects';
import type { Room } from '../../../src/dialects/dialect';
import { mm } from '../../../src/dialects/mm';
import { EVENT_NAMES, eventNamed, rowNamed } from './sample';

const ROWS = ROOMS.flatMap((room) => room.spec.rows.map((row) => [room.spec.id, row.canonical, row] as const));
const WHAT = ['allow', 'deny', 'ask', 'defer', 'stop', 'input', 'prompt', 'context'] as const satisfies readonly (
  | Action
  | Carried
)[];

function toldInstead(row: Row): Action[] {
  const actions = ['allow', 'deny', 'ask', 'defer', 'stop'] as const satisfies readonly Action[];
  return WHAT.flatMap((what) => actions.filter((action) => row.can[what] === action));
}

describe('the registry', () => {
  it('has every id once', () => {
    expect(new Set(ROOM_IDS).size).toBe(ROOM_IDS.length);
  });

  it.each(ROOM_IDS)('finds the room %s', (id) => {
    expect(roomOf(id)?.spec.id).toBe(id);
  });

  it('finds no other', () => {
    expect(roomOf('toString')).toBeUndefined();
  });

  it('has no author for a room of callers alone', () => {
    expect(() => authorOf('exit')).toThrow('no room "exit" has hooks');
  });

  it('knows every native event, each once', () => {
    expect(knownEvents().filter((name) => EVENT_NAMES.includes(name))).toEqual(EVENT_NAMES);
  });
});

describe('a row of a room', () => {
  it.each(ROWS)('%s %s tells instead only a block that it can tell', (_id, _event, row) => {
    expect(toldInstead(row).filter((action) => !blocks(action) || row.can[action] !== 'yes')).toEqual([]);
  });

  it.each(ROWS)('%s %s can tell its own synthetic block and that of exit 2', (_id, _event, row) => {
    const own = [row.synthetic, row.exit2].flatMap((block) => (block === 'deny' || block === 'stop' ? [block] : []));
    expect(own.filter((block) => row.can[block] !== 'yes')).toEqual([]);
  });

  it.each(ROWS)('%s %s blocks synthetically before the fact or not at all', (_id, _event, row) => {
    expect(row.synthetic === 'warning' || row.phase === 'before').toBe(true);
  });

  it('of an event that the room does not have can only be observed', () => {
    const row = rowOf(mm, { name: 'claude:TeammateIdle' });
    expect([WHAT.filter((what) => row.can[what] !== 'no'), row.exit2, row.synthetic]).toEqual([
      [],
      'failure',
      'warning',
    ]);
  });

  const success = { ...rowNamed('postToolCall'), native: 'PostToolUse' };
  const failure = { ...rowNamed('postToolCall'), native: 'PostToolUseFailure', exit2: 'failure' } as const;
  const { native: _native, canonical: _canonical, ...guarding } = rowNamed('taskStart');
  const made: Room = { ...mm, spec: { ...mm.spec, rows: [success, failure], otherwise: guarding } };
  const from = (event: string) => ({ room: 'made', event });

  it.each<[string, Parameters<typeof rowOf>[1], string, Row['exit2']]>([
    [
      "by the room's own name",
      { name: 'postToolCall', from: from('PostToolUseFailure') },
      'PostToolUseFailure',
      'failure',
    ],
    ['by the canonical name, the first of several', { name: 'postToolCall' }, 'PostToolUse', 'deny'],
    ['by no name: what the room says of others', { name: 'made:New', from: from('New') }, 'New', 'deny'],
  ])('is found %s', (_, event, native, exit2) => {
    const row = rowOf(made, event);
    expect([row.native, row.canonical, row.exit2]).toEqual([native, event.name, exit2]);
  });

  it('is found by the canonical name', () => {
    expect(rowOf(mm, { name: 'preToolCall' })).toBe(rowNamed('preToolCall'));
  });
});

describe('the names that a hook is tried on', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['the name as sent', { name: 'bash', input: {} }, ['bash']],
    ['the canonical name too', { name: 'Bash', canonical: 'bash', input: {} }, ['Bash', 'bash']],
    ['each once', { name: 'bash', canonical: 'bash', input: {} }, ['bash']],
    ['nothing made up', { name: 'mcp__x__y', input: {} }, ['mcp__x__y']],
  ])('are %s', (_, tool, names) => {
    expect(subjects('mm', 'tool', eventNamed('preToolCall', { tool }))).toEqual(names);
  });

  it('are none without a tool', () => {
    expect(subjects('mm', 'tool', eventNamed('manual'))).toBeUndefined();
  });
});
