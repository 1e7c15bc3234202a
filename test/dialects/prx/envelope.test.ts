/**
 * The envelope: read, completed, written.
 */
import { describe, expect, it } from 'vitest';
import { type EnvelopeHint, readEnvelope } from '../../../src/dialects/prx/envelope';
import { eventOf, givenTo } from '../../../src/dialects/prx/event';
import { canonicalOf, canonicalTool, EVENTS, nativeOf, normalised } from '../../../src/dialects/prx/spec';
import { encode, eventNamed, type readOk } from '../../unit/dialects/sample';

const HINT: EnvelopeHint = { session: 'outer', timestamp: '2026-01-02T03:04:05.006Z', what: 'it' };
const NOW = '2026-05-06T07:08:09.010Z';

function read(text: string, hint: Partial<EnvelopeHint> = {}) {
  const envelope = readEnvelope(encode(text), { ...HINT, ...hint });
  if ('refused' in envelope) throw new Error(envelope.refused);
  return envelope;
}

describe('an envelope', () => {
  it.each([
    [
      'compact and in order, byte for byte',
      '{"event":"turn_complete","timestamp":"2026-03-21T08:15:30Z","session_id":"s\\u00e9","payload":{"a":1.50,"é":"\\u00e9"},"z":1}',
      undefined,
    ],
    [
      'completed',
      '{"event":"turn_complete"}',
      '{"event":"turn_complete","timestamp":"2026-01-02T03:04:05.006Z","session_id":"outer","payload":{}}',
    ],
    [
      'put in order, without blanks',
      '{ "b" : 2, "payload" : { "x" : [ 1 , 2 ] }, "event" : " TURN-Complete " }',
      '{"event":"turn_complete","timestamp":"2026-01-02T03:04:05.006Z","session_id":"outer","payload":{"x":[1,2]},"b":2}',
    ],
    [
      'with numbers and keys as they are',
      '{"event":"turn_complete","timestamp":"2026-03-21T08:15:30Z","session_id":"","payload":{"n":12345678901234567890,"d":0.10,"__proto__":{}}}',
      undefined,
    ],
  ])('is %s', (_, text, written) => {
    expect(read(text).text).toBe(written ?? text);
  });

  it('takes the payload alone where the event is known, and an empty text', () => {
    expect(read('{"x":1}', { event: 'turn-complete' }).text).toContain('"payload":{"x":1}}');
    expect(read(' ', { event: 'turn_complete' }).text).toContain('"payload":{}}');
  });

  it('says what its payload lacks', () => {
    expect(read('{"event":"llm_response","payload":{"provider":"p","model":1,"duration_ms":"3"}}').lacks).toEqual([
      '"payload.model" must be a string',
      '"payload.duration_ms" must be a number',
      '"payload.success" (boolean) is missing',
    ]);
    expect(read('{"event":"tool_call_start","payload":{"tool":"x","arguments":[]}}').lacks).toEqual([
      '"payload.arguments" must be an object',
    ]);
  });

  it.each([
    ['', 'it is empty; one JSON object is expected'],
    ['[]', 'it must be one JSON object'],
    ['{"event":5}', 'it: "event" must be a string'],
    ['{"event":"turn_complete","payload":null}', 'it: "payload" must be an object'],
    [
      '{"event":"turn_complete","timestamp":"2026-03-21"}',
      'it: "timestamp" must be a date, time and zone, as in 2026-03-21T08:15:30.123Z',
    ],
    ['{"event":"turn_complete","timestamp":7}', 'it: "timestamp" must be a string'],
    ['{"event":"turn_complete","session_id":null}', 'it: "session_id" must be a string'],
    ['{"event":"turn_complete","session_id":"\\u0000"}', 'it: "session_id" has a control character'],
    ['{"event":"turn_complete","payload":{"a":1,"a":2}}', 'it is not valid JSON: line 1, column 43: duplicate key "a"'],
  ])('%s is refused', (text, why) => {
    expect(readEnvelope(encode(text), HINT)).toMatchObject({ refused: why });
  });

  it('whose event is another one than was asked for is refused, and named', () => {
    expect(readEnvelope(encode('{"event":"error"}'), { ...HINT, event: 'tool_call' })).toEqual({
      refused: 'it says it is "error", but "tool_call" was asked for',
      event: 'error',
    });
  });
});

