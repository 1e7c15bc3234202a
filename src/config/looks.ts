/**
 * What reading configs saw of the disk, so that it can be told whether reading them again would see the same.
 */
import type { Disk } from './find';

/** One question to the disk and its answer. */
export type Look = {
  readonly [K in keyof Disk]: { readonly ask: K; readonly path: string; readonly answer: ReturnType<Disk[K]> };
}[keyof Disk];

/** A disk that remembers every answer it gave. */
export function watched(disk: Disk): { readonly disk: Disk; readonly looks: () => readonly Look[] } {
  const looks = new Map<string, Look>();
  const remember = (look: Look) => looks.set(`${look.ask} ${look.path}`, look);
  return {
    disk: {
      kindOf(path) {
        const answer = disk.kindOf(path);
        remember({ ask: 'kindOf', path, answer });
        return answer;
      },
      list(path) {
        const answer = disk.list(path);
        remember({ ask: 'list', path, answer });
        return answer;
      },
      isLink(path) {
        const answer = disk.isLink(path);
        remember({ ask: 'isLink', path, answer });
        return answer;
      },
      read(path) {
        const answer = disk.read(path);
        remember({ ask: 'read', path, answer });
        return answer;
      },
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
