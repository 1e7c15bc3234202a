/**
 * What a Claude hook reads: Claude Code's own bytes, or the same payload made from another caller's event.
 */

import { objectText, rawOf, splice, stringIn } from '../../core/json';
import type { Event, Raw } from '../../core/model';
import { lookUp } from '../../core/table';
import { decode } from '../../core/text';
import { isCanonicalTool } from '../../core/tools';
import { spec } from './spec';

/** Fields with their own place, or that only hookctl has. */
const NOT_APPENDED = ['tool', 'file', 'task'];

/** Own values of fields that an event of another agent may lack. */
const DEFAULTS: Readonly<Record<string, readonly (readonly [key: string, value: unknown])[]>> = {
  PreToolUse: [
    ['permission_mode', 'default'],
    ['tool_use_id', 'hookctl'],
  ],
  PostToolUse: [
    ['permission_mode', 'default'],
    ['tool_use_id', 'hookctl'],
  ],
  PostToolUseFailure: [
    ['permission_mode', 'default'],
    ['tool_use_id', 'hookctl'],
  ],
  PermissionRequest: [['permission_mode', 'default']],
  PermissionDenied: [
    ['permission_mode', 'default'],
    ['tool_use_id', 'hookctl'],
    ['reason', 'other'],
  ],
  UserPromptSubmit: [['permission_mode', 'default']],
  Stop: [
    ['permission_mode', 'default'],
    ['stop_hook_active', false],
  ],
  SubagentStop: [
    ['permission_mode', 'default'],
    ['stop_hook_active', false],
    ['agent_id', 'hookctl'],
    ['agent_type', ''],
  ],
  SubagentStart: [
    ['agent_id', 'hookctl'],
    ['agent_type', ''],
  ],
  SessionStart: [['source', 'startup']],
  SessionEnd: [['reason', 'other']],
  StopFailure: [['error', 'unknown']],
  PreCompact: [
    ['trigger', 'auto'],
    ['custom_instructions', null],
  ],
  PostCompact: [
    ['trigger', 'auto'],
    ['compact_summary', ''],
  ],
  Notification: [
    ['message', ''],
    ['notification_type', ''],
  ],
  InstructionsLoaded: [
    ['load_reason', 'session_start'],
    ['file_path', ''],
    ['memory_type', 'Project'],
  ],
};
const FILE_KINDS: Readonly<Record<string, string>> = { fileCreated: 'add', fileSaved: 'change', fileDeleted: 'unlink' };

/** Claude Code's name of an event, by what the event says; undefined where it has none. */
export function nativeName(event: Event): string | undefined {
  if (event.from.room === spec.id) return event.from.event;
  if (event.name === 'postToolCall') return event.tool?.success === false ? 'PostToolUseFailure' : 'PostToolUse';
  return spec.rows.find((row) => row.canonical === event.name)?.native;
}

/** The payload; a rewrite is spliced in. */
export function claudeStdin(event: Event): 'event bytes' | Raw {
  if (event.from.room !== spec.id || event.from.bytes === undefined) return payload(event);
  const value =
    event.rewritten === 'input' ? event.tool?.input : event.rewritten === 'prompt' ? event.prompt : undefined;
  if (value === undefined) return 'event bytes';
  return { text: splice(decode(event.from.bytes), [event.rewritten === 'input' ? 'tool_input' : 'prompt'], value) };
}

/** What Claude Code would send of such an event. */
export function payload(event: Event): Raw {
  return { text: payloadText(event) };
}

function payloadText(event: Event): string {
  const native = nativeName(event) ?? event.name;
  const own = new Map(event.rest);
  const fields: [string, Raw | undefined][] = [
    ['session_id', rawOf(event.session ?? 'hookctl')],
    ['transcript_path', own.get('transcript_path') ?? rawOf('')],
    ['cwd', rawOf(event.cwd)],
    ['hook_event_name', rawOf(native)],
    ...toolFields(event, native),
    ['prompt', native === 'UserPromptSubmit' ? (event.prompt ?? rawOf('')) : undefined],
    ['last_assistant_message', native === 'Stop' || native === 'SubagentStop' ? event.response : undefined],
    ...(event.file === undefined ? [] : ([['file_path', rawOf(event.file.path)]] as [string, Raw][])),
    ['event', native === 'FileChanged' ? rawOf(FILE_KINDS[event.name] ?? 'change') : undefined],
    ...(lookUp(DEFAULTS, native) ?? []).map(([key, value]): [string, Raw] => [key, own.get(key) ?? rawOf(value)]),
  ];
  const known = fields.flatMap(([key, value]): [string, Raw][] => (value === undefined ? [] : [[key, value]]));
  const taken = new Set([...known.map(([key]) => key), ...NOT_APPENDED]);
  return objectText([...known, ...event.rest.filter(([key]) => !taken.has(key))]);
}

function toolFields(event: Event, native: string): [string, Raw | undefined][] {
  const { tool } = event;
  if (tool === undefined) return [];
  const fields: [string, Raw | undefined][] = [
    ['tool_name', rawOf(claudeTool(tool.name, tool.canonical))],
    ['tool_input', tool.input ?? rawOf({})],
  ];
  if (native === 'PostToolUse') return [...fields, ['tool_response', responseOf(tool)]];
  if (native !== 'PostToolUseFailure') return fields;
  return [...fields, ['error', rawOf(tool.output === undefined ? '' : (stringIn(tool.output) ?? tool.output.text))]];
}

/** Claude's name for a tool; a name that nobody knows stays. */
export function claudeTool(name: string, canonical: string | undefined): string {
  const known = canonical ?? (isCanonicalTool(name) ? name : undefined);
  const names: Readonly<Record<string, readonly string[]>> = spec.tools;
  return (known === undefined ? undefined : names[known]?.[0]) ?? name;
}

/** A plain text of the shell becomes what Claude Code tells of its Bash. */
function responseOf(tool: NonNullable<Event['tool']>): Raw {
  const text = tool.output === undefined ? undefined : stringIn(tool.output);
  const isBash = claudeTool(tool.name, tool.canonical) === 'Bash';
  if (text !== undefined && isBash) return rawOf({ stdout: text, stderr: '', interrupted: false });
  return tool.output ?? { text: 'null' };
}
