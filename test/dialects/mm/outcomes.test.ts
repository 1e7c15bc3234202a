/**
 * What every ending of a native hook comes to, on every native event, under every `onError`.
 *
 * `outcomes/endings.txt` holds the whole table. `UPDATE=1` writes it anew: read it against the contract before you commit it.
 * The rules below it were written from the contract and not from the code; they hold whatever the table says.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { blocks, fold, settle } from '../../../src/core/fold';
import type { Action, OnFailure, Outcome, Result, Verdict } from '../../../src/core/model';
import { rowOf } from '../../../src/dialects';
import { exit } from '../../../src/dialects/exit';
import { mm } from '../../../src/dialects/mm';
import { BEFORE, EVENT_NAMES, encode, ended, eventNamed, hookNamed, rowNamed } from '../../unit/dialects/sample';

const TABLE = new URL('outcomes/endings.txt', import.meta.url);

const POLICIES = { fail: 'block', warn: 'warn', ignore: 'ignore' } as const satisfies Record<string, OnFailure>;
type Policy = keyof typeof POLICIES;
const POLICY_NAMES = ['fail', 'warn', 'ignore'] as const satisfies readonly Policy[];

const NOT_UTF8 = 0xff;
const deep = (levels: number) => `{"action":"allow","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const because = (action: Action) => `{"action":"${action}","reason":"R"}`;

/** Ended by hookctl or by a signal, or never begun. */
function cut(kind: Exclude<Result['kind'], 'ended' | 'answered' | 'said'>, why: string, out = ''): Result {
  return { kind, why, out: encode(out), err: encode('boom') };
}

function withBadByte(before: string, behind: string): Uint8Array {
  return Uint8Array.from([...encode(before), NOT_UTF8, ...encode(behind)]);
}

/** Hooks that ended well: what they said is an answer, though not one that every event takes. */
const ANSWERS = {
  'says nothing': ended(0),
  'says nothing but white space': ended(0, '\ufeff \r\n\t\n', 'noise'),
  'says {}': ended(0, '{}'),
  'says allow': ended(0, '{"action":"allow"}'),
  'says allow with a reason': ended(0, because('allow')),
  'says deny': ended(0, '{"action":"deny"}'),
  'says deny with a reason': ended(0, because('deny')),
  'says ask': ended(0, '{"action":"ask"}'),
  'says ask with a reason': ended(0, because('ask')),
  'says defer with a reason': ended(0, because('defer')),
  'says stop': ended(0, '{"action":"stop"}'),
  'says stop with a reason and a response': ended(0, '{"action":"stop","reason":"R","response":"S"}'),
  'says deny with a response': ended(0, '{"action":"deny","reason":"R","response":"S"}'),
  'says deny with context': ended(0, '{"action":"deny","reason":"R","context":"C"}'),
  'says deny with context and a rewrite': ended(0, '{"action":"deny","reason":"R","context":"C","input":{"a":1}}'),
  'rewrites input': ended(0, '{"input":{"a":1.10}}'),
  'rewrites input and allows': ended(0, '{"input":{"a":1.10},"action":"allow"}'),
  'rewrites prompt': ended(0, '{"prompt":"P"}'),
  'rewrites prompt with an empty one': ended(0, '{"prompt":""}'),
  'adds context': ended(0, '{"context":"C"}'),
  'says only a reason': ended(0, '{"reason":"R"}'),
  'says only a response': ended(0, '{"response":"S"}'),
  'says null for every text': ended(0, '{"reason":null,"response":null,"context":null,"prompt":null}'),
  'says null for the texts of a deny': ended(0, '{"action":"deny","reason":null,"response":null,"context":null}'),
  'has a misspelt text': ended(0, '{"action":"deny","reasons":"R"}'),
  'has an extra field': ended(0, '{"action":"deny","reason":"R","note":1}'),
  'is what hookctl prints': ended(
    0,
    '{"event":"preToolCall","action":"deny","reason":"R","source":{"kind":"exit"},"warnings":["w"],"trace":[]}',
  ),
  "has another agent's key beside action": ended(0, '{"action":"deny","reason":"R","decision":"approve"}'),
} as const satisfies Record<string, Result>;

