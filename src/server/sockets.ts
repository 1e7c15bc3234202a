/**
 * Unix sockets to listen on: a stale one is replaced, a live one and any other file are left alone.
 */
import { chmodSync, lstatSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { codeOf, reasonOf } from '../core/errno';

const LIVE_MS = 500;
/** What the system allows, with the NUL at its end, on Linux and macOS. */
const LONGEST = 103;

/** Makes room for a socket; or why it cannot be had. */
export async function claimSocket(path: string): Promise<string | undefined> {
  if (Buffer.byteLength(path) > LONGEST) return `the path of a socket has at most ${LONGEST} bytes`;
  try {
    if (!lstatSync(path).isSocket()) return 'there is a file of that name which is no socket';
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : reasonOf(error);
  }
  if (await isLive(path)) return 'another server listens there';
  rmSync(path, { force: true });
  return undefined;
}

/** For its user alone. */
export function protectSocket(path: string): void {
  chmodSync(path, 0o600);
}

export function removeSocket(path: string): void {
  rmSync(path, { force: true });
}

function isLive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (live: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(live);
    };
    const timer = setTimeout(() => end(true), LIVE_MS);
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
  });
}
