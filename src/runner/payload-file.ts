/**
 * The file with the event that one hook is given.
 */
import { randomBytes } from 'node:crypto';
import { rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { reasonOf } from '../core/errno';
import { type Owner, privateFolder, removeStale } from './private-folder';

const PREFIX = 'prx-hook-';

export type PayloadFile = { readonly path: string; readonly remove: () => void };

/** Folders that were swept by this process. */
const swept = new Set<string>();

/** Creates it exclusively, mode 0600; or says why that is impossible. */
export function createPayloadFile(text: string, owner: Owner): PayloadFile | { readonly why: string } {
  try {
    const folder = privateFolder(owner);
    if (!swept.has(folder.path)) removeStale(folder.path, PREFIX);
    swept.add(folder.path);
    const path = `${folder.path}/${PREFIX}${randomBytes(8).toString('hex')}.json`;
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
    return { path, remove: () => removed(path, folder.fresh ? folder.path : undefined) };
  } catch (error) {
    return { why: `no file for the event could be made below ${owner.tmp}: ${reasonOf(error)}` };
  }
}

function removed(path: string, folder: string | undefined): void {
  try {
    rmSync(path, { force: true });
    if (folder !== undefined) rmdirSync(folder);
  } catch {
    // What cannot be removed now is stale later.
  }
}
