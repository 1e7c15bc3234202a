/**
 * The native event on the wire: one JSON object, read into an `Event`, and written for hooks of the native format.
 */
import {
  compact,
  fieldsOf,
  isObject,
  members,
  objectText,
  raw,
  rawOf,
  type Span,
  scan,
  splice,
  stringIn,
} from '../../core/json';
import type { Event, Fields, Raw, Row } from '../../core/model';
import { nearest } from '../../core/nearest';
import { resolvePath } from '../../core/path';
import { decode, isBlank } from '../../core/text';
import type { Hint, Refused } from '../dialect';

const MAX_TOOL_NAME_BYTES = 1024;

/** The callers that send native events. */
const NATIVE_CALLERS = ['mm', 'exit'];

/** Top-level fields that have a place in `Event`. */
const KNOWN = ['event', 'cwd', 'session', 'tool', 'prompt', 'response', 'file', 'task'] as const;

type Known = Partial<Record<(typeof KNOWN)[number], Raw>>;

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
    if (blank) return { refused: 'stdin is empty; one event is expected there, a JSON object' };
    return {
      refused: `the event on stdin is not valid JSON: line ${scanned.line}, column ${scanned.column}: ${scanned.why}`,
    };
  }
  const { bytes: read, root } = scanned;
  if (read[root.start] !== BRACE) return { refused: 'the event on stdin must be one JSON object' };
  const fields = members(read, root).map(({ key, value }): [string, Raw] => [key, raw(read, value)]);
  return readFields(fields, hint, rows, (name, cwd) => ({
    room,
    event: name,
    bytes: handedOn(read, root, fields, name, cwd),
  }));
}

/** What a native hook reads: one line, an absolute `cwd`, every field as the caller wrote it, rewrites spliced in. */
export function nativeStdin(event: Event): 'event bytes' | Raw {
  const { bytes, room } = event.from;
  if (bytes === undefined || !NATIVE_CALLERS.includes(room)) return { text: nativeText(event) };
  if (event.rewritten === undefined) return 'event bytes';
  const path = event.rewritten === 'input' ? ['tool', 'input'] : ['prompt'];
  const value = event.rewritten === 'input' ? event.tool?.input : event.prompt;
  return value === undefined ? 'event bytes' : { text: compactLines(splice(decode(bytes), path, value)) };
}

/** The native text of another agent's event. */
function nativeText(event: Event): string {
  const fields: [string, Raw | undefined][] = [
    ['event', rawOf(event.name)],
    ['cwd', rawOf(event.cwd)],
    ['session', event.session === undefined ? undefined : rawOf(event.session)],
    ['tool', event.tool === undefined ? undefined : toolRaw(event.tool)],
    ['prompt', event.prompt],
    ['response', event.response],
    ['file', event.file === undefined ? undefined : rawOf(event.file)],
    ['task', event.task === undefined ? undefined : rawOf(event.task)],
  ];
  return compact(objectText([...present(fields), ...event.rest]));
}

const EMPTY_OBJECT = new TextEncoder().encode('{}');

const BRACE = 0x7b;

function readFields(
  fields: Fields,
  hint: Hint,
  rows: readonly Row[],
  fromOf: (name: string, cwd: string) => Event['from'],
): Event | Refused {
  const known = knownOf(fields);
  const name = eventName(known, hint);
  if (typeof name !== 'string') return name;
  const row = rows.find((one) => one.canonical === name);
  const fault = faultOfTexts(known) ?? (row?.matches === 'tool' ? faultOfTool(known.tool, row) : undefined);
  if (fault !== undefined) return { refused: fault, event: name };
  const cwd = folderIn(known.cwd, hint);
  const session = textOr(known.session);
  return {
    name,
    cwd,
    ...(session === undefined ? {} : { session }),
    ...toolOf(known.tool),
    ...(known.prompt === undefined || isNull(known.prompt) ? {} : { prompt: known.prompt }),
    ...(known.response === undefined || isNull(known.response) ? {} : { response: known.response }),
    ...fileOf(known.file),
    ...taskOf(known.task),
    rest: fields.filter(([key]) => !isKnown(key)),
    from: fromOf(name, cwd),
  };
}

function folderIn(cwd: Raw | undefined, hint: Hint): string {
  const said = textOr(cwd) ?? hint.cwd;
  return said.startsWith('/') ? said : resolvePath(hint.cwd, said);
}

