import { describe, expect, it } from 'vitest';
import { fit } from '../../../src/core/fit';
import { blocks } from '../../../src/core/fold';
import type { Action, Can, Carried, Row, Verdict } from '../../../src/core/model';
import { ROOMS } from '../../../src/dialects';
import { EVENT_NAMES, rowNamed } from '../dialects/sample';

const ACTIONS = ['allow', 'deny', 'ask', 'defer', 'stop'] as const satisfies readonly Action[];

/** What the agent may do after it: less with every step. */
const STRICTNESS = { allow: 0, none: 1, ask: 2, defer: 3, deny: 4, stop: 4 } as const satisfies Record<
  Action | 'none',
  number
>;

/** Every verdict that a fold can give: a block has no rewrite. */
const VERDICTS: readonly Verdict[] = [undefined, ...ACTIONS].flatMap((action) =>
  ([undefined, 'input', 'prompt'] as const).flatMap((field) =>
    [undefined, 'CONTEXT'].flatMap((context): Verdict[] => {
      if (field !== undefined && blocks(action)) return [];
      return [
        {
          ...(action === undefined ? {} : { action, reason: 'REASON', source: { hook: 'h', kind: 'decision' } }),
          ...(action === 'stop' ? { response: 'RESPONSE' } : {}),
          ...(field === undefined ? {} : rewriting(field)),
          ...(context === undefined ? {} : { context }),
          warnings: ['before'],
          losses: [],
        },
      ];
    }),
  ),
);

function rewriting(field: 'input' | 'prompt'): Pick<Verdict, 'rewrite' | 'rewriter'> {
  const value = { text: field === 'input' ? '{"a":1.10}' : '"NEW"' };
  return { rewrite: { field, how: 'replace', value }, rewriter: { hook: 'rewriter', at: 'agent.yaml:5' } };
}

const ROOM_ROWS: readonly (readonly [name: string, row: Row])[] = ROOMS.flatMap((room) =>
  room.spec.rows.map((row): [string, Row] => [`${room.spec.id} ${row.canonical}`, row]),
);

/** Rows that make sense: what is told instead of an action is a block that the row has. */
const MADE_ROWS: readonly (readonly [name: string, row: Row])[] = madeRows();

function madeRows(): [string, Row][] {
  const each = ['yes', 'no'] as const;
  return each.flatMap((deny) =>
    each.flatMap((stop) =>
      (['yes', 'nothing'] as const).flatMap((allow) => {
        const instead: Action[] = [
          ...(deny === 'yes' ? ['deny' as const] : []),
          ...(stop === 'yes' ? ['stop' as const] : []),
        ];
        const actions: Can[] = ['yes', 'no', 'nothing', ...instead];
        const carried: Can[] = ['yes', 'no', ...instead, ...(allow === 'yes' ? ['with allow' as const] : [])];
        const synthetics = (['deny', 'stop', 'warning'] as const).filter(
          (one) => one === 'warning' || instead.includes(one),
        );
        return synthetics.flatMap((synthetic) =>
          actions.flatMap((ask) =>
            carried.flatMap((input) =>
              carried.map((context): [string, Row] => {
                const can = { allow, deny, ask, defer: ask, stop, input, prompt: input, context };
                return [JSON.stringify({ ...can, synthetic }), { ...rowNamed('preToolCall'), can, synthetic }];
              }),
            ),
          ),
        );
      }),
    ),
  );
}

type Fitted = { readonly name: string; readonly before: Verdict; readonly row: Row; readonly after: Verdict };

const FITTED: readonly Fitted[] = [...ROOM_ROWS, ...MADE_ROWS].flatMap(([name, row]) =>
  VERDICTS.filter((before) => isFolded(before, row)).map((before) => ({ name, before, row, after: fit(before, row) })),
);

/** A block before the fact has no context any more. */
function isFolded({ action, context }: Verdict, row: Row): boolean {
  return row.phase === 'after' || !blocks(action) || context === undefined;
}

/** The cases for which the rule does not hold, readable, at most two. */
function breaking(rule: (one: Fitted) => boolean, of: readonly Fitted[] = FITTED): string[] {
  if (of.length === 0) throw new Error('a rule about nothing');
  return of
    .filter((one) => !rule(one))
    .slice(0, 2)
    .map(({ name, before, after }) => `${name}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`);
}

const strictness = ({ action }: Verdict) => STRICTNESS[action ?? 'none'];
const canBlock = ({ can, synthetic }: Row) => can.deny === 'yes' || can.stop === 'yes' || synthetic !== 'warning';
const canOf = (row: Row, what: Action | Carried) => row.can[what];
const told = (row: Row, what: Carried, action: Action | undefined) =>
  canOf(row, what) === 'yes' || (canOf(row, what) === 'with allow' && action === 'allow');

