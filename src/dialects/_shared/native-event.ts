/**
 * The native event on the wire: one JSON object, read into an `Event`. Values stay where they are until somebody needs them:
 * an event may be 64 MiB.
 */

import { canonicalEvent } from '../../core/events';
import { raw, rawOf, scan, splice, typeOf } from '../../core/json';
import type { Event, Row } from '../../core/model';
import { didYouMean } from '../../core/nearest';
import { resolvePath } from '../../core/path';
import { clean, decode, isBlank } from '../../core/text';
import type { Hint, Refused } from '../dialect';
import { JsonObject } from './json-object';
import { compactLines, KNOWN_FIELDS } from './native-stdin';

const MAX_TOOL_NAME_BYTES = 1024;
const EMPTY_OBJECT = new TextEncoder().encode('{}');
const LF = 0x0a;
const CR = 0x0d;

const TEXTS = ['cwd', 'session', 'prompt', 'response'] as const;

/**
 * Reads a native payload for the caller `room`.
 *
 * Refused, with the reason: anything but one JSON object within the limits of `core/json.ts`, an unknown event, a known text
 * that is no text, a tool event without what a guard must see. `null` for a text is absence.
 */
export function readNativeEvent(bytes: Uint8Array, hint: Hint, room: string, rows: readonly Row[]): Event | Refused {
  const blank = isBlank(bytes);
  const scanned = scan(blank && hint.event !== undefined ? EMPTY_OBJECT : bytes);
  if (scanned.kind === 'fault') {
    const { line, column, why } = scanned;
    if (blank) return { refused: 'stdin is empty; one event is expected there, a JSON object' };
    return { refused: `the event on stdin is not valid JSON: line ${line}, column ${column}: ${why}` };
  }
  const { bytes: read, root } = scanned;
  if (typeOf(read, root) !== 'object') return { refused: 'the event on stdin must be one JSON object' };
  return readObject(new JsonObject(read, root), hint, room, rows);
}

function readObject(object: JsonObject, hint: Hint, room: string, rows: readonly Row[]): Event | Refused {
  const name = eventName(object, hint, rows);
  if (typeof name !== 'string') return name;
  const row = rows.find((one) => one.canonical === name);
  const tool = object.inner('tool');
  const fault = faultOfTexts(object) ?? (row?.matches === 'tool' ? faultOfTool(tool, row) : undefined);
  if (fault !== undefined) return { refused: fault, event: name };
  const said = object.text('cwd') ?? hint.cwd;
  const cwd = said.startsWith('/') ? said : resolvePath(hint.cwd, said);
  const rest = object.members.filter(({ key }) => !KNOWN_FIELDS.includes(key));
  return {
    name,
    cwd,
    ...present('session', object.text('session')),
    ...present('tool', toolIn(tool)),
    ...present('prompt', object.raw('prompt')),
    ...present('response', object.raw('response')),
    ...present('file', fileIn(object.inner('file'))),
    ...present('task', taskIn(object.inner('task'))),
    rest: rest.map(({ key, value }) => [key, raw(object.bytes, value)] as const),
    from: { room, event: name, native: true, bytes: handedOn(object, name, cwd) },
  };
}

function eventName(object: JsonObject, hint: Hint, rows: readonly Row[]): string | Refused {
  const said = object.text('event');
  if (said === undefined && object.type('event') !== 'null') return { refused: 'the field "event" must be a string' };
  if (said !== undefined && hint.event !== undefined && said !== hint.event) {
    const why = clean(`the event says it is "${said}", but --event says "${hint.event}"`);
    return { refused: why, ...present('event', strictest([hint.event, said], rows)) };
  }
  const name = said ?? hint.event;
  if (name === undefined) return { refused: 'the event has no field "event"; give it, or say --event NAME' };
  if (rows.some((row) => row.canonical === name) || hint.events.includes(name)) return name;
  const meant = canonicalEvent(name);
  const offer = meant === undefined ? didYouMean(name, hint.events) : `; did you mean "${meant}"?`;
  return { refused: clean(`unknown event "${name}"${offer}`) };
}

/** Of contradicting names the one on which hookctl's failure blocks; undefined, which blocks too, where none is known. */
function strictest(names: readonly string[], rows: readonly Row[]): string | undefined {
  const known = rows.filter((row) => names.includes(row.canonical));
  return (known.find((row) => row.synthetic !== 'warning') ?? known[0])?.canonical;
}

function faultOfTexts(object: JsonObject): string | undefined {
  const wrong = TEXTS.find((key) => !['string', 'null'].includes(object.type(key)));
  return wrong === undefined ? undefined : `the field "${wrong}" of the event must be a string`;
}

function faultOfTool(tool: JsonObject, row: Row): string | undefined {
  const name = tool.text('name') ?? '';
  if (name === '') return 'the event needs "tool.name", a string that is not empty';
  if (new TextEncoder().encode(name).length > MAX_TOOL_NAME_BYTES) {
    return `"tool.name" is longer than ${MAX_TOOL_NAME_BYTES} bytes`;
  }
  if (!['string', 'null'].includes(tool.type('canonical'))) return '"tool.canonical" must be a string';
  return row.phase === 'after' || tool.type('input') === 'object'
    ? undefined
    : 'the event needs "tool.input", an object';
}

function toolIn(tool: JsonObject): Event['tool'] {
  const name = tool.text('name');
  if (name === undefined) return undefined;
  return {
    name,
    ...present('canonical', tool.text('canonical')),
    ...present('input', tool.raw('input')),
    ...present('output', tool.raw('output')),
    ...present('success', tool.flag('success')),
  };
}

function fileIn(file: JsonObject): Event['file'] {
  const path = file.text('path');
  return path === undefined ? undefined : { path };
}

function taskIn(task: JsonObject): Event['task'] {
  const name = task.text('name');
  if (name === undefined) return undefined;
  return { name, ...present('spec', task.text('spec')), ...present('success', task.flag('success')) };
}

/** The caller's own bytes where they are one line that names the event and an absolute folder; else the text mended so. */
function handedOn(object: JsonObject, name: string, cwd: string): Uint8Array {
  const own = object.bytes.subarray(object.span?.start, object.span?.end);
  const named = object.text('event') === name;
  const placed = object.text('cwd') === cwd;
  if (named && placed && !own.includes(LF) && !own.includes(CR)) return own;
  let text = compactLines(decode(own));
  if (!named) text = splice(text, ['event'], rawOf(name));
  if (!placed) text = splice(text, ['cwd'], rawOf(cwd));
  return new TextEncoder().encode(text);
}

function present<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  const part: Partial<Record<K, V>> = {};
  if (value !== undefined) part[key] = value;
  return part;
}
