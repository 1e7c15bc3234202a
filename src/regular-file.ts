/**
 * Reads files that somebody named: regular ones, up to a size.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { codeOf, reasonOf } from './core/errno';

/**
 * Its bytes, or why there are none. Opened without blocking, so that a pipe without a writer cannot hold us. `limit` in bytes; `links`
 * are followed unless that is refused.
 */
export function readRegularFile(
  path: string,
  limit: number,
  links: 'followed' | 'refused' = 'followed',
): Uint8Array | { readonly why: string } {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (links === 'refused' ? constants.O_NOFOLLOW : 0));
    const stat = fstatSync(fd);
    if (!stat.isFile()) return { why: 'it is not a regular file' };
    if (stat.size > limit) return { why: `it is larger than ${limit / 1024 / 1024} MiB` };
    return readFileSync(fd);
  } catch (error) {
    return { why: codeOf(error) === 'ELOOP' && links === 'refused' ? 'it is a link' : reasonOf(error) };
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
