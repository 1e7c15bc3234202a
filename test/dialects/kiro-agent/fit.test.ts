/**
 * What a hook decides never gets weaker on the way to Kiro, in any of its formats; the exceptions are data.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fit } from '../../../src/core/fit';
import type { Action, Event, Reply, Verdict } from '../../../src/core/model';
import { roomOf, rowOf } from '../../../src/dialects';

const ROOMS = ['kiro-agent', 'kiro-hook', 'kiro-v1'].flatMap((id) => roomOf(id) ?? []);
const ROWS = ROOMS.flatMap((room) =>
  room.spec.rows.map((row) => [`${room.spec.id} ${row.native}`, room, row] as const),
);

/** The only word that becomes silence where a deny could be told: the turn ends anyway. */
const SILENT: Readonly<Record<string, readonly Action[]>> = { postGeneration: ['stop'] };

const verdicts = fc.record(
  {
    action: fc.constantFrom<Action>('allow', 'deny', 'ask', 'defer', 'stop'),
    reason: fc.constant('R'),
    response: fc.constant('P'),
    context: fc.constant('C'),
    rewrite: fc.constantFrom<NonNullable<Verdict['rewrite']>>(
      { field: 'input', how: 'replace', value: { text: '{ "new": 1 }' } },
      { field: 'prompt', how: 'replace', value: { text: '"new"' } },
    ),
  },
  { requiredKeys: [] },
);

function blocked({ stdout, exit }: Reply): boolean {
  return exit === 2 || stdout.startsWith('{"decision":"block"');
}

describe.each(ROWS)('%s', (_, room, row) => {
  const event: Event = { name: row.canonical, cwd: '/', rest: [], from: { room: room.spec.id, event: row.native } };
  const told = (said: Partial<Verdict>) => {
    const verdict = { ...said, warnings: ['W'], losses: [] } as Verdict;
    const fitted = fit(verdict, rowOf(room, event));
    return { fitted, reply: room.writeReply(fitted, event) };
  };

  it('blocks where a hook wanted anything but going on', () => {
    fc.assert(
      fc.property(verdicts, (said) => {
        const { fitted, reply } = told(said);
        const { action } = said;
        const mayBlock = row.can.deny !== 'no' || row.can.stop !== 'no';
        const isSilent = action !== undefined && SILENT[row.canonical]?.includes(action) === true;
        const wants = action !== undefined && action !== 'allow';
        if (wants && mayBlock && !isSilent) expect(blocked(reply)).toBe(true);
        if (wants && !blocked(reply)) expect(fitted.losses.length).toBeGreaterThan(0);
        const field = said.rewrite?.field;
        if (field !== undefined && row.can[field] !== 'no') expect(blocked(reply)).toBe(true);
        if (action === undefined && said.rewrite === undefined) expect(blocked(reply)).toBe(false);
      }),
    );
  });

  it('at exit 2 says the reason and nothing else; never 1', () => {
    fc.assert(
      fc.property(verdicts, (said) => {
        const { reply } = told(said);
        expect([0, 2]).toContain(reply.exit);
        if (reply.exit === 0) return;
        expect(reply.stdout).toBe('');
        expect(reply.stderr.trim()).not.toBe('');
        expect(reply.stderr).not.toContain('W');
      }),
    );
  });
});
