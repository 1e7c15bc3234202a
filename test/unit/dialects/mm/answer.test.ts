import { describe, expect, it } from 'vitest';
import type { Action, Event, Row } from '../../../../src/core/model';
import { type Answer, type BadAnswer, readAnswer, restrictionIn } from '../../../../src/dialects/mm/answer';
import { EVENT_NAMES, encode, eventNamed, rowNamed } from '../sample';

const ACTIONS = ['allow', 'deny', 'ask', 'defer', 'stop'] as const satisfies readonly Action[];

/** The contract: what each action means on each event; `·` no opinion, `-` a failure. On every other event all five fail. */
const MEANING = `
                    allow deny ask   defer stop
preToolCall         allow deny ask   defer stop
preGeneration       -     stop stop  stop  stop
permissionRequest   allow deny ·     ·     deny
taskStart           -     deny deny  deny  deny
postToolCall        -     deny -     -     -
postGeneration      -     deny -     -     -
subagentStop        -     deny -     -     -`;

const MEANT = new Map(
  MEANING.trim()
    .split('\n')
    .slice(1)
    .map((line): [string, string[]] => {
      const [name = '', ...cells] = line.trim().split(/\s+/);
      return [name, cells];
    }),
);

const EVERY_ACTION = EVENT_NAMES.flatMap((name) =>
  ACTIONS.map((action, index): [string, Action, string] => [name, action, MEANT.get(name)?.[index] ?? '-']),
);

function read(out: string | Uint8Array, name = 'preToolCall'): Answer | BadAnswer {
  return readAnswer(typeof out === 'string' ? encode(out) : out, eventNamed(name), rowNamed(name));
}

/** The answer without what every answer has. */
function said(out: string, name = 'preToolCall'): Omit<Answer, 'kind'> | string {
  const answer = read(out, name);
  if (answer.kind === 'bad answer') return answer.why;
  const { kind: _, ...rest } = answer;
  return rest;
}

function warningsOf(out: string, name = 'preToolCall'): readonly string[] {
  const answer = read(out, name);
  if (answer.kind === 'bad answer') throw new Error(answer.why);
  return answer.warnings;
}

describe('an action', () => {
  it.each(EVERY_ACTION)('on %s: %s means %s', (name, action, meant) => {
    const answer = read(`{"action":"${action}"}`, name);
    const meaning = answer.kind === 'bad answer' ? '-' : (answer.action ?? '·');
    expect(meaning).toBe(meant);
  });

  it.each(EVERY_ACTION.filter(([, action, meant]) => meant !== '-' && meant !== action))(
    'that is a slip is a warning: on %s: %s',
    (name, action, meant) => {
      const reading = meant === '·' ? 'no opinion' : meant;
      expect(warningsOf(`{"action":"${action}"}`, name)).toEqual([`"${action}" on ${name} is read as ${reading}`]);
    },
  );

  it.each(EVERY_ACTION.filter(([, action, meant]) => meant === action))(
    'that the event takes is none: on %s: %s',
    (name, action) => {
      expect(warningsOf(`{"action":"${action}"}`, name)).toEqual([]);
    },
  );

  it.each([
    ['taskEnd', 'deny', 'the event taskEnd does not take the action "deny"; it can only be observed'],
    ['taskStart', 'allow', 'the event taskStart does not take the action "allow"; it takes deny'],
    ['preGeneration', 'allow', 'the event preGeneration does not take the action "allow"; it takes stop'],
  ])('that the event does not take is refused with what it takes: on %s: %s', (name, action, why) => {
    expect(said(`{"action":"${action}"}`, name)).toBe(why);
  });
});

