/**
 * From "something happened to a path" to what happened: a file was made, saved, deleted. Pure: states and the clock are passed in.
 *
 * Whatever a tool did between two looks (a file written beside and moved over the old one, ten writes in a row), what counts is what was
 * there before and what is there now.
 */

/** What tells a file from the same file at another time: its inode, size, time. */
export type State = string;

export type Change = 'fileCreated' | 'fileSaved' | 'fileDeleted';

/** `contents`: a fingerprint of what stands in the file now, or undefined where it cannot be read. */
export type Look = { readonly state: State | undefined; readonly contents: () => string | undefined };

/** A path that keeps changing is looked at all the same, after so many times the quiet. */
const PATIENCE = 10;

type Unrest = { readonly since: number; readonly last: number };
type Left = { readonly contents: string | undefined; readonly until: number };

export class Journal {
  private readonly known = new Map<string, State>();
  private readonly unrest = new Map<string, Unrest>();
  private readonly left = new Map<string, Left>();

  /** A path is looked at once nothing happened to it for `quiet` milliseconds. */
  constructor(private readonly quiet: number) {}

  /** How many files there are. */
  get size(): number {
    return this.known.size;
  }

  /** A file that was there before anybody watched. */
  learn(path: string, state: State | undefined): void {
    if (state !== undefined) this.known.set(path, state);
  }

  knows(path: string): boolean {
    return this.known.has(path);
  }

  /** Every known path. */
  paths(): readonly string[] {
    return [...this.known.keys()];
  }

  touch(path: string, now: number): void {
    this.unrest.set(path, { since: this.unrest.get(path)?.since ?? now, last: now });
  }

  /** Paths that have come to rest, in the order in which they were first touched. They are no longer waited for. */
  settled(now: number): readonly string[] {
    const due = [...this.unrest].filter(([, unrest]) => this.dueAt(unrest) <= now).map(([path]) => path);
    for (const path of due) this.unrest.delete(path);
    return due;
  }

  /** Milliseconds until a path comes to rest, if nothing more happens; undefined where all is quiet. */
  wait(now: number): number | undefined {
    const all = [...this.unrest.values()].map((unrest) => this.dueAt(unrest));
    return all.length === 0 ? undefined : Math.max(0, Math.min(...all) - now);
  }

  /** What has become of the path since the last look; undefined where it is as it was, or as a hook left it. */
  look(path: string, { state, contents }: Look, now: number): Change | undefined {
    const before = this.known.get(path);
    if (state === undefined) this.known.delete(path);
    else this.known.set(path, state);
    if (before === state) return undefined;
    const left = this.left.get(path);
    this.left.delete(path);
    if (state === undefined) return 'fileDeleted';
    if (before === undefined) return 'fileCreated';
    const isOwn = left !== undefined && now <= left.until && left.contents === contents();
    return isOwn ? undefined : 'fileSaved';
  }

  /** Hooks for the path have ended: what is there now is their work, and for a while later writes of the same contents are too. */
  leave(path: string, { state, contents }: Look, now: number): void {
    if (state === undefined) {
      this.known.delete(path);
      return;
    }
    this.known.set(path, state);
    this.left.set(path, { contents: contents(), until: now + 2 * this.quiet });
  }

  private dueAt({ since, last }: Unrest): number {
    return Math.min(last + this.quiet, since + PATIENCE * this.quiet);
  }
}

/** How often one hook may run for one file before it is taken for a circle. */
const MOST = 8;
const WINDOW_MS = 10_000;

/** Holds up a hook that keeps being called for one file, until nothing calls it for a while. */
export class Pace {
  private readonly calls = new Map<string, readonly number[]>();

  /** Whether the call may go through; the first that may not is told apart. */
  call(key: string, now: number): 'go on' | 'paused now' | 'paused' {
    const recent = (this.calls.get(key) ?? []).filter((at) => now - at < WINDOW_MS);
    this.calls.set(key, [...recent, now].slice(-MOST - 2));
    if (recent.length < MOST) return 'go on';
    return recent.length === MOST ? 'paused now' : 'paused';
  }
}
