/**
 * The interface of a room, held against the hard cases of rooms that do not exist yet: typed values and what the core makes
 * of them. Nothing here is code of a room; where a type cannot carry a case without a cast, the interface is wrong.
 */
import { describe, expect, it } from 'vitest';
import { fit } from '../../../src/core/fit';
import { fold, mergeGroup, type Said, settle } from '../../../src/core/fold';
import type {
  Event,
  Hook,
  HttpJob,
  Job,
  Order,
  Outcome,
  ProcessJob,
  Reply,
  Result,
  Row,
  SayJob,
  Verdict,
} from '../../../src/core/model';
import { plan, type Selection } from '../../../src/core/plan';
import { subjects } from '../../../src/dialects';
import type { Author, Caller, Spec } from '../../../src/dialects/dialect';
import { traceOf } from '../../../src/render/trace';
import { runChain } from '../../../src/runner/chain';
import { fakeExec } from '../runner/fake-exec';
import { encode, ended, eventNamed, hookNamed, rowNamed, WORLD } from './sample';

const CLAUDE = { start: 'together', sees: 'original', afterBlock: 'go on', decides: true } as const satisfies Order;
const KIRO = { start: 'in turn', sees: 'original', afterBlock: 'go on', decides: true } as const satisfies Order;
const PRX = { start: 'together', sees: 'rewritten', afterBlock: 'go on', decides: false } as const satisfies Order;

const bash = eventNamed('preToolCall');
const bashRow = rowNamed('preToolCall');

const everything: Selection = { search: () => true, subjects, rule: () => true };

/** Plans and runs hooks whose answers are given beforehand; a hook is known by its command, which is its label. */
async function verdictOf(hooks: readonly Hook[], answers: Readonly<Record<string, Result | string>>): Promise<Verdict> {
  const doors = { exec: fakeExec(answers), world: WORLD, deadline: undefined };
  return (await runChain(plan(hooks, bash, everything), bash, bashRow, doors)).verdict;
}

/** What an author makes of a hook whose job ended so. */
function saidBy(author: Author, hook: Hook, event: Event, row: Row, result: (job: Job) => Result): Said {
  const read = author.readOutcome(result(author.job(hook, event, WORLD)), hook, event, row);
  return { hook: hook.label, at: `${hook.at.file}:${hook.at.line}`, outcome: settle(read, hook, row) };
}

/** A prompt is said without being run. */
function saying(job: Job): Result {
  if (job.kind !== 'say') throw new Error('not a prompt');
  return { kind: 'said', context: job.context };
}

const NO_CONFIG = { hooks: [], written: [], more: [], switches: {}, findings: [] };

describe("Claude Code's group of three that start together", () => {
  const claude = (label: string) => hookNamed(label, { group: 'claude', order: CLAUDE });
  const ALLOWS = '{"action":"allow","reason":"fine","input":{"command":"git push"}}';

  it('denies where one denies, whatever the others say', async () => {
    const said = { deny: '{"action":"deny","reason":"no"}', allow: ALLOWS, context: '{"context":"C"}' };
    expect(await verdictOf(['context', 'allow', 'deny'].map(claude), said)).toEqual({
      action: 'deny',
      reason: 'no',
      source: { hook: 'deny', at: 'agent.yaml:3', kind: 'decision' },
      warnings: [],
      losses: [],
    });
  });

  it('merges an allow with its rewrite and the context of another', async () => {
    const said = { silent: '', allow: ALLOWS, context: '{"context":"C"}' };
    expect(await verdictOf(['context', 'allow', 'silent'].map(claude), said)).toEqual({
      action: 'allow',
      reason: 'fine',
      context: 'C',
      rewrite: { field: 'input', how: 'replace', value: { text: '{"command":"git push"}' } },
      rewriter: { hook: 'allow', at: 'agent.yaml:3' },
      source: { hook: 'allow', at: 'agent.yaml:3', kind: 'decision' },
      warnings: [],
      losses: [],
    });
  });

  it('is a group of its own on either side of a native file', async () => {
    const hooks = [claude('a'), hookNamed('native'), claude('b')];
    expect(plan(hooks, bash, everything).groups.map((group) => group.id)).toEqual(['claude', 'mm', 'claude']);
  });

  it('has a result of its own room where the room says how to merge', () => {
    const merge = ((said) => ({ ...mergeGroup(said), hook: `${said.length} handlers` })) satisfies NonNullable<
      Author['merge']
    >;
    const silent: Said = { hook: 'a', at: 'a:1', outcome: { kind: 'none', warnings: [] } };
    expect(merge([silent, silent]).hook).toBe('2 handlers');
  });
});

