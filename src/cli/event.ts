/**
 * From stdin to an event: whose payload it is, and what it says.
 */
import { showDuration } from '../core/duration';
import type { Event } from '../core/model';
import { isBlank } from '../core/text';
import { knownEvents, NATIVE, ROOMS, roomOf } from '../dialects';
import { callerOf } from '../dialects/detect';
import type { Hint, PayloadSource, Room } from '../dialects/dialect';
import type { Io, StdinRead } from '../io';

export const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** How the event is to be read: the caller's id, the event's name, and the deadline in milliseconds, each if it was given. */
export type EventOptions = { readonly as?: string; readonly event?: string; readonly deadline?: number };

/** The event; or why there is none that can be judged, with all of it that is known: its name at least. */
export type EventRead = { readonly room: Room; readonly event?: Event; readonly refused?: string };

/** Reads one event on stdin. */
export async function readEvent(options: EventOptions, io: Io): Promise<EventRead> {
  const asked = options.as === undefined ? undefined : roomOf(options.as);
  const read = await readPayload(asked ?? NATIVE, options, io);
  if (read.kind !== 'bytes') return { room: asked ?? NATIVE, refused: stdinProblem(read, options) };
  return eventIn(read.bytes, options, io);
}

/** The event that a payload is. */
export function eventIn(bytes: Uint8Array, options: EventOptions, io: Pick<Io, 'cwd' | 'env'>): EventRead {
  const asked = options.as === undefined ? undefined : roomOf(options.as);
  const room = asked ?? callerOf(bytes, ROOMS, io.env) ?? NATIVE;
  const got = told(bytes, () => room.readEvent(bytes, hintOf(options, io)));
  if (!('refused' in got)) return { room, event: got };
  return {
    room,
    refused: got.refused,
    ...(got.event === undefined ? {} : { event: nameOnly(got.event, room, io.cwd) }),
  };
}

/** What the first of the room's sources holds that holds anything. A terminal is silent where silence is foreseen. */
async function readPayload({ spec }: Room, options: EventOptions, io: Io): Promise<StdinRead> {
  let silent: StdinRead = NO_BYTES;
  for (const source of spec.payload) {
    if (source.from === 'stdin') {
      const read = await io.readStdin(MAX_EVENT_BYTES, options.deadline, source.silenceMs);
      silent = read.kind === 'terminal' && source.silenceMs !== undefined ? NO_BYTES : read;
      if (silent.kind !== 'terminal' && !(silent.kind === 'bytes' && isBlank(silent.bytes))) return silent;
    } else {
      const bytes = bytesOf(source, io);
      if (bytes !== undefined) return { kind: 'bytes', bytes };
    }
  }
  return silent;
}

const NO_BYTES: StdinRead = { kind: 'bytes', bytes: new Uint8Array() };
/** A room that does not load, or fails: who answers instead needs what stdin said. */
function told<T>(payload: Uint8Array, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw Object.assign(error instanceof Error ? error : new Error(String(error)), { payload });
  }
}

/** The names of all events are gathered only for a room that asks. */
function hintOf({ event }: EventOptions, { cwd, env }: Pick<Io, 'cwd' | 'env'>): Hint {
  return {
    cwd,
    env,
    ...(event === undefined ? {} : { event }),
    get events() {
      return knownEvents();
    },
    get now() {
      return new Date().toISOString();
    },
  };
}

/** Of a variable, or of the file that it names. */
function bytesOf({ from, name }: Extract<PayloadSource, { readonly name: string }>, io: Io): Uint8Array | undefined {
  const value = io.env[name] ?? '';
  if (value === '') return undefined;
  const bytes = from === 'variable' ? new TextEncoder().encode(value) : io.disk.read(value);
  return bytes instanceof Uint8Array ? bytes : undefined;
}

function stdinProblem(read: Exclude<StdinRead, { kind: 'bytes' }>, options: EventOptions): string {
  switch (read.kind) {
    case 'terminal':
      return 'stdin is a terminal; pipe one event into it, as in "… agent.yaml < event.json"';
    case 'too large':
      return `the event on stdin is larger than ${MAX_EVENT_BYTES / 1024 / 1024} MiB`;
    case 'deadline':
      return `stdin had not ended when the deadline of ${showDuration(options.deadline ?? 0)} passed; close it after the event`;
    case 'fault':
      return `stdin cannot be read: ${read.why}`;
  }
}

function nameOnly(name: string, room: Room, cwd: string): Event {
  const native = room.spec.rows.find((row) => row.canonical === name)?.native ?? name;
  return { name, cwd, rest: [], from: { room: room.spec.id, event: native } };
}
