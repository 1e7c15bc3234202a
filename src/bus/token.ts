/**
 * The token that a server and its clients know.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { codeOf, reasonOf } from '../core/errno';

const SHORTEST_TOKEN = 16;

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
