/**
 * Makes folders. Not by `recursive` of Node's own `mkdirSync`, which never returns where a folder says that it is not there itself
 * when something is made in it, as those of `/proc` do.
 */
import { mkdirSync, statSync } from 'node:fs';
import { codeOf } from './core/errno';

/** A folder with all above it, which get the same mode. Throws the system's error; what is there already is none if it is a folder. */
export function makeFolder(path: string, mode?: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (isFolder(path)) return;
    const above = path.slice(0, Math.max(1, path.replace(/\/+$/, '').lastIndexOf('/')));
    if (codeOf(error) !== 'ENOENT' || isFolder(above) || above === path) throw error;
    makeFolder(above, mode);
    makeAgain(path, mode);
  }
}

/** Another process may have been quicker. */
function makeAgain(path: string, mode: number | undefined): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