describe('names', () => {
  it.each(EVENTS)('%s has a canonical name and comes back', (event) => {
    expect(nativeOf(canonicalOf(event) ?? '')).toBe(event);
    expect(canonicalOf(` ${event.toUpperCase().replaceAll('_', '-')} `)).toBe(canonicalOf(event));
  });

  it('are normalised by case, blanks and dashes alone', () => {
    expect(normalised(' Tool-Call_START ')).toBe('tool_call_start');
    expect(canonicalOf('toolcall')).toBeUndefined();
  });

  it.each([
    ['Bash', 'bash'],
    ['run_shell_command', 'bash'],
    ['webFetch', 'fetch'],
    ['apply_patch', 'write'],
    ['my_tool', undefined],
  ])('the tool %s is %s', (name, canonical) => {
    expect(canonicalTool(name)).toBe(canonical);
  });
});

describe('an event of PRX', () => {
  it('is a native event with its tool, and keeps the payload', () => {
    const event = eventOf(
      read('{"event":"tool_call","payload":{"tool":"execute_command","success":false,"output":"x"},"more":1}'),
      '/w',
    );
    expect(event).toMatchObject({
      name: 'postToolCall',
      cwd: '/w',
      session: 'outer',
      tool: { name: 'execute_command', canonical: 'bash', output: { text: '"x"' }, success: false },
    });
    expect(event.rest.map(([key]) => key)).toEqual(['timestamp', 'payload', 'more']);
  });

  it('is given to its hooks as it came, a rewrite spliced in', () => {
    const event = eventOf(read('{"event":"tool_call_start","payload":{"tool":"b","arguments":{"a":1.0}}}'), '/w');
    const text = event.from.bytes === undefined ? '' : new TextDecoder().decode(event.from.bytes);
    expect(givenTo(event, NOW)).toMatchObject({ text });
    const rewritten = { ...event, rewritten: 'input', tool: { name: 'b', input: { text: '{ "a": 2 }' } } } as const;
    expect(givenTo(rewritten, NOW)).toMatchObject({ text: text.replace('{"a":1.0}', '{"a":2}') });
  });
});

describe("another caller's event as a PRX hook reads it", () => {
  const given = (event: ReturnType<typeof readOk>) => {
    const told = givenTo(event, NOW);
    return 'text' in told ? JSON.parse(told.text) : told.why;
  };

  it.each([
    [
      'preToolCall',
      { tool: { name: 'bash', input: { command: 'ls' } } },
      { tool: 'bash', arguments: { command: 'ls' } },
    ],
    [
      'postToolCall',
      { tool: { name: 'bash', output: { a: [1] }, success: true } },
      { tool: 'bash', success: true, output: '{"a":[1]}' },
    ],
    ['postToolCall', { tool: { name: 'bash', output: 'x' } }, { tool: 'bash', success: null, output: 'x' }],
    ['postGeneration', {}, {}],
    ['turnStart', {}, { agent: 'mm', session: 's' }],
    ['modelRequest', {}, { provider: null, model: null, messages_count: null }],
    ['error', { message: 'm' }, { component: null, message: null }],
    ['error', { payload: { component: 'c', message: 'm', x: 1 } }, { component: 'c', message: 'm', x: 1 }],
    ['error', { payload: { component: 'c' } }, { component: null, message: null }],
  ])('%s %j', (name, more, payload) => {
    expect(given(eventNamed(name, { session: 's', ...more }))).toEqual({
      event: nativeOf(name),
      timestamp: NOW,
      session_id: 's',
      payload,
    });
  });

  it('that PRX does not have starts nothing', () => {
    expect(given(eventNamed('sessionStart'))).toBe('PRX has no event sessionStart');
  });

  it('of more than 65,536 bytes is not handed on', () => {
    const event = eventNamed('preToolCall', { tool: { name: 'b', input: { x: 'é'.repeat(32_750) } } });
    expect(given(event)).toMatch(/^the event has 65\d\d\d bytes, and at most 65536 are handed to hooks$/);
  });
});
