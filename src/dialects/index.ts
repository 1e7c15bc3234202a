/**
 * The registry: one line a room.
 */

import type { Event, Row, Subject } from '../core/model';
import { placeBelow } from '../core/path';
import { lookUp } from '../core/table';
import { isCanonicalTool } from '../core/tools';
import { NOTHING_TAKEN } from './_shared/native-rows';
import { claude } from './claude';
import type { Author, Room } from './dialect';
import { exit } from './exit';
import { kiroAgent } from './kiro-agent';
import { kiroHook } from './kiro-hook';
import { kiroV1 } from './kiro-v1';
import { mm } from './mm';
import { prx } from './prx';

export const ROOMS: readonly Room[] = [mm, exit, claude, kiroAgent, kiroHook, kiroV1, prx];

/** The room that takes what no sign claims. */
export const NATIVE: Room = mm;

/** Who reads the exit code alone. */
export const EXIT_ONLY: Room = exit;

export const ROOM_IDS: readonly string[] = ROOMS.map((room) => room.spec.id);

/** The room of an id, or undefined. */
export function roomOf(id: string): Room | undefined {
  return ROOMS.find((room) => room.spec.id === id);
}

/** The author side of a hook's room. Throws where the id is none: hooks are made by rooms alone. */
export function authorOf(id: string): Author {
  const author = roomOf(id)?.author;
  if (author === undefined) throw new Error(`no room "${id}" has hooks`);
  return author;
}

/** The row of an event in its caller's room: of its name there, else of its canonical one, else the room's rule for others. */
export function rowOf({ spec }: Room, event: Pick<Event, 'name'> & { readonly from?: Event['from'] }): Row {
  const rows = spec.rows.filter((row) => row.canonical === event.name);
  const row = rows.find((one) => one.native === event.from?.event) ?? rows[0];
  return row ?? { ...(spec.otherwise ?? OBSERVED), native: event.from?.event ?? event.name, canonical: event.name };
}

/** Every event name that a config may hook. */
export function knownEvents(): string[] {
  return [...new Set(ROOMS.flatMap((room) => room.spec.rows.map((row) => row.canonical)))];
}

/** An event that only one agent has, of a room that knows what to do with names beyond its rows. */
export function isOwnEvent(event: string): boolean {
  return ROOMS.some(({ spec }) => spec.otherwise !== undefined && event.startsWith(`${spec.id}:`));
}

/** What a hook of this author is tried on. A tool: its name as sent, canonical, and the author's own for it. */
export function subjects(author: string, of: Subject, event: Event): readonly string[] | undefined {
  const room = roomOf(author);
  if (room?.author?.subjects !== undefined) return room.author.subjects(of, event);
  if (of === 'path') return event.file === undefined ? undefined : [event.file.path];
  if (of === 'place') return placesOf(event);
  if (of === 'value' || event.tool === undefined) return undefined;
  const { name } = event.tool;
  const canonical = event.tool.canonical ?? (isCanonicalTool(name) ? name : undefined);
  const known = [...(canonical === undefined ? [] : [canonical]), ...(event.tool.kin ?? [])];
  return [...new Set([name, ...known, ...known.flatMap((one) => lookUp(room?.spec.tools ?? {}, one) ?? [])])];
}

/** The path of the event's file below its folder; none where it lies outside. */
function placesOf({ file, cwd }: Event): readonly string[] | undefined {
  const place = file === undefined ? undefined : placeBelow(cwd, file.path);
  return file === undefined ? undefined : place === undefined ? [] : [place];
}

const OBSERVED: Omit<Row, 'native' | 'canonical'> = {
  phase: 'after',
  matches: 'nothing',
  can: NOTHING_TAKEN,
  exit2: 'failure',
  synthetic: 'warning',
};
