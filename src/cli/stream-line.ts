/**
 * One line of a stream: what comes in, what goes out.
 */
import { compact, fieldsOf, members, objectText, raw, rawOf, scan, typeOf } from '../core/json';
import type { Raw, Reply } from '../core/model';
import { NATIVE } from '../dialects';
import type { Room } from '../dialects/dialect';

/** What an answer is told apart by: the `id` of its event, else the number of its line. */
export type Mark = { readonly id: Raw } | { readonly line: number };

/** The mark of an event. Without a valid object there is no id. */
export function markOf(bytes: Uint8Array, line: number): Mark {
  const scanned = scan(bytes);
  if (scanned.kind === 'fault' || typeOf(scanned.bytes, scanned.root) !== 'object') return { line };
  const id = members(scanned.bytes, scanned.root).find(({ key }) => key === 'id');
  return id === undefined ? { line } : { id: { text: compact(raw(scanned.bytes, id.value).text) } };
}

/** The line of an answer: a native verdict itself; of any other caller what it would read, as `exit`, `stdout` and `stderr`. */
export function lineOf(mark: Mark, caller: Room, { stdout, stderr, exit }: Reply): string {
  const marked = Object.entries(mark).map(([key, value]) => [key, isRaw(value) ? value : rawOf(value)] as const);
  const fields =
    caller === NATIVE
      ? fieldsOf({ text: stdout })
      : Object.entries({ exit, stdout, stderr }).map(([key, value]) => [key, rawOf(value)] as const);
  return `${objectText([...marked, ...fields])}\n`;
}

function isRaw(value: unknown): value is Raw {
  return typeof value === 'object';
}