/** Exit 2: a block whatever stdout says, where the event can be blocked. */
const EXIT_2 = {
  'exit 2, silent': ended(2),
  'exit 2, blank stderr': ended(2, '', ' \n'),
  'exit 2, stderr': ended(2, '', ' no\n  way \n'),
  'exit 2, stdout says allow': ended(2, because('allow'), 'boom'),
  'exit 2, stdout says deny': ended(2, because('deny'), 'boom'),
  'exit 2, stdout says deny without a reason': ended(2, '{"action":"deny"}', 'boom'),
  'exit 2, stdout says stop with a response': ended(2, '{"action":"stop","reason":"R","response":"S"}', 'boom'),
  'exit 2, stdout says ask': ended(2, because('ask'), 'boom'),
  'exit 2, stdout says defer': ended(2, because('defer'), 'boom'),
  'exit 2, stdout says deny with context': ended(2, '{"action":"deny","reason":"R","context":"C"}', 'boom'),
  'exit 2, stdout adds context and a rewrite': ended(2, '{"context":"C","input":{"a":1}}', 'boom'),
  'exit 2, a deny line in a log': ended(2, `log\n${because('deny')}\n`, 'boom'),
  'exit 2, garbage': ended(2, 'log', 'boom'),
  "exit 2, another agent's block": ended(2, '{"decision":"block","reason":"R"}', 'boom'),
} as const satisfies Record<string, Result>;

/** Broken hooks that do not restrict either. */
const FAILURES = {
  'exit 1': ended(1),
  'exit 1, stderr': ended(1, '', '\n boom\nsecond line'),
  'exit 1, stdout says allow': ended(1, because('allow'), 'boom'),
  'exit 1, stdout adds context and a rewrite': ended(1, '{"context":"C","input":{"a":1}}', 'boom'),
  'exit 127': ended(127, '', 'sh: 1: gone: not found'),
  'exit 126': ended(126, '', 'sh: 1: x: Permission denied'),
  'a signal': cut('killed', 'killed by SIGSEGV'),
  'not started': cut('not started', 'no folder to run in (/gone)'),
  timeout: cut('timeout', 'timed out after 5s'),
  'timeout after a deny': cut('timeout', 'timed out after 5s', because('deny')),
  'too large': cut('too large', 'more than 1 MiB on stdout'),
  'too large after a deny': cut('too large', 'more than 1 MiB on stdout', `${because('deny')}\n`),
  'invalid UTF-8': ended(0, withBadByte('{"action":"allow","reason":"', '"}')),
  'text before the object': ended(0, `log\n${because('allow')}`),
  'text behind the object': ended(0, `${because('allow')}\nlog`),
  'two objects': ended(0, `${because('allow')}{}`),
  'two lines that allow': ended(0, `${because('allow')}\n${because('allow')}\n`),
  'an array': ended(0, `[${because('deny')}]`),
  'a string': ended(0, '"deny"'),
  'half an object': ended(0, '{"action":"allow"'),
  'depth 1001': ended(0, deep(1001)),
  'a duplicate key': ended(0, '{"action":"allow","action":"allow"}'),
  'an action that is no text': ended(0, '{"action":1}'),
  'an action that is null': ended(0, '{"action":null}'),
  'a reason that is no text': ended(0, '{"action":"allow","reason":1}'),
  'a response that is no text': ended(0, '{"response":[]}'),
  'a context that is no text': ended(0, '{"context":{}}'),
  'a prompt that is no text': ended(0, '{"prompt":true}'),
  'an input that is no object': ended(0, '{"input":"ls"}'),
  'an input that is null': ended(0, '{"input":null}'),
  'an input that is an array': ended(0, '{"input":[]}'),
  'an unknown action': ended(0, '{"action":"denied","reason":"R"}'),
  'a misspelt key': ended(0, '{"acton":"deny","reason":"R"}'),
  'another agent allows': ended(0, '{"decision":"approve","reason":"R"}'),
  'another agent allows inside': ended(0, '{"hookSpecificOutput":{"permissionDecision":"allow"}}'),
  'another agent goes on': ended(0, '{"continue":true}'),
} as const satisfies Record<string, Result>;

