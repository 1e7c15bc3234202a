import { describe, expect, it } from 'vitest';
import { rewriteEvent } from '../../../../src/core/fold';
import type { Event } from '../../../../src/core/model';
import { ownVerdict } from '../../../../src/core/own';
import { rowOf } from '../../../../src/dialects';
import { readNativeEvent } from '../../../../src/dialects/_shared/native-event';
import { NATIVE_ROWS } from '../../../../src/dialects/_shared/native-rows';
import type { Hint, Refused } from '../../../../src/dialects/dialect';
import { mm } from '../../../../src/dialects/mm';
import { BEFORE, EVENT_NAMES, encode, fieldIn, HINT, hookNamed, readOk, WORLD } from '../sample';

const BASH = '"tool":{"name":"bash","input":{"command":"ls"}}';

function read(payload: string | Uint8Array, hint: Partial<Hint> = {}): Event | Refused {
  const bytes = typeof payload === 'string' ? encode(payload) : payload;
  return readNativeEvent(bytes, { ...HINT, ...hint }, 'mm', NATIVE_ROWS);
}

/** `<event>: <why>`, the event only where it is told. */
function whyNot(payload: string | Uint8Array, hint: Partial<Hint> = {}): string | undefined {
  const got = read(payload, hint);
  if (!('refused' in got)) return undefined;
  return got.event === undefined ? got.refused : `${got.event}: ${got.refused}`;
}

/** What a native hook reads on stdin, without the newline. */
function stdinOf(event: Event): string {
  const job = mm.author.job(hookNamed('h', { event: event.name }), event, WORLD);
  if (job.kind !== 'process' || job.stdin === 'closed') throw new Error('a native hook reads stdin');
  return job.stdin === 'event bytes'
    ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(event.from.bytes)
    : job.stdin.text;
}

