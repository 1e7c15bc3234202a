/**
 * `hookctl run`: reads one event on stdin, runs its chain, prints the verdict. The hot path.
 */
import { type Loaded, loadConfigs } from '../config/load';
import { showDuration } from '../core/duration';
import { type Finding, hasError, severityOf } from '../core/finding';
import type { Event, Plan, Verdict } from '../core/model';
import { ownVerdict } from '../core/own';
import { plan } from '../core/plan';
import { cut } from '../core/text';
import { EXIT_ONLY, NATIVE, rowOf } from '../dialects';
import type { Room, World } from '../dialects/dialect';
import { createSupervisor, type Supervisor } from '../emission/hand';
import { appendLog, logPath } from '../emission/log';
import { type EndSignal, EXIT, SIGNAL_EXIT, UNHEARD } from '../exit';
import type { Io } from '../io';
import { renderFinding, renderFindingLine } from '../render/findings';
import { type ChainDoors, runChain } from '../runner/chain';
import { createExec, type Exec } from '../runner/exec';
import { configNames, loadDoors, NO_CONFIG, selectionFor } from './doors';
import { readEvent } from './event';
import { type RunOptions, readRunOptions } from './run-options';
import { nativeName, observersProblem, toldTo, verdictOf } from './verdict';
import { worldOf } from './world';

const MAX_DEPTH = 8;
/** What running hooks get between SIGTERM and SIGKILL when hookctl is told to end; and when its deadline has passed, or a bug. */
const SIGNAL_GRACE_MS = 2_000;
const SHORT_GRACE_MS = 250;
const NESTED_GRACE_MS = 150;
const SHOWN_ERRORS = 20;
/** What a pipe holds for a reader who first waits for the end of stdout, or of hookctl. */
const WORDS_CHARS = 16_000;

/** Why hookctl cannot judge, in one line; `words` says it to people where one line is too short. */
type Refusal = { readonly why: string; readonly words?: string; readonly usage?: true };

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
    this.exec = createExec(io.env, io.uid);
  }

  /** Judges the event on stdin and answers. Resolves with the exit code; whatever it throws is a bug, for `crash` to answer. */
  async answer(): Promise<number> {
    // A read without a deadline blocks, and a signal handler that cannot run would keep the process from ending.
    const early = this.options.deadline === undefined ? undefined : this.untilInterrupted();
    const refused = await Promise.race([this.readEvent(), ...(early === undefined ? [] : [early])]);
    if (typeof refused === 'number') return refused;
    const interrupted = early ?? this.untilInterrupted();
    const refusal = this.usageProblem() ?? refused ?? this.depthProblem();
    if (refusal === undefined && this.isDropped()) return EXIT.fine;
    if (refusal !== undefined) return this.fail(refusal);
    const code = await Promise.race([this.judge(), interrupted]);
    return this.ended ?? code;
  }

  /** Answers an internal error, unless an answer was given, and ends what still runs. Resolves with the exit code. */
  async crash(error: unknown): Promise<number> {
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
    return { why: `bad usage: ${first}`, words: `hookctl run: ${first}\nTry "hookctl run --help".`, usage: true };
  }

  /** A hook that calls hookctl again is one level deeper. */
  private depthProblem(): Refusal | undefined {
    const depth = this.io.env['HOOKCTL_DEPTH'] ?? '';
    if (!/^\d{0,9}$/.test(depth)) return { why: `HOOKCTL_DEPTH is "${depth}", but must be a whole number` };
    if (Number(depth) < MAX_DEPTH || this.room.spec.observes) return undefined;
    return {
      why: `hookctl was called from hooks ${Number(depth)} levels deep; a hook seems to call itself without end`,
    };
  }

  /** Of a caller that nobody answers, what comes from too deep is dropped without a word. */
  private isDropped(): boolean {
    const depth = Number(this.io.env['HOOKCTL_DEPTH'] ?? '');
    if (depth <= MAX_DEPTH || !this.room.spec.observes) return false;
    const log = logPath(undefined, this.io.env, this.io.cwd);
    if (log !== undefined)
      appendLog(log, { kind: 'drop', event: this.event?.from.event ?? '', reason: 'depth', depth });
    return true;
  }

  private async judge(): Promise<number> {
    const { event, options, io } = this;
    if (event === undefined) throw new Error('an event that is neither read nor refused');
    const loaded = await loadConfigs(this.configs(), io.cwd, loadDoors(io));
    if (hasError(loaded.findings)) return this.fail(configProblem(loaded.findings));
    const planned = plan(loaded.hooks, event, await selectionFor(loaded.hooks, event));
    if (isLate(planned, options, io))
      return this.fail({
        why: `the deadline of ${showDuration(options.deadline ?? 0)} passed before a hook could be started`,
      });
    const deadline = startDeadline(options.deadline, io);
    const supervisor = createSupervisor(io.program('supervisor'));
    const doors = { exec: this.exec, world: { ...worldOf(io), waits: options.wait }, deadline: deadline?.passed };
    const chained = await runChain(planned, event, rowOf(this.room, event), {
      ...doors,
      ...(options.wait ? {} : { handOver: this.handOver(event, supervisor, doors.world) }),
    });
    const code = this.reply(this.withObservers(verdictOf(chained, loaded, event, options), loaded));
    const lost = await supervisor.done();
    if (lost !== undefined) io.write('stderr', `hookctl: warning: ${lost}\n`);
    await this.exec.endAll(SHORT_GRACE_MS);
    deadline?.clear();
    return code;
  }

  /** Observers run on when hookctl has answered. */
  private handOver({ session = '' }: Event, supervisor: Supervisor, world: World): NonNullable<ChainDoors['handOver']> {
    const log = logPath(undefined, this.io.env, this.io.cwd);
    return (group, event) =>
      supervisor.hand({
        event,
        native: nativeName(group, event),
        session,
        row: rowOf(this.room, event),
        world,
        plan: { groups: [group] },
        ...(log === undefined ? {} : { log }),
      });
  }

  /** Who reads no warnings reads that hookctl failed. */
  private withObservers(verdict: Verdict, { observers }: Loaded): Verdict {
    if (observers.length === 0 || !this.room.spec.observes) return verdict;
    return {
      ...verdict,
      own: observersProblem(observers)
        .map((line) => `hookctl: ${line}`)
        .join('\n'),
    };
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

  private own({ why, words, usage }: Refusal): Verdict {
    const row = this.event === undefined ? undefined : rowOf(this.room, this.event);
    const verdict = ownVerdict(why, words ?? `hookctl: ${why}`, row, this.options.ownFailure);
    return usage === undefined ? verdict : { ...verdict, usage };
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

function configProblem(findings: readonly Finding[]): Refusal {
  const errors = findings.filter((finding) => severityOf(finding) === 'error');
  const first = errors.slice(0, 1).map(renderFindingLine).join('');
  const more = errors.length < 2 ? '' : ` (and ${errors.length - 1} more)`;
  return {
    why: `the config cannot be used: ${first}${more}`,
    words: [...errors.slice(0, SHOWN_ERRORS).map(renderFinding), ...unshown(errors)].join('\n'),
  };
}

function unshown(errors: readonly Finding[]): string[] {
  const left = errors.length - SHOWN_ERRORS;
  return left > 0 ? [`and ${left} more; "hookctl list" shows all`] : [];
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
