/**
 * Configs that are read again when anything that was read of them has changed; an invalid state never replaces a good one.
 */
import { type Finding, hasError, severityOf } from '../core/finding';
import type { Disk } from './find';
import { everyFinding, type LoadDoors, type Loaded, loadConfigs } from './load';

export type Generation = {
  /** Counts good states, from 1; 0: there was none yet. */
  readonly generation: number;
  /** The last good state; before there was one, what could be read. */
  readonly loaded: Loaded;
  /** What is wrong with the state on the disk, where something is. */
  readonly faults: readonly Finding[];
  /** Was it read anew by this call? */
  readonly changed: boolean;
};

/** What was asked of the disk, and what it said: as long as it says the same, nothing has changed. */
type Asked = { readonly how: keyof Disk; readonly path: string; readonly answer: unknown };

export class Generations {
  private asked: readonly Asked[] = [];
  private now: Generation | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly names: readonly string[],
    private readonly cwd: string,
    private readonly doors: LoadDoors,
  ) {}

  /** The state in force. One call at a time looks at the disk. */
  current(): Promise<Generation> {
    const next = this.last.then(() => this.look());
    this.last = next.catch(() => undefined);
    return next;
  }

  private async look(): Promise<Generation> {
    if (this.now !== undefined && this.asked.every((one) => isSame(this.doors.disk[one.how](one.path), one.answer)))
      return { ...this.now, changed: false };
    const asked: Asked[] = [];
    const loaded = await loadConfigs(this.names, this.cwd, { ...this.doors, disk: recording(this.doors.disk, asked) });
    this.asked = asked;
    this.now = after(this.now, loaded);
    return this.now;
  }
}

function after(before: Generation | undefined, loaded: Loaded): Generation {
  const faults = [...loaded.findings, ...loaded.observers.flat()].filter((finding) => hasError([finding]));
  if (faults.length === 0) return { generation: (before?.generation ?? 0) + 1, loaded, faults, changed: true };
  const isFirst = before === undefined || before.generation === 0;
  return { generation: before?.generation ?? 0, loaded: isFirst ? loaded : before.loaded, faults, changed: true };
}

/** Warnings of a state, for people who are told once. */
export function warningsOf({ loaded }: Generation): readonly Finding[] {
  return everyFinding(loaded).filter((finding) => severityOf(finding) === 'warning');
}

function recording(disk: Disk, asked: Asked[]): Disk {
  const noted = <T>(how: keyof Disk, path: string, answer: T): T => {
    asked.push({ how, path, answer });
    return answer;
  };
  return {
    kindOf: (path) => noted('kindOf', path, disk.kindOf(path)),
    list: (path) => noted('list', path, disk.list(path)),
    read: (path) => noted('read', path, disk.read(path)),
    isLink: (path) => noted('isLink', path, disk.isLink(path)),
  };
}

/** A loop: this is done for every event. */
function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

/** By content: bytes, names, or the word for what is there. */
function isSame(now: unknown, before: unknown): boolean {
  if (now instanceof Uint8Array && before instanceof Uint8Array) {
    return isSameBytes(now, before);
  }
  return typeof now === 'string' ? now === before : JSON.stringify(now) === JSON.stringify(before);
}
