/**
 * Processes that outlive their run: read from files of pids, looked at, ended.
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Looks until `enough` holds or the time is over; gives back what it saw last. */
export async function poll<T>(ms: number, look: () => Promise<T>, enough: (seen: T) => boolean): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const seen = await look();
    if (enough(seen) || performance.now() > end) return seen;
    await sleep(20);
  }
}

/** The pids in a file, separated by white space; none while there is no such file, or something else is in it. */
export async function pidsIn(file: string): Promise<readonly number[]> {
  const words = (await readFile(file, 'utf8').catch(() => '')).split(/\s+/).filter((word) => word !== '');
  return words.every((word) => /^[1-9]\d{0,8}$/.test(word)) ? words.map(Number).filter((pid) => pid > 1) : [];
}

/** Does it still run? A zombie does not: in a container nobody may ever collect it. */
export function isAlive(pid: number): boolean {
  return exists(pid) && !stateOf(pid).startsWith('Z');
}

/** Kills a process, and the group that it leads. */
export function end(pid: number): void {
  endGroup(pid);
  signal(pid);
}

/** Kills what is left of a process group. */
export function endGroup(pid: number): void {
  signal(-pid);
}

function signal(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // it is dead already, which is what was wanted
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The state as `ps` writes it; empty when the process ended meanwhile. Linux images often have no `ps`. */
function stateOf(pid: number): string {
  if (process.platform !== 'linux')
    return spawnSync('ps', ['-o', 'stat=', '-p', String(pid)])
      .stdout.toString()
      .trim();
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '');
  } catch {
    return 'Z';
  }
}