/** Broken hooks whose stdout restricts: that much counts. */
const RESTRICTING = {
  'exit 1, stdout says deny': ended(1, because('deny'), 'boom'),
  'exit 1, stdout says ask': ended(1, because('ask'), 'boom'),
  'exit 1, stdout says defer': ended(1, because('defer'), 'boom'),
  'exit 1, stdout says stop': ended(1, '{"action":"stop","reason":"R","response":"S"}', 'boom'),
  'a deny line': ended(0, `log\n${because('deny')}\nlog`),
  'an ask line': ended(0, `log\n${because('ask')}`),
  'a signal after a deny': cut('killed', 'killed by SIGKILL', because('deny')),
  'a deny, the rest not UTF-8': ended(0, withBadByte(`${because('deny')}\n`, '')),
  'deny and allow under one key': ended(0, '{"action":"allow","action":"deny","reason":"R"}'),
  'a deny at depth 1001': ended(0, deep(1001).replace('allow', 'deny')),
  'a deny with a reason that is no text': ended(0, '{"action":"deny","reason":1,"response":2}'),
  'a deny with an input that is no object': ended(0, '{"action":"deny","reason":"R","input":1}'),
  'a deny with a misspelt input': ended(0, '{"action":"deny","reason":"R","inputs":{}}'),
  'a deny line and an allow line': ended(0, `${because('allow')}\n${because('deny')}\n`),
  'a deny line with context and a rewrite': ended(0, 'log\n{"action":"deny","context":"C","input":{"a":1}}'),
  'another agent blocks': ended(0, '{"decision":"block","reason":"R"}'),
  'another agent asks': ended(0, '{"permission":"ask","agent_message":"R"}'),
  'another agent denies inside': ended(
    0,
    '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"R"}}',
  ),
  'another agent does not go on': ended(0, '{"continue":false,"stopReason":"R"}'),
  'another agent cancels': ended(0, '{"cancel":true}'),
} as const satisfies Record<string, Result>;

const ENDINGS: Readonly<Record<string, Result>> = { ...ANSWERS, ...EXIT_2, ...FAILURES, ...RESTRICTING };

type Told = { readonly outcome: Outcome; readonly verdict: Verdict };

/** A chain of this one hook, called `guard`. */
function tell(ending: Result, policy: Policy, eventName: string): Told {
  const hook = hookNamed('guard', { event: eventName, onFailure: POLICIES[policy] });
  const [event, row] = [eventNamed(eventName), rowNamed(eventName)];
  const outcome = mm.author.readOutcome(ending, hook, event, row);
  return { outcome, verdict: fold([{ hook: 'guard', at: 'agent.yaml:3', outcome: settle(outcome, hook, row) }], row) };
}

/** `deny/failure reason=…`, then whatever else there is. */
function line({ outcome, verdict }: Told, eventName: string): string {
  const failed = `guard failed: ${outcome.failure}`;
  const show = (text: string) => (text === failed ? 'FAILED' : shown(text, eventName));
  const texts = {
    reason: verdict.reason,
    response: verdict.response,
    [verdict.rewrite?.field ?? '']: verdict.rewrite?.value.text,
    context: verdict.context,
  };
  return [
    verdict.action === undefined ? '-' : `${verdict.action}/${verdict.source?.kind}`,
    ...Object.entries(texts).flatMap(([name, text]) => (text === undefined ? [] : [`${name}=${show(text)}`])),
    ...verdict.warnings.map((warning) => `warning=${show(warning)}`),
    ...(outcome.failure === undefined ? [] : [`failed=${shown(outcome.failure, eventName)}`]),
  ].join(' ');
}

