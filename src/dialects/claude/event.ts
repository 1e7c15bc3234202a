/**
 * Claude Code's payload → event.
 */

import { raw, rawOf, scan, typeOf } from '../../core/json';
import type { Event, Raw } from '../../core/model';
import { resolvePath } from '../../core/path';
import { lookUp } from '../../core/table';
import { clean, isBlank } from '../../core/text';
import { JsonObject } from '../_shared/json-object';
import type { Hint, Refused } from '../dialect';
import { spec, TOOL_EVENTS } from './spec';

/** Fields that have a place of their own in `Event`. */
const TAKEN = ['hook_event_name', 'session_id', 'cwd', 'tool_name', 'tool_input', 'tool_response'];
const FILE_EVENTS: Readonly<Record<string, string>> = {
  add: 'fileCreated',
  change: 'fileSaved',
  unlink: 'fileDeleted',
};
const ANSWERS = ['Stop', 'SubagentStop'];

/** Refused, with the reason: anything but one JSON object, no event, a tool event without what a guard must see, a prompt that is no text. */
export function readEvent(bytes: Uint8Array, hint: Hint): Event | Refused {
  if (isBlank(bytes)) return { refused: 'stdin is empty; one event of Claude Code is expected there, a JSON object' };
  const scanned = scan(bytes);
  if (scanned.kind === 'fault') {
    const { line, column, why } = scanned;
    return { refused: `the event on stdin is not valid JSON: line ${line}, column ${column}: ${why}` };
  }
  if (typeOf(scanned.bytes, scanned.root) !== 'object')
    return { refused: 'the event on stdin must be one JSON object' };
  const object = new JsonObject(scanned.bytes, scanned.root);
  const native = object.text('hook_event_name') ?? nativeName(hint.event);
  if (native === undefined) return { refused: 'the event has no "hook_event_name"; say --event NAME' };
  const name = canonicalName(native, object);
  if (hint.event !== undefined && hint.event !== native && hint.event !== name) {
    return { refused: clean(`the event says it is "${native}", but --event says "${hint.event}"`), event: name };
  }
  const fault = faultOf(native, object);
  return fault === undefined ? eventOf(object, native, name, hint) : { refused: fault, event: name };
}

/** hookctl's name for an event. */
function canonicalName(native: string, object: JsonObject): string {
  if (native === 'FileChanged') return lookUp(FILE_EVENTS, object.text('event') ?? '') ?? 'fileSaved';
  return spec.rows.find((row) => row.native === native)?.canonical ?? `claude:${native}`;
}

/** `--event` may be Claude Code's name or hookctl's. */
function nativeName(said: string | undefined): string | undefined {
  if (said === undefined) return undefined;
  const row = spec.rows.find((one) => one.native === said || one.canonical === said);
  return row?.native ?? said.replace(/^claude:/, '');
}

function faultOf(native: string, object: JsonObject): string | undefined {
  if (TOOL_EVENTS.includes(native) && (object.text('tool_name') ?? '') === '')
    return 'the event needs "tool_name", a string that is not empty';
  if (TOOL_EVENTS.includes(native) && object.type('tool_input') !== 'object')
    return 'the event needs "tool_input", an object';
  if (native === 'UserPromptSubmit' && object.text('prompt') === undefined) return 'the event needs "prompt", a string';
  return undefined;
}

function eventOf(object: JsonObject, native: string, name: string, hint: Hint): Event {
  const cwd = resolvePath(hint.cwd, object.text('cwd') ?? hint.cwd);
  const [session, tool, prompt, response, path] = [
    object.text('session_id'),
    toolOf(native, object),
    native === 'UserPromptSubmit' ? object.raw('prompt') : undefined,
    ANSWERS.includes(native) ? object.raw('last_assistant_message') : undefined,
    native === 'FileChanged' ? object.text('file_path') : undefined,
  ];
  const taken = [
    ...TAKEN,
    ...(prompt === undefined ? [] : ['prompt']),
    ...(response === undefined ? [] : ['last_assistant_message']),
  ];
  return {
    name,
    cwd,
    ...(session === undefined ? {} : { session }),
    ...(tool === undefined ? {} : { tool }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(response === undefined ? {} : { response }),
    ...(path === undefined ? {} : { file: { path: resolvePath(cwd, path) } }),
    rest: object.members
      .filter(({ key }) => !taken.includes(key))
      .map(({ key, value }) => [key, raw(object.bytes, value)] as const),
    from: { room: spec.id, event: native, bytes: object.bytes },
  };
}

function toolOf(native: string, object: JsonObject): Event['tool'] {
  const name = object.text('tool_name');
  if (!TOOL_EVENTS.includes(native) || name === undefined) return undefined;
  const canonical = canonicalTool(name);
  const input = object.raw('tool_input');
  return {
    name,
    ...(canonical === undefined ? {} : { canonical }),
    ...(input === undefined ? {} : { input }),
    ...outputOf(native, object),
  };
}

/** hookctl's name for a tool of Claude Code. */
export function canonicalTool(name: string): string | undefined {
  return Object.entries(spec.tools).find(([, names]) => names.some((one) => one === name))?.[0];
}

function outputOf(native: string, object: JsonObject): { output?: Raw; success?: boolean } {
  if (native === 'PostToolUseFailure') return { output: object.raw('error') ?? rawOf(''), success: false };
  if (native !== 'PostToolUse') return {};
  const output = object.raw('tool_response');
  return { ...(output === undefined ? {} : { output }), success: true };
}
