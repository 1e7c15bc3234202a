/**
 * `hookctl run`: reads one event on stdin, runs its chain, prints the verdict. The hot path.
 */
import { showDuration } from '../core/duration';
import type { Event, Plan, Verdict } from '../core/model';
import { ownVerdict } from '../core/own';
import { plan } from '../core/plan';
import { cut } from '../core/text';
import { EXIT_ONLY, NATIVE, rowOf } from '../dialects';
import type { Room } from '../dialects/dialect';
import { type EndSignal, SIGNAL_EXIT, UNHEARD } from '../exit';
import type { Io } from '../io';
import { runChain } from '../runner/chain';
import { createExec, type Exec } from '../runner/exec';
import { Configs } from './configs';
import { configNames, NO_CONFIG, selectionFor } from './doors';
import { readEvent } from './event';
import type { Refusal } from './refusal';
import { type RunOptions, readRunOptions } from './run-options';
import { toldTo, verdictOf } from './verdict';
import { worldOf } from './world';

const MAX_DEPTH = 8;
/** What running hooks get between SIGTERM and SIGKILL when hookctl is told to end; and when its deadline has passed, or a bug. */
const SIGNAL_GRACE_MS = 2_000;
const SHORT_GRACE_MS = 250;
const NESTED_GRACE_MS = 150;
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
    argv: readonly string[],
  ) {
    ({ options: this.options, problems: this.problems } = readRunOptions(argv));
    this.exec = createExec(io.env);
  }

  /** Judges the event on stdin and answers. Resolves with the exit code; whatever it throws is a bug, for `crash` to answer. */
  async answer(): Promise<number> {
    // A read without a deadline blocks, and a signal handler that cannot run would keep the process from ending.
    const early = this.options.deadline === undefined ? undefined : this.untilInterrupted();
    const refused = await Promise.race([this.readEvent(), ...(early === undefined ? [] : [early])]);
    if (typeof refused === 'number') return refused;
    const interrupted = early ?? this.untilInterrupted();
    const refusal = this.usageProblem() ?? refused ?? this.depthProblem();
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

  private usageProblem(): Refusal | undefined {
    const [first] = [...this.problems, ...(this.configs().length === 0 ? [NO_CONFIG] : [])];
    if (first === undefined) return undefined;
    return { why: `bad usage: ${first}`, words: `hookctl run: ${first}\nTry "hookctl run --help".` };
  }

  /** A hook that calls hookctl again is one level deeper. */
  private depthProblem(): Refusal | undefined {
    const depth = this.io.env['HOOKCTL_DEPTH'] ?? '';
    if (!/^\d{0,9}$/.test(depth)) return { why: `HOOKCTL_DEPTH is "${depth}", but must be a whole number` };
    if (Number(depth) < MAX_DEPTH) return undefined;
    return {
      why: `hookctl was called from hooks ${Number(depth)} levels deep; a hook seems to call itself without end`,
    };
  }

  private async judge(): Promise<number> {
    const { event, options, io } = this;
    if (event === undefined) throw new Error('an event that is neither read nor refused');
    const said = await new Configs(this.configs(), io, options.cache).for(event.name);
    if ('why' in said) return this.fail(said);
    const planned = plan(said.hooks, event, await selectionFor(said.hooks, event, said.patterns));
    if (isLate(planned, options, io))
      return this.fail({
        why: `the deadline of ${showDuration(options.deadline ?? 0)} passed before a hook could be started`,
      });
    const deadline = startDeadline(options.deadline, io);
    const doors = { exec: this.exec, world: worldOf(io), deadline: deadline?.passed };
    const chained = await runChain(planned, event, rowOf(this.room, event), doors);
    const code = this.reply(verdictOf(chained, said, event, options));
    await this.exec.endAll(SHORT_GRACE_MS);
    deadline?.clear();
    return code;
  }

  private configs(): readonly string[] {
    return configNames(this.options.configs, this.io);
  }

  /** The answer first, then the end of the hooks; a second signal ends them at once. */
  private endBy(signal: EndSignal, resolve: (code: Promise<number>) => void): void {
    if (this.ended !== undefined) {
      void this.exec.endAll(0);
      return;
    }
    this.fail({ why: `ended by ${signal} before all hooks had answered` });
    this.ended = this.exec.endAll(this.patience()).then(() => SIGNAL_EXIT[signal]);
    resolve(this.ended);
  }

  /** A hookctl that is a hook of another one must be done before that one loses its own patience, the short one. */
  private patience(): number {
    const { depth } = worldOf(this.io);
    return depth > 1 ? NESTED_GRACE_MS / (depth - 1) : SIGNAL_GRACE_MS;
  }

  private fail(refusal: Refusal): number {
    return this.reply(this.own(refusal));
  }

  private own({ why, words }: Refusal): Verdict {
    const row = this.event === undefined ? undefined : rowOf(this.room, this.event);
    return ownVerdict(why, words ?? `hookctl: ${why}`, row, this.options.ownFailure);
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

/** A deadline that passed before any hook was started is no hook's fault. */
function isLate({ groups }: Plan, { deadline }: RunOptions, io: Io): boolean {
  if (deadline === undefined || io.uptime() < deadline) return false;
  return groups.some((group) => group.steps.some((step) => step.matched));
}

function startDeadline(
  ms: number | undefined,
  io: Io,
): { readonly passed: Promise<string>; readonly clear: () => void } | undefined {
  if (ms === undefined) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`the deadline of ${showDuration(ms)} passed`), Math.max(0, ms - io.uptime()));
  });
  return { passed, clear: () => clearTimeout(timer) };
}