describe('a row of Claude Code', () => {
  const permission = {
    ...rowNamed('permissionRequest'),
    native: 'PermissionRequest',
    can: {
      allow: 'yes',
      deny: 'yes',
      ask: 'nothing',
      defer: 'nothing',
      stop: 'deny',
      input: 'with allow',
      prompt: 'no',
      context: 'no',
    },
    exit2: 'failure',
  } as const satisfies Row;
  const rewrite = { field: 'input', how: 'replace', value: { text: '{"command":"ls"}' } } as const;
  const verdict = (more: Partial<Verdict>): Verdict => ({ warnings: [], losses: [], ...more });

  it.each<[string, Partial<Verdict>, Verdict['action'], boolean]>([
    ['a rewrite with an allow is told', { action: 'allow', reason: 'R', rewrite }, 'allow', true],
    ['a rewrite without one is a deny', { rewrite }, 'deny', false],
    ['an ask is silence: the dialog opens anyway', { action: 'ask', reason: 'R' }, undefined, false],
    ['a stop is a deny', { action: 'stop', reason: 'R' }, 'deny', false],
  ])('where a rewrite needs an allow: %s', (_, said, action, rewritten) => {
    const told = fit(verdict(said), permission);
    expect([told.action, told.rewrite !== undefined]).toEqual([action, rewritten]);
  });

  const failed = {
    native: 'PostToolUseFailure',
    canonical: 'postToolCall',
    phase: 'after',
    matches: 'tool',
    can: { ...rowNamed('postToolCall').can, stop: 'yes' },
    exit2: 'deny',
    synthetic: 'warning',
  } as const satisfies Row;

  it('that stands for half of a canonical event tells a stop after the fact, its context kept', () => {
    const outcome: Outcome = { kind: 'decision', action: 'stop', reason: 'R', context: 'C', warnings: [] };
    expect(fit(fold([{ hook: 'h', at: 'a:1', outcome }], failed), failed)).toMatchObject({
      action: 'stop',
      context: 'C',
    });
  });

  const answering = {
    ...rowNamed('postGeneration'),
    can: { ...rowNamed('postGeneration').can, context: 'deny' },
  } as const satisfies Row;

  it('that has context only as a deny tells it as one', () => {
    const { action, reason } = fit(verdict({ context: 'C' }), answering);
    expect({ action, reason }).toEqual({ action: 'deny', reason: 'C' });
  });
});

describe("Kiro's prompt for the agent", () => {
  const asking = {
    readConfig: () => NO_CONFIG,
    job: (hook) => ({ kind: 'say', context: hook.written.text }) satisfies SayJob,
    readOutcome: (result) =>
      result.kind === 'said'
        ? { kind: 'none', context: result.context, warnings: [] }
        : { kind: 'failure', failure: 'no prompt', warnings: [] },
  } satisfies Author;
  const prompt = (text: string) => hookNamed(text, { order: KIRO, group: 'kiro', written: { text } });
  const added = (context: string): Said => ({ hook: 'h', at: 'a:1', outcome: { kind: 'none', context, warnings: [] } });

  it('is context at its place in the order', () => {
    const said = saidBy(asking, prompt('ASK'), bash, bashRow, saying);
    expect(fold([added('before'), said, added('after')], bashRow).context).toBe('before\n\nASK\n\nafter');
  });

  it('never blocks and never allows', () => {
    expect(saidBy(asking, prompt('ASK'), bash, bashRow, saying).outcome.action).toBeUndefined();
  });

  it('is a loss with a warning where the caller takes no context', () => {
    const row = rowNamed('postGeneration');
    const said = saidBy(asking, prompt('ASK'), eventNamed('postGeneration'), row, saying);
    expect(fit(fold([said], row), row).warnings).toEqual([
      'the added context (3 chars) cannot be told on postGeneration',
    ]);
  });

  it('that a caller without context gets is reported in the name of its hook: the author knows the row', () => {
    const reporting = {
      ...asking,
      readOutcome: (result, hook, event, row) =>
        row.can.context === 'yes'
          ? asking.readOutcome(result)
          : { kind: 'none', warnings: [`the prompt of ${hook.label} was not delivered on ${event.name}`] },
    } satisfies Author;
    const [row, event] = [rowNamed('sessionEnd'), eventNamed('sessionEnd')];
    expect(fold([saidBy(reporting, prompt('ASK'), event, row, saying)], row).warnings).toEqual([
      'the prompt of ASK was not delivered on sessionEnd',
    ]);
  });
});

