/**
 * The only place that starts hooks: own process group, bounded time, bounded output, nothing left that nobody waits for.
 */
import type { ChildProcess } from 'node:child_process';
import {
  accessSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { showDuration } from '../core/duration';
import { codeOf, reasonOf } from '../core/errno';
import type { ProcessJob, Result } from '../core/model';
import type { Owner } from './private-folder';

/** More on stdout is a failure. */
export const MAX_STDOUT = 1024 * 1024;
/** More on stderr is read and forgotten. */
export const MAX_STDERR = 64 * 1024;
/** So much of a report is kept. */
const MAX_REPORT = 256 * 1024;

/** A background child may hold the pipes: a hook that exited is read as finished after so much silence, or so long in all. */
const DRAIN_SILENCE_MS = 50;
const DRAIN_MS = 1_000;
/** After SIGKILL nobody is waited for any longer. */
const KILLED_MS = 150;
const POLL_MS = 50;
/** Up to here a copy is cheaper than a second write. */
const ONE_WRITE = 64 * 1024;
const NO_PROGRAM = 'there is no such program';
const LINE_END = Buffer.from('\n');
const NO_BYTES = new Uint8Array();
const PIPES: 'pipe'[] = ['pipe', 'pipe', 'pipe'];

export type Ran = {
  readonly result: Result;
  /** Wall time. */
  readonly ms: number;
  /** Bytes offered on stdin. */
  readonly stdin: number;
  readonly warnings: readonly string[];
};

export interface Exec {
  /** Never rejects. */
  readonly run: (job: ProcessJob, stdin: Uint8Array | undefined) => Promise<Ran>;
  /** Starts one that nobody waits for: it outlives hookctl, and its output goes nowhere. Never rejects. */
  readonly start: (job: ProcessJob, stdin: Uint8Array | undefined) => Promise<Ran>;
  /** Ends every running group, SIGTERM, `graceMs`, SIGKILL, and starts none any more. Calling it again shortens the grace. */
  readonly endAll: (graceMs: number) => Promise<void>;
  /** What has exited is read as finished at once, whoever still holds its pipes. */
  readonly hurry: () => void;
}

/** An exec with the environment that hooks inherit. `uid`: whose private folder files for hooks are made in. */
export function createExec(env: Readonly<Record<string, string | undefined>>, uid?: number): Exec {
  const running = new Set<Running>();
  let ended = false;
  return {
    async run(job, stdin) {
      const started = Date.now();
      const folder = job.cwd.find(isFolder);
      const real = folder === undefined ? undefined : realFolder(folder, job.within);
      const done = (result: Result, warnings: readonly string[]): Ran => ({
        result,
        ms: Date.now() - started,
        stdin: (stdin?.length ?? 0) + (job.newline ? 1 : 0),
        warnings,
      });
      if (folder === undefined) return done(notStarted(`no folder to run in (${job.cwd.join(', ')})`), []);
      if (real === undefined) return done(notStarted('cwd leaves the workspace'), []);
      const moved = folder === job.cwd[0] ? [] : [`the folder ${job.cwd[0]} is gone; hooks run in ${folder}`];
      if (ended) return done(notStarted('hookctl is ending'), moved);
      const attempted = (vars: Record<string, string>) => attempt(job, real, vars, stdin, running);
      return done(await withPayloadFile(job, envOf(job, env), { tmp: temporaryFolder(env), uid }, attempted), moved);
    },
    async start(job, stdin) {
      const result = ended ? notStarted('hookctl is ending') : await launched(job, envOf(job, env), stdin);
      return { result, ms: 0, stdin: stdin?.length ?? 0, warnings: [] };
    },
    async endAll(graceMs) {
      ended = true;
      await Promise.all([...running].map((one) => one.end('killed', 'ended with hookctl', graceMs)));
    },
    hurry() {
      for (const one of running) one.hurry();
    },
  };
}

/** Where the process is started: the folder, or its real path where that must be within another's. Undefined where it leaves it. */
function realFolder(folder: string, within: string | undefined): string | undefined {
  if (within === undefined) return folder;
  try {
    const [real, base] = [realpathSync(folder), realpathSync(within)];
    return real === base || real.startsWith(base === '/' ? base : `${base}/`) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** The file is there as long as the hook runs, however that ends. */
async function withPayloadFile(
  { payloadFile }: ProcessJob,
  env: Record<string, string>,
  owner: Owner,
  run: (env: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  if (payloadFile === undefined) return run(env);
  const { createPayloadFile } = await import('./payload-file');
  const file = createPayloadFile(payloadFile.content.text, owner);
  if ('why' in file) return notStarted(file.why);
  try {
    // The action's own variables come last.
    return await run({ [payloadFile.variable]: file.path, ...env });
  } finally {
    file.remove();
  }
}

/** Of that environment. */
export function temporaryFolder(env: Readonly<Record<string, string | undefined>>): string {
  const said = env['TMPDIR'] ?? '';
  return said === '' ? '/tmp' : said.replace(/(?<=.)\/+$/, '');
}

type Running = {
  readonly end: (kind: 'timeout' | 'too large' | 'killed', why: string, graceMs: number) => Promise<void>;
  readonly hurry: () => void;
};

/** Tries the command lines in turn; the next only where a program is missing. */
async function attempt(
  job: ProcessJob,
  cwd: string,
  env: Record<string, string>,
  stdin: Uint8Array | undefined,
  running: Set<Running>,
): Promise<Result> {
  const { spawn } = await import('node:child_process');
  let last = notStarted('there is no command');
  for (const [program = '', ...args] of job.argv) {
    let child: ChildProcess;
    try {
      child = spawn(program, args, { cwd, env, detached: true, stdio: job.reports ? [...PIPES, 'pipe'] : PIPES });
    } catch (error) {
      return notStarted(reasonOf(error));
    }
    const result = await supervise(child, job, stdin, running);
    if (result.kind !== 'not started' || result.why !== NO_PROGRAM) return result;
    last = notStarted(`there is no program ${program}`);
  }
  return last;
}

/** Its stdin is a file without a name: hookctl need not be there until it is read. */
async function launched(job: ProcessJob, env: Record<string, string>, stdin: Uint8Array | undefined): Promise<Result> {
  const { spawn } = await import('node:child_process');
  const [program = '', ...args] = job.argv[0] ?? [];
  const cwd = job.cwd.find(isFolder) ?? '/';
  let input: number | undefined;
  try {
    input = unnamedFile(stdin, job.newline, env);
    const child = spawn(program, args, { cwd, env, detached: true, stdio: [input, 'ignore', 'ignore'] });
    child.unref();
    return await new Promise((resolve) => {
      child.once('error', (error) =>
        resolve(notStarted(codeOf(error) === 'ENOENT' ? `there is no program ${program}` : reasonOf(error))),
      );
      child.once('spawn', () => resolve({ kind: 'started' }));
    });
  } catch (error) {
    return notStarted(reasonOf(error));
  } finally {
    if (input !== undefined) closeSync(input);
  }
}

function unnamedFile(stdin: Uint8Array | undefined, newline: boolean, env: Record<string, string>): number {
  const folder = mkdtempSync(`${env['TMPDIR'] ?? '/tmp'}/hookctl-`);
  try {
    const name = `${folder}/event`;
    writeFileSync(name, Buffer.concat([stdin ?? NO_BYTES, newline ? LINE_END : NO_BYTES]), { mode: 0o600 });
    return openSync(name, 'r');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Follows one process group to its end. */
function supervise(
  child: ChildProcess,
  job: ProcessJob,
  stdin: Uint8Array | undefined,
  running: Set<Running>,
): Promise<Result> {
  return new Promise((resolve) => {
    const group = new ProcessGroup(child, job, (result) => {
      running.delete(group);
      resolve(result);
    });
    running.add(group);
    // The hook may read while the rest is being set up.
    feed(child, stdin, job.newline);
    group.follow();
  });
}

type Exited = { readonly code: number | null; readonly signal: string | null };
type Ending = { readonly kind: 'timeout' | 'too large' | 'killed'; readonly why: string };

class ProcessGroup implements Running {
  private readonly out: Capture;
  private readonly err: Capture;
  private readonly said = new Capture(MAX_REPORT);
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly waiting: (() => void)[] = [];
  private exited: Exited | undefined;
  private ending: Ending | undefined;
  private grace: NodeJS.Timeout | undefined;
  private done = false;

  constructor(
    private readonly child: ChildProcess,
    private readonly job: ProcessJob,
    private readonly report: (result: Result) => void,
  ) {
    this.out = new Capture(job.keep ?? MAX_STDOUT);
    this.err = new Capture(job.keep ?? MAX_STDERR);
  }

  follow(): void {
    const { child, job } = this;
    child.on('error', (error) => this.finish(notStarted(codeOf(error) === 'ENOENT' ? NO_PROGRAM : reasonOf(error))));
    child.on('exit', (code, signal) => this.onExit({ code, signal }));
    child.on('close', () => this.onClose());
    child.stdout?.on('data', (chunk: Uint8Array) => this.onOut(chunk));
    child.stderr?.on('data', (chunk: Uint8Array) => this.err.add(chunk));
    const [, , , reports] = child.stdio;
    reports?.on('data', (chunk: Uint8Array) => this.said.add(chunk));
    for (const stream of [child.stdout, child.stderr, reports]) stream?.on('error', () => {});
    if (job.ms !== 'none') this.limit(job.ms, job.graceMs);
  }

  /** Ends the group; resolves when it is gone, or killed. A second call only shortens the grace. */
  end(kind: Ending['kind'], why: string, graceMs: number): Promise<void> {
    if (this.done) return Promise.resolve();
    if (this.ending === undefined) {
      this.ending = { kind, why };
      this.signal('SIGTERM');
      this.untilGone();
    }
    if (this.grace !== undefined) clearTimeout(this.grace);
    this.grace = this.after(graceMs, () => this.kill());
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  hurry(): void {
    if (this.exited !== undefined && this.ending === undefined) this.finishExited();
  }

  /** A hook that has exited is in time, whoever still holds its pipes. */
  private limit(ms: number, graceMs: number): void {
    this.after(ms, () => {
      if (this.exited === undefined) void this.end('timeout', `timed out after ${showDuration(ms)}`, graceMs);
    });
  }

  private onOut(chunk: Uint8Array): void {
    this.out.add(chunk);
    if (this.out.total <= MAX_STDOUT || this.ending !== undefined || this.job.keep !== undefined) return;
    this.ending = { kind: 'too large', why: `more than ${MAX_STDOUT / 1024 / 1024} MiB on stdout` };
    if (this.exited === undefined) this.kill();
    else this.finishEnded();
  }

  private onExit(exited: Exited): void {
    this.exited = exited;
    if (this.ending === undefined) this.drain();
  }

  /** Exited, and nobody holds the pipes. */
  private onClose(): void {
    if (this.exited !== undefined && this.ending === undefined) this.finishExited();
  }

  /**
   * Reads what the hook left in the pipes. The silence is measured over turns of the event loop in which nothing came, so that
   * a machine under load does not cut an answer short.
   */
  private drain(): void {
    const began = Date.now();
    let seen = this.read();
    const look = () => {
      const now = this.read();
      if (this.ending !== undefined) return;
      if (now === seen || Date.now() - began > DRAIN_MS) return this.finishExited();
      seen = now;
      this.after(DRAIN_SILENCE_MS, () => setImmediate(look));
    };
    this.after(DRAIN_SILENCE_MS, () => setImmediate(look));
  }

  /** Bytes of all streams so far. */
  private read(): number {
    return this.out.total + this.err.total + this.said.total;
  }

  /** Watches the group after SIGTERM: gone before the grace is over is gone. */
  private untilGone(): void {
    if (this.done) return;
    if (this.exited !== undefined && !this.alive()) this.finishEnded();
    else this.after(POLL_MS, () => this.untilGone());
  }

  private kill(): void {
    this.signal('SIGKILL');
    this.after(KILLED_MS, () => this.finishEnded());
    this.child.once('close', () => this.finishEnded());
  }

  private finishExited(): void {
    const { code, signal } = this.exited ?? { code: null, signal: null };
    const streams = this.streams();
    if (code !== null) this.finish({ kind: 'ended', exit: code, ...streams });
    else this.finish({ kind: 'killed', why: `killed by ${signal}`, signal: signal ?? '', ...streams });
  }

  /** Whatever a hook, or a child that it left, has printed: how it exited by itself counts. */
  private finishEnded(): void {
    if (this.ending?.kind === 'too large' && (this.exited?.code ?? 0) !== 0) {
      this.finishExited();
      return;
    }
    const { kind, why } = this.ending ?? { kind: 'killed', why: 'killed' };
    this.finish({ kind, why, ...this.streams() });
  }

  private streams() {
    const { out, err, said } = this;
    const report = this.job.reports ? { report: said.bytes() } : {};
    return { out: out.bytes(), err: err.bytes(), totals: { out: out.total, err: err.total }, ...report };
  }

  private finish(result: Result): void {
    if (this.done) return;
    this.done = true;
    for (const timer of this.timers) clearTimeout(timer);
    for (const stream of this.child.stdio) stream?.destroy();
    this.child.unref();
    for (const resolve of this.waiting) resolve();
    this.report(result);
  }

  /** Dead children that nobody has reaped yet, as in a container without an init, do not count. */
  private alive(): boolean {
    return this.signal(0) && livesIn(this.child.pid);
  }

  /** Whether there was anybody to signal. */
  private signal(signal: NodeJS.Signals | 0): boolean {
    if (this.child.pid === undefined) return false;
    try {
      return process.kill(-this.child.pid, signal);
    } catch (error) {
      return codeOf(error) === 'EPERM';
    }
  }

  private after(ms: number, then: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      then();
    }, ms);
    this.timers.add(timer);
    return timer;
  }
}

/** Has the group a member that is no zombie? Where there is no /proc to look into, it has. */
function livesIn(group: number | undefined): boolean {
  try {
    return readdirSync('/proc').some((name) => /^\d+$/.test(name) && isMember(name, String(group)));
  } catch {
    return true;
  }
}

/** `pid (name) state ppid group …`; the name may hold anything. */
function isMember(pid: string, group: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', , own] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return own === group && !'ZX'.includes(state);
  } catch {
    return false;
  }
}

/** The first bytes of a stream, and how many there were. */
class Capture {
  total = 0;
  private readonly chunks: Uint8Array[] = [];

  constructor(private readonly limit: number) {}

  add(chunk: Uint8Array): void {
    const left = this.limit - this.total;
    if (left > 0) this.chunks.push(chunk.length > left ? chunk.subarray(0, left) : chunk);
    this.total += chunk.length;
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.chunks);
  }
}

/** A hook that does not read, stops reading or is gone is no error of ours. */
function feed(child: ChildProcess, stdin: Uint8Array | undefined, newline: boolean): void {
  const { stdin: pipe } = child;
  pipe?.on('error', () => {});
  const line = newline ? LINE_END : NO_BYTES;
  if (stdin === undefined || stdin.length <= ONE_WRITE) {
    pipe?.end(Buffer.concat([stdin ?? NO_BYTES, line]));
  } else {
    pipe?.write(stdin);
    pipe?.end(line);
  }
}

function envOf(job: ProcessJob, inherited: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const env: Record<string, string> = {};
  if (job.env.from === 'all') {
    for (const [name, value] of Object.entries(inherited)) {
      if (value !== undefined && !job.env.drop.includes(name)) env[name] = value;
    }
  }
  return { ...env, ...job.env.set };
}

function isFolder(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function notStarted(why: string): Extract<Result, { readonly why: string }> {
  return { kind: 'not started', why, out: NO_BYTES, err: NO_BYTES };
}