function eventName(known: Known, hint: Hint): string | Refused {
  const said = known.event === undefined ? undefined : stringIn(known.event);
  if (known.event !== undefined && said === undefined) return { refused: 'the field "event" must be a string' };
  if (said !== undefined && hint.event !== undefined && said !== hint.event) {
    return { refused: `the event says it is "${said}", but --event says "${hint.event}"`, event: said };
  }
  const name = said ?? hint.event;
  if (name === undefined) return { refused: 'the event has no field "event"; give it, or say --event NAME' };
  if (hint.events.includes(name)) return name;
  const meant = nearest(name, hint.events);
  return { refused: `unknown event "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`}` };
}

function faultOfTexts(known: Known): string | undefined {
  const keys = ['cwd', 'session', 'prompt', 'response'] as const;
  const wrong = keys.find((key) => {
    const value = known[key];
    return value !== undefined && !isNull(value) && stringIn(value) === undefined;
  });
  return wrong === undefined ? undefined : `the field "${wrong}" of the event must be a string`;
}

function faultOfTool(tool: Raw | undefined, row: Row): string | undefined {
  const members = new Map(tool === undefined ? [] : fieldsOf(tool));
  const name = members.get('name');
  const text = textOr(name);
  if (text === undefined || text === '') return 'the event needs "tool.name", a string that is not empty';
  if (new TextEncoder().encode(text).length > MAX_TOOL_NAME_BYTES)
    return `"tool.name" is longer than ${MAX_TOOL_NAME_BYTES} bytes`;
  if (row.phase === 'after') return undefined;
  const input = members.get('input');
  return input !== undefined && isObject(input) ? undefined : 'the event needs "tool.input", an object';
}

function toolOf(tool: Raw | undefined): Pick<Event, 'tool'> {
  if (tool === undefined) return {};
  const members = new Map(fieldsOf(tool));
  const name = textAt(members, 'name');
  if (name === undefined) return {};
  const canonical = textAt(members, 'canonical');
  const [input, output, success] = [members.get('input'), members.get('output'), boolAt(members, 'success')];
  return {
    tool: {
      name,
      ...(canonical === undefined ? {} : { canonical }),
      ...(input === undefined ? {} : { input }),
      ...(output === undefined ? {} : { output }),
      ...(success === undefined ? {} : { success }),
    },
  };
}

function fileOf(file: Raw | undefined): Pick<Event, 'file'> {
  const path = file === undefined ? undefined : textAt(new Map(fieldsOf(file)), 'path');
  return path === undefined ? {} : { file: { path } };
}

function taskOf(task: Raw | undefined): Pick<Event, 'task'> {
  const members = new Map(task === undefined ? [] : fieldsOf(task));
  const [name, spec, success] = [textAt(members, 'name'), textAt(members, 'spec'), boolAt(members, 'success')];
  if (name === undefined) return {};
  return { task: { name, ...(spec === undefined ? {} : { spec }), ...(success === undefined ? {} : { success }) } };
}

/** The caller's own bytes where they are one line that names the event and an absolute folder; else the text mended so. */
function handedOn(bytes: Uint8Array, root: Span, fields: Fields, name: string, cwd: string): Uint8Array {
  const own = bytes.subarray(root.start, root.end);
  const known = knownOf(fields);
  const complete = known.event !== undefined && textOr(known.cwd) === cwd;
  if (complete && !own.includes(LF) && !own.includes(CR)) return own;
  let text = compactLines(decode(own));
  if (known.event === undefined) text = splice(text, ['event'], rawOf(name));
  if (textOr(known.cwd) !== cwd) text = splice(text, ['cwd'], rawOf(cwd));
  return new TextEncoder().encode(text);
}

const LF = 0x0a;
const CR = 0x0d;

function compactLines(text: string): string {
  return /[\n\r]/.test(text) ? compact(text) : text;
}

function knownOf(fields: Fields): Known {
  const known: Known = {};
  for (const [key, value] of fields) if (isKnown(key)) known[key] = value;
  return known;
}

function isKnown(key: string): key is keyof Known {
  return KNOWN.some((known) => known === key);
}

function toolRaw(tool: NonNullable<Event['tool']>): Raw {
  const success = tool.success === undefined ? undefined : rawOf(tool.success);
  const canonical = tool.canonical === undefined ? undefined : rawOf(tool.canonical);
  const fields: [string, Raw | undefined][] = [
    ['name', rawOf(tool.name)],
    ['canonical', canonical],
    ['input', tool.input],
    ['output', tool.output],
    ['success', success],
  ];
  return { text: objectText(present(fields)) };
}

function present(fields: readonly [string, Raw | undefined][]): [string, Raw][] {
  return fields.flatMap(([key, value]): [string, Raw][] => (value === undefined ? [] : [[key, value]]));
}

function textAt(members: ReadonlyMap<string, Raw>, key: string): string | undefined {
  return textOr(members.get(key));
}

function boolAt(members: ReadonlyMap<string, Raw>, key: string): boolean | undefined {
  const text = members.get(key)?.text;
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

function textOr(value: Raw | undefined): string | undefined {
  return value === undefined ? undefined : stringIn(value);
}

function isNull(value: Raw): boolean {
  return value.text === 'null';
}
