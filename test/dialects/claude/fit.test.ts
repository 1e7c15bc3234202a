/**
 * What a hook decides never gets weaker on the way to Claude Code; the exceptions are data.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fit } from '../../../src/core/fit';
import type { Action, Event, Verdict } from '../../../src/core/model';
import { rowOf } from '../../../src/dialects';
import { claude } from '../../../src/dialects/claude';

const STRENGTH: readonly (Action | undefined)[] = [undefined, 'allow', 'ask', 'defer', 'deny', 'stop'];

/** Where an ask, a defer or a stop may become silence: the agent asks its user anyway, or ends anyway. */
const SILENCE: Readonly<Record<string, readonly Action[]>> = {
  PermissionRequest: ['ask', 'defer'],
  Stop: ['ask', 'defer'],
  SubagentStop: ['ask', 'defer'],
};
/** Events on which nothing can be decided: a hook's word is a warning there. */
const OBSERVED = claude.spec.rows.filter(({ can }) => can.deny === 'no').map(({ native }) => native);

const verdicts = fc.record(
  {
    action: fc.constantFrom<Action>('allow', 'deny', 'ask', 'defer', 'stop'),
    reason: fc.constant('R'),
    response: fc.constant('P'),
    context: fc.constant('C'),
    rewrite: fc.constantFrom<NonNullable<Verdict['rewrite']>>(
      { field: 'input', how: 'replace', value: { text: '{"new":1}' } },
      { field: 'prompt', how: 'replace', value: { text: '"new"' } },
    ),
  },
  { requiredKeys: [] },
);

/** How strict Claude Code reads an answer: its own words back to an action. */
function heard({ stdout, exit }: { stdout: string; exit: number }): { action: Action | undefined; rewritten: boolean } {
  if (exit === 2) return { action: 'deny', rewritten: false };
  const said = stdout === '' ? {} : JSON.parse(stdout);
  const hso = said.hookSpecificOutput ?? {};
  const action =
    said.continue === false
      ? 'stop'
      : (hso.permissionDecision ??
        hso.decision?.behavior ??
        (said.decision === 'block' || hso.action === 'decline' ? 'deny' : undefined));
  return { action, rewritten: hso.updatedInput !== undefined || hso.decision?.updatedInput !== undefined };
}

describe.each(claude.spec.rows)('$native ($canonical)', (row) => {
  const event: Event = { name: row.canonical, cwd: '/', rest: [], from: { room: 'claude', event: row.native } };

  it('hears what was decided, or something stricter', () => {
    fc.assert(
      fc.property(verdicts, (said) => {
        const verdict: Verdict = { ...said, source: { kind: 'decision' }, warnings: [], losses: [] };
        const fitted = fit(verdict, rowOf(claude, event));
        const told = heard(claude.writeReply(fitted, event));
        const { action } = said;
        const silent =
          action !== undefined &&
          (SILENCE[row.native]?.includes(action) || (OBSERVED.includes(row.native) && row.can[action] !== 'yes'));
        if (action !== 'allow' && !silent) {
          expect(STRENGTH.indexOf(told.action)).toBeGreaterThanOrEqual(
            Math.min(STRENGTH.indexOf(action), STRENGTH.indexOf('deny')),
          );
        }
        if (action !== 'allow') expect(told.action).not.toBe('allow');
        const blocked = told.action === 'deny' || told.action === 'stop';
        if (said.rewrite !== undefined && row.phase === 'before')
          expect(told.rewritten || blocked || row.synthetic === 'warning').toBe(true);
        if (silent) expect(fitted.warnings.length + fitted.losses.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('a defer', () => {
  const event: Event = { name: 'preToolCall', cwd: '/', rest: [], from: { room: 'claude', event: 'PreToolUse' } };
  it('is told as the ask that stands beside it', () => {
    const verdict: Verdict = { action: 'defer', reason: 'later', asked: 'sure?', warnings: [], losses: [] };
    expect(JSON.parse(claude.writeReply(verdict, event).stdout).hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: 'sure?',
    });
  });
});
