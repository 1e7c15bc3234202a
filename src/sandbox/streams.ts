/**
 * Descriptors, read and written at once, also where they are set not to block.
 */
import { readSync, writeSync } from 'node:fs';
import { codeOf } from '../core/errno';

const BUSY_MS = 2;
const CHUNK = 64 * 1024;

/** Waits for the first bytes; 0 at the end. Throws as `readSync` does. */
export function readSome(descriptor: number, target: Uint8Array): number {
  for (;;) {
    try {
      return readSync(descriptor, target, 0, target.length, null);
    } catch (error) {
      if (codeOf(error) === 'EOF') return 0;
      if (codeOf(error) !== 'EAGAIN') throw error;
      pause(BUSY_MS);
    }
  }
}

/** All of it, to its end. */
export function readAll(descriptor: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const chunk = new Uint8Array(CHUNK);
    const count = readSome(descriptor, chunk);
    if (count === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, count));
  }
}

/** All of it, also where the descriptor takes only a part for now. Throws as `writeSync` does. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let left = bytes; left.length > 0; ) {
    try {
      left = left.subarray(writeSync(descriptor, left));
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      pause(BUSY_MS);
    }
  }
}

/** The thread does nothing for so long. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