describe('a payload is refused', () => {
  const deepest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":0`).join();

  it.each<[string, string | Uint8Array, string]>([
    ['empty', '', 'stdin is empty; one event is expected there, a JSON object'],
    ['blank', '\ufeff \n', 'stdin is empty; one event is expected there, a JSON object'],
    ['no JSON', 'event', "the event on stdin is not valid JSON: line 1, column 1: unexpected 'e'"],
    ['half', '{"event":\n "manual"', 'the event on stdin is not valid JSON: line 2, column 10: unexpected end'],
    [
      'two objects',
      '{"event":"manual"} {}',
      'the event on stdin is not valid JSON: line 1, column 20: text after the JSON value',
    ],
    ['two BOMs', '\ufeff\ufeff{}', "the event on stdin is not valid JSON: line 1, column 1: unexpected '\\ufeff'"],
    ['an array', '[{"event":"manual"}]', 'the event on stdin must be one JSON object'],
    ['a string', '"manual"', 'the event on stdin must be one JSON object'],
    ['null', 'null', 'the event on stdin must be one JSON object'],
    [
      'invalid UTF-8',
      Uint8Array.from([...encode('{"event":"manual","x":"'), 0xff, ...encode('"}')]),
      'the event on stdin is not valid JSON: line 1, column 24: invalid UTF-8',
    ],
    [
      'UTF-16',
      Uint8Array.from([0xff, 0xfe, 0x7b, 0x00]),
      'the event on stdin is not valid JSON: line 1, column 1: invalid UTF-8',
    ],
    [
      'a duplicate key',
      '{"event":"manual","event":"error"}',
      'the event on stdin is not valid JSON: line 1, column 19: duplicate key "event"',
    ],
    [
      'a duplicate key inside',
      '{"event":"preToolCall","tool":{"name":"bash","input":{"command":"ls","command":"rm"}}}',
      'the event on stdin is not valid JSON: line 1, column 70: duplicate key "command"',
    ],
    [
      'a duplicate key by its escapes',
      '{"event":"manual","a":1,"\\u0061":2}',
      'the event on stdin is not valid JSON: line 1, column 25: duplicate key "a"',
    ],
    [
      '1,001 levels',
      `{"event":"manual","x":${deepest(1000)}}`,
      'the event on stdin is not valid JSON: line 1, column 1022: nesting deeper than 1000',
    ],
    [
      '100,001 keys',
      `{"event":"manual","x":{${keys(100_001)}}}`,
      'the event on stdin is not valid JSON: line 1, column 1088914: more than 100000 keys in one object',
    ],
    ['no event', '{}', 'the event has no field "event"; give it, or say --event NAME'],
    ['an event that is no text', '{"event":1}', 'the field "event" must be a string'],
    ['an unknown event', '{"event":"preToolcall"}', 'unknown event "preToolcall"; did you mean "preToolCall"?'],
    ['an event of another agent', '{"event":"PreToolUse"}', 'unknown event "PreToolUse"; did you mean "preToolCall"?'],
    ['an event of no room', '{"event":"nobody:Idle"}', 'unknown event "nobody:Idle"'],
    ['no tool', '{"event":"preToolCall"}', 'preToolCall: the event needs "tool.name", a string that is not empty'],
    [
      'a tool that is no object',
      '{"event":"preToolCall","tool":"bash"}',
      'preToolCall: the event needs "tool.name", a string that is not empty',
    ],
    [
      'a tool without a name',
      '{"event":"preToolCall","tool":{"input":{}}}',
      'preToolCall: the event needs "tool.name", a string that is not empty',
    ],
    [
      'an empty tool name',
      '{"event":"preToolCall","tool":{"name":"","input":{}}}',
      'preToolCall: the event needs "tool.name", a string that is not empty',
    ],
    [
      'a tool name that is no text',
      '{"event":"postToolCall","tool":{"name":1}}',
      'postToolCall: the event needs "tool.name", a string that is not empty',
    ],
    [
      'a tool name of 1,025 bytes',
      `{"event":"preToolCall","tool":{"name":"${'é'.repeat(512)}x","input":{}}}`,
      'preToolCall: "tool.name" is longer than 1024 bytes',
    ],
    [
      'no tool input',
      '{"event":"preToolCall","tool":{"name":"bash"}}',
      'preToolCall: the event needs "tool.input", an object',
    ],
    [
      'a tool input that is null',
      '{"event":"permissionRequest","tool":{"name":"bash","input":null}}',
      'permissionRequest: the event needs "tool.input", an object',
    ],
    [
      'a tool input that is text',
      '{"event":"permissionRequest","tool":{"name":"bash","input":"{}"}}',
      'permissionRequest: the event needs "tool.input", an object',
    ],
    [
      'a tool input that is an array',
      '{"event":"preToolCall","tool":{"name":"bash","input":[]}}',
      'preToolCall: the event needs "tool.input", an object',
    ],
    ['a cwd that is no text', '{"event":"manual","cwd":1}', 'manual: the field "cwd" of the event must be a string'],
    [
      'a session that is no text',
      '{"event":"manual","session":{}}',
      'manual: the field "session" of the event must be a string',
    ],
    [
      'a prompt that is no text',
      '{"event":"preGeneration","prompt":["hi"]}',
      'preGeneration: the field "prompt" of the event must be a string',
    ],
    [
      'a response that is no text',
      '{"event":"postGeneration","response":false}',
      'postGeneration: the field "response" of the event must be a string',
    ],
  ])('%s', (_, payload, why) => {
    expect(whyNot(payload)).toBe(why);
  });

  it.each<[string, string, string, string | undefined]>([
    ['an unknown event', '{}', 'PreToolCall', 'unknown event "PreToolCall"; did you mean "preToolCall"?'],
    [
      'an event that lacks its tool',
      '{}',
      'preToolCall',
      'preToolCall: the event needs "tool.name", a string that is not empty',
    ],
    [
      'an event without a payload that lacks its tool',
      '',
      'preToolCall',
      'preToolCall: the event needs "tool.name", a string that is not empty',
    ],
    ['the same event twice', '{"event":"manual"}', 'manual', undefined],
    ['the event alone', '{}', 'manual', undefined],
    ['the event where the payload has null', '{"event":null}', 'manual', undefined],
    ['the event without a payload', '', 'manual', undefined],
    ['the event with a blank payload', ' \n', 'manual', undefined],
  ])('or not, by --event: %s', (_, payload, event, why) => {
    expect(whyNot(payload, { event })).toBe(why);
  });

  it.each([...BEFORE])('where --event %s and the payload contradict each other: never an open door', (event) => {
    const got = read('{"event":"preToolcall"}', { event });
    if (!('refused' in got)) throw new Error('read');
    const row = got.event === undefined ? undefined : rowOf(mm, { name: got.event });
    expect(ownVerdict(got.refused, '', row, 'fail').source?.kind).toBe('hookctl');
  });

  it('in words without control characters, whatever the payload says', () => {
    expect(whyNot('{"event":"\\u001b]0;owned\\u0007x"}')).not.toMatch(/\p{Cc}/u);
  });
});