function shown(text: string, eventName: string): string {
  return JSON.stringify(text).replaceAll(eventName, 'EVENT');
}

const SETS: Readonly<Record<string, readonly string[]>> = {
  ENDS: ['postGeneration', 'subagentStop'],
  TOLD: EVENT_NAMES.slice(EVENT_NAMES.indexOf('taskEnd'), EVENT_NAMES.indexOf('manual') + 1),
  SEEN: EVENT_NAMES.slice(EVENT_NAMES.indexOf('manual') + 1),
};

function nameSet(names: readonly string[]): string {
  if (names.length === EVENT_NAMES.length) return 'all';
  const whole = Object.entries(SETS).filter(([, members]) => members.every((name) => names.includes(name)));
  const inside = whole.flatMap(([, members]) => members);
  return [...names.filter((name) => !inside.includes(name)), ...whole.map(([set]) => set)].join(' ');
}

const HEAD = `What one hook, called guard, comes to: under which onError, on which events, which verdict.
FAILED is "guard failed: " and how it failed, EVENT the event's name. A failure without a warning is told by the trace alone.
`;

/** Endings with the same rows stand together; how each failed is then said beside its name. */
function table(): string {
  const namesOf = new Map<string, string[]>();
  for (const [name, ending] of Object.entries(ENDINGS)) {
    const rows = rowsOf(ending).join('');
    const failures = new Set(rows.match(/ failed=.*/g) ?? []);
    const [failed = ''] = failures.size === 1 ? failures : [];
    const told = failed === '' ? rows : rows.replaceAll(failed, ' failed');
    namesOf.set(told, [...(namesOf.get(told) ?? []), `# ${name}${failed.replace(' failed=', ': ')}\n`]);
  }
  const sets = Object.entries(SETS).map(([set, members]) => `${set}: ${members.join(' ')}\n`);
  return [HEAD, ...sets, ...[...namesOf].map(([rows, names]) => `\n${names.join('')}${rows}`)].join('');
}

/** Events and policies with one verdict stand in one row. */
function rowsOf(ending: Result): string[] {
  const eventsOf = new Map<string, Map<string, Policy[]>>();
  for (const policy of POLICY_NAMES) {
    const told = new Map<string, string[]>();
    for (const event of EVENT_NAMES) {
      const text = line(tell(ending, policy, event), event);
      told.set(text, [...(told.get(text) ?? []), event]);
    }
    for (const [text, events] of told) {
      const under = eventsOf.get(text) ?? new Map<string, Policy[]>();
      const set = nameSet(events);
      eventsOf.set(text, under.set(set, [...(under.get(set) ?? []), policy]));
    }
  }
  return [...eventsOf].flatMap(([text, under]) =>
    [...under].map(
      ([set, policies]) => `  ${(policies.length < 3 ? policies.join('|') : 'any').padEnd(11)} ${set}: ${text}\n`,
    ),
  );
}

describe('the table of endings', () => {
  it('is what the code says', () => {
    const now = table();
    if (process.env['UPDATE'] === '1') writeFileSync(TABLE, now);
    expect(now).toBe(readFileSync(TABLE, 'utf8'));
  });
});

// --- the contract in words ---

const ALL = EVENT_NAMES;
const AFTER = ALL.filter((name) => !BEFORE.some((before) => before === name));
const BLOCKABLE = [...BEFORE, 'postToolCall'];
const UNBLOCKABLE = ALL.filter((name) => !BLOCKABLE.includes(name));
const KEEP_WORKING = ['postGeneration', 'subagentStop'];
/** What of an ask or a defer is no opinion: the user is asked anyway. */
const ASKED_ANYWAY = 'permissionRequest';

type Seen = Told & { readonly ending: string; readonly policy: Policy; readonly event: string };

