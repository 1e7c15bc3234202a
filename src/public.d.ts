/**
 * What `import { createEngine } from 'hookctl'` gives.
 */
import type { Event, Verdict } from '../schemas/types';

export type { Event, Verdict };

export interface EngineOptions {
  /** CONFIG as on the command line: files, folders, `DIALECT:PATH`. Without it `HOOKCTL_CONFIG` of `env` is taken. */
  readonly configs?: string | readonly string[];
  /** The folder that relative paths count from, absolute. Default: that of the process. */
  readonly cwd?: string;
  /** The environment that hooks inherit. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Bound of each answer, such as `25s`. */
  readonly deadline?: string;
  /** What happens when hookctl itself fails: `fail` (default) blocks where that is possible, `warn` goes on. */
  readonly ownFailure?: 'fail' | 'warn';
  /** Put what every hook read, said and took into the verdict. */
  readonly trace?: boolean;
  /** `false`: read the configs anew, and keep nothing in the user's cache. */
  readonly cache?: boolean;
}

/** What another agent would have read: bytes for its two streams, and the exit code. */
export interface Reply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

export interface Engine {
  /**
   * The verdict on a native event. It never rejects: whatever fails is a verdict that blocks where the event can be blocked.
   *
   * As text or bytes (JSON) an event is handed on as written; numbers beyond 2^53 need that.
   */
  decide(event: Event | string | Uint8Array): Promise<Verdict>;
  /**
   * The same for the payload of any agent, in its own words: `as` names the dialect, `auto` (default) recognises it. It never rejects.
   */
  reply(payload: string | Uint8Array | object, as?: string): Promise<Reply>;
  /** Ends running hooks; what is pending, and whatever is asked later, is refused. Resolves when no hook runs any more. */
  close(): Promise<void>;
}

/**
 * The engine of `hookctl run` in this process. Configs are read when they are first needed, and again whenever they change. Throws a
 * TypeError for options that are wrong; a config that cannot be used is no exception but a verdict.
 */
export declare function createEngine(options?: EngineOptions): Engine;
