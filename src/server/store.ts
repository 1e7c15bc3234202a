/**
 * hooks.json on the disk: read as it is now, changed by one writer at a time.
 */
import { readFileSync } from 'node:fs';
import { codeOf } from '../core/errno';
import { replaceWhole, type Unwritten } from '../whole-file';

const TRIES = 3;

/** The bytes of a file; undefined where there is none. Throws where it cannot be read. */
export function readNow(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces a file by what `edit` makes of it, if nobody changed it meanwhile; else it is done again, three times. */
export function rewrite(
  path: string,
  edit: (before: Uint8Array | undefined) => string | undefined,
): 'done' | 'unchanged' | Unwritten {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const before = readNow(path);
    const after = edit(before);
    if (after === undefined) return 'unchanged';
    const lost = replaceWhole(path, after, () => isSame(before, readNow(path)));
    if (lost === undefined) return 'done';
    if (lost.kind === 'failed') return lost;
  }
  return { kind: 'busy', why: `${path} was changed by somebody else again and again` };
}

/** The same bytes, or both none. */
export function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.length === other.length && Buffer.compare(one, other) === 0;
}
