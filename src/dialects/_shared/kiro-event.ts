/**
 * Kiro's payloads → events: the JSON that agent files and files of version v1 are called with, and the parts that the IDE shares.
 */
import { compact, fieldsOf, isObject, items, raw, rawOf, type Scanned, scan, stringIn, typeOf } from '../../core/json';
import type { Event, Raw, Row } from '../../core/model';
import { resolvePath } from '../../core/path';
import { clean, isBlank } from '../../core/text';
import type { Hint, Refused } from '../dialect';
import { JsonObject } from './json-object';
import type { KiroRoom } from './kiro-rows';
import { canonicalOf } from './kiro-tools';

/** A format as a caller: its rows, and other spellings of its triggers. */
export type KiroCaller = {
  readonly room: KiroRoom;
  readonly rows: readonly Row[];
  readonly aliases: Readonly<Record<string, string>>;
};

const TAKEN = ['hook_event_name', 'cwd', 'session_id', 'tool_name', 'tool_input', 'tool_response'];
const TASK = ['spec_name', 'task_name', 'task_success'];

/**
 * Refused, with the reason: anything but one JSON object, no event name, a tool event without its tool, a prompt event without a
 * prompt, and a deferred event that stands for several tool calls.
 */
export function readKiroEvent(bytes: Uint8Array, hint: Hint, caller: KiroCaller): Event | Refused {
  if (isBlank(bytes)) return { refused: 'stdin is empty; one event of Kiro is expected there, a JSON object' };
  const scanned = scan(bytes);
  if (scanned.kind === 'fault') {
    return {
      refused: `the event on stdin is not valid JSON: line ${scanned.line}, column ${scanned.column}: ${scanned.why}`,
    };
  }
  if (typeOf(scanned.bytes, scanned.root) !== 'object')
    return { refused: 'the event on stdin must be one JSON object' };
  const object = new JsonObject(scanned.bytes, scanned.root);
  const said = object.text('hook_event_name') ?? hint.event;
  if (said === undefined) return { refused: 'the event has no "hook_event_name"; say --event NAME' };
  const { native, name } = namesOf(said, caller);
  if (hint.event !== undefined && namesOf(hint.event, caller).name !== name) {
    return { refused: clean(`the event says it is "${said}", but --event says "${hint.event}"`), event: name };
  }
  const fault = faultOf(name, object);
  if (fault !== undefined) return { refused: fault, event: name };
  return {
    ...eventOf(object, name, hint, caller.room),
    from: { room: caller.room, event: native, bytes: object.bytes },
  };
}

/** An event's name in the caller's format and here. One that the format does not know keeps itself. */
export function namesOf(said: string, { room, rows, aliases }: KiroCaller): { native: string; name: string } {
  const meant = Object.hasOwn(aliases, said) ? aliases[said] : said;
  const row = rows.find(({ native, canonical }) => native === meant || canonical === meant);
  if (row !== undefined) return { native: row.native, name: row.canonical };
  const bare = said.replace(`${room}:`, '');
  return { native: bare, name: `${room}:${bare}` };
}

function faultOf(name: string, object: JsonObject): string | undefined {
  if (object.type('hook_events') !== 'null')
    return 'the event stands for several tool calls ("hook_events"); hooks that look at one call were not run';
  const isTool = name === 'preToolCall' || name === 'postToolCall';
  if (isTool && (object.text('tool_name') ?? '') === '')
    return 'the event needs "tool_name", a string that is not empty';
  if (name === 'preToolCall' && !['object', 'null'].includes(object.type('tool_input')))
    return '"tool_input" must be an object';
  return name === 'preGeneration' && object.text('prompt') === undefined
    ? 'the event needs "prompt", a string'
    : undefined;
}

/** All of an event but where it comes from. */
export function eventOf(object: JsonObject, name: string, hint: Hint, room: KiroRoom): Omit<Event, 'from'> {
  const cwd = resolvePath(hint.cwd, object.text('cwd') ?? hint.cwd);
  const [session, toolName, path] = ['session_id', 'tool_name', 'file_path'].map((key) => object.text(key));
  const isTask = name.startsWith('task');
  const task = isTask ? taskOf(object) : undefined;
  const taken = [
    ...[...TAKEN, 'prompt', 'assistant_response', ...(path === undefined ? [] : ['file_path'])],
    ...(task === undefined ? [] : TASK),
  ];
  const [prompt, response] = [object.raw('prompt'), object.raw('assistant_response')];
  return {
    name,
    cwd,
    ...(session === undefined ? {} : { session }),
    ...(toolName === undefined ? {} : { tool: toolOf(toolName, object, room) }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(response === undefined ? {} : { response }),
    ...(path === undefined ? {} : { file: { path: resolvePath(cwd, path) } }),
    ...(task === undefined ? {} : { task }),
    rest: object.members
      .filter(({ key }) => !taken.includes(key))
      .map(({ key, value }) => [key, raw(object.bytes, value)] as const),
  };
}

function toolOf(name: string, object: JsonObject, room: KiroRoom): NonNullable<Event['tool']> {
  const response = object.raw('tool_response');
  return {
    name,
    ...canonicalOf(name, room),
    input: object.raw('tool_input') ?? rawOf({}),
    ...(response === undefined ? {} : outputOf(response)),
  };
}

function taskOf(object: JsonObject): Event['task'] {
  const name = object.text('task_name');
  const [spec, success] = [object.text('spec_name'), object.flag('task_success')];
  if (name === undefined) return undefined;
  return { name, ...(spec === undefined ? {} : { spec }), ...(success === undefined ? {} : { success }) };
}

/** What a tool gave back: text where it is text, and whether it went well where that is said. */
export function outputOf(response: Raw): { readonly output: Raw; readonly success?: boolean } {
  if (!isObject(response)) {
    const text = stringIn(response);
    return { output: text === undefined ? { text: compact(response.text) } : response };
  }
  const fields = new Map(fieldsOf(response));
  const success = fields.get('success')?.text;
  const listed = success === 'true' ? fields.get('result') : success === 'false' ? fields.get('error') : undefined;
  const parts = listed === undefined ? undefined : listOf(listed);
  if (parts !== undefined) return { output: joined(parts.map(textOf)), success: success === 'true' };
  const found = fields.get('items');
  const typed = found === undefined ? undefined : listOf(found)?.map(typedText);
  if (typed?.every((text) => text !== undefined)) return { output: joined(typed) };
  return { output: { text: compact(response.text) } };
}

/** `{"Text":"…"}`, `{"Json":…}`. */
function typedText(item: Raw): string | undefined {
  const [first, ...more] = isObject(item) ? fieldsOf(item) : [];
  const isTyped = first !== undefined && more.length === 0 && (first[0] === 'Text' || first[0] === 'Json');
  return isTyped ? textOf(first[1]) : undefined;
}

function listOf(value: Raw): Raw[] | undefined {
  const bytes = new TextEncoder().encode(value.text);
  const root: Scanned['root'] = { start: 0, end: bytes.length };
  return typeOf(bytes, root) === 'array' ? items(bytes, root).map((span) => raw(bytes, span)) : undefined;
}

function textOf(value: Raw): string {
  return stringIn(value) ?? compact(value.text);
}

function joined(texts: readonly string[]): Raw {
  return rawOf(texts.join('\n'));
}
