/**
 * The native event as hooks read it.
 */
import { compact, objectText, rawOf, splice } from '../../core/json';
import type { Event, Raw } from '../../core/model';
import { decode } from '../../core/text';

/** Top-level fields that have a place in `Event`. */
export const KNOWN_FIELDS = ['event', 'cwd', 'session', 'tool', 'prompt', 'response', 'file', 'task'];

/** What a native hook reads: one line, an absolute `cwd`, every field as the caller wrote it, rewrites spliced in. */
export function nativeStdin(event: Event): 'event bytes' | Raw {
  const { bytes, native } = event.from;
  if (bytes === undefined || native === undefined) return { text: nativeText(event) };
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
  return compact(objectText([...present(fields), ...event.rest.filter(([key]) => !KNOWN_FIELDS.includes(key))]));
}

/** One line. */
export function compactLines(text: string): string {
  return /[\n\r]/.test(text) ? compact(text) : text;
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