describe('a rewrite', () => {
  it.each(EVENT_NAMES)('of the input is taken on preToolCall alone: %s', (name) => {
    const why = `the event ${name} does not take a rewrite of "input"`;
    const taken = { rewrite: { field: 'input', how: 'replace', value: { text: '{"a":1.10}' } }, warnings: [] };
    expect(said('{"input":{"a":1.10}}', name)).toEqual(name === 'preToolCall' ? taken : why);
  });

  it.each(EVENT_NAMES)('of the prompt is taken on preGeneration alone: %s', (name) => {
    const why = `the event ${name} does not take a rewrite of "prompt"`;
    const taken = { rewrite: { field: 'prompt', how: 'replace', value: { text: '"P"' } }, warnings: [] };
    expect(said('{"prompt":"P"}', name)).toEqual(name === 'preGeneration' ? taken : why);
  });

  it.each(EVENT_NAMES)('that is null is none for a prompt: %s', (name) => {
    expect(said('{"prompt":null}', name)).toEqual({ warnings: [] });
  });

  it.each([
    ['an empty prompt', 'preGeneration', '{"prompt":""}', '""'],
    ['a prompt of white space', 'preGeneration', '{"prompt":" \\n"}', '" \\n"'],
    ['a prompt as it was written', 'preGeneration', '{"prompt":"\\ud800\\u0041"}', '"\\ud800\\u0041"'],
    ['an empty input', 'preToolCall', '{"input":{}}', '{}'],
    [
      'an input as it was written',
      'preToolCall',
      '{"input":{"n" : 12345678901234567890, "__proto__":1e999}}',
      '{"n" : 12345678901234567890, "__proto__":1e999}',
    ],
  ])('is the whole value: %s', (_, name, out, text) => {
    const answer = read(out, name);
    expect(answer.kind === 'answer' && answer.rewrite?.value.text).toBe(text);
  });

  it('needs no action, and may come with one', () => {
    expect(said('{"input":{},"action":"ask","reason":"R"}')).toEqual({
      action: 'ask',
      reason: 'R',
      rewrite: { field: 'input', how: 'replace', value: { text: '{}' } },
      warnings: [],
    });
  });
});

describe('texts', () => {
  const CONTEXT = [
    'preToolCall',
    'preGeneration',
    'taskStart',
    'postToolCall',
    'taskEnd',
    'sessionStart',
    'subagentStart',
    'instructionsLoaded',
    'fileCreated',
    'fileSaved',
    'fileDeleted',
    'manual',
  ];

  it.each(EVENT_NAMES)('context is taken where the contract says, elsewhere it is a warning: %s', (name) => {
    expect(said('{"context":"C"}', name)).toEqual(
      CONTEXT.includes(name) ? { context: 'C', warnings: [] } : { warnings: [`"context" has no effect on ${name}`] },
    );
  });

  it.each<[string, string, Omit<Answer, 'kind'>]>([
    ['a reason', '{"action":"deny","reason":"R"}', { action: 'deny', reason: 'R', warnings: [] }],
    ['a response with a stop', '{"action":"stop","response":"S"}', { action: 'stop', response: 'S', warnings: [] }],
    [
      'a response without one',
      '{"action":"deny","response":"S"}',
      { action: 'deny', warnings: ['"response" has no effect without the action "stop"'] },
    ],
    ['a reason without an action', '{"reason":"R"}', { warnings: ['"reason" has no effect without "action"'] }],
    [
      'null for each',
      '{"action":"stop","reason":null,"response":null,"context":null}',
      { action: 'stop', warnings: [] },
    ],
    ['blank ones', '{"action":"stop","reason":" ","response":"\\n","context":""}', { action: 'stop', warnings: [] }],
    [
      'texts with escapes',
      '{"action":"deny","reason":"\\u00e9\\n\\ud83d\\ude00"}',
      { action: 'deny', reason: 'é\n😀', warnings: [] },
    ],
  ])('%s', (_, out, answer) => {
    expect(said(out)).toEqual(answer);
  });

  it('a response counts where a slip means stop', () => {
    expect(said('{"action":"deny","response":"S"}', 'preGeneration')).toMatchObject({ action: 'stop', response: 'S' });
  });
});

