import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocks, fold, mergeGroup, type Said, settle } from '../../../src/core/fold';
import type { Action, Hook, OnFailure, Outcome, Result, Row, Verdict } from '../../../src/core/model';
import { mm } from '../../../src/dialects/mm';
import { runChain } from '../../../src/runner/chain';
import type { Exec, Ran } from '../../../src/runner/exec';
import { BEFORE, EVENT_NAMES, ended, eventNamed, hookNamed, rowNamed, WORLD } from '../dialects/sample';

const ACTIONS = ['allow', 'deny', 'ask', 'defer', 'stop'] as const satisfies readonly Action[];
const POLICIES = ['block', 'warn', 'ignore'] as const satisfies readonly OnFailure[];

/** Few words, so that they often meet. */
const word = fc.constantFrom('a', 'b', 'two\nlines');
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 2 });

type Written = {
  readonly action: Action | undefined;
  readonly reason: string;
  readonly response: string | undefined;
  readonly context: string | undefined;
  readonly value: string | undefined;
  readonly failed: OnFailure | undefined;
};

const written: fc.Arbitrary<Written> = fc.record({
  action: maybe(fc.constantFrom(...ACTIONS)),
  reason: word,
  response: maybe(word),
  context: maybe(word),
  value: maybe(fc.constantFrom('{"v":1}', '{"v":2}')),
  failed: fc.option(fc.constantFrom(...POLICIES), { nil: undefined, freq: 4 }),
});

const row = fc.constantFrom(...EVENT_NAMES).map(rowNamed);

/** A chain of up to six hooks, each settled. */
const chain = fc
  .tuple(row, fc.array(written, { maxLength: 6 }))
  .map(([at, all]): { row: Row; said: Said[] } => ({ row: at, said: all.map((one, index) => saidOf(one, index, at)) }));

function saidOf(one: Written, index: number, at: Row): Said {
  const label = `h${index}`;
  const hook = hookNamed(label, { onFailure: one.failed ?? 'warn' });
  return { hook: label, at: `agent.yaml:${index}`, outcome: settle(outcomeOf(one), hook, at) };
}

function outcomeOf({ action, reason, response, context, value, failed }: Written): Outcome {
  if (failed !== undefined) return { kind: 'failure', failure: `exit 1: ${reason}`, warnings: [] };
  return {
    kind: action === undefined ? 'none' : 'decision',
    ...(action === undefined ? {} : { action, reason }),
    ...(response === undefined || action !== 'stop' ? {} : { response }),
    ...(context === undefined ? {} : { context }),
    ...(value === undefined ? {} : { rewrite: { field: 'input', how: 'replace', value: { text: value } } }),
    warnings: [],
  };
}

function holds(rule: (verdict: Verdict, said: readonly Said[], row: Row) => void): void {
  fc.assert(
    fc.property(chain, ({ row: at, said }) => {
      rule(fold(said, at), said, at);
    }),
    { numRuns: 1_000 },
  );
}

const actionOf = (one: Said) => one.outcome.action;
const firstBlock = (said: readonly Said[]) => said.findIndex((one) => blocks(actionOf(one)));
const counted = (said: readonly Said[]) => (firstBlock(said) < 0 ? said : said.slice(0, firstBlock(said) + 1));
const has = (said: readonly Said[], action: Action) => said.some((one) => actionOf(one) === action);
const lastRewrite = (said: readonly Said[]) => said.findLastIndex((one) => one.outcome.rewrite !== undefined);

