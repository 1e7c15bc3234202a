/**
 * The Unix socket by which `emit` finds the `serve` of its workspace.
 */
import { createHash } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';

/** `prx-<16 hex>.sock` in the private folder, by the real path of the workspace. */
export function workspaceSocket(folder: string, workspace: string): string {
  const digest = createHash('sha256').update(realpathSync(workspace)).digest('hex');
  return `${folder}/prx-${digest.slice(0, 16)}.sock`;
}

/** Is there a socket of this user? */
export function isOwnSocket(path: string, uid: number | undefined): boolean {
  try {
    const stat = lstatSync(path);
    return stat.isSocket() && (uid === undefined || stat.uid === uid);
  } catch {
    return false;
  }
}