describe('other fields', () => {
  it('that hookctl prints are ignored, so that its own output is an answer', () => {
    expect(said('{"event":1,"source":{},"warnings":0,"trace":null}')).toEqual({ warnings: [] });
  });

  it.each(['note', 'id', 'version', 'message', 'systemMessage', 'suppressOutput', 'data', '__proto__', 'toString', ''])(
    'that nobody knows are a warning: %j',
    (key) => {
      expect(warningsOf(`{"action":"deny",${JSON.stringify(key)}:1}`)).toEqual([`unknown field "${key}"`]);
    },
  );

  it.each([
    ['acton', 'action'],
    ['Action', 'action'],
    ['actions', 'action'],
    ['promt', 'prompt'],
    ['inputs', 'input'],
  ])('that are almost one that decides are refused: %s', (key, meant) => {
    expect(said(`{"${key}":"x"}`)).toBe(`unknown field "${key}"; did you mean "${meant}"?`);
  });

  it.each(['section', 'option', 'active'])('that only look like one that is there are a warning: %s', (key) => {
    expect(said(`{"action":"deny","${key}":"x"}`)).toMatchObject({ action: 'deny' });
  });

  it.each([
    ['reasons', 'reason'],
    ['contxt', 'context'],
    ['content', 'context'],
    ['responce', 'response'],
  ])('that are almost a text are a warning: %s', (key, meant) => {
    expect(warningsOf(`{"${key}":"x"}`)).toEqual([`unknown field "${key}"; did you mean "${meant}"?`]);
  });

  it.each([
    'decision',
    'permissionDecision',
    'permission',
    'continue',
    'cancel',
    'hookSpecificOutput',
    'hook_specific_output',
  ])('by which another agent decides are refused without an action: %s', (key) => {
    expect(said(`{"${key}":null,"reason":"R"}`)).toBe('this is another agent\'s answer; write "action"');
  });

  it.each(['decision', 'permissionDecision', 'continue', 'hookSpecificOutput'])(
    'by which another agent decides are a warning beside an action: %s',
    (key) => {
      expect(said(`{"action":"allow","${key}":"deny"}`)).toEqual({
        action: 'allow',
        warnings: [`unknown field "${key}"`],
      });
    },
  );
});

describe('stdout', () => {
  it.each<[string, string]>([
    ['nothing', ''],
    ['white space', ' \r\n\t'],
    ['a BOM', '\ufeff'],
    ['an empty object', '{}'],
    ['an empty object behind a BOM', '\ufeff{}\n'],
  ])('is no opinion: %s', (_, out) => {
    expect(said(out)).toEqual({ warnings: [] });
  });

  it.each<[string, string]>([
    ['one line', '{"action":"deny"}\n'],
    ['many lines', '{\n  "action":\r\n "deny"\n}\n\n'],
    ['a BOM before it', '\ufeff{"action":"deny"}'],
    ['its key in escapes', '{"\\u0061ction":"den\\u0079"}'],
    ['1,000 levels', `{"action":"deny","trace":${'['.repeat(999)}${']'.repeat(999)}}`],
  ])('is one object: %s', (_, out) => {
    expect(said(out)).toEqual({ action: 'deny', warnings: [] });
  });

  it.each<[string, string, string]>([
    ['text', 'ok', "stdout is not one JSON object: unexpected 'o' (column 1)"],
    ['text before it', 'log\n{}', "stdout is not one JSON object: unexpected 'l' (column 1)"],
    ['text behind it', '{}\nlog', 'stdout is not one JSON object: text after the JSON value (line 2, column 1)'],
    ['two objects', '{}{}', 'stdout is not one JSON object: text after the JSON value (column 3)'],
    ['an array', '[]', 'stdout is not one JSON object, but a JSON array'],
    ['a string', '"deny"', 'stdout is not one JSON object, but a JSON string'],
    ['a number', '0', 'stdout is not one JSON object, but a JSON number'],
    ['true', 'true', 'stdout is not one JSON object, but a JSON boolean'],
    ['null', 'null', 'stdout is not one JSON object, but a JSON null'],
    ['half', '{"action":"deny"', 'stdout is not one JSON object: unexpected end (column 17)'],
    ['a comment', '{} // done', 'stdout is not one JSON object: a comment (JSON has none) (column 4)'],
    [
      'single quotes',
      "{'action':'deny'}",
      'stdout is not one JSON object: a key or string in single quotes; JSON has double quotes alone (in Python: json.dumps) (column 2)',
    ],
    ['a trailing comma', '{"action":"deny",}', 'stdout is not one JSON object: a trailing comma (column 17)'],
    [
      'a duplicate key',
      '{"action":"deny","action":"deny"}',
      'stdout is not one JSON object: duplicate key "action" (column 18)',
    ],
    [
      'a duplicate key inside',
      '{"input":{"a":1,"a":1}}',
      'stdout is not one JSON object: duplicate key "a" (column 17)',
    ],
    [
      '1,001 levels',
      `{"trace":${'['.repeat(1000)}${']'.repeat(1000)}}`,
      'stdout is not one JSON object: nesting deeper than 1000 (column 1009)',
    ],
    ['two BOMs', '\ufeff\ufeff{}', "stdout is not one JSON object: unexpected '\\ufeff' (column 1)"],
  ])('is refused: %s', (_, out, why) => {
    expect(said(out)).toBe(why);
  });

  it('is refused: invalid UTF-8', () => {
    expect(read(Uint8Array.from([...encode('{"reason":"'), 0xc3, 0x28, ...encode('"}')]))).toEqual({
      kind: 'bad answer',
      why: 'stdout is not one JSON object: invalid UTF-8 (column 12)',
    });
  });
});

