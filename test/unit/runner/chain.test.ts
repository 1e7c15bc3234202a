import { describe, expect, it } from 'vitest';
import type { Event, Hook, Order, Plan, Result, Step, TraceEntry, Verdict } from '../../../src/core/model';
import { displayOf, traceOf } from '../../../src/render/trace';
import { type ChainDoors, type Chained, runChain } from '../../../src/runner/chain';
import { encode, ended, eventNamed, hookNamed, rowNamed, WORLD } from '../dialects/sample';
import { type FakeExec, fakeExec } from './fake-exec';

const IN_TURN = { start: 'in turn', sees: 'rewritten', afterBlock: 'end', decides: true } as const satisfies Order;
const TOGETHER = { start: 'together', sees: 'original', afterBlock: 'go on', decides: true } as const satisfies Order;
const KIRO = { start: 'in turn', sees: 'original', afterBlock: 'go on', decides: true } as const satisfies Order;
const OBSERVING = {
  start: 'together',
  sees: 'rewritten',
  afterBlock: 'go on',
  decides: false,
} as const satisfies Order;

const bash = eventNamed('preToolCall');

type Written = { readonly id: string; readonly order: Order; readonly hooks: readonly (Hook | Step)[] };

function planOf(...groups: readonly Written[]): Plan {
  return {
    groups: groups.map(({ id, order, hooks }) => ({
      id,
      order,
      steps: hooks.map((one) => ('hook' in one ? one : { hook: { ...one, group: id, order }, matched: true })),
    })),
  };
}

const native = (...hooks: readonly (Hook | Step)[]): Written => ({ id: 'mm', order: IN_TURN, hooks });
const named = (...labels: readonly string[]) => labels.map((label) => hookNamed(label));

type Run = Chained & {
  readonly exec: FakeExec;
  readonly trace: readonly TraceEntry[];
  readonly display: readonly string[];
};

async function run(
  plan: Plan,
  endings: Readonly<Record<string, Result | string>>,
  event: Event = bash,
  doors: Partial<ChainDoors> = {},
): Promise<Run> {
  const exec = fakeExec(endings);
  const all = { exec, world: WORLD, deadline: undefined, ...doors };
  const chained = await runChain(plan, event, rowNamed(event.name), all);
  const { visits } = chained;
  return { ...chained, exec, trace: traceOf(visits), display: displayOf(visits, event) };
}

const commands = ({ exec }: Run) => exec.started.map((one) => one.command).join(' ');
const inputs = ({ exec }: Run) => exec.started.map((one) => JSON.parse(one.stdin).tool.input);
const skipped = ({ trace }: Run) => trace.map((one) => one.skipped ?? 'run');

function told({ verdict }: Run): Partial<Verdict> {
  const { action, reason, context } = verdict;
  return {
    ...(action === undefined ? {} : { action }),
    ...(reason === undefined ? {} : { reason }),
    ...(context === undefined ? {} : { context }),
  };
}

const DENY = '{"action":"deny","reason":"no"}';
const rewriting = (value: number) => `{"input":{"v":${value}}}`;