describe('fold: whatever the hooks say', () => {
  it('a deny or a stop is never lost', () => {
    holds((verdict, said) => {
      if (firstBlock(said) >= 0) expect(blocks(verdict.action)).toBe(true);
    });
  });

  it('the verdict of a block is that of the first one, its source included', () => {
    holds((verdict, said) => {
      const first = said[firstBlock(said)];
      if (first === undefined) return;
      const { action, reason, response, kind } = first.outcome;
      expect({ action: verdict.action, reason: verdict.reason, response: verdict.response }).toEqual({
        action,
        reason,
        response,
      });
      expect(verdict.source).toEqual({ hook: first.hook, at: first.at, kind });
    });
  });

  it('the first block ends the chain: what stands behind it changes nothing', () => {
    holds((verdict, said, at) => expect(fold(counted(said), at)).toEqual(verdict));
  });

  it('deny or stop > defer > ask > allow > none', () => {
    holds((verdict, said) => {
      if (firstBlock(said) >= 0) return;
      const strongest = (['defer', 'ask'] as const).find((action) => has(said, action));
      if (strongest !== undefined) expect(verdict.action).toBe(strongest);
      else expect([undefined, 'allow']).toContain(verdict.action);
    });
  });

  it('an allow never lifts an ask, a defer or a deny', () => {
    holds((verdict, said) => {
      if (verdict.action === 'allow') expect(said.map(actionOf)).toEqual(said.map((one) => actionOf(one) && 'allow'));
    });
  });

  it('a rewrite withdraws every earlier allow; an allow in the same or a later answer stands', () => {
    holds((verdict, said) => {
      if (said.some((one) => actionOf(one) !== undefined && actionOf(one) !== 'allow')) return;
      const standing = said.findIndex((one, index) => actionOf(one) === 'allow' && index >= lastRewrite(said));
      expect(verdict.action).toBe(standing < 0 ? undefined : 'allow');
    });
  });

  it('the reason of an allow is that of an allow that stands', () => {
    holds((verdict, said) => {
      if (verdict.action !== 'allow') return;
      const standing = said.filter((one, index) => actionOf(one) === 'allow' && index >= lastRewrite(said));
      expect(standing.map((one) => one.outcome.reason)).toContain(verdict.reason);
    });
  });

  it('no opinion is not allow: without an allow there is none', () => {
    holds((verdict, said) => {
      if (!has(said, 'allow')) expect(verdict.action).not.toBe('allow');
    });
  });

  it('the last rewrite stands, whatever empty answers follow; a block drops it', () => {
    holds((verdict, said) => {
      const last = said[lastRewrite(said)];
      if (firstBlock(said) >= 0) expect(verdict.rewrite).toBeUndefined();
      else expect(verdict.rewrite).toEqual(last?.outcome.rewrite);
    });
  });

  it('the rewriter is the hook that made the last rewrite', () => {
    holds((verdict, said) => {
      const last = said[lastRewrite(said)];
      if (verdict.rewrite !== undefined) expect(verdict.rewriter).toEqual({ hook: last?.hook, at: last?.at });
    });
  });

  it('an empty answer at the end changes nothing', () => {
    holds((verdict, said, at) => {
      const silent: Said = { hook: 'silent', at: 'agent.yaml:99', outcome: { kind: 'none', warnings: [] } };
      expect(fold([...said, silent], at)).toEqual(verdict);
    });
  });

  it('contexts keep their order, a blank line between; a block before the fact drops them, after the fact they stay', () => {
    holds((verdict, said, at) => {
      const texts = counted(said).flatMap((one) => one.outcome.context ?? []);
      const dropped = at.phase === 'before' && firstBlock(said) >= 0;
      expect(verdict.context).toBe(dropped || texts.length === 0 ? undefined : texts.join('\n\n'));
    });
  });

  it('several asks join their distinct reasons, one a line', () => {
    holds((verdict, said) => {
      if (verdict.action !== 'ask') return;
      const reasons = said.flatMap((one) => (actionOf(one) === 'ask' ? (one.outcome.reason ?? []) : []));
      expect(verdict.reason).toBe(reasons.filter((text, index) => reasons.indexOf(text) === index).join('\n'));
    });
  });

  it('the reason of a defer is made of the reasons of defers alone', () => {
    holds((verdict, said) => {
      if (verdict.action !== 'defer') return;
      const reasons = said.flatMap((one) => (actionOf(one) === 'defer' ? (one.outcome.reason ?? []) : []));
      expect([reasons[0], [...new Set(reasons)].join('\n')]).toContain(verdict.reason);
    });
  });

  it('without an action there is no reason, no response and no source', () => {
    holds((verdict) => {
      const said = [verdict.reason, verdict.response, verdict.source];
      if (verdict.action === undefined) expect(said).toEqual([undefined, undefined, undefined]);
      else expect(verdict.source).toBeDefined();
    });
  });

  it('every warning of a hook that ran stands in the verdict, in order', () => {
    holds((verdict, said) => {
      const warnings = counted(said).flatMap((one) => one.outcome.warnings);
      expect(verdict.warnings).toEqual([...new Set(warnings)]);
    });
  });
});

