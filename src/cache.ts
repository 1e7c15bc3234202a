/**
 * The user's cache folder: a trust boundary. What is kept there decides what guards do, so it is taken from the user's own private
 * folder alone, and anything odd is as good as nothing.
 */

import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from 'node:fs';
import { makeFolder } from './make-folder';

export type Cache = {
  /** The entry, or undefined where there is none that can be trusted. */
  readonly read: (name: string) => Uint8Array | undefined;
  /** Keeps an entry, if that is possible. */
  readonly write: (name: string, entry: Uint8Array) => void;
  /** Could this user change the file as well? Where not, a cache that this user can write is no stand-in for it. */
  readonly covers: (path: string) => boolean;
};

/** A longer entry is not kept. */
const MAX_BYTES = 64 * 1024 * 1024;
/** When there are more files than these, the older half goes. */
const MAX_FILES = 200;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const PERMISSIONS = 0o777;

/** Whose cache it is: the build of this hookctl, and the user's number. */
export type Owner = { readonly build: string; readonly uid: number | undefined };

/** The cache in `$XDG_CACHE_HOME`, else in `~/.cache`. */
export function cacheOf(env: Readonly<Record<string, string | undefined>>, owner: Owner): Cache {
  const folder = folderIn(env);
  return {
    read: (name) => (folder === undefined ? undefined : attempt(() => readEntry(folder, name, owner))),
    write: (name, entry) => (folder === undefined ? undefined : attempt(() => writeEntry(folder, name, entry, owner))),
    covers: (path) => attempt(() => accessSync(path, constants.W_OK) === undefined) === true,
  };
}

/** As the XDG base directory specification says, a path that is not absolute is ignored. */
function folderIn(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { XDG_CACHE_HOME: cache = '', HOME: home = '' } = env;
  if (cache.startsWith('/')) return `${cache}/hookctl`;
  return home.startsWith('/') ? `${home}/.cache/hookctl` : undefined;
}

function readEntry(folder: string, name: string, owner: Owner): Uint8Array | undefined {
  const mark = markOf(folder, owner);
  if (mark === undefined) return undefined;
  const fd = openSync(`${folder}/${name}`, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || !isPrivate(stat, PRIVATE_FILE, owner) || stat.size > MAX_BYTES) return undefined;
    const bytes = readFileSync(fd);
    return bytes.subarray(0, mark.length).equals(mark) ? bytes.subarray(mark.length) : undefined;
  } finally {
    closeSync(fd);
  }
}

/**
 * What an entry of this build, for this Node, in this very folder begins with: an entry that was made elsewhere, and came with a
 * repository or an archive, does not know the folder's number.
 */
function markOf(folder: string, owner: Owner): Buffer | undefined {
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || !isPrivate(stat, PRIVATE_FOLDER, owner)) return undefined;
  return Buffer.from(`hookctl ${owner.build} node ${process.version} folder ${stat.dev}:${stat.ino}\n`);
}

function isPrivate({ uid, mode }: Stats, permissions: number, owner: Owner): boolean {
  return uid === owner.uid && (mode & PERMISSIONS) === permissions;
}

/** By a rename: who reads meanwhile gets the old entry or the new one. */
function writeEntry(folder: string, name: string, entry: Uint8Array, owner: Owner): void {
  makeFolder(folder, PRIVATE_FOLDER);
  const mark = markOf(folder, owner);
  if (mark === undefined || mark.length + entry.length > MAX_BYTES) return;
  prune(folder);
  const made = `${folder}/${name}.${process.pid}.${Date.now().toString(36)}${Math.random().toString(36).slice(2)}.tmp`;
  const fd = openSync(made, 'wx', PRIVATE_FILE);
  try {
    fchmodSync(fd, PRIVATE_FILE);
    writeAll(fd, Buffer.concat([mark, entry]));
    renameSync(made, `${folder}/${name}`);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Throws where the disk is full. */
function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    const count = writeSync(fd, bytes, at);
    if (count === 0) throw new Error('nothing was written');
    at += count;
  }
}

/** Of the files: a folder in it is somebody else's. */
function prune(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MAX_FILES) return;
  const files = names.flatMap((name) => {
    const stat = attempt(() => lstatSync(`${folder}/${name}`));
    return stat === undefined || stat.isDirectory() ? [] : [{ name, age: stat.mtimeMs }];
  });
  for (const { name } of files.sort((a, b) => a.age - b.age).slice(0, MAX_FILES / 2)) {
    attempt(() => rmSync(`${folder}/${name}`, { force: true }));
  }
}

/** A cache that cannot be used is none: the run goes on without. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
