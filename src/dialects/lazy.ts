/**
 * A room that is fetched when it is needed: in the bundles it stands for every room that a run may do without
 * (`scripts/build.mjs`).
 */
import type { Author, Room, Spec } from './dialect';

/** What recognises a room's files and payloads, and what is asked of rooms that may not load. */
export type Signs = Pick<Spec, 'id' | 'signs' | 'config' | 'payload' | 'observes'>;

/** The room that `fetch` gives, asked for once more is wanted than what is known of it. */
export function lazyRoom(signs: Signs, author: Pick<Author, 'claims'> | undefined, fetch: () => Room): Room {
  const room: Room = {
    spec: lazily<Spec>(signs, () => fetch().spec),
    readEvent: (bytes, hint) => fetch().readEvent(bytes, hint),
    writeReply: (verdict, event) => fetch().writeReply(verdict, event),
  };
  for (const key of ['payload', 'wiring'] as const) Object.defineProperty(room, key, { get: () => fetch()[key] });
  if (author === undefined) return room;
  return Object.assign(room, { author: lazily<Author>(author, () => authorOf(fetch())) });
}

function authorOf({ author, spec }: Room): Author {
  if (author === undefined) throw new Error(`the room "${spec.id}" has no hooks`);
  return author;
}

function lazily<T extends object>(known: Partial<T>, fetch: () => T): T {
  return new Proxy(known, {
    get: (own, key) => Reflect.get(Object.hasOwn(own, key) ? own : fetch(), key),
  }) as T;
}