describe('an observer of PRX', () => {
  const job = {
    kind: 'process',
    argv: [['/opt/hooks/audit.sh', '--json', '$(not a shell)']],
    cwd: ['/work/sub'],
    env: {
      from: 'none',
      drop: [],
      set: {
        ZERO_HOOK_EVENT: 'tool_call_start',
        ZERO_HOOK_SESSION: '',
        ZERO_HOOK_PAYLOAD: '{"event":"tool_call_start"}',
        PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOOKCTL_DEPTH: '1',
      },
    },
    stdin: { text: '{"event":"tool_call_start","timestamp":"2026-03-21T08:15:30.123Z","session_id":"","payload":{}}' },
    newline: true,
    payloadFile: { variable: 'ZERO_HOOK_PAYLOAD_FILE', content: { text: '{"event":"tool_call_start"}' } },
    ms: 30_000,
    graceMs: 5_000,
    wait: false,
  } as const satisfies ProcessJob;

  it.each([
    ['with its payload on stdin', job],
    ['with an empty stdin', { ...job, stdin: 'closed', newline: false }],
    ["with the caller's own bytes", { ...job, stdin: 'event bytes' }],
    ['without a limit', { ...job, ms: 'none' }],
  ] satisfies [string, Job][])('is plain data, to be shown without being run: %s', (_, value) => {
    expect(JSON.parse(JSON.stringify(value))).toEqual(value);
  });

  it.each<[string, Result | string]>([
    ['exit 2', ended(2, '', 'no')],
    ['a deny on stdout', '{"action":"deny"}'],
    ['a timeout', { kind: 'timeout', why: 'timed out after 30s', out: encode(''), err: encode('') }],
    ['no start', { kind: 'not started', why: 'cwd leaves the workspace', out: encode(''), err: encode('') }],
  ])('changes nothing in the verdict: %s', async (_, result) => {
    const observer = hookNamed('observer', { group: 'prx hooks.json', order: PRX, onFailure: 'block' });
    const guard = '{"action":"ask","reason":"sure?","context":"C"}';
    expect(await verdictOf([observer, hookNamed('guard')], { observer: result, guard })).toEqual(
      await verdictOf([hookNamed('guard')], { guard }),
    );
  });

  it('says in the trace how it ended all the same', async () => {
    const observer = hookNamed('observer', { group: 'prx hooks.json', order: PRX });
    const doors = { exec: fakeExec({ observer: ended(2, '', 'no') }), world: WORLD, deadline: undefined };
    const { visits } = await runChain(plan([observer], bash, everything), bash, bashRow, doors);
    expect(traceOf(visits).map(({ hook, exit }) => ({ hook, exit }))).toEqual([{ hook: 'observer', exit: 2 }]);
  });
});

describe('an http hook', () => {
  const posting = {
    readConfig: () => NO_CONFIG,
    job: (_hook, event) =>
      ({
        kind: 'http',
        url: 'https://hooks.example/guard',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer t' },
        body: { text: `{"hook_event_name":"PreToolUse","tool_input":${event.tool?.input?.text ?? '{}'}}` },
        ms: 600_000,
      }) satisfies HttpJob,
    readOutcome: (result) => {
      if (result.kind !== 'answered') {
        return { kind: 'failure', failure: 'why' in result ? result.why : 'no answer', warnings: [] };
      }
      if (result.status >= 300) return { kind: 'failure', failure: `HTTP ${result.status}`, warnings: [] };
      return result.body.length === 0
        ? { kind: 'none', warnings: [] }
        : { kind: 'decision', action: 'deny', reason: new TextDecoder().decode(result.body), warnings: [] };
    },
  } satisfies Author;
  const hook = hookNamed('guard', { onFailure: 'block' });

  it.each<[string, Result, Verdict['action'], string | undefined]>([
    ['2xx with a body', { kind: 'answered', status: 200, body: encode('no') }, 'deny', 'no'],
    ['2xx without one', { kind: 'answered', status: 204, body: encode('') }, undefined, undefined],
    ['another status', { kind: 'answered', status: 500, body: encode('no') }, 'deny', 'guard failed: HTTP 500'],
    [
      'no connection',
      { kind: 'not started', why: 'ECONNREFUSED', out: encode(''), err: encode('') },
      'deny',
      'guard failed: ECONNREFUSED',
    ],
    [
      'a timeout',
      { kind: 'timeout', why: 'timed out after 600s', out: encode(''), err: encode('') },
      'deny',
      'guard failed: timed out after 600s',
    ],
    [
      'a body too large',
      { kind: 'too large', why: 'more than 1 MiB', out: encode(''), err: encode('') },
      'deny',
      'guard failed: more than 1 MiB',
    ],
  ])('that is answered: %s', (_, result, action, reason) => {
    const verdict = fold([saidBy(posting, hook, bash, bashRow, () => result)], bashRow);
    expect({ action: verdict.action, reason: verdict.reason }).toEqual({ action, reason });
  });

  it('posts what the event holds', () => {
    expect(posting.job(hook, bash).body.text).toBe('{"hook_event_name":"PreToolUse","tool_input":{"command":"ls"}}');
  });

  it('that cannot run yet is a failure, never silence', async () => {
    const result: Result = { kind: 'answered', status: 200, body: encode('{"action":"allow"}') };
    expect((await verdictOf([hook], { guard: result })).action).toBe('deny');
  });
});