/** Every ending of the group on these events under these policies. */
function every(
  group: Readonly<Record<string, Result>>,
  events: readonly string[],
  policies: readonly Policy[] = POLICY_NAMES,
): Seen[] {
  return Object.entries(group).flatMap(([ending, result]) =>
    events.flatMap((event) => policies.map((policy) => ({ ending, policy, event, ...tell(result, policy, event) }))),
  );
}

/** The cases for which the rule does not hold, readable. */
function breaking(seen: readonly Seen[], rule: (one: Seen) => boolean): string[] {
  if (seen.length === 0) throw new Error('a rule about nothing');
  return seen
    .filter((one) => !rule(one))
    .map((one) => `${one.ending} on ${one.event} under ${one.policy}: ${line(one, one.event)}`);
}

const blockOf = (event: string): Action => (event === 'preGeneration' ? 'stop' : 'deny');
const restricts = (verdict: Verdict) => blocks(verdict.action) || verdict.action === 'defer';

describe('a failed hook', () => {
  it('under "fail" blocks before the fact, as the event blocks, and the block is marked synthetic', () => {
    const seen = every(FAILURES, BEFORE, ['fail']);
    expect(
      breaking(seen, ({ verdict, event }) => verdict.action === blockOf(event) && verdict.source?.kind === 'failure'),
    ).toEqual([]);
  });

  it('under "fail" blocks with the reason "<hook> failed: <why>"', () => {
    const seen = every(FAILURES, BEFORE, ['fail']);
    expect(breaking(seen, ({ verdict, outcome }) => verdict.reason === `guard failed: ${outcome.failure}`)).toEqual([]);
  });

  it('under "fail" is a warning after the fact', () => {
    const seen = every(FAILURES, AFTER, ['fail']);
    expect(
      breaking(
        seen,
        ({ verdict, outcome }) =>
          verdict.action === undefined && verdict.warnings.join() === `guard failed: ${outcome.failure}`,
      ),
    ).toEqual([]);
  });

  it('under "warn" is one warning on every event', () => {
    const seen = every(FAILURES, ALL, ['warn']);
    expect(
      breaking(
        seen,
        ({ verdict, outcome }) =>
          verdict.action === undefined && verdict.warnings.join() === `guard failed: ${outcome.failure}`,
      ),
    ).toEqual([]);
  });

  it('under "ignore" is told by the trace alone', () => {
    const seen = every(FAILURES, ALL, ['ignore']);
    expect(
      breaking(
        seen,
        ({ verdict, outcome }) =>
          verdict.action === undefined && verdict.warnings.length === 0 && outcome.failure !== undefined,
      ),
    ).toEqual([]);
  });

  it('that restricts counts before the fact under every policy, except an ask or defer where the user is asked anyway', () => {
    const seen = every(RESTRICTING, BEFORE).filter(
      ({ ending, event }) => event !== ASKED_ANYWAY || !/says ask|says defer|an ask line/.test(ending),
    );
    expect(breaking(seen, ({ verdict }) => verdict.action !== undefined && verdict.action !== 'allow')).toEqual([]);
  });

  it('that asks or defers where the user is asked anyway still blocks under "fail"', () => {
    const seen = every(RESTRICTING, [ASKED_ANYWAY], ['fail']);
    expect(breaking(seen, ({ verdict }) => verdict.action === 'deny')).toEqual([]);
  });

  it('that restricts is a decision, with a warning', () => {
    const seen = every(RESTRICTING, ALL).filter(({ verdict }) => verdict.source?.kind === 'decision');
    expect(breaking(seen, ({ verdict }) => verdict.warnings.some((one) => one.startsWith('guard failed: ')))).toEqual(
      [],
    );
  });

  it.each([
    ['fail', 'deny'],
    ['warn', 'ask'],
    ['ignore', 'ask'],
  ] as const)('that asks: under "%s" the tool call is %s', (policy, action) => {
    const asks = { line: RESTRICTING['an ask line'], whole: RESTRICTING['exit 1, stdout says ask'] };
    expect(breaking(every(asks, ['preToolCall'], [policy]), ({ verdict }) => verdict.action === action)).toEqual([]);
  });

  it('never allows, rewrites or adds context', () => {
    const seen = every({ ...FAILURES, ...RESTRICTING }, ALL);
    expect(
      breaking(
        seen,
        ({ verdict }) => verdict.action !== 'allow' && verdict.rewrite === undefined && verdict.context === undefined,
      ),
    ).toEqual([]);
  });

  it('after its timeout or too large an output never restricts either', () => {
    const limited = {
      timeout: FAILURES['timeout after a deny'],
      size: FAILURES['too large after a deny'],
    };
    expect(breaking(every(limited, ALL, ['warn']), ({ verdict }) => verdict.action === undefined)).toEqual([]);
  });
});

