/**
 * Whose file, whose payload: generic, over the rooms' data.
 */
import { members, raw, scan, stringIn, typeOf } from '../core/json';
import { nameOf } from '../core/path';
import type { Room, Sign } from './dialect';

/** The first room of which one sign fits the payload's top-level keys, or undefined. */
export function callerOf(
  bytes: Uint8Array,
  rooms: readonly Room[],
  env: Readonly<Record<string, string | undefined>>,
): Room | undefined {
  const signed = rooms.filter((room) => room.spec.signs.length > 0);
  if (signed.length === 0) return undefined;
  const scanned = scan(bytes);
  if (scanned.kind === 'fault' || typeOf(scanned.bytes, scanned.root) !== 'object') return undefined;
  const fields = new Map(members(scanned.bytes, scanned.root).map(({ key, value }) => [key, value]));
  const text = (key: string) => {
    const span = fields.get(key);
    return span === undefined ? undefined : stringIn(raw(scanned.bytes, span));
  };
  const isSet = (name: string) => env[name] !== undefined;
  return signed.find((room) => room.spec.signs.some((sign) => fits(sign, new Set(fields.keys()), text, isSet)));
}

/** The room whose configs have such a name, or undefined. */
export function authorOfFile(path: string, rooms: readonly Room[]): Room | undefined {
  return authorNamed(path, rooms) ?? rooms.find((room) => endsSo(path, room));
}

/** The room of which the file's name says that it is a config; of several the one that names most of its folders. */
export function authorNamed(path: string, rooms: readonly Room[]): Room | undefined {
  const said = rooms.map((room) => ({ room, folders: foldersNamed(path, room) })).filter(({ folders }) => folders >= 0);
  return said.toSorted((a, b) => b.folders - a.folders)[0]?.room;
}

/** Does the file's name say that it is a config of the room? What stands for the configs in a folder. */
export function namedSo(path: string, room: Room): boolean {
  return foldersNamed(path, room) >= 0;
}

/** How many folders the longest fitting name has; -1 where none fits. */
function foldersNamed(path: string, room: Room): number {
  const fitting = (room.spec.config?.names ?? []).filter((known) => isNamed(known, nameOf(path), path));
  return Math.max(-1, ...fitting.map((known) => known.split('/').length - 1));
}

function isNamed(known: string, name: string, path: string): boolean {
  if (known.startsWith('/')) return isPathEnd(known.split('/'), path.split('/'));
  return known.startsWith('.') ? name.endsWith(known) : name === known;
}

/** Segment by segment from the end; the first of `known` is empty. */
function isPathEnd([, ...known]: readonly string[], path: readonly string[]): boolean {
  const end = path.slice(-known.length);
  return path.length > known.length && known.every((segment, index) => isSegment(segment, end[index] ?? ''));
}

function isSegment(known: string, segment: string): boolean {
  const [before = '', after] = known.split('*');
  if (after === undefined) return known === segment;
  return segment.length >= known.length - 1 && segment.startsWith(before) && segment.endsWith(after);
}

function endsSo(path: string, room: Room): boolean {
  return room.spec.config?.endings.some((ending) => path.endsWith(ending)) === true;
}

function fits(
  sign: Sign,
  keys: ReadonlySet<string>,
  text: (key: string) => string | undefined,
  isSet: (variable: string) => boolean,
): boolean {
  return (
    !(sign.lacksEnv ?? []).some(isSet) &&
    (sign.any === undefined || sign.any.some((key) => keys.has(key))) &&
    sign.has.every((key) => keys.has(key)) &&
    !(sign.lacks ?? []).some((key) => keys.has(key)) &&
    Object.entries(sign.values ?? {}).every(([key, values]) => values.includes(text(key) ?? ''))
  );
}
