/**
 * The part of the world that `install` and `uninstall` need: locks, backups, the programs themselves, a question.
 */
import {
  closeSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { codeOf, reasonOf } from './core/errno';

const LOCK_WAIT_MS = 5_000;
const LOCK_POLL_MS = 50;
/** Nobody holds one for so long: its owner was killed. */
const LOCK_STALE_MS = 60_000;

export type Lock = { readonly release: () => void } | { readonly why: string };

/** Holds `PATH.hookctl-lock`; waits five seconds for another one that is at work. */
export async function lock(path: string): Promise<Lock> {
  const name = `${path}.hookctl-lock`;
  for (const end = Date.now() + LOCK_WAIT_MS; ; ) {
    const why = takeLock(name);
    if (why === undefined) return { release: () => rmSync(name, { force: true }) };
    if (why !== 'EEXIST') return { why };
    if (isStale(name)) rmSync(name, { force: true });
    else if (Date.now() > end) return { why: `another hookctl is at work (remove ${name} if there is none)` };
    else await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
}

function takeLock(name: string): string | undefined {
  try {
    mkdirSync(name.slice(0, name.lastIndexOf('/')), { recursive: true });
    const file = openSync(name, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return undefined;
  } catch (error) {
    return codeOf(error) === 'EEXIST' ? 'EEXIST' : reasonOf(error);
  }
}

function isStale(name: string): boolean {
  try {
    const owner = Number(readFileSync(name, 'utf8'));
    if (Date.now() - statSync(name).mtimeMs > LOCK_STALE_MS) return true;
    if (owner > 0) process.kill(owner, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/** Copies a file to `PATH.hookctl-backup` with its mode, or says why that was impossible. */
export function backUp(path: string): string | undefined {
  const name = `${path}.${process.pid}.tmp`;
  try {
    copyFileSync(path, name);
    renameSync(name, backupOf(path));
    return undefined;
  } catch (error) {
    rmSync(name, { force: true });
    return reasonOf(error);
  }
}

export function backupOf(path: string): string {
  return `${path}.hookctl-backup`;
}

/** Makes a whole file in one step, and its folders; never overwrites one. Or says why that was impossible. */
export function createWhole(path: string, text: string): string | undefined {
  const name = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true });
    writeFileSync(name, text, { flag: 'wx' });
    linkSync(name, path);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  } finally {
    rmSync(name, { force: true });
  }
}

export function removeFile(path: string): void {
  rmSync(path, { force: true });
}

/** Absolute paths of Node, by its name on the PATH where that is the same program, and of hookctl. */
export function programs(path: string): { readonly node: string; readonly hookctl: string } {
  const folders = path.split(':').filter((folder) => folder.startsWith('/'));
  const node = folders.map((folder) => `${folder}/node`).find((file) => realOf(file) === realOf(process.execPath));
  return { node: node ?? process.execPath, hookctl: realOf(process.argv[1] ?? '') ?? '' };
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Asks a person on the terminal; no answer is no. */
export async function confirmed(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return /^y(?:es)?$/i.test((await Promise.race([lines.question(question), ended])).trim());
  } finally {
    lines.close();
  }
}
