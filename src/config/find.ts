/**
 * From what a user names as CONFIG to files.
 */
import type { Finding } from '../core/finding';
import { didYouMean } from '../core/nearest';
import { nameOf, resolvePath, shownFrom } from '../core/path';
import { NATIVE, ROOM_IDS, ROOMS, roomOf } from '../dialects';
import { authorNamed, authorOfFile } from '../dialects/detect';
import type { Room } from '../dialects/dialect';

/** What looking for configs needs of the disk. */
export type Disk = {
  /** `none`: nothing is there. */
  readonly kindOf: (path: string) => 'file' | 'folder' | 'none';
  readonly list: (folder: string) => readonly string[] | { readonly why: string };
  readonly isLink: (path: string) => boolean;
  /** `limit` in bytes; by default that of configs. */
  readonly read: (path: string, limit?: number) => Uint8Array | { readonly why: string };
};

/**
 * `guessed`: the room of its ending, where neither the user nor its name said it; what stands in it may tell better. `forced`: the
 * user said whose it is.
 */
export type ConfigFile = {
  readonly path: string;
  readonly shown: string;
  readonly room: Room;
  readonly guessed?: true;
  readonly forced?: true;
};

export type Found = { readonly files: readonly ConfigFile[]; readonly findings: readonly Finding[] };

/** The items of `$HOOKCTL_CONFIG`, separated by `:`; an item that is exactly a dialect's id belongs to the next. */
export function splitConfigVariable(value: string): string[] {
  const items: string[] = [];
  let prefix = '';
  for (const part of value.split(':')) {
    if (prefix === '' && ROOM_IDS.includes(part)) prefix = `${part}:`;
    else if (part !== '') {
      items.push(prefix + part);
      prefix = '';
    }
  }
  return prefix === '' ? items : [...items, prefix];
}

/** The files that the names stand for, in the order given. */
export function findConfigs(names: readonly string[], cwd: string, disk: Disk): Found {
  return together(names.map((name) => findConfig(name, cwd, disk)));
}

/** How a file is named as CONFIG from a folder: a name with a colon is no dialect. */
export function nameFor(path: string, cwd: string): string {
  const shown = shownFrom(cwd, path);
  return shown.startsWith('/') ? shown : `./${shown}`;
}

/** A CONFIG that was named from one folder, as it is named from another. */
export function namedFrom(name: string, from: string, cwd: string): string {
  const [id, written] = splitDialect(name);
  const path = written === '' ? '' : nameFor(resolvePath(from, written), cwd);
  return id === undefined ? path : `${id}:${path}`;
}

function together(found: readonly Found[]): Found {
  return { files: found.flatMap((one) => one.files), findings: found.flatMap((one) => one.findings) };
}

function findConfig(name: string, cwd: string, disk: Disk): Found {
  const [id, written] = splitDialect(name);
  const room = id === undefined ? undefined : roomOf(id);
  const path = resolvePath(cwd, written);
  const shown = shownFrom(cwd, path);
  const kind = written === '' ? 'none' : disk.kindOf(path);
  if (id !== undefined && room?.author === undefined) return refused(name, whyNoDialect(id));
  if (kind === 'none') return missing(written, path, disk);
  if (kind === 'folder') return inFolder(path, shown, room, disk);
  if (room !== undefined) return { files: [{ path, shown, room, forced: true }], findings: [] };
  const named = authorNamed(path, ROOMS);
  if (named !== undefined) return { files: [asNamed(path, shown, named)], findings: [] };
  return { files: [{ path, shown, room: authorOfFile(path, ROOMS) ?? NATIVE, guessed: true }], findings: [] };
}

/** `claude:x.json` names its dialect; `./x:y`, and a name whose first part is no word, do not. */
export function splitDialect(name: string): [id: string | undefined, path: string] {
  const [, id, path] = /^([a-z][a-z0-9-]*):(.*)$/s.exec(name) ?? [];
  return id === undefined || path === undefined ? [undefined, name] : [id, path];
}

function whyNoDialect(id: string): string {
  const ids = ROOMS.filter((room) => room.author !== undefined).map((room) => room.spec.id);
  const offer = didYouMean(id, ids);
  return `"${id}" is no dialect that has configs (there is ${ids.join(', ')})${offer}; a path with a colon begins with ./`;
}

function inFolder(path: string, shown: string, room: Room | undefined, disk: Disk): Found {
  const rooms = room === undefined ? ROOMS : [room];
  const names = disk.list(path);
  if ('why' in names) return unread(shown, names.why);
  const found = [...names].sort().flatMap((name): Found[] => {
    const inside = `${path === '/' ? '' : path}/${name}`;
    const own = authorNamed(inside, rooms);
    return own === undefined ? [] : [namedInFolder(inside, inShown(shown, name), own, disk)];
  });
  const deeper = rooms
    .flatMap((one) => one.spec.config?.within?.[nameOf(path)] ?? [])
    .find((one) => names.includes(one));
  if (found.length === 0 && deeper !== undefined)
    return inFolder(`${path}/${deeper}`, inShown(shown, deeper), room, disk);
  const known = rooms
    .flatMap((one) => one.spec.config?.names ?? [])
    .map((name) => (name.startsWith('.') ? `*${name}` : name.replace(/^\//, '')));
  return found.length > 0 ? together(found) : refused(shown, `the folder holds no config (${known.join(', ')})`);
}

const DANGLING = 'it is a link to a file that is not there';

/** What is called like a config and cannot be one is told: a guard may be missing. */
function namedInFolder(path: string, shown: string, room: Room, disk: Disk): Found {
  const kind = disk.kindOf(path);
  if (room.spec.config?.skipsLinks === true && disk.isLink(path)) return unloaded(shown, 'a link is not followed');
  if (kind === 'file') return { files: [asNamed(path, shown, room)], findings: [] };
  return unread(shown, kind === 'folder' ? 'it is a folder' : DANGLING);
}

/** Several agents have a file of that name: what stands in it tells whose it is, its name where that does not. */
function asNamed(path: string, shown: string, room: Room): ConfigFile {
  const isShared = ROOMS.some(({ spec }) => spec.config?.shared?.includes(nameOf(path)));
  return isShared ? { path, shown, room, guessed: true } : { path, shown, room };
}

function inShown(folder: string, name: string): string {
  if (folder === '.') return name;
  return `${folder === '/' ? '' : folder}/${name}`;
}

function missing(written: string, path: string, disk: Disk): Found {
  const folder = resolvePath(path, '..');
  const listed = disk.kindOf(folder) === 'folder' ? disk.list(folder) : [];
  const siblings = 'why' in listed ? [] : listed;
  const name = nameOf(path);
  const configs = siblings.filter((one) => authorOfFile(one, ROOMS) !== undefined);
  const why = siblings.includes(name) ? DANGLING : `there is no such file${didYouMean(name, configs, 2)}`;
  return written === '' ? unread('""', 'the name is empty') : unread(written.replace(/^\.\//, ''), why);
}

function unread(path: string, why: string): Found {
  return { files: [], findings: [{ code: 'HK001', at: { file: path }, args: { path, why } }] };
}

/** Its agent leaves it out as well. */
function unloaded(path: string, why: string): Found {
  return { files: [], findings: [{ code: 'HK053', at: { file: path }, args: { why } }] };
}

function refused(path: string, why: string): Found {
  return { files: [], findings: [{ code: 'HK016', at: { file: path }, args: { path, why } }] };
}
