/**
 * What Kiro's hooks read: the caller's own bytes, or the payload of their format made from another caller's event.
 */
import { compact, objectText, rawOf, splice, stringIn } from '../../core/json';
import type { Event, Raw, Row, Subject } from '../../core/model';
import { placeBelow, resolvePath } from '../../core/path';
import { decode } from '../../core/text';
import type { KiroRoom } from './kiro-rows';
import { toldName } from './kiro-tools';

type Key =
  | 'hook_event_name'
  | 'session_id'
  | 'cwd'
  | 'prompt'
  | 'tool_name'
  | 'tool_input'
  | 'tool_response'
  | 'assistant_response'
  | 'spec_name'
  | 'task_name'
  | 'task_success'
  | 'file_path';

/** In this order. */
const AGENT: readonly Key[] = [
  ...(['hook_event_name', 'cwd', 'session_id', 'prompt'] as const),
  ...(['tool_name', 'tool_input', 'tool_response', 'assistant_response'] as const),
];
const IDE: readonly Key[] = [
  ...(['session_id', 'hook_event_name', 'cwd', 'prompt', 'tool_name', 'tool_input', 'tool_response'] as const),
  ...(['spec_name', 'task_name', 'task_success', 'file_path', 'assistant_response'] as const),
];

/** `native`: the event's name in the hook's format. The event's own bytes go to hooks of the caller's format. */
export function kiroStdin(event: Event, room: KiroRoom, native: string): 'event bytes' | Raw {
  const { bytes } = event.from;
  if (event.from.room !== room || bytes === undefined) return { text: payloadText(event, room, native) };
  const isInput = event.rewritten === 'input';
  const value = isInput ? event.tool?.input : event.rewritten === 'prompt' ? event.prompt : undefined;
  return value === undefined
    ? 'event bytes'
    : { text: splice(decode(bytes), [isInput ? 'tool_input' : 'prompt'], value) };
}

/** What a caller of the format would send of a native event. */
export function kiroPayload(event: Event, room: KiroRoom, rows: readonly Row[]): Raw {
  const row = rows.find(({ canonical }) => canonical === event.name);
  return { text: payloadText(event, room, row?.native ?? event.name) };
}

/** The absolute path of the event's file. */
export function filePath({ file, cwd }: Event): string | undefined {
  return file === undefined ? undefined : resolvePath(cwd, file.path);
}

/** What a matcher of files is tried on: the path, or where it lies below the event's folder. */
export function filePaths(of: Subject, event: Event): readonly string[] | undefined {
  const path = filePath(event);
  if (path === undefined || of === 'path') return path === undefined ? undefined : [path];
  const place = placeBelow(event.cwd, path);
  return place === undefined ? [] : [place];
}

function payloadText(event: Event, room: KiroRoom, native: string): string {
  const values = valuesOf(event, room, native);
  const keys = room === 'kiro-agent' ? AGENT : IDE;
  return compact(
    objectText(
      keys.flatMap((key): [string, Raw][] => {
        const value = values[key];
        return value === undefined ? [] : [[key, value]];
      }),
    ),
  );
}

function valuesOf(event: Event, room: KiroRoom, native: string): Readonly<Record<Key, Raw | undefined>> {
  const { tool, task } = event;
  const some = (value: unknown) => (value === undefined ? undefined : rawOf(value));
  return {
    hook_event_name: rawOf(native),
    session_id: some(event.session),
    cwd: rawOf(event.cwd),
    prompt: event.prompt,
    tool_name: tool === undefined ? undefined : rawOf(toldName(tool, event.from.room, room)),
    tool_input: tool === undefined ? undefined : (tool.input ?? rawOf({})),
    tool_response: tool === undefined || event.name !== 'postToolCall' ? undefined : responseOf(tool, room),
    spec_name: some(task?.spec),
    task_name: some(task?.name),
    task_success: some(task?.success),
    file_path: some(filePath(event)),
    assistant_response: event.name === 'postGeneration' ? event.response : undefined,
  };
}

function responseOf(tool: NonNullable<Event['tool']>, room: KiroRoom): Raw {
  const output = tool.output ?? rawOf('');
  if (room !== 'kiro-agent') return textRaw(output);
  return tool.success === false
    ? { text: `{"success":false,"error":[${output.text}]}` }
    : { text: `{"success":true,"result":[${output.text}]}` };
}

/** As a string: of anything else its JSON. */
function textRaw(value: Raw): Raw {
  return stringIn(value) === undefined ? rawOf(compact(value.text)) : value;
}
