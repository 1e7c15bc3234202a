/**
 * What a sandbox says of its hook, on the fourth descriptor: nothing that the hook prints, and no exit code, can pass for it.
 */
import { writeSync } from 'node:fs';
import type { Report } from '../core/sandbox';

const DESCRIPTOR = 3;

/** One line. */
export function tell(report: Report): void {
  writeAll(DESCRIPTOR, new TextEncoder().encode(`${JSON.stringify(report)}\n`));
}

/** The last word: the process is over at once, and nothing that the hook holds can catch that. */
export function end(report: Report): never {
  tell(report);
  process.exit(0);
}

/** Writes all of it, also where the descriptor takes only a part for now. Throws as `writeSync` does. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let left = bytes; left.length > 0; ) {
    try {
      left = left.subarray(writeSync(descriptor, left));
    } catch (error) {
      if (!isBusy(error)) throw error;
      pause(BUSY_MS);
    }
  }
}

const BUSY_MS = 2;

/** Set not to block, and full or empty for now. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

/** The thread does nothing for so long. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
