/**
 * A folder for what others must not read: `hookctl-<uid>` below the temporary folder, or a fresh one where that cannot be trusted.
 */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { codeOf } from '../core/errno';

/** Whose folder, and below which. `uid` is undefined where the system has none. */
export type Owner = { readonly tmp: string; readonly uid: number | undefined };

/** Longer than any hook may live. */
const STALE_MS = 10 * 60_000;

export type PrivateFolder = {
  /** Absolute. */
  readonly path: string;
  /** It is nobody else's: who made it removes it. */
  readonly fresh: boolean;
};

/** Makes or finds the folder, mode 0700, own, no link. Throws where there can be none. */
export function privateFolder({ tmp, uid }: Owner): PrivateFolder {
  const path = `${tmp}/hookctl-${uid ?? ''}`;
  if (uid !== undefined && isOwn(path, uid)) return { path, fresh: false };
  return { path: mkdtempSync(`${tmp}/hookctl-`), fresh: true };
}

function isOwn(path: string, uid: number): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  const stat = lstatSync(path);
  return stat.isDirectory() && stat.uid === uid && (stat.mode & 0o077) === 0;
}

/** Removes files that a killed hookctl left there. */
export function removeStale(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix)) continue;
    const path = `${folder}/${name}`;
    try {
      if (Date.now() - statSync(path).mtimeMs > STALE_MS) rmSync(path, { force: true });
    } catch {
      // Somebody else was quicker.
    }
  }
}