describe('settle: a failure', () => {
  const failure: Outcome = { kind: 'failure', failure: 'exit 1: boom', warnings: [] };
  const label = 'audit failed: exit 1: boom';
  const settled = (policy: OnFailure, name: string) =>
    settle(failure, hookNamed('audit', { onFailure: policy }), rowNamed(name));

  it.each(BEFORE.map((name) => [name, name === 'preGeneration' ? 'stop' : 'deny'] as const))(
    'under "fail" on %s is a %s',
    (name, action) => expect(settled('block', name)).toEqual({ ...failure, action, reason: label }),
  );

  it.each(EVENT_NAMES.filter((name) => !BEFORE.some((before) => before === name)))(
    'under "fail" on %s is a warning',
    (name) => expect(settled('block', name)).toEqual({ ...failure, warnings: [label] }),
  );

  it.each(EVENT_NAMES)('under "warn" on %s is a warning', (name) =>
    expect(settled('warn', name)).toEqual({ ...failure, warnings: [label] }),
  );

  it.each(EVENT_NAMES)('under "ignore" on %s is told by the trace alone', (name) =>
    expect(settled('ignore', name)).toEqual(failure),
  );

  it.each([
    ['block', ['w']],
    ['warn', [label, 'w']],
    ['ignore', ['w']],
  ] as const)('under "%s" keeps the warnings that were there: %j', (policy, warnings) => {
    const hook = hookNamed('audit', { onFailure: policy });
    expect(settle({ ...failure, warnings: ['w'] }, hook, rowNamed('preToolCall')).warnings).toEqual(warnings);
  });

  it.each(POLICIES)('only: every other outcome is left as it is under "%s"', (policy) => {
    const allow: Outcome = { kind: 'decision', action: 'allow', reason: 'R', warnings: ['w'] };
    expect(settle(allow, hookNamed('audit', { onFailure: policy }), rowNamed('preToolCall'))).toEqual(allow);
  });
});