describe('what cannot run', () => {
  it('is a failure with its reason, and blocks where it must', () => {
    const cannot = {
      readConfig: () => NO_CONFIG,
      job: () => ({ kind: 'cannot', why: 'prompt hooks need a model' }),
      readOutcome: (result) => ({ kind: 'failure', failure: 'why' in result ? result.why : '', warnings: [] }),
    } satisfies Author;
    const notStarted = (job: Job): Result => ({
      kind: 'not started',
      why: job.kind === 'cannot' ? job.why : '',
      out: encode(''),
      err: encode(''),
    });
    const hook = hookNamed('judge', { onFailure: 'block' });
    expect(saidBy(cannot, hook, bash, bashRow, notStarted).outcome).toMatchObject({
      action: 'deny',
      reason: 'judge failed: prompt hooks need a model',
    });
  });
});

describe('a reply that is no JSON', () => {
  const kiro = {
    writeReply: (verdict: Verdict): Reply => {
      const { action, reason = 'blocked by a hook', context, warnings } = verdict;
      if (action === 'deny' || action === 'stop') return { stdout: '', stderr: reason, exit: 2 };
      return {
        stdout: context === undefined ? '' : `${context}\n`,
        stderr: warnings.map((warning) => `hookctl: ${warning}\n`).join(''),
        exit: 0,
      };
    },
  } satisfies Pick<Caller, 'writeReply'>;
  const verdict = (more: Partial<Verdict>): Verdict => ({ warnings: [], losses: [], ...more });

  it.each<[string, Partial<Verdict>, Reply]>([
    [
      'a deny is exit 2 and the reason alone',
      { action: 'deny', reason: 'no', context: 'C', warnings: ['W'] },
      { stdout: '', stderr: 'no', exit: 2 },
    ],
    ['context is plain text', { context: 'C\nD' }, { stdout: 'C\nD\n', stderr: '', exit: 0 }],
    ['warnings go to stderr', { warnings: ['W'] }, { stdout: '', stderr: 'hookctl: W\n', exit: 0 }],
    ['nothing is nothing', {}, { stdout: '', stderr: '', exit: 0 }],
  ])('%s', (_, said, reply) => {
    expect(kiro.writeReply(verdict(said))).toEqual(reply);
  });
});

describe('a spec', () => {
  it.each([
    [
      'of Claude Code',
      {
        id: 'claude',
        title: 'Claude Code settings',
        vendor: { page: 'https://code.claude.com/docs/en/hooks', read: '2026-10-09' },
        config: {
          names: ['settings.json', 'settings.local.json'],
          endings: ['.json', '.md'],
          schema: 'claude',
          judges: ['timeout'],
        },
        rows: [],
        tools: { bash: ['Bash'], edit: ['Edit', 'MultiEdit'] },
        payload: [{ from: 'stdin' }],
        signs: [
          {
            has: ['hook_event_name', 'tool_use_id'],
            lacks: ['timestamp'],
            values: { hook_event_name: ['PreToolUse'] },
          },
        ],
        defaults: { timeoutMs: 600_000, graceMs: 2_000 },
        extras: { systemMessage: 'lines', updatedToolOutput: 'last', watchPaths: 'union', retry: 'any' },
      },
    ],
    [
      'of the Kiro IDE, whose stdin stays open and silent',
      {
        id: 'kiro-hook',
        title: 'Kiro hook files',
        config: { names: ['.kiro.hook'], endings: ['.kiro.hook'], schema: 'kiro-hook', judges: [] },
        rows: [],
        tools: { write: ['fs_write', 'fs_append', 'create_file'] },
        payload: [
          { from: 'variable', name: 'USER_PROMPT' },
          { from: 'stdin', silenceMs: 500 },
        ],
        signs: [],
        defaults: { timeoutMs: 60_000, graceMs: 2_000 },
        extras: {},
      },
    ],
    [
      'of PRX, whose payload lies in a file or a variable',
      {
        id: 'prx',
        title: 'PRX hooks.json',
        config: { names: ['hooks.json'], endings: [], schema: 'prx', judges: [] },
        rows: [],
        tools: {},
        payload: [
          { from: 'stdin' },
          { from: 'file variable', name: 'ZERO_HOOK_PAYLOAD_FILE' },
          { from: 'variable', name: 'ZERO_HOOK_PAYLOAD' },
        ],
        signs: [{ has: ['event', 'payload'], values: { event: ['tool_call', 'tool_call_start'] } }],
        defaults: { timeoutMs: 30_000, graceMs: 5_000 },
        extras: {},
      },
    ],
  ] satisfies [string, Spec][])('%s is data', (_, spec) => {
    expect(structuredClone(spec)).toEqual(spec);
  });
});
