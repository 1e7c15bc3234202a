/**
 * hooks.json on the disk: read as it is now, written whole or not at all, by one writer at a time.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { codeOf, reasonOf } from '../core/errno';

const LOCK_MS = 2_000;
const LOCK_POLL_MS = 20;
const TRIES = 3;

/** What keeps a file from being written. `busy`: somebody else writes it. */
export type Unwritten = { readonly kind: 'busy' | 'failed'; readonly why: string };

export type Lock = { readonly release: () => void };

/** The bytes of a file; undefined where there is none. Throws where it cannot be read. */
export function readNow(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Takes `<path>.lock`, waiting up to 2 s for another writer; that of a dead process is taken over. */
export async function lock(path: string, pid: number, isAlive: (pid: number) => boolean): Promise<Lock | Unwritten> {
  const name = `${path}.lock`;
  const until = Date.now() + LOCK_MS;
  for (;;) {
    const taken = tryLock(name, pid);
    if (taken !== undefined) return taken;
    removeDead(name, isAlive);
    if (Date.now() > until) return { kind: 'busy', why: `${name} is held by another writer` };
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
}

/** Created with its content in one step, so that nobody reads it half written. */
function tryLock(name: string, pid: number): Lock | Unwritten | undefined {
  const own = temporary(name, pid);
  try {
    writeFileSync(own, String(pid), { flag: 'wx', mode: 0o600 });
    linkSync(own, name);
    return { release: () => rmSync(name, { force: true }) };
  } catch (error) {
    return codeOf(error) === 'EEXIST'
      ? undefined
      : { kind: 'failed', why: `${name} cannot be made: ${reasonOf(error)}` };
  } finally {
    rmSync(own, { force: true });
  }
}

/** Moved aside first: of several who find it only one gets it, and puts it back if it is another one by then. */
function removeDead(name: string, isAlive: (pid: number) => boolean): void {
  const holder = pidIn(name);
  if (holder === undefined || isAlive(holder)) return;
  const aside = `${name}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(name, aside);
    if (pidIn(aside) !== holder) linkSync(aside, name);
  } catch {
    // Another one was quicker.
  } finally {
    rmSync(aside, { force: true });
  }
}

function pidIn(name: string): number | undefined {
  try {
    const pid = Number(readFileSync(name, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Replaces a file by what `edit` makes of it, if nobody changed it meanwhile; else it is done again, three times. A link is
 * followed, the mode kept; a new file has 0600. Whatever fails, the old file stays.
 */
export function rewrite(
  path: string,
  pid: number,
  edit: (before: Uint8Array | undefined) => string | undefined,
): 'done' | 'unchanged' | Unwritten {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const before = readNow(path);
    const after = edit(before);
    if (after === undefined) return 'unchanged';
    const lost = replace(path, pid, after, () => isSame(before, readNow(path)));
    if (lost === undefined) return 'done';
    if (lost.kind === 'failed') return lost;
  }
  return { kind: 'busy', why: `${path} was changed by somebody else again and again` };
}

function replace(path: string, pid: number, text: string, isUnchanged: () => boolean): Unwritten | undefined {
  const real = realOf(path);
  const name = temporary(real, pid);
  try {
    const fd = openSync(name, 'wx', modeOf(real));
    try {
      for (let rest: Uint8Array = Buffer.from(text); rest.length > 0; ) rest = rest.subarray(writeSync(fd, rest));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    if (!isUnchanged()) return { kind: 'busy', why: 'it was changed meanwhile' };
    renameSync(name, real);
    return undefined;
  } catch (error) {
    return { kind: 'failed', why: `${path} cannot be written: ${reasonOf(error)}` };
  } finally {
    rmSync(name, { force: true });
  }
}

function temporary(path: string, pid: number): string {
  const folder = path.slice(0, path.lastIndexOf('/'));
  return `${folder}/.${path.slice(folder.length + 1)}.${pid}.${randomBytes(4).toString('hex')}.tmp`;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function modeOf(path: string): number {
  try {
    return statSync(path).mode & 0o777;
  } catch {
    return 0o600;
  }
}

/** The same bytes, or both none. */
export function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && Buffer.compare(one, other) === 0;
}