describe('values of the wrong type are refused', () => {
  it.each<[string, string]>([
    ['{"action":1}', '"action" must be a string'],
    ['{"action":null}', '"action" must be a string'],
    ['{"action":["deny"]}', '"action" must be a string'],
    ['{"action":"deny","reason":1}', '"reason" must be a string'],
    ['{"action":"stop","response":{}}', '"response" must be a string'],
    ['{"context":[]}', '"context" must be a string'],
    ['{"prompt":true}', '"prompt" must be a string'],
    ['{"input":"{}"}', '"input" must be an object'],
    ['{"input":[]}', '"input" must be an object'],
    ['{"input":null}', '"input" must be an object'],
  ])('%s', (out, why) => {
    expect(said(out)).toBe(why);
  });

  it.each<[string, string]>([
    ['denied', 'unknown action "denied" (allowed: allow, deny, ask, defer, stop)'],
    ['DENY', 'unknown action "DENY"; did you mean "deny"? (allowed: allow, deny, ask, defer, stop)'],
    ['alow', 'unknown action "alow"; did you mean "allow"? (allowed: allow, deny, ask, defer, stop)'],
    ['block', 'unknown action "block" (allowed: allow, deny, ask, defer, stop)'],
    ['', 'unknown action "" (allowed: allow, deny, ask, defer, stop)'],
    ['none', 'unknown action "none" (allowed: allow, deny, ask, defer, stop)'],
  ])('the action %j', (action, why) => {
    expect(said(`{"action":"${action}"}`)).toBe(why);
  });
});

describe('a caller that takes more than the native one', () => {
  const wide: Row = { ...rowNamed('postToolCall'), can: { ...rowNamed('postToolCall').can, stop: 'yes', ask: 'deny' } };
  const event: Event = eventNamed('postToolCall');

  it.each(['stop', 'ask', 'deny'])('lets a hook say it: %s', (action) => {
    expect(readAnswer(encode(`{"action":"${action}"}`), event, wide)).toEqual({ kind: 'answer', action, warnings: [] });
  });

  it('and nothing else: defer', () => {
    expect(readAnswer(encode('{"action":"defer"}'), event, wide).kind).toBe('bad answer');
  });
});

