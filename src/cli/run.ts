/**
 * `hookctl run`: reads one event on stdin, runs its chain, prints the verdict. The hot path.
 */
import type { Event, Verdict } from '../core/model';
import { cut } from '../core/text';
import { EXIT_ONLY, NATIVE } from '../dialects';
import type { Room } from '../dialects/dialect';
import { type EndSignal, EXIT, SIGNAL_EXIT, UNHEARD } from '../exit';
import type { Io } from '../io';
import { createExec, type Exec } from '../runner/exec';
import { Configs } from './configs';
import { configNames } from './doors';
import { readEvent } from './event';
import { judge, refuse, SHORT_GRACE_MS } from './judge';
import { Observers } from './observers';
import type { Refusal } from './refusal';
import type { RunArguments, RunOptions } from './run-options';
import { depthProblem, usageProblem } from './usage';
import { toldTo } from './verdict';
import { patienceOf } from './world';

/** What a pipe holds for a reader who first waits for the end of stdout, or of hookctl. */
const WORDS_CHARS = 16_000;

/** One run: what is known so far, so that an answer can be given at any moment. */
export class Run {
  private readonly options: RunOptions;
  private readonly problems: readonly string[];
  private readonly exec: Exec;
  private room: Room = NATIVE;
  private event: Event | undefined;
  private code: number | undefined;
  private ended: Promise<number> | undefined;

  constructor(
    private readonly io: Io,
    { options, problems }: RunArguments,
  ) {
    [this.options, this.problems] = [options, problems];
    this.exec = createExec(io.env, io.uid);
  }

  /** Judges the event on stdin and answers. Resolves with the exit code; whatever it throws is a bug, for `crash` to answer. */
  async answer(): Promise<number> {
    // A read without a deadline blocks, and a signal handler that cannot run would keep the process from ending.
    const early = this.options.deadline === undefined ? undefined : this.untilInterrupted();
    const refused = await Promise.race([this.readEvent(), ...(early === undefined ? [] : [early])]);
    if (typeof refused === 'number') return refused;
    const interrupted = early ?? this.untilInterrupted();
    const { observes } = this.room.spec;
    const refusal =
      usageProblem(this.options.configs, this.problems, this.io) ?? refused ?? depthProblem(this.io, observes);
    if (refusal === undefined && observes && (await this.isDropped())) return EXIT.fine;
    if (refusal !== undefined) return this.fail(refusal);
    const code = await Promise.race([this.judge(), interrupted]);
    return this.ended ?? code;
  }

  /**
   * Answers an internal error, unless an answer was given, and ends what still runs. Resolves with the exit code; rejects where the
   * caller's room could not read the event: then `bin` answers, which needs no room.
   */
  async crash(error: unknown): Promise<number> {
    if (error instanceof Error && 'payload' in error) throw error;
    const said = error instanceof Error ? error.message : String(error);
    const stack = this.options.debug && error instanceof Error ? `\n${error.stack}` : '';
    const why = `internal error: ${said}`;
    const code = this.fail({ why, words: `hookctl: ${why}; please report it (--debug shows where)${stack}` });
    await this.exec.endAll(SHORT_GRACE_MS);
    return code;
  }

  private untilInterrupted(): Promise<number> {
    return new Promise((resolve) => this.io.onSignal((signal) => this.endBy(signal, resolve)));
  }

  /** Or why the event cannot be judged. */
  private async readEvent(): Promise<Refusal | undefined> {
    const { room, event, refused } = await readEvent(this.options, this.io);
    [this.room, this.event] = [room, event];
    return refused === undefined ? undefined : { why: refused };
  }

  private async isDropped(): Promise<boolean> {
    const { isTooDeep } = await import('./observing');
    return isTooDeep(this.event?.from.event ?? '', this.io);
  }

  private async judge(): Promise<number> {
    const { room, event, options, io, exec } = this;
    if (event === undefined) throw new Error('an event that is neither read nor refused');
    const configs = new Configs(configNames(options.configs, io), io, options.cache);
    const deadline = options.deadline === undefined ? undefined : { ms: options.deadline, since: 0 };
    const observers = new Observers(io);
    const code = this.reply(await judge(room, event, options, { io, configs, exec, observers, deadline }));
    const lost = await observers.done();
    if (lost !== undefined) io.write('stderr', `hookctl: warning: ${lost}\n`);
    await exec.endAll(SHORT_GRACE_MS);
    return code;
  }

  /** The answer first, then the end of the hooks; a second signal ends them at once. */
  private endBy(signal: EndSignal, resolve: (code: Promise<number>) => void): void {
    if (this.ended !== undefined) {
      void this.exec.endAll(0);
      return;
    }
    this.fail({ why: `ended by ${signal} before all hooks had answered` });
    this.ended = this.exec.endAll(patienceOf(this.io)).then(() => SIGNAL_EXIT[signal]);
    resolve(this.ended);
  }

  private fail(refusal: Refusal): number {
    return this.reply(this.own(refusal));
  }

  private own(refusal: Refusal): Verdict {
    return refuse(refusal, { room: this.room, event: this.event }, this.options.ownFailure);
  }

  /** Writes the verdict in the caller's shape, once. First what is obeyed: words that nobody reads must not hold it back. */
  private reply(verdict: Verdict): number {
    if (this.code !== undefined) return this.code;
    const caller = this.reader();
    const reply = caller.writeReply(toldTo(caller, verdict, this.event), this.event);
    this.code = reply.exit;
    const lost = reply.stdout === '' ? undefined : this.io.write('stdout', reply.stdout);
    if (reply.stderr !== '') this.io.write('stderr', shortened(reply.stderr));
    if (lost !== undefined) this.code = this.unheard(lost, reply.exit);
    return this.code;
  }

  /** Who throws a native verdict away reads the exit code alone. */
  private reader(): Room {
    return this.room === NATIVE && this.io.stdoutIsNull() ? EXIT_ONLY : this.room;
  }

  /** A verdict that nobody can read is no permission. */
  private unheard(lost: string, exit: number): number {
    const refusal = { why: `stdout cannot be written: ${lost}` };
    this.io.write('stderr', `hookctl: ${refusal.why}\n`);
    return this.own(refusal).action === undefined ? exit : UNHEARD;
  }
}

function shortened(words: string): string {
  return words.length <= WORDS_CHARS ? words : `${cut(words, WORDS_CHARS)}\n`;
}