describe('a payload is taken', () => {
  it.each(EVENT_NAMES.filter((name) => !/tool|permission/i.test(name)))('with the event alone: %s', (event) => {
    expect(whyNot(JSON.stringify({ event }))).toBeUndefined();
  });

  it.each<[string, string]>([
    ['a BOM', `\ufeff{"event":"preToolCall",${BASH}}`],
    ['lines', `{\n  "event": "preToolCall",\r\n  ${BASH}\n}\n`],
    ['white space around it', ` \n{"event":"manual"}\t\n`],
    ['1,000 levels', `{"event":"manual","x":${'['.repeat(999)}${']'.repeat(999)}}`],
    ['a tool name of 1,024 bytes', `{"event":"preToolCall","tool":{"name":"${'é'.repeat(512)}","input":{}}}`],
    ['a tool event after the fact without input', '{"event":"postToolCall","tool":{"name":"bash"}}'],
    ['null for every text', '{"event":"preGeneration","cwd":null,"session":null,"prompt":null,"response":null}'],
    ['a tool on an event without tools', '{"event":"manual","tool":"bash"}'],
  ])('with %s', (_, payload) => {
    expect(whyNot(payload)).toBeUndefined();
  });

  it('null for a text is absence', () => {
    const { prompt, response, session, cwd } = readOk(
      '{"event":"preGeneration","cwd":null,"session":null,"prompt":null,"response":null}',
    );
    expect({ prompt, response, session, cwd }).toEqual({
      prompt: undefined,
      response: undefined,
      session: undefined,
      cwd: '/start',
    });
  });

  it.each<[string, string]>([
    ['', '/start'],
    ['"cwd":"/work"', '/work'],
    ['"cwd":"/work/../etc"', '/work/../etc'],
    ['"cwd":"sub"', '/start/sub'],
    ['"cwd":"./a/./b/"', '/start/a/b'],
    ['"cwd":"./link/../b/"', '/start/link/../b'],
    ['"cwd":""', '/start'],
    ['"cwd":"~"', '/start/~'],
  ])('{%s} stands in %s', (field, cwd) => {
    expect(readOk(`{"event":"manual"${field === '' ? '' : `,${field}`}}`).cwd).toBe(cwd);
  });

  it('every known field has its place', () => {
    const { rest, from, ...event } = readOk(
      '{"event":"postToolCall","cwd":"/w","session":"s","tool":{"name":"Bash","canonical":"bash","input":{"a":1.10},"output":[1e999],"success":false},"prompt":"p","response":"r","file":{"path":"/w/a"},"task":{"name":"t","spec":"/w/s","success":true},"x":1}',
    );
    expect(event).toEqual({
      name: 'postToolCall',
      cwd: '/w',
      session: 's',
      tool: {
        name: 'Bash',
        canonical: 'bash',
        input: { text: '{"a":1.10}' },
        output: { text: '[1e999]' },
        success: false,
      },
      prompt: { text: '"p"' },
      response: { text: '"r"' },
      file: { path: '/w/a' },
      task: { name: 't', spec: '/w/s', success: true },
    });
  });

  it('every other top-level field is kept in its order, __proto__ too', () => {
    const { rest } = readOk('{"b":1,"event":"manual","__proto__":{"x":1},"10":2,"2":3,"a":null}');
    expect(rest.map(([key, value]) => `${key}=${value.text}`)).toEqual([
      'b=1',
      '__proto__={"x":1}',
      '10=2',
      '2=3',
      'a=null',
    ]);
  });

  it('a field of the event called toString is not found in an event without it', () => {
    expect(fieldIn(readOk('{"event":"manual"}').rest, 'toString')).toBeUndefined();
  });
});

