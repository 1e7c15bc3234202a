/**
 * Transpiled components, in the user's cache folder: a trust boundary, for what is kept there is run. Anything odd is as good as nothing.
 */

import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import type { Result } from '../core/model';
import { makeFolder } from '../make-folder';

type Env = Readonly<Record<string, string | undefined>>;

/** A component that can be loaded; `done` once it was. */
export type Made = { readonly folder: string; readonly done: () => void };

/** When there are more, those that were made longest ago go. */
const MOST = 32;
const PRIVATE = 0o700;

/** The folder of a component that was made before. */
export function keptFolder(env: Env, key: string): string | undefined {
  const cache = cacheFolder(env);
  if (cache === undefined || !isPrivate(cache)) return undefined;
  const folder = `${cache}/${key}`;
  return isPrivate(folder) ? folder : undefined;
}

/** Makes one, and keeps it where that is possible. `make` fills an empty folder, or resolves with what went wrong. */
export async function keep(
  env: Env,
  key: string,
  make: (folder: string) => Promise<Result | undefined>,
): Promise<Made | { readonly failed: Result }> {
  const cache = cacheFolder(env);
  const kept = cache !== undefined && madePrivate(cache);
  const fresh = mkdtempSync(kept ? `${cache}/new-` : `${tmpdir()}/hookctl-`);
  const remove = () => rmSync(fresh, { recursive: true, force: true });
  try {
    const failed = await make(fresh);
    if (failed !== undefined) {
      remove();
      return { failed };
    }
  } catch (error) {
    remove();
    throw error;
  }
  const folder = kept ? renamed(fresh, `${cache}/${key}`) : undefined;
  if (kept) removeOldest(cache);
  return folder === undefined ? { folder: fresh, done: remove } : { folder, done: () => {} };
}

/** As the XDG base directory specification says, a path that is not absolute is ignored. */
function cacheFolder({ XDG_CACHE_HOME: cache = '', HOME: home = '' }: Env): string | undefined {
  if (cache.startsWith('/')) return `${cache}/hookctl/components`;
  return home.startsWith('/') ? `${home}/.cache/hookctl/components` : undefined;
}

function madePrivate(folder: string): boolean {
  try {
    makeFolder(folder, PRIVATE);
    return isPrivate(folder);
  } catch {
    return false;
  }
}

/** A folder, no link, this user's, and closed to all others. */
function isPrivate(folder: string): boolean {
  try {
    const stat = lstatSync(folder);
    return stat.isDirectory() && stat.uid === userInfo().uid && (stat.mode & 0o077) === 0;
  } catch {
    return false;
  }
}

/** Undefined where another hookctl was quicker, or it cannot be moved: then the fresh one serves this once. */
function renamed(fresh: string, folder: string): string | undefined {
  try {
    renameSync(fresh, folder);
    return folder;
  } catch {
    return undefined;
  }
}

function removeOldest(cache: string): void {
  try {
    const made = readdirSync(cache).map((name) => ({
      path: `${cache}/${name}`,
      at: statSync(`${cache}/${name}`).mtimeMs,
    }));
    for (const { path } of made.sort((a, b) => b.at - a.at).slice(MOST)) rmSync(path, { recursive: true, force: true });
  } catch {
    // Somebody else does the same.
  }
}