describe('a group that starts together', () => {
  const TOGETHER = { start: 'together', sees: 'original', afterBlock: 'go on', decides: true } as const;
  const ENDINGS: readonly Result[] = [
    ended(0),
    ended(1, '', 'boom'),
    ended(2, '', 'no'),
    ended(0, 'garbage'),
    ended(0, '{"action":"allow"}'),
    ended(0, '{"action":"allow","input":{"v":1}}'),
    ended(0, '{"input":{"v":2},"context":"rewritten"}'),
    ended(0, '{"action":"ask","reason":"sure?"}'),
    ended(0, '{"action":"defer","reason":"later"}'),
    ended(0, '{"action":"deny","reason":"never"}'),
    ended(0, '{"action":"stop","reason":"stop","response":"bye"}'),
    ended(0, '{"context":"more"}'),
  ];
  const hooksAndEndings = fc
    .array(fc.tuple(fc.constantFrom(...ENDINGS), fc.constantFrom(...POLICIES)), { minLength: 1, maxLength: 6 })
    .map((all) =>
      all.map(([result, onFailure], index) => ({
        result,
        hook: hookNamed(`h${index}`, { order: TOGETHER, group: 'claude', onFailure }),
      })),
    );
  const event = eventNamed('preToolCall');
  const at = rowNamed('preToolCall');
  const world = WORLD;

  /** The hook is known by its command, which is its label. */
  function execOf(all: readonly { hook: Hook; result: Result }[], later: (ran: Promise<Ran>) => Promise<Ran>): Exec {
    return {
      run: (job) => {
        const result = all.find((one) => one.hook.label === job.argv[0]?.at(-1))?.result ?? ended(1);
        return later(Promise.resolve({ result, ms: 0, stdin: 0, warnings: [] }));
      },
      hurry: () => {},
      start: async () => ({ result: { kind: 'started' }, ms: 0, stdin: 0, warnings: [] }),
      endAll: async () => {},
    };
  }

  const planOf = (hooks: readonly Hook[]) => ({
    groups: [{ id: 'claude', order: TOGETHER, steps: hooks.map((hook) => ({ hook, matched: true })) }],
  });

  it('has one verdict and one trace, whoever finishes first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), hooksAndEndings, async (scheduler, all) => {
        const plan = planOf(all.map((one) => one.hook));
        const inOrder = await runChain(plan, event, at, {
          exec: execOf(all, (ran) => ran),
          world,
          deadline: undefined,
        });
        const exec = execOf(all, (ran) => scheduler.schedule(ran));
        const shuffled = await scheduler.waitFor(runChain(plan, event, at, { exec, world, deadline: undefined }));
        expect(shuffled).toEqual(inOrder);
      }),
      { numRuns: 200 },
    );
  });

  it('says what its merged answers say', async () => {
    await fc.assert(
      fc.asyncProperty(hooksAndEndings, async (all) => {
        const said = all.map(({ hook, result }) => ({
          hook: hook.label,
          at: 'agent.yaml:3',
          outcome: settle(mm.author.readOutcome(result, hook, event, at), hook, at),
        }));
        const exec = execOf(all, (ran) => ran);
        const { verdict } = await runChain(planOf(all.map((one) => one.hook)), event, at, {
          exec,
          world,
          deadline: undefined,
        });
        expect(verdict).toEqual(fold([mergeGroup(said)], at));
      }),
      { numRuns: 200 },
    );
  });

  const merged = (rule: (one: Said, said: readonly Said[]) => void) =>
    fc.assert(
      fc.property(chain, ({ said }) => {
        if (said.length > 0) rule(mergeGroup(said), said);
      }),
      { numRuns: 1_000 },
    );

  it('stop > deny > defer > ask > allow > none', () => {
    merged(({ outcome }, said) => {
      const strongest = (['stop', 'deny', 'defer', 'ask'] as const).find((action) => has(said, action));
      if (strongest === undefined) expect([undefined, 'allow']).toContain(outcome.action);
      else expect(outcome.action).toBe(strongest);
    });
  });

  it('withdraws an allow where another hook rewrote the input that it saw', () => {
    merged(({ outcome }, said) => {
      if (said.some((one) => actionOf(one) !== undefined && actionOf(one) !== 'allow')) return;
      const last = lastRewrite(said);
      const stands = said.some((one, index) => actionOf(one) === 'allow' && (last < 0 || index === last));
      expect(outcome.action).toBe(stands ? 'allow' : undefined);
    });
  });

  it('joins the distinct reasons of the winning kind in config order, one a line', () => {
    merged(({ outcome }, said) => {
      if (outcome.action === undefined || outcome.action === 'allow') return;
      const reasons = said.flatMap((one) => (actionOf(one) === outcome.action ? (one.outcome.reason ?? []) : []));
      expect(outcome.reason).toBe([...new Set(reasons)].join('\n'));
    });
  });

  it('keeps the last rewrite in config order and warns where two differ', () => {
    merged(({ outcome }, said) => {
      const values = said.flatMap((one) => one.outcome.rewrite?.value.text ?? []);
      expect(outcome.rewrite?.value.text).toBe(values.at(-1));
      const own = said.reduce((count, one) => count + one.outcome.warnings.length, 0);
      expect(outcome.warnings).toHaveLength(own + (new Set(values).size > 1 ? 1 : 0));
    });
  });

  it('keeps all contexts in config order', () => {
    merged(({ outcome }, said) => {
      const texts = said.flatMap((one) => one.outcome.context ?? []);
      expect(outcome.context).toBe(texts.length === 0 ? undefined : texts.join('\n\n'));
    });
  });
});