describe('hooks in turn', () => {
  it('run one after another, each reading the event as rewritten so far', async () => {
    const ran = await run(planOf(native(...named('a', 'b', 'c'))), { a: rewriting(1), b: rewriting(2), c: '' });
    expect(inputs(ran)).toEqual([{ command: 'ls' }, { v: 1 }, { v: 2 }]);
  });

  it('keep a rewrite through an empty answer and a failure', async () => {
    const ran = await run(planOf(native(...named('a', 'b', 'c'))), { a: rewriting(1), b: ended(1), c: '' });
    expect(inputs(ran).at(-1)).toEqual({ v: 1 });
  });

  it('read the rewritten prompt', async () => {
    const hooks = ['a', 'b'].map((label) => hookNamed(label, { event: 'preGeneration' }));
    const ran = await run(planOf(native(...hooks)), { a: '{"prompt":""}', b: '' }, eventNamed('preGeneration'));
    expect(JSON.parse(ran.exec.started[1]?.stdin ?? '').prompt).toBe('');
  });

  it('end with the first block: what stands behind it is not started, and the trace says so', async () => {
    const ran = await run(planOf(native(...named('a', 'b', 'c'))), { a: '', b: DENY });
    expect([commands(ran), skipped(ran)]).toEqual(['a b', ['run', 'run', 'an earlier hook blocked']]);
  });

  it.each([
    ['an ask', '{"action":"ask","reason":"sure?"}'],
    ['a defer', '{"action":"defer","reason":"later"}'],
    ['an allow', '{"action":"allow"}'],
    ['a failure', ended(1)],
  ])('go on after %s', async (_, ending) => {
    expect(commands(await run(planOf(native(...named('a', 'b'))), { a: ending, b: '' }))).toBe('a b');
  });

  it('end with a failure under "fail" before the fact', async () => {
    const hooks = [hookNamed('a', { onFailure: 'block' }), hookNamed('b')];
    expect(commands(await run(planOf(native(...hooks)), { a: ended(1) }))).toBe('a');
  });

  it('go on after a failure under "fail" after the fact', async () => {
    const hooks = ['a', 'b'].map((label) => hookNamed(label, { event: 'postToolCall', onFailure: 'block' }));
    const ran = await run(planOf(native(...hooks)), { a: ended(1), b: '' }, eventNamed('postToolCall'));
    expect(commands(ran)).toBe('a b');
  });

  it('that are skipped are not started, and the trace says why', async () => {
    const hooks = [
      { hook: hookNamed('a'), matched: false, skipped: 'disabled' },
      { hook: hookNamed('b'), matched: true },
    ];
    const ran = await run(planOf(native(...hooks)), { b: '' });
    expect(ran.trace.map(({ hook, matched, skipped: why }) => [hook, matched, why])).toEqual([
      ['a', false, 'disabled'],
      ['b', true, undefined],
    ]);
  });

  it('that are skipped anyway keep their own reason behind a block', async () => {
    const hooks = [...named('a'), { hook: hookNamed('b'), matched: false, skipped: 'disabled' }];
    expect(skipped(await run(planOf(native(...hooks)), { a: DENY }))).toEqual(['run', 'disabled']);
  });
});

describe('a group that starts together', () => {
  const claude = (...labels: readonly string[]): Written => ({
    id: 'claude',
    order: TOGETHER,
    hooks: named(...labels),
  });

  it("reads the event as it was when its turn came, none another's rewrite", async () => {
    const plan = planOf(native(...named('a')), claude('b', 'c'), native(...named('d')));
    const ran = await run(plan, { a: rewriting(1), b: rewriting(2), c: rewriting(3), d: '' });
    expect(inputs(ran)).toEqual([{ command: 'ls' }, { v: 1 }, { v: 1 }, { v: 3 }]);
  });

  it('runs on after a block of one, and ends the chain as a whole', async () => {
    const ran = await run(planOf(claude('a', 'b'), native(...named('c'))), { a: DENY, b: '{"action":"allow"}' });
    expect([commands(ran), skipped(ran), told(ran)]).toEqual([
      'a b',
      ['run', 'run', 'an earlier hook blocked'],
      { action: 'deny', reason: 'no' },
    ]);
  });

  it('is not started behind a block', async () => {
    expect(commands(await run(planOf(native(...named('a')), claude('b', 'c')), { a: DENY }))).toBe('a');
  });

  it('is all started before one has ended', async () => {
    const exec = fakeExec({});
    void runChain(planOf(claude('a', 'b', 'c')), bash, rowNamed('preToolCall'), {
      exec,
      world: WORLD,
      deadline: undefined,
    });
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(exec.started.map((one) => one.command)).toEqual(['a', 'b', 'c']);
  });

  it('counts as one outcome: its allow does not lift an ask before it', async () => {
    const plan = planOf(native(...named('a')), claude('b'));
    expect(told(await run(plan, { a: '{"action":"ask","reason":"sure?"}', b: '{"action":"allow"}' })).action).toBe(
      'ask',
    );
  });

  it('withdraws an earlier allow by its rewrite', async () => {
    const plan = planOf(native(...named('a')), claude('b'));
    expect(told(await run(plan, { a: '{"action":"allow"}', b: rewriting(1) }))).toEqual({});
  });
});

