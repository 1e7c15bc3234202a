/**
 * Small true values for tests: one event of each name, a hook, a result.
 */
import { rawOf } from '../../../src/core/json';
import type { Event, Fields, Hook, Result, Row } from '../../../src/core/model';
import { knownEvents } from '../../../src/dialects';
import { readNativeEvent } from '../../../src/dialects/_shared/native-event';
import { NATIVE_ROWS } from '../../../src/dialects/_shared/native-rows';
import type { Hint } from '../../../src/dialects/dialect';
import { ORDER } from '../../../src/dialects/mm/spec';

export const HINT: Hint = { cwd: '/start', env: {}, events: knownEvents(), now: '2026-03-21T08:15:30.123Z' };

export const EVENT_NAMES: readonly string[] = NATIVE_ROWS.map((row) => row.canonical);

export const BEFORE = ['preToolCall', 'preGeneration', 'permissionRequest', 'taskStart'] as const;

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export function rowNamed(name: string): Row {
  const row = NATIVE_ROWS.find((one) => one.canonical === name);
  if (row === undefined) throw new Error(`no native event ${name}`);
  return row;
}

/** The event as the native caller's room reads it. `more` is spread over a payload that has what the event needs. */
export function eventNamed(name: string, more: Readonly<Record<string, unknown>> = {}): Event {
  const tool = rowNamed(name).matches === 'tool' ? { tool: { name: 'bash', input: { command: 'ls' } } } : {};
  const prompt = name === 'preGeneration' ? { prompt: 'hello' } : {};
  return readOk(JSON.stringify({ event: name, cwd: '/work', ...tool, ...prompt, ...more }));
}

export function readOk(payload: string, hint: Hint = HINT): Event {
  const read = readNativeEvent(encode(payload), hint, 'mm', NATIVE_ROWS);
  if ('refused' in read) throw new Error(read.refused);
  return read;
}

/** A native hook; `written` is its launch data. */
export function hookNamed(label: string, more: Partial<Hook> = {}): Hook {
  return {
    author: 'mm',
    at: { file: 'agent.yaml', line: 3, column: 7 },
    label,
    event: 'preToolCall',
    tests: [],
    group: 'mm',
    order: ORDER,
    phase: 0,
    onFailure: 'warn',
    root: '/conf',
    written: rawOf({ command: label, ms: 30_000, env: {} }),
    ...more,
  };
}

/** A process that ended by itself. */
export function ended(exit: number, out: string | Uint8Array = '', err = ''): Result {
  return { kind: 'ended', exit, out: typeof out === 'string' ? encode(out) : out, err: encode(err) };
}

/** The value of a field, or undefined. */
export function fieldIn(fields: Fields, name: string): string | undefined {
  return fields.find(([key]) => key === name)?.[1].text;
}

export const WORLD = {
  depth: 1,
  test: false,
  env: {},
  now: '2026-03-21T08:15:30.123Z',
  programs: { node: '/bin/node', bundles: '/dist' },
};
