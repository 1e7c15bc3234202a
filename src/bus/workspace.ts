/**
 * The Unix socket by which `emit` finds the `serve` of its workspace, and the token that both know.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { codeOf, reasonOf } from '../core/errno';

const SHORTEST_TOKEN = 16;

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

/** The token, `none` where there is no file, or what is wrong with the file that was named. */
export type TokenRead = { readonly token: string } | { readonly problem: string } | 'none';

/** The first line of a file, trimmed. One that others may read is refused. */
export function readTokenFile(path: string): TokenRead {
  try {
    const { mode } = lstatSync(path, { throwIfNoEntry: true });
    if ((mode & 0o077) !== 0)
      return { problem: `the token file ${path} can be read by others; run "chmod 600 ${path}"` };
    return checkedToken(readFileSync(path, 'utf8').split('\n')[0]?.trim() ?? '', `the token file ${path}`);
  } catch (error) {
    return codeOf(error) === 'ENOENT'
      ? 'none'
      : { problem: `the token file ${path} cannot be read: ${reasonOf(error)}` };
  }
}

/** At least 16 characters that a header can carry. */
export function checkedToken(token: string, what: string): TokenRead {
  if (token.length < SHORTEST_TOKEN) return { problem: `${what} holds fewer than ${SHORTEST_TOKEN} characters` };
  return /^[\x21-\x7e]+$/.test(token)
    ? { token }
    : { problem: `${what} holds a blank or a character that is not ASCII` };
}

/** Where a token comes from: `--token-file`, `$HOOKCTL_TOKEN`, the file in the state folder. */
export function findToken(
  asked: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  state: string | undefined,
): TokenRead {
  if (asked !== undefined) {
    const read = readTokenFile(asked);
    return read === 'none' ? { problem: `there is no token file ${asked}` } : read;
  }
  const said = env['HOOKCTL_TOKEN'] ?? '';
  if (said !== '') return checkedToken(said, '$HOOKCTL_TOKEN');
  return state === undefined ? 'none' : readTokenFile(`${state}/token`);
}
