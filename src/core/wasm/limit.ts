/**
 * Bounds what a module may allocate: the maxima of its memories and tables are lowered in its own bytes, so that V8 holds them.
 */
import {
  type Cursor,
  entriesOf,
  HAS_MAX,
  type Limits,
  leb,
  type ModuleFault,
  orFault,
  type Section,
  sectionsOf,
  Unfit,
} from './bytes';

/** Of each memory, in MiB of 2^20 bytes; and how many there may be. */
export type Bounds = { readonly memoryMiB: number; readonly memories: number };

const TABLES = 4;
const MEMORIES = 5;
const PAGES_PER_MIB = 16;
/** Entries of one table, and tables of one module. */
const MAX_ENTRIES = 100_000;
const MAX_TABLES = 1_000;
/** The types of tables whose entry is this one byte, `funcref` and `externref`. */
const FUNCTIONS = 0x70;
const EXTERNALS = 0x6f;

/** A core module of a component with its bounds in it, or why it wants more. */
export function limitedModule(bytes: Uint8Array, bounds: Bounds): { readonly module: Uint8Array } | ModuleFault {
  return orFault(() => ({ module: limited(bytes, sectionsOf(bytes), bounds) }));
}

/** The module with a maximum on each memory and each table. Throws `Unfit` where it wants more. */
export function limited(bytes: Uint8Array, sections: readonly Section[], bounds: Bounds): Uint8Array {
  const parts: Uint8Array[] = [];
  let copied = 0;
  for (const section of sections) {
    if (section.id !== TABLES && section.id !== MEMORIES) continue;
    const entries = section.id === TABLES ? tablesIn(bytes, section) : memoriesIn(bytes, section, bounds);
    const content = [...leb(entries.length), ...entries.flat()];
    parts.push(bytes.subarray(copied, section.start), Uint8Array.of(section.id, ...leb(content.length), ...content));
    copied = section.end;
  }
  return joined([...parts, bytes.subarray(copied)]);
}

/** The entries of the new section. */
function memoriesIn(bytes: Uint8Array, section: Section, { memoryMiB, memories }: Bounds): number[][] {
  const entries: number[][] = [];
  const most = memoryMiB * PAGES_PER_MIB;
  for (const limits of entriesOf(bytes, section, (cursor) => cursor.limits())) {
    const wanted = Math.ceil(limits.min / PAGES_PER_MIB);
    if (limits.min > most)
      throw new Unfit(
        `it wants ${wanted} MiB of memory to begin with, but may have ${memoryMiB} MiB`,
        'build it with a smaller memory and stack',
      );
    entries.push(lowered(limits, most));
    if (entries.length > memories) throw new Unfit(`it has more than ${memories} memory`, 'build it with one memory');
  }
  return entries;
}

function tablesIn(bytes: Uint8Array, section: Section): number[][] {
  const entries: number[][] = [];
  const tables = entriesOf(bytes, section, readTable);
  for (const { type, limits } of tables) {
    if (limits.min > MAX_ENTRIES)
      throw new Unfit(
        `it wants a table of ${limits.min} entries, but may have ${MAX_ENTRIES}`,
        'build it with fewer functions',
      );
    entries.push([type, ...lowered(limits, MAX_ENTRIES)]);
    if (entries.length > MAX_TABLES) throw new Unfit(`it has more than ${MAX_TABLES} tables`, 'build it with fewer');
  }
  return entries;
}

function readTable(cursor: Cursor): { readonly type: number; readonly limits: Limits } {
  const type = cursor.byte();
  if (type !== FUNCTIONS && type !== EXTERNALS)
    throw new Unfit(
      'a table of it is of a kind that hooks do not have',
      'build it for wasm32, without garbage collection',
    );
  return { type, limits: cursor.limits() };
}

function lowered({ min, max }: Limits, most: number): number[] {
  return [HAS_MAX, ...leb(min), ...leb(Math.min(max ?? most, most))];
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