describe('a native hook reads', () => {
  const line = `{"event":"preToolCall","cwd":"/work",${BASH}}`;

  it.each<[string, string, string]>([
    ['one line as it was sent', line, line],
    ['one line without the white space around it', ` \n${line}\n\n`, line],
    ['one line without its BOM', `\ufeff${line}`, line],
    [
      'white space within one line as it was sent',
      '{ "event" : "manual" ,"cwd":"/w" }',
      '{ "event" : "manual" ,"cwd":"/w" }',
    ],
    [
      'many lines as one',
      '{\n  "event": "manual",\r\n  "cwd": "/w",\n  "x": [ 1,\n 2 ]\n}',
      '{"event":"manual","cwd":"/w","x":[1,2]}',
    ],
    [
      'escaped line ends as they are',
      '{"event":"manual","cwd":"/w","x":"a\\nb"}',
      '{"event":"manual","cwd":"/w","x":"a\\nb"}',
    ],
    ['an absolute cwd where there was none', '{"event":"manual"}', '{"event":"manual","cwd":"/start"}'],
    [
      'an absolute cwd where it was relative, at its place',
      '{"cwd":"sub","event":"manual"}',
      '{"cwd":"/start/sub","event":"manual"}',
    ],
    ['an absolute cwd where it was null', '{"cwd":null,"event":"manual"}', '{"cwd":"/start","event":"manual"}'],
    [
      'the keys in their order',
      '{"z":1,"cwd":"/w","10":2,"event":"manual","2":3}',
      '{"z":1,"cwd":"/w","10":2,"event":"manual","2":3}',
    ],
    [
      'numbers beyond 2^53',
      '{"event":"manual","cwd":"/w","n":[9007199254740993,12345678901234567890]}',
      '{"event":"manual","cwd":"/w","n":[9007199254740993,12345678901234567890]}',
    ],
    [
      'exact decimals and exponents',
      '{"event":"manual","n":[1.10,1E+2,-0,1e999]}',
      '{"event":"manual","n":[1.10,1E+2,-0,1e999],"cwd":"/start"}',
    ],
    [
      'lone surrogates as escapes',
      '{"event":"manual",\n"x":"\\ud800\\u0041"}',
      '{"event":"manual","x":"\\ud800\\u0041","cwd":"/start"}',
    ],
    [
      'every other character as it is',
      '{"event":"manual",\n"x":"é😀\u2028\ufeff\u0085"}',
      '{"event":"manual","x":"é😀\u2028\ufeff\u0085","cwd":"/start"}',
    ],
    [
      '__proto__ like any other key',
      '{"event":"manual",\n"__proto__":{"a":1}}',
      '{"event":"manual","__proto__":{"a":1},"cwd":"/start"}',
    ],
    [
      'unknown fields of the tool',
      '{"event":"postToolCall","tool":{"id":7,"name":"bash","x":{"y":1.10}},"cwd":"/w"}',
      '{"event":"postToolCall","tool":{"id":7,"name":"bash","x":{"y":1.10}},"cwd":"/w"}',
    ],
    [
      'null texts as they are',
      '{"event":"manual","cwd":"/w","session":null}',
      '{"event":"manual","cwd":"/w","session":null}',
    ],
  ])('%s', (_, payload, expected) => {
    expect(stdinOf(readOk(payload))).toBe(expected);
  });

  it.each<[string, string]>([
    ['{"cwd":"/w"}', '{"cwd":"/w","event":"manual"}'],
    ['', '{"event":"manual","cwd":"/start"}'],
    ['{"event":null,"cwd":"/w"}', '{"event":"manual","cwd":"/w"}'],
  ])('the event that --event gave: %j', (payload, expected) => {
    expect(stdinOf(readOk(payload, { ...HINT, event: 'manual' }))).toBe(expected);
  });
});