describe('a group in turn that goes on after a block', () => {
  const kiro = (...labels: readonly string[]): Written => ({ id: 'kiro', order: KIRO, hooks: named(...labels) });

  it('runs all, each reading the original', async () => {
    const ran = await run(planOf(kiro('a', 'b', 'c')), { a: rewriting(1), b: DENY, c: '' });
    expect([commands(ran), inputs(ran).at(-1)]).toEqual(['a b c', { command: 'ls' }]);
  });

  it('blocks the chain when it is done', async () => {
    const ran = await run(planOf(kiro('a', 'b'), native(...named('c'))), { a: DENY, b: '' });
    expect([commands(ran), told(ran).action]).toEqual(['a b', 'deny']);
  });

  it('joins the reasons of its blocks', async () => {
    const ran = await run(planOf(kiro('a', 'b')), { a: DENY, b: '{"action":"deny","reason":"never"}' });
    expect(told(ran).reason).toBe('no\nnever');
  });

  it('starts each only when the one before it has ended', async () => {
    const exec = fakeExec({ a: '' });
    void runChain(planOf(kiro('a', 'b', 'c')), bash, rowNamed('preToolCall'), {
      exec,
      world: WORLD,
      deadline: undefined,
    });
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(exec.started.map((one) => one.command)).toEqual(['a', 'b']);
  });
});

describe('a group in turn that reads the original and ends with a block', () => {
  const order = { start: 'in turn', sees: 'original', afterBlock: 'end', decides: true } as const satisfies Order;

  it('starts nothing behind its block, and reads no rewrite', async () => {
    const plan = planOf({ id: 'made', order, hooks: named('a', 'b', 'c') });
    const ran = await run(plan, { a: rewriting(1), b: DENY, c: '' });
    expect([commands(ran), inputs(ran).at(-1), skipped(ran)]).toEqual([
      'a b',
      { command: 'ls' },
      ['run', 'run', 'an earlier hook blocked'],
    ]);
  });
});

describe('a group that observes', () => {
  const prx = (...labels: readonly string[]): Written => ({ id: 'prx', order: OBSERVING, hooks: named(...labels) });

  it.each<[string, Result | string]>([
    ['exit 2', ended(2, '', 'no')],
    ['a deny', DENY],
    ['a rewrite', rewriting(1)],
    ['context', '{"context":"C"}'],
    ['an allow', '{"action":"allow"}'],
    ['a failure', ended(1)],
  ])('changes nothing by %s', async (_, ending) => {
    const ran = await run(planOf(prx('a'), native(...named('b'))), { a: ending, b: '' });
    expect([ran.verdict, inputs(ran).at(-1)]).toEqual([{ warnings: [], losses: [] }, { command: 'ls' }]);
  });

  it('sees what is rewritten before it', async () => {
    const ran = await run(planOf(native(...named('a')), prx('b')), { a: rewriting(1), b: '' });
    expect(inputs(ran).at(-1)).toEqual({ v: 1 });
  });

  it('is not started behind a block', async () => {
    expect(commands(await run(planOf(native(...named('a')), prx('b')), { a: DENY }))).toBe('a');
  });

  it('stands in the trace', async () => {
    const ran = await run(planOf(prx('a')), { a: ended(2, '', 'no') });
    expect(ran.trace.map(({ hook, exit }) => `${hook} ${exit}`)).toEqual(['a 2']);
  });
});

describe('a deadline', () => {
  const passed = Promise.resolve('the deadline of 1s passed');
  const later = () => new Promise<string>((resolve) => setTimeout(() => resolve('the deadline of 1s passed'), 5));

  it('makes the hook that has not finished, and those not started, failures', async () => {
    const ran = await run(planOf(native(...named('a', 'b', 'c'))), { a: '' }, bash, { deadline: later() });
    expect([commands(ran), ran.verdict.warnings]).toEqual([
      'a b',
      ['b failed: the deadline of 1s passed', 'c failed: the deadline of 1s passed'],
    ]);
  });

  it('blocks by a hook under "fail" that had no time', async () => {
    const hooks = [hookNamed('a'), hookNamed('b', { onFailure: 'block' })];
    const ran = await run(planOf(native(...hooks)), {}, bash, { deadline: later() });
    expect(told(ran)).toEqual({ action: 'deny', reason: 'b failed: the deadline of 1s passed' });
  });

  it('keeps what was decided before', async () => {
    const ran = await run(planOf(native(...named('a', 'b'))), { a: '{"action":"ask","reason":"sure?"}' }, bash, {
      deadline: later(),
    });
    expect(told(ran)).toEqual({ action: 'ask', reason: 'sure?' });
  });

  it('in a group that started together fails those that have not finished', async () => {
    const plan = planOf({ id: 'claude', order: TOGETHER, hooks: named('a', 'b') });
    const ran = await run(plan, { a: '{"context":"C"}' }, bash, { deadline: later() });
    expect([told(ran), ran.verdict.warnings]).toEqual([{ context: 'C' }, ['b failed: the deadline of 1s passed']]);
  });

  it('that has passed before the start starts nothing more than it must', async () => {
    const ran = await run(planOf(native(...named('a', 'b'))), {}, bash, { deadline: passed });
    expect(ran.verdict.warnings).toEqual([
      'a failed: the deadline of 1s passed',
      'b failed: the deadline of 1s passed',
    ]);
  });
});

