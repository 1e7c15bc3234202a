/**
 * Files that are written whole or not at all, by one writer at a time.
 */

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
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
import { codeOf, reasonOf } from './core/errno';
import { makeFolder } from './make-folder';

const LOCK_POLL_MS = 20;

/** What keeps a file from being written. `busy`: somebody else writes it. */
export type Unwritten = { readonly kind: 'busy' | 'failed'; readonly why: string };

export type Lock = { readonly release: () => void };

/** Takes the lock file `name`, waiting for another writer; that of a dead process is taken over. */
export async function lock(name: string, waitMs: number): Promise<Lock | Unwritten> {
  const until = Date.now() + waitMs;
  for (;;) {
    const taken = tryLock(name);
    if (taken !== undefined) return taken;
    removeDead(name);
    if (Date.now() > until) return { kind: 'busy', why: `another writer holds ${name} (remove it if there is none)` };
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
}

/** Created with its content in one step, so that nobody reads it half written. */
function tryLock(name: string): Lock | Unwritten | undefined {
  const own = temporary(name);
  try {
    makeFolder(folderOf(name));
    writeFileSync(own, String(process.pid), { flag: 'wx', mode: 0o600 });
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
function removeDead(name: string): void {
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** Replaces a file where `isUnchanged` still holds. A link is followed, the mode kept; a new file has 0600. Whatever fails, the old one stays. */
export function replaceWhole(path: string, text: string, isUnchanged: () => boolean): Unwritten | undefined {
  const real = realOf(path);
  const name = temporary(real);
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

/** Makes a file, and its folders; never overwrites one. Or says why that was impossible. */
export function createWhole(path: string, text: string): string | undefined {
  const name = temporary(path);
  try {
    makeFolder(folderOf(path));
    writeFileSync(name, text, { flag: 'wx' });
    linkSync(name, path);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  } finally {
    rmSync(name, { force: true });
  }
}

/** Copies a file, with its mode, over another one; or says why that was impossible. */
export function copyWhole(from: string, to: string): string | undefined {
  const name = temporary(to);
  try {
    copyFileSync(from, name);
    renameSync(name, to);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  } finally {
    rmSync(name, { force: true });
  }
}

function temporary(path: string): string {
  const folder = folderOf(path);
  return `${folder}/.${path.slice(folder.length + 1)}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
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
