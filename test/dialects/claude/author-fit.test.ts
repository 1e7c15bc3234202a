/**
 * What a hook written for Claude Code decides is never weaker under another caller than under Claude Code; the exceptions are data.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fit } from '../../../src/core/fit';
import { fold, settle } from '../../../src/core/fold';
import type { Action, Event, Result, Verdict } from '../../../src/core/model';
import { ROOMS, rowOf } from '../../../src/dialects';
import { claude } from '../../../src/dialects/claude';
import type { Room } from '../../../src/dialects/dialect';
import { ended, eventNamed, hookNamed } from '../../unit/dialects/sample';

const STRENGTH: readonly (Action | undefined)[] = ['allow', undefined, 'ask', 'defer', 'deny', 'stop'];
/** The turn ends anyway: there is nothing to stop. */
const ENDS: readonly string[] = ['postGeneration', 'subagentStop'];
const CALLERS = ROOMS.filter(({ spec }) => spec.id !== 'claude' && spec.observes !== true);
const ROWS = claude.spec.rows.flatMap((row) =>
  CALLERS.filter(({ spec }) => spec.rows.some(({ canonical }) => canonical === row.canonical)).map(
    (caller) => [`${row.native} under ${caller.spec.id}`, row, caller] as const,
  ),
);

const outputs = fc.record(
  {
    continue: fc.boolean(),
    stopReason: fc.constant('S'),
    decision: fc.constantFrom('block', 'approve', 'deny'),
    reason: fc.constant('R'),
    hso: fc.record(
      {
        permissionDecision: fc.constantFrom('allow', 'deny', 'ask', 'defer', 'maybe'),
        permissionDecisionReason: fc.constant('P'),
        decision: fc.constantFrom({ behavior: 'deny' }, { behavior: 'allow' }),
        action: fc.constantFrom('decline', 'cancel', 'accept'),
        updatedInput: fc.constant({ command: 'true' }),
        additionalContext: fc.constant('C'),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const results: fc.Arbitrary<(native: string) => Result> = fc.oneof(
  outputs.map(
    ({ hso, ...top }) =>
      (native: string) =>
        ended(
          0,
          JSON.stringify(hso === undefined ? top : { ...top, hookSpecificOutput: { hookEventName: native, ...hso } }),
        ),
  ),
  fc.constantFrom(0, 1, 2, 3, 126, 127).map((exit) => () => ended(exit, '', 'why')),
  fc
    .constantFrom('timeout', 'killed', 'not started', 'too large')
    .map((kind) => (): Result => ({ kind, why: kind, out: new Uint8Array(), err: new Uint8Array() })),
);

/** The event as a caller sends it; a tool is there where Claude Code has one. */
function eventOf(canonical: string, room: Room): Event {
  const known = eventNamed('preToolCall');
  const row = room.spec.rows.find((one) => one.canonical === canonical);
  const tool = row?.matches === 'tool' && known.tool !== undefined ? { tool: known.tool } : {};
  return { ...known, ...tool, name: canonical, from: { room: room.spec.id, event: row?.native ?? canonical } };
}

/** What one hook's end comes to for a caller. */
function verdictFor(room: Room, canonical: string, result: Result, onFailure: 'block' | 'warn'): Verdict {
  const event = eventOf(canonical, room);
  const row = rowOf(room, event);
  const hook = hookNamed('h', { author: 'claude', event: canonical, onFailure });
  const outcome = settle(claude.author.readOutcome(result, hook, event, row), hook, row);
  return fit(fold([{ hook: 'h', at: 'a:1', outcome }], row), row);
}

describe.each(ROWS)('%s', (_, row, caller) => {
  it('hears what Claude Code hears, or something stricter, or that it was lost', () => {
    fc.assert(
      fc.property(results, fc.constantFrom('block' as const, 'warn' as const), (result, onFailure) => {
        const own = verdictFor(claude, row.canonical, result(row.native), onFailure);
        const other = verdictFor(caller, row.canonical, result(row.native), onFailure);
        const wanted = Math.min(STRENGTH.indexOf(own.action), STRENGTH.indexOf('deny'));
        if (STRENGTH.indexOf(other.action) >= wanted) return;
        const { can } = rowOf(caller, eventOf(row.canonical, caller));
        const told = other.losses.length + other.warnings.length > 0;
        const isNoLoss = own.action === 'stop' && ENDS.includes(row.canonical);
        expect([own.action, other.action, isNoLoss || (can.deny === 'no' && told)]).toEqual([
          own.action,
          other.action,
          true,
        ]);
      }),
      { numRuns: 300 },
    );
  });

  it('never hears an allow that the hook did not say', () => {
    fc.assert(
      fc.property(results, (result) => {
        const own = verdictFor(claude, row.canonical, result(row.native), 'block');
        const other = verdictFor(caller, row.canonical, result(row.native), 'block');
        if (other.action === 'allow') expect(own.action).toBe('allow');
      }),
      { numRuns: 300 },
    );
  });
});