/** It is told, and the row says that the agent may not act on it. */
function doubted(row: Row, { action, context }: Verdict): boolean {
  const said = [...(action === undefined ? [] : [action]), ...(context === undefined ? [] : (['context'] as const))];
  return said.some((what) => row.unsure?.[what] !== undefined);
}

describe('fit', () => {
  it('never tells less than the verdict said, but silence where the row says that silence is right', () => {
    expect(
      breaking(({ before, row, after }) => {
        if (strictness(after) >= strictness(before)) return true;
        const silent = before.action !== undefined && canOf(row, before.action) === 'nothing';
        return silent || !canBlock(row);
      }),
    ).toEqual([]);
  });

  it("blocks as the event's own synthetic block does, where the row says nothing else", () => {
    const asked = FITTED.filter(({ before, row }) => before.action === 'ask' && canOf(row, 'ask') === 'no');
    const rows = asked.filter(({ before, row }) => before.rewrite === undefined && row.synthetic !== 'warning');
    expect(breaking(({ row, after }) => after.action === row.synthetic, rows)).toEqual([]);
  });

  it('warns where nothing of a block can be told', () => {
    expect(
      breaking(({ before, row, after }) => {
        const silent = before.action !== undefined && canOf(row, before.action) === 'nothing';
        return (
          silent || before.action === 'allow' || strictness(after) >= strictness(before) || after.warnings.length > 1
        );
      }),
    ).toEqual([]);
  });

  it('tells only what the row can express', () => {
    expect(
      breaking(({ row, after }) => {
        const { action, rewrite, context } = after;
        return (
          (action === undefined || canOf(row, action) === 'yes') &&
          (rewrite === undefined || told(row, rewrite.field, action)) &&
          (context === undefined || told(row, 'context', action))
        );
      }),
    ).toEqual([]);
  });

  it('tells a rewrite, or blocks, or warns: the old input never runs unseen', () => {
    expect(
      breaking(
        ({ before, row, after }) =>
          before.rewrite === undefined ||
          after.rewrite !== undefined ||
          blocks(after.action) ||
          (!canBlock(row) && after.warnings.length > 1),
      ),
    ).toEqual([]);
  });

  it('never allows the old input where a rewrite is lost', () => {
    expect(
      breaking(
        ({ before, after }) => before.rewrite === undefined || after.rewrite !== undefined || after.action !== 'allow',
      ),
    ).toEqual([]);
  });

  it('keeps a context that the row takes', () => {
    expect(
      breaking(
        ({ before, row, after }) =>
          before.context === undefined ||
          after.context !== undefined ||
          (row.phase === 'before' && blocks(after.action)) ||
          !told(row, 'context', after.action),
        FITTED.filter(({ before }) => before.rewrite === undefined),
      ),
    ).toEqual([]);
  });

  it('leaves a verdict that the row can express as it is', () => {
    expect(
      breaking(({ before, row, after }) => {
        const { action, rewrite, context } = before;
        const whole =
          (action === undefined || canOf(row, action) === 'yes') &&
          (rewrite === undefined || told(row, rewrite.field, action)) &&
          (context === undefined || canOf(row, 'context') === 'yes');
        return !whole || doubted(row, before) || after === before || JSON.stringify(after) === JSON.stringify(before);
      }),
    ).toEqual([]);
  });

  it('names every loss, but what a block that came of it drops anyway', () => {
    expect(
      breaking(({ before, row, after }) => {
        const losses = after.losses.join('\n');
        if (blocks(after.action) && !blocks(before.action)) return /→ (deny|stop)/.test(losses);
        const dropped = row.phase === 'before' && blocks(after.action);
        const withdrawn = before.action === 'allow' && /the rewritten/.test(losses);
        return (
          (before.action === after.action || withdrawn || losses.includes(before.action ?? '→')) &&
          (before.rewrite?.field === after.rewrite?.field || /the rewritten/.test(losses)) &&
          (before.context === after.context || dropped || losses.includes('context'))
        );
      }),
    ).toEqual([]);
  });

  it('a block before the fact carries no rewrite and no context', () => {
    expect(
      breaking(
        ({ row, after }) =>
          row.phase === 'after' ||
          !blocks(after.action) ||
          (after.rewrite === undefined && after.context === undefined),
      ),
    ).toEqual([]);
  });

  it('names no loss where nothing is lost', () => {
    expect(
      breaking(
        ({ before, row, after }) =>
          after.losses.length === 0 ||
          doubted(row, after) ||
          before.action !== after.action ||
          before.rewrite !== after.rewrite ||
          before.context !== after.context,
      ),
    ).toEqual([]);
  });

  it('loses no warning', () => {
    expect(breaking(({ after }) => after.warnings[0] === 'before')).toEqual([]);
  });

  it('gives every action a reason and a source, and none without an action', () => {
    expect(
      breaking(({ after }) => {
        const count = [after.action, after.reason, after.source].filter((one) => one !== undefined).length;
        return count === 0 || count === 3;
      }),
    ).toEqual([]);
  });

  it('is done after one time', () => {
    expect(breaking(({ row, after }) => JSON.stringify(fit(after, row)) === JSON.stringify(after))).toEqual([]);
  });
});