describe('after a rewrite a native hook reads', () => {
  const replacing = (payload: string, value: string) =>
    stdinOf(rewriteEvent(readOk(payload), { field: 'input', how: 'replace', value: { text: value } }));

  it.each<[string, string, string, string]>([
    [
      'the new input at its place, every other field of the tool as it was',
      '{"event":"preToolCall","cwd":"/w","tool":{"id":7,"input":{"command":"rm"},"name":"bash","x":{"y":1.10}},"n":9007199254740993}',
      '{"command":"ls","n":12345678901234567890}',
      '{"event":"preToolCall","cwd":"/w","tool":{"id":7,"input":{"command":"ls","n":12345678901234567890},"name":"bash","x":{"y":1.10}},"n":9007199254740993}',
    ],
    [
      'one line, though the new input is many',
      `{"event":"preToolCall","cwd":"/w",${BASH}}`,
      '{\n  "command": "a b"\n}',
      '{"event":"preToolCall","cwd":"/w","tool":{"name":"bash","input":{"command":"a b"}}}',
    ],
    [
      'one line, though the event was many',
      `{\n "event":"preToolCall",\n ${BASH}\n}`,
      '{}',
      '{"event":"preToolCall","tool":{"name":"bash","input":{}},"cwd":"/start"}',
    ],
    [
      'no trace of a key that looks alike',
      '{"event":"preToolCall","cwd":"/w","input":{"command":"top"},"tool":{"name":"bash","\\u0069nput":{"command":"rm"}}}',
      '{}',
      '{"event":"preToolCall","cwd":"/w","input":{"command":"top"},"tool":{"name":"bash","\\u0069nput":{}}}',
    ],
    [
      'lone surrogates and __proto__ unharmed',
      '{"event":"preToolCall","cwd":"/w","tool":{"__proto__":"\\ud800","name":"bash","input":{}}}',
      '{"x":"\\udc00"}',
      '{"event":"preToolCall","cwd":"/w","tool":{"__proto__":"\\ud800","name":"bash","input":{"x":"\\udc00"}}}',
    ],
  ])('%s', (_, payload, value, expected) => {
    expect(replacing(payload, value)).toBe(expected);
  });

  it.each<[string, string, string]>([
    [
      '{"event":"preGeneration","cwd":"/w","prompt":"old","x":1}',
      '"new"',
      '{"event":"preGeneration","cwd":"/w","prompt":"new","x":1}',
    ],
    ['{"event":"preGeneration","cwd":"/w"}', '""', '{"event":"preGeneration","cwd":"/w","prompt":""}'],
    [
      '{"event":"preGeneration","cwd":"/w","prompt":null}',
      '"new"',
      '{"event":"preGeneration","cwd":"/w","prompt":"new"}',
    ],
  ])('the new prompt: %s', (payload, value, expected) => {
    const event = rewriteEvent(readOk(payload), { field: 'prompt', how: 'replace', value: { text: value } });
    expect(stdinOf(event)).toBe(expected);
  });

  it('the last of two rewrites', () => {
    const first = rewriteEvent(readOk(`{"event":"preToolCall","cwd":"/w",${BASH}}`), {
      field: 'input',
      how: 'replace',
      value: { text: '{"a":1}' },
    });
    const second = rewriteEvent(first, { field: 'input', how: 'replace', value: { text: '{"b":2}' } });
    expect(stdinOf(second)).toBe('{"event":"preToolCall","cwd":"/w","tool":{"name":"bash","input":{"b":2}}}');
  });
});

describe("of another agent's event a native hook reads", () => {
  const event: Event = {
    name: 'preToolCall',
    cwd: '/w',
    session: 's',
    tool: { name: 'Bash', canonical: 'bash', input: { text: '{\n"command": "ls"}' } },
    rest: [
      ['permission_mode', { text: '"default"' }],
      ['__proto__', { text: '1.10' }],
    ],
    from: { room: 'claude', event: 'PreToolUse', bytes: encode('{"hook_event_name":"PreToolUse"}') },
  };

  it('the native shape in one line, unknown fields last', () => {
    expect(stdinOf(event)).toBe(
      '{"event":"preToolCall","cwd":"/w","session":"s","tool":{"name":"Bash","canonical":"bash","input":{"command":"ls"}},"permission_mode":"default","__proto__":1.10}',
    );
  });

  it('the rewrite', () => {
    const after = rewriteEvent(event, { field: 'input', how: 'replace', value: { text: '{"command":"pwd"}' } });
    expect(stdinOf(after)).toContain('"input":{"command":"pwd"}');
  });

  it('the task, the file, the texts and a success that is false', () => {
    const { session: _, tool: _1, ...bare } = event;
    const all: Event = {
      ...bare,
      name: 'taskEnd',
      prompt: { text: '"p"' },
      response: { text: '"r"' },
      file: { path: '/w/a' },
      task: { name: 't', spec: '/w/s', success: false },
      rest: [],
    };
    expect(stdinOf(all)).toBe(
      '{"event":"taskEnd","cwd":"/w","prompt":"p","response":"r","file":{"path":"/w/a"},"task":{"name":"t","spec":"/w/s","success":false}}',
    );
  });
});
