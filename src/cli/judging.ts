/**
 * Judges one event after another, or several at once, until it is ended: then what is pending is refused, and so is what comes later.
 */
import type { Event, Verdict } from '../core/model';
import type { Room } from '../dialects/dialect';
import type { Io } from '../io';
import { createExec, type Exec } from '../runner/exec';
import { Configs } from './configs';
import { configNames } from './doors';
import type { EventRead } from './event';
import { type JudgeOptions, judge, refuse, SHORT_GRACE_MS } from './judge';
import { Observers } from './observers';
import type { Refusal } from './refusal';

export type JudgingOptions = JudgeOptions & {
  readonly configs: readonly string[];
  readonly cache: boolean;
  /** Of each event, in milliseconds. */
  readonly deadline?: number;
};

export class Judging {
  private readonly configs: Configs;
  private readonly observers: Observers;
  private readonly running = new Set<Exec>();
  /** Of every event that is being judged: answers it at once. */
  private readonly pending = new Set<(refusal: Refusal) => void>();

  /** `refusal`: why nothing is judged at all. */
  constructor(
    private readonly io: Io,
    private readonly options: JudgingOptions,
    private refusal: Refusal | undefined,
  ) {
    this.configs = new Configs(configNames(options.configs, io), io, options.cache);
    this.observers = new Observers(io);
  }

  /** The verdict, hookctl's own failures included. It never rejects. */
  async verdictOn(asked: EventRead): Promise<Verdict> {
    const { room, event, refused } = asked;
    if (this.refusal !== undefined) return this.refuse(this.refusal, asked);
    if (event === undefined || refused !== undefined)
      return this.refuse({ why: refused ?? 'there is no event' }, asked);
    return new Promise((resolve) => {
      const stop = (refusal: Refusal) => resolve(this.refuse(refusal, asked));
      this.pending.add(stop);
      void this.judge(room, event)
        .then(resolve, (error) => stop(bugIn(error)))
        .then(() => this.pending.delete(stop));
    });
  }

  refuse(refusal: Refusal, { room, event }: EventRead): Verdict {
    return refuse(refusal, { room, event }, this.options.ownFailure);
  }

  /** The verdicts first, then the end of the hooks, SIGTERM, `graceMs`, SIGKILL. Calling it again shortens the grace. */
  async end(refusal: Refusal, graceMs: number): Promise<void> {
    this.refusal ??= refusal;
    for (const stop of this.pending) stop(refusal);
    await Promise.all([...this.running].map((exec) => exec.endAll(graceMs)));
  }

  /** When nothing more is to be judged: resolves when observers have been handed over, or says why that was impossible. */
  done(): Promise<string | undefined> {
    return this.observers.done();
  }

  private async judge(room: Room, event: Event): Promise<Verdict> {
    const { io, configs, observers, options } = this;
    const exec = createExec(io.env, io.uid);
    this.running.add(exec);
    try {
      const deadline = options.deadline === undefined ? undefined : { ms: options.deadline, since: io.uptime() };
      return await judge(room, event, options, { io, configs, exec, observers, deadline });
    } finally {
      void exec.endAll(SHORT_GRACE_MS).then(() => this.running.delete(exec));
    }
  }
}

/** What is told of an internal error. */
export function bugIn(error: unknown): Refusal {
  return { why: `internal error: ${error instanceof Error ? error.message : String(error)}` };
}