describe('exit 2', () => {
  it('on preToolCall always blocks, whatever stdout says', () => {
    expect(breaking(every(EXIT_2, ['preToolCall']), ({ verdict }) => restricts(verdict))).toEqual([]);
  });

  it('on preToolCall is exit 2 of run', () => {
    const seen = every(EXIT_2, ['preToolCall']);
    expect(breaking(seen, ({ verdict }) => mm.writeReply(verdict, eventNamed('preToolCall')).exit === 2)).toEqual([]);
  });

  it('blocks on every event that can be blocked', () => {
    expect(breaking(every(EXIT_2, BLOCKABLE), ({ verdict }) => restricts(verdict))).toEqual([]);
  });

  it('on preGeneration is a stop', () => {
    expect(breaking(every(EXIT_2, ['preGeneration']), ({ verdict }) => verdict.action === 'stop')).toEqual([]);
  });

  it('is a deny where the event knows no other block', () => {
    const seen = every(EXIT_2, ['permissionRequest', 'taskStart', 'postToolCall']);
    expect(breaking(seen, ({ verdict }) => verdict.action === 'deny')).toEqual([]);
  });

  it('where a block means "keep working" is a failure without a deny object on stdout', () => {
    const without = Object.fromEntries(
      Object.entries(EXIT_2).filter(([name]) => !/says deny|a deny line|another agent/.test(name)),
    );
    const seen = every(without, KEEP_WORKING);
    expect(
      breaking(seen, ({ verdict, outcome }) => verdict.action === undefined && outcome.kind === 'failure'),
    ).toEqual([]);
  });

  it('where a block means "keep working" is a deny with a deny object on stdout', () => {
    const said = { deny: EXIT_2['exit 2, stdout says deny'], context: EXIT_2['exit 2, stdout says deny with context'] };
    const seen = every(said, KEEP_WORKING);
    expect(breaking(seen, ({ verdict }) => verdict.action === 'deny' && verdict.source?.kind === 'decision')).toEqual(
      [],
    );
  });

  it('is a failure on an event that cannot be blocked', () => {
    const seen = every(
      EXIT_2,
      UNBLOCKABLE.filter((name) => !KEEP_WORKING.includes(name)),
    );
    expect(
      breaking(seen, ({ verdict, outcome }) => verdict.action === undefined && outcome.kind === 'failure'),
    ).toEqual([]);
  });

  it('never carries context or a rewrite', () => {
    const seen = every(EXIT_2, ALL);
    expect(breaking(seen, ({ verdict }) => verdict.context === undefined && verdict.rewrite === undefined)).toEqual([]);
  });

  it.each<[keyof typeof EXIT_2, Action, 'exit' | 'decision', string]>([
    ['exit 2, silent', 'deny', 'exit', 'blocked by guard'],
    ['exit 2, blank stderr', 'deny', 'exit', 'blocked by guard'],
    ['exit 2, stderr', 'deny', 'exit', 'no\n  way'],
    ['exit 2, stdout says allow', 'deny', 'exit', 'boom'],
    ['exit 2, garbage', 'deny', 'exit', 'boom'],
    ['exit 2, stdout says deny', 'deny', 'decision', 'R'],
    ['exit 2, stdout says deny without a reason', 'deny', 'decision', 'denied by guard'],
    ['exit 2, stdout says ask', 'deny', 'decision', 'R'],
    ['exit 2, stdout says defer', 'defer', 'decision', 'R'],
    ['exit 2, stdout says stop with a response', 'stop', 'decision', 'R'],
  ])('%s: %s of kind %s with the reason %j', (ending, action, kind, reason) => {
    const { verdict } = tell(EXIT_2[ending], 'warn', 'preToolCall');
    expect({ action: verdict.action, kind: verdict.source?.kind, reason: verdict.reason }).toEqual({
      action,
      kind,
      reason,
    });
  });

  it('keeps the response of a stop on stdout', () => {
    expect(tell(EXIT_2['exit 2, stdout says stop with a response'], 'warn', 'preToolCall').verdict.response).toBe('S');
  });

  it('reads the likeliest slips towards safety with a warning, as exit 0 does', () => {
    expect(tell(EXIT_2['exit 2, stdout says deny'], 'warn', 'preGeneration').verdict.warnings).toEqual(
      tell(ANSWERS['says deny with a reason'], 'warn', 'preGeneration').verdict.warnings,
    );
  });
});

