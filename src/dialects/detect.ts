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
  return rooms.find((room) => namedSo(path, room)) ?? rooms.find((room) => endsSo(path, room));
}

/** Does the file's name say that it is a config of the room? What stands for the configs in a folder. */
export function namedSo(path: string, room: Room): boolean {
  const name = nameOf(path);
  return room.spec.config?.names.some((known) => isNamed(known, name, path)) === true;
}

function isNamed(known: string, name: string, path: string): boolean {
  if (known.startsWith('/')) return path.endsWith(known);
  return known.startsWith('.') ? name.endsWith(known) : name === known;
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
