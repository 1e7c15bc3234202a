/**
 * `-` in the place of a file: a config that comes on stdin.
 */
import type { Disk } from '../config/find';
import { resolvePath } from '../core/path';
import { MAX_CONFIG_BYTES } from '../core/tree';
import type { Io } from '../io';

/** How it is shown where nobody said what it stands for. */
const NAMELESS = '<stdin>';

export type Input = { readonly names: readonly string[]; readonly disk: Disk };

/**
 * The names with a path in the place of `-`, and a disk that has what stdin holds there; or what is wrong.
 *
 * `standsFor`: the path that messages show and that the format is recognised by.
 */
export async function withStdin(
  names: readonly string[],
  io: Io,
  standsFor = NAMELESS,
): Promise<Input | { readonly problem: string }> {
  if (!names.includes('-')) return { names, disk: io.disk };
  const read = await io.readStdin(MAX_CONFIG_BYTES, undefined);
  if (read.kind !== 'bytes') return { problem: `"-" stands for a config on stdin, but stdin ${PROBLEMS[read.kind]}` };
  const path = resolvePath(io.cwd, standsFor);
  const disk: Disk = {
    list: io.disk.list,
    isLink: io.disk.isLink,
    kindOf: (one) => (one === path ? 'file' : io.disk.kindOf(one)),
    read: (one) => (one === path ? read.bytes : io.disk.read(one)),
  };
  return { names: names.map((name) => (name === '-' ? path : name)), disk };
}

const PROBLEMS = {
  terminal: 'is a terminal; pipe a file into it',
  'too large': `holds more than ${MAX_CONFIG_BYTES / 1024 / 1024} MiB`,
  deadline: 'did not end',
  fault: 'cannot be read',
} as const;