describe('after the fact', () => {
  it('nothing synthetic ever lands', () => {
    const seen = every(ENDINGS, AFTER);
    expect(breaking(seen, ({ verdict }) => verdict.source?.kind !== 'failure')).toEqual([]);
  });

  it('only postToolCall is blocked by an exit code alone', () => {
    const seen = every(
      ENDINGS,
      AFTER.filter((name) => name !== 'postToolCall'),
    );
    expect(breaking(seen, ({ verdict }) => verdict.source?.kind !== 'exit')).toEqual([]);
  });

  it('an event that can only be observed never gets an action', () => {
    const seen = every(
      ENDINGS,
      AFTER.filter((name) => name !== 'postToolCall' && !KEEP_WORKING.includes(name)),
    );
    expect(breaking(seen, ({ verdict }) => verdict.action === undefined)).toEqual([]);
  });

  it('a deny keeps its context, before the fact it drops it', () => {
    const context = (event: string) => tell(ANSWERS['says deny with context'], 'warn', event).verdict.context;
    expect([context('preToolCall'), context('preGeneration'), context('taskStart'), context('postToolCall')]).toEqual([
      undefined,
      undefined,
      undefined,
      'C',
    ]);
  });
});

describe('whatever a hook does', () => {
  it('a block before the fact carries no rewrite and no context', () => {
    const seen = every(ENDINGS, BEFORE).filter(({ verdict }) => blocks(verdict.action));
    expect(breaking(seen, ({ verdict }) => verdict.rewrite === undefined && verdict.context === undefined)).toEqual([]);
  });

  it('an action has a reason', () => {
    const seen = every(ENDINGS, ALL).filter(({ verdict }) => verdict.action !== undefined);
    expect(breaking(seen, ({ verdict }) => (verdict.reason ?? '') !== '')).toEqual([]);
  });

  it('no opinion is not allow', () => {
    const { 'says allow': _1, 'says allow with a reason': _2, 'rewrites input and allows': _3, ...others } = ENDINGS;
    expect(breaking(every(others, ALL), ({ verdict }) => verdict.action !== 'allow')).toEqual([]);
  });

  it('the caller "exit" reads it as the native caller does', () => {
    const seen = every(ENDINGS, ALL);
    const hook = (one: Seen) => hookNamed('guard', { event: one.event, onFailure: POLICIES[one.policy] });
    const row = (one: Seen) => rowOf(exit, { name: one.event });
    const read = (one: Seen) =>
      mm.author.readOutcome(ENDINGS[one.ending] ?? ended(0), hook(one), eventNamed(one.event), row(one));
    expect(breaking(seen, (one) => isDeepStrictEqual(read(one), one.outcome))).toEqual([]);
  });
});