describe('fit for the caller "exit"', () => {
  const rowOfExit = (name: string): Row => {
    const found = ROOM_ROWS.find(([one]) => one === `exit ${name}`);
    if (found === undefined) throw new Error(name);
    return found[1];
  };
  const verdict = (more: Partial<Verdict>): Verdict => ({ warnings: [], losses: [], ...more });

  it.each<[event: string, Partial<Verdict>, Action | undefined, reason: string | undefined]>([
    ['preToolCall', { action: 'allow', reason: 'ok' }, undefined, undefined],
    ['preToolCall', { action: 'ask', reason: 'sure?' }, 'deny', 'sure?'],
    ['preToolCall', { action: 'defer', reason: 'later' }, 'deny', 'later'],
    ['preToolCall', { action: 'stop', reason: 'stop' }, 'stop', 'stop'],
    [
      'preToolCall',
      rewriting('input'),
      'deny',
      'rewriter rewrote the arguments of this call, which this caller cannot be told; use instead: {"a":1.10}',
    ],
    [
      'preToolCall',
      { ...rewriting('input'), action: 'allow', reason: 'ok' },
      'deny',
      'rewriter rewrote the arguments of this call, which this caller cannot be told; use instead: {"a":1.10}',
    ],
    [
      'preGeneration',
      rewriting('prompt'),
      'stop',
      'rewriter rewrote the prompt, which this caller cannot be told; use instead: NEW',
    ],
    ['permissionRequest', { action: 'allow', reason: 'ok' }, undefined, undefined],
    ['permissionRequest', { action: 'deny', reason: 'no' }, 'deny', 'no'],
    ['postToolCall', { action: 'deny', reason: 'feedback' }, 'deny', 'feedback'],
    ['postGeneration', { action: 'deny', reason: 'go on' }, 'deny', 'go on'],
  ])('%s: %j is told as %s', (name, before, action, reason) => {
    const after = fit(verdict(before), rowOfExit(name));
    expect({ action: after.action, reason: after.reason }).toEqual({ action, reason });
  });

  it('context is a warning', () => {
    expect(fit(verdict({ context: 'CONTEXT' }), rowOfExit('preToolCall'))).toEqual({
      warnings: ['the added context (7 chars) cannot be told on preToolCall'],
      losses: ['the added context (7 chars) cannot be told on preToolCall'],
    });
  });

  it('the text of a rewrite reaches a reason without control characters', () => {
    const value = { text: '{"a":"\u009b31m\u007f"}' };
    const before = verdict({ rewrite: { field: 'input', how: 'replace', value }, rewriter: { hook: 'h', at: 'a:1' } });
    expect(fit(before, rowOfExit('preToolCall')).reason).not.toMatch(/[\x7f-\x9f]/);
  });
});

describe('where a stop, an ask or a defer is silence', () => {
  it('is listed: nowhere else', () => {
    const silent = ROOM_ROWS.filter(([name]) => name.startsWith('mm ')).flatMap(([, row]) =>
      (['stop', 'ask', 'defer'] as const).flatMap((action) =>
        row.can[action] === 'nothing' ? [`${action} on ${row.canonical}`] : [],
      ),
    );
    expect(silent).toEqual(
      [
        'ask on permissionRequest',
        'defer on permissionRequest',
        'ask on postGeneration',
        'defer on postGeneration',
        'stop on postGeneration',
        'ask on subagentStop',
        'defer on subagentStop',
        'stop on subagentStop',
      ].toSorted((a, b) => silent.indexOf(a) - silent.indexOf(b)),
    );
  });

  it.each(EVENT_NAMES)('never a deny: %s', (name) => {
    expect(ROOM_ROWS.filter(([, row]) => row.canonical === name).map(([, row]) => row.can.deny)).not.toContain(
      'nothing',
    );
  });
});