describe('the trace of a hook', () => {
  const traced = async (ending: Result | string) => (await run(planOf(native(...named('a'))), { a: ending })).trace[0];

  it.each<[string, Result | string, string, string | undefined]>([
    ['no opinion', '', 'no opinion', undefined],
    ['an action and its reason', DENY, 'deny', 'no'],
    ['context with its size', '{"context":"12345"}', 'context (5 chars)', undefined],
    [
      'all that was said',
      '{"action":"allow","reason":"ok","input":{},"context":"C"}',
      'allow, input rewritten, context (1 chars)',
      'ok',
    ],
    ['a failure', ended(1, '', 'boom'), 'failed', 'exit 1: boom'],
    ['a warning', '{"note":1}', 'no opinion', 'a: unknown field "note"'],
  ])('tells %s', async (_, ending, outcome, why) => {
    const entry = await traced(ending);
    expect([entry?.outcome, entry?.why]).toEqual([outcome, why]);
  });

  it('has sizes in bytes, and texts without terminal sequences', async () => {
    const result: Result = { kind: 'ended', exit: 1, out: encode('\x1b[31mé'), err: encode('boom\n') };
    expect(await traced(result)).toEqual({
      hook: 'a',
      at: 'agent.yaml:3',
      matched: true,
      outcome: 'failed',
      why: 'exit 1: boom',
      exit: 1,
      ms: 7,
      stdin: 85,
      stdout: { bytes: 7, text: 'é' },
      stderr: { bytes: 5, text: 'boom\n' },
    });
  });

  it('names the signal', async () => {
    const result: Result = {
      kind: 'killed',
      why: 'killed by SIGKILL',
      signal: 'SIGKILL',
      out: encode(''),
      err: encode(''),
    };
    const entry = await traced(result);
    expect([entry?.signal, entry?.exit]).toEqual(['SIGKILL', undefined]);
  });

  it('is cut', async () => {
    expect((await traced(ended(0, 'x'.repeat(5_000))))?.stdout).toEqual({
      bytes: 5_000,
      text: `${'x'.repeat(1_999)}…`,
    });
  });

  it('tells under "ignore" what nothing else tells', async () => {
    const ran = await run(planOf(native(hookNamed('a', { onFailure: 'ignore' }))), { a: ended(1) });
    expect([ran.verdict, ran.trace[0]?.why]).toEqual([{ warnings: [], losses: [] }, 'exit 1']);
  });
});

describe('what is displayed of a hook', () => {
  const display = async (ending: Result | string, hook = hookNamed('a')) =>
    (await run(planOf(native(hook)), { [hook.label]: ending })).display;

  it.each<[string, Result | string, string]>([
    ['what it decided', DENY, '🪝 preToolCall: a: deny (7 ms)'],
    ['context', `{"context":"${'x'.repeat(178)}"}`, '🪝 preToolCall: a: context (178 chars) (7 ms)'],
    ['a failure', ended(1), '🪝 preToolCall: a: failed: exit 1 (7 ms)'],
    [
      'its stderr, without terminal sequences',
      ended(0, '', '\x1b[31mone\ntwo\n'),
      '🪝 preToolCall: a: no opinion (7 ms)\n    one\n    two',
    ],
  ])('%s', async (_, ending, line) => {
    expect(await display(ending)).toEqual([line]);
  });
});

describe('warnings of the start', () => {
  const warned = async (warning: string) => {
    const exec = fakeExec({ a: '' }, { warnings: [warning] });
    const doors = { exec, world: WORLD, deadline: undefined };
    return (await runChain(planOf(native(...named('a'))), bash, rowNamed('preToolCall'), doors)).verdict.warnings;
  };

  it('stand in the verdict', async () => {
    expect(await warned('the folder /gone is gone; hooks run in /conf')).toEqual([
      'the folder /gone is gone; hooks run in /conf',
    ]);
  });

  it('steer no terminal', async () => {
    expect(await warned('the folder /a\x1b[31m is gone')).toEqual(['the folder /a is gone']);
  });
});