describe('what restricts in the stdout of a failed hook', () => {
  const found = (out: string, name = 'preToolCall') => restrictionIn(encode(out), eventNamed(name), rowNamed(name));

  it.each<[string, string, ReturnType<typeof found>]>([
    ['nothing', '', undefined],
    ['an allow', '{"action":"allow"}', undefined],
    ['the whole', '{"action":"deny","reason":"R"}', { action: 'deny', reason: 'R' }],
    ['the whole, on many lines', '{\n"action":\n"deny"}', { action: 'deny' }],
    ['the whole behind a BOM', '\ufeff{"action":"deny"}', { action: 'deny' }],
    ['one line', 'log\n  {"action":"ask","reason":"R"}  \r\nlog', { action: 'ask', reason: 'R' }],
    ['many lines within a log', 'log\n{\n"action":"deny"\n}', undefined],
    ['within a line', 'log {"action":"deny"}', undefined],
    ['two on one line', '{"action":"deny"}{"action":"deny"}', undefined],
    ['half a line', '{"action":"deny"', undefined],
    ['an array', '[{"action":"deny"}]', undefined],
    [
      'the strictest of several',
      '{"action":"ask"}\n{"action":"deny","reason":"R"}\n{"action":"defer"}',
      { action: 'deny', reason: 'R' },
    ],
    ['a stop before a deny', '{"action":"deny"}\n{"action":"stop","reason":"R"}', { action: 'stop', reason: 'R' }],
    [
      'the first of two denies',
      '{"action":"deny","reason":"1"}\n{"action":"deny","reason":"2"}',
      { action: 'deny', reason: '1' },
    ],
    ['the strictest of one key twice', '{"action":"deny","action":"allow"}', { action: 'deny' }],
    ['a response with a stop', '{"action":"stop","response":"S"}', { action: 'stop', response: 'S' }],
    ['no response without one', '{"action":"deny","response":"S"}', { action: 'deny' }],
    ['texts only if they are strings', '{"action":"stop","reason":1,"response":[]}', { action: 'stop' }],
    ['nothing but action, reason, response', '{"action":"ask","context":"C","input":{"a":1},"x":1}', { action: 'ask' }],
    ['no other spelling', '{"action":"DENY"}', undefined],
    ['no other key', '{"acton":"deny"}', undefined],
    ['an action that is no text', '{"action":["deny"]}', undefined],
    ['more levels than allowed', `{"action":"deny","x":${'['.repeat(5000)}${']'.repeat(5000)}}`, { action: 'deny' }],
    ["another agent's block", '{"decision":"block","reason":"R"}', { action: 'deny', reason: 'R' }],
    ["another agent's deny", '{"decision":"deny"}', { action: 'deny' }],
    ["another agent's ask", '{"permission":"ask"}', { action: 'deny' }],
    ["another agent's end", '{"continue":false,"stopReason":"R"}', { action: 'deny', reason: 'R' }],
    ["another agent's cancel", '{"cancel":true}', { action: 'deny' }],
    [
      "another agent's nested deny",
      '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"R"}}',
      { action: 'deny', reason: 'R' },
    ],
    [
      "another agent's nested behaviour",
      '{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"R"}}}',
      { action: 'deny', reason: 'R' },
    ],
    ["another agent's snake", '{"hook_specific_output":{"permission_decision":"deny"}}', { action: 'deny' }],
    ["another agent's approval", '{"decision":"approve"}', undefined],
    ["another agent's go-on", '{"continue":true,"cancel":false}', undefined],
  ])('%s', (_, out, restriction) => {
    expect(found(out)).toEqual(restriction);
  });

  it.each<[string, string, Action | undefined]>([
    ['preGeneration', 'ask', 'stop'],
    ['preGeneration', 'deny', 'stop'],
    ['permissionRequest', 'stop', 'deny'],
    ['permissionRequest', 'ask', undefined],
    ['taskStart', 'defer', 'deny'],
    ['postToolCall', 'ask', undefined],
    ['postGeneration', 'deny', 'deny'],
    ['postGeneration', 'stop', undefined],
    ['taskEnd', 'deny', undefined],
  ])('means on %s what it means there: %s', (name, action, meant) => {
    expect(found(`{"action":"${action}"}`, name)?.action).toBe(meant);
  });

  it.each<[string, Action | undefined]>([
    ['preToolCall', 'deny'],
    ['preGeneration', 'stop'],
    ['permissionRequest', 'deny'],
    ['taskStart', 'deny'],
    ['postToolCall', 'deny'],
    ['postGeneration', 'deny'],
    ['taskEnd', undefined],
  ])("another agent's block is the block of %s", (name, action) => {
    expect(found('{"decision":"block"}', name)?.action).toBe(action);
  });

  it('is found among twenty thousand lines in no time', () => {
    const started = performance.now();
    expect(found(`${'{"x":1}\n'.repeat(20_000)}{"action":"deny"}\n`)).toEqual({ action: 'deny' });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
