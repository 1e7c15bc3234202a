/**
 * The token of a server: found, or made and kept.
 */

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { findToken } from '../bus/token';
import { reasonOf } from '../core/errno';
import { makeFolder } from '../make-folder';

const BYTES = 32;

export type ServerToken = {
  readonly token: string /** It was made just now, and is kept there. */;
  readonly made?: string;
};

/** As `emit` and `listen` find it; where there is none, a new one is stored in the state folder, mode 0600. */
export function serverToken(
  asked: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  state: string | undefined,
): ServerToken | { readonly problem: string } {
  const found = findToken(asked, env, state);
  if (found !== 'none') return found;
  if (state === undefined)
    return { problem: 'there is no home to keep a token in; say --token-file or set $HOOKCTL_TOKEN' };
  const token = randomBytes(BYTES).toString('hex');
  const path = `${state}/token`;
  try {
    makeFolder(state, 0o700);
    writeFileSync(path, `${token}\n`, { flag: 'wx', mode: 0o600 });
    return { token, made: path };
  } catch (error) {
    return { problem: `the token cannot be kept in ${path}: ${reasonOf(error)}` };
  }
}
