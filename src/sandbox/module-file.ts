/**
 * A module as it lies on the disk. The bytes that are checked are the bytes that run: they are read once.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { reasonOf } from '../core/errno';
import { MAX_MODULE_BYTES } from '../core/wasm/kind';

/** Opened without blocking, so that a pipe without a writer cannot hold us. */
export function readModule(path: string): Uint8Array | { readonly why: string } {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile()) return { why: 'it is no file' };
    if (stat.size > MAX_MODULE_BYTES) return { why: `it is larger than ${MAX_MODULE_BYTES / 1024 / 1024} MiB` };
    return readFileSync(fd);
  } catch (error) {
    return { why: reasonOf(error) };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
