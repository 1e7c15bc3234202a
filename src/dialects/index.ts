/**
 * The registry: one line a room.
 */
import type { Event, Row } from '../core/model';
import type { Author, Room } from './dialect';
import { exit } from './exit';
import { mm } from './mm';

export const ROOMS: readonly Room[] = [mm, exit];

/** The room that takes what no sign claims. */
export const NATIVE: Room = mm;

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

/** The row of an event in its caller's room; for an event that the room does not have, one that can only be observed. */
export function rowOf(room: Room, event: Pick<Event, 'name'>): Row {
  return room.spec.rows.find((row) => row.canonical === event.name) ?? observed(event.name);
}

/** Every event name that a config may hook. */
export function knownEvents(): string[] {
  return [...new Set(ROOMS.flatMap((room) => room.spec.rows.map((row) => row.canonical)))];
}

/** The names that a hook of this author is tried on: as sent, canonical, and the author's own for it. */
export function toolNames(author: string, event: Event): readonly string[] {
  const special = roomOf(author)?.author?.toolNames?.(event);
  if (special !== undefined || event.tool === undefined) return special ?? [];
  const { name, canonical } = event.tool;
  const own = canonical === undefined ? [] : (roomOf(author)?.spec.tools[canonical] ?? []);
  return [...new Set([name, ...(canonical === undefined ? [] : [canonical]), ...own])];
}

function observed(name: string): Row {
  const can = {
    allow: 'no',
    deny: 'no',
    ask: 'no',
    defer: 'no',
    stop: 'no',
    input: 'no',
    prompt: 'no',
    context: 'no',
  } as const;
  return {
    native: name,
    canonical: name,
    phase: 'after',
    matches: 'nothing',
    can,
    exit2: 'failure',
    synthetic: 'warning',
  };
}
