/**
 * What a caller would send of an event, read again, is that event.
 */
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../src/core/json';
import type { Event } from '../../src/core/model';
import { ROOMS } from '../../src/dialects';
import { samplesFor } from '../../src/suite/sample';
import { encode, HINT, hookNamed, readOk } from '../unit/dialects/sample';

const CALLERS = ROOMS.filter(({ payload }) => payload !== undefined);

/** What a caller's own payload has no word for. */
const LOST: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  claude: { postGeneration: ['prompt'] },
  prx: { postToolCall: ['input'], postGeneration: ['prompt', 'response'] },
};

/** What guards look at. */
function essence({ name, tool, prompt, response, file, task }: Event) {
  return {
    name,
    tool: tool?.canonical ?? tool?.name,
    input: tool?.input && fieldsOf(tool.input),
    prompt: prompt?.text,
    response: response?.text,
    file,
    task: task?.name,
  };
}

it('there are callers of whom samples are made', () => {
  expect(CALLERS.map(({ spec }) => spec.id)).toEqual(expect.arrayContaining(['claude', 'prx']));
});

describe.each(CALLERS.map((room) => [room.spec.id, room] as const))('%s', (_, room) => {
  const events = [...new Set(room.spec.rows.map(({ canonical }) => canonical))];

  it.each(events)('%s', (event) => {
    const samples = samplesFor([hookNamed('h', { event })], '/work');
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples) {
      const native = readOk(JSON.stringify(sample));
      const text = room.payload?.(native).text ?? '';
      const read = room.readEvent(encode(text), HINT);
      if ('refused' in read) throw new Error(`${text}: ${read.refused}`);
      const lost = LOST[room.spec.id]?.[event] ?? [];
      const left = Object.entries(essence(native)).map(([key, value]) => [key, lost.includes(key) ? undefined : value]);
      expect(essence(read)).toEqual(Object.fromEntries(left));
    }
  });
});
