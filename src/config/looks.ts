/**
 * What reading configs saw of the disk, so that it can be told whether reading them again would see the same.
 */
import type { Disk } from './find';

/** One question to the disk and its answer. */
export type Look = {
  readonly [K in keyof Disk]: { readonly ask: K; readonly path: string; readonly answer: ReturnType<Disk[K]> };
}[keyof Disk];

/** A disk that is asked every question once: whatever changes meanwhile, what was read is what the looks tell. */
export function watched(disk: Disk): { readonly disk: Disk; readonly looks: () => readonly Look[] } {
  const looks = new Map<string, Look>();
  const answered = <K extends keyof Disk>(ask: K, path: string): ReturnType<Disk[K]> => {
    const key = `${ask} ${path}`;
    const known = looks.get(key);
    if (known !== undefined) return known.answer as ReturnType<Disk[K]>;
    const answer = disk[ask](path) as ReturnType<Disk[K]>;
    looks.set(key, { ask, path, answer } as Look);
    return answer;
  };
  return {
    disk: {
      kindOf: (path) => answered('kindOf', path),
      list: (path) => answered('list', path),
      isLink: (path) => answered('isLink', path),
      read: (path) => answered('read', path),
    },
    looks: () => [...looks.values()],
  };
}

/** Would the disk answer as it did? Files are compared byte by byte: neither length nor time tells. */
export function holds(look: Look, disk: Disk): boolean {
  switch (look.ask) {
    case 'kindOf':
      return disk.kindOf(look.path) === look.answer;
    case 'isLink':
      return disk.isLink(look.path) === look.answer;
    case 'list':
      return JSON.stringify(disk.list(look.path)) === JSON.stringify(look.answer);
    case 'read':
      return isSame(disk.read(look.path), look.answer);
  }
}

function isSame(one: ReturnType<Disk['read']>, other: ReturnType<Disk['read']>): boolean {
  if (one instanceof Uint8Array && other instanceof Uint8Array) return Buffer.compare(one, other) === 0;
  return !(one instanceof Uint8Array) && !(other instanceof Uint8Array) && one.why === other.why;
}
