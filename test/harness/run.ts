/**
 * Runs one case, and says what was seen beside what should have been.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { type Box, environmentOf, fill, fillBox, inside, makeBox, type Program, removeBox, show } from './box';
import { type Case, patternOf } from './cases';
import { end, endGroup, isAlive, pidsIn, poll } from './processes';

/** What came of a case, all texts as expectations have them. `exit` is 128 and the signal's number for a program that was killed. */
export type Seen = {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
  /** The files named in the case's `after`; null: there is none. */
  readonly after: Readonly<Record<string, string | null>>;
  /** What no expectation can allow, in words. */
  readonly problems: readonly string[];
};

/** Runs a case in a fresh folder. Rejects only where the program cannot be started or the files not be laid out. */
export async function runCase(one: Case, program: Program): Promise<Seen> {
  const box = await makeBox();
  try {
    await fillBox(box, one, program);
    return await runIn(box, one, program);
  } finally {
    await removeBox(box);
  }
}

/** What should have been seen. A pattern that was found counts as the text it was found in. */
export function wanted(one: Case, seen: Seen): Seen {
  const { stdout, stderr, exit } = one.expected;
  const after = Object.entries(one.after).map(([name, content]) => [name, settle(content, seen.after[name] ?? null)]);
  return {
    stdout: settle(stdout, seen.stdout),
    stderr: settle(stderr, seen.stderr),
    exit,
    after: Object.fromEntries(after),
    problems: [],
  };
}

/** Does a text fulfil an expectation? */
export function fulfils(expectation: string | null, actual: string | null): boolean {
  if (expectation === null || actual === null) return expectation === actual;
  return patternOf(expectation)?.test(actual) ?? expectation === actual;
}

const SETTLE_MS = 3_000;

type End = { readonly exit: number; readonly out: Buffer; readonly err: Buffer; readonly problems: readonly string[] };

async function runIn(box: Box, one: Case, program: Program): Promise<Seen> {
  const child = start(one, box, program);
  try {
    return await observe(one, box, await ended(child, one.seconds));
  } finally {
    await endAll(one, box, child);
  }
}

function start(one: Case, box: Box, program: Program): ChildProcess {
  const [file, ...args] = commandLine(one, box, program);
  // In a group of its own, so that all of it can be ended.
  const child = spawn(file, args, { cwd: box.dir, env: environmentOf(one, box), detached: true, stdio: 'pipe' });
  // A program may end without reading: that is no failure of the case.
  child.stdin.on('error', () => undefined);
  child.stdin.end(one.stdin.kind === 'text' ? fill(one.stdin.text, box) : one.stdin.bytes);
  return child;
}

function commandLine(one: Case, box: Box, program: Program): Program {
  if (one.command.kind === 'run') return ['/bin/sh', '-c', fill(one.command.script, box)];
  return [...program, ...one.command.argv.map((word) => fill(word, box))];
}

/** Waits until the program has ended and nobody holds its stdout and stderr any more, or until its time is over. */
function ended(child: ChildProcess, seconds: number): Promise<End> {
  const [out, err] = [collect(child.stdout), collect(child.stderr)];
  const problems: string[] = [];
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      problems.push(`took more than ${seconds} s`);
      abort(child);
    }, seconds * 1_000);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ exit: exitOf(code, signal), out: out(), err: err(), problems });
    });
  });
}

function collect(stream: Readable | null): () => Buffer {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks);
}

/** Ends the group, and stops reading: a process in another group may hold the pipes for ever. */
function abort(child: ChildProcess): void {
  if (child.pid !== undefined) endGroup(child.pid);
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function exitOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

async function observe(one: Case, box: Box, { exit, out, err, problems }: End): Promise<Seen> {
  const [stdout, stderr] = [decode('stdout', out), decode('stderr', err)];
  const found = [stdout.problems, stderr.problems, await survivors(one, box), await vanished(one, box)];
  return {
    stdout: show(stdout.text, box),
    stderr: show(stderr.text, box),
    exit,
    after: await filesAfter(one, box),
    problems: [...problems, ...found.flat()],
  };
}

function decode(name: string, bytes: Buffer): { readonly text: string; readonly problems: readonly string[] } {
  const text = bytes.toString('utf8');
  return { text, problems: bytes.equals(Buffer.from(text)) ? [] : [`${name} is not UTF-8`] };
}

/** Problems with `gone`. */
async function survivors({ gone }: Case, box: Box): Promise<readonly string[]> {
  if (gone === undefined) return [];
  const pids = await writtenPids(inside(box, gone));
  if (pids.length === 0) return [`${gone} holds no pids`];
  const alive = await poll(
    SETTLE_MS,
    async () => pids.filter(isAlive),
    (some) => some.length === 0,
  );
  return alive.length === 0 ? [] : [`${alive.length} of the ${pids.length} processes in ${gone} are still alive`];
}

/** Problems with `left`. */
async function vanished({ left }: Case, box: Box): Promise<readonly string[]> {
  if (left === undefined) return [];
  const pids = await writtenPids(inside(box, left));
  if (pids.length === 0) return [`${left} holds no pids`];
  const dead = pids.filter((pid) => !isAlive(pid));
  return dead.length === 0 ? [] : [`${dead.length} of the ${pids.length} processes in ${left} are dead`];
}

function writtenPids(file: string): Promise<readonly number[]> {
  return poll(
    SETTLE_MS,
    () => pidsIn(file),
    (pids) => pids.length > 0,
  );
}

/** The files of `after`, each with the time to become what is expected: a hook that nobody awaits may still write. */
async function filesAfter(one: Case, box: Box): Promise<Seen['after']> {
  const entries = Object.entries(one.after).map(async ([name, expectation]) => {
    const look = async () => shownFile(inside(box, name), box);
    return [name, await poll(SETTLE_MS, look, (content) => fulfils(expectation, content))] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function shownFile(path: string, box: Box): Promise<string | null> {
  const content = await readFile(path, 'utf8').catch(() => null);
  return content === null ? null : show(content, box);
}

function settle<T extends string | null>(expectation: T, actual: T): T {
  return fulfils(expectation, actual) ? actual : expectation;
}

/** Ends what the case left running: its group, and the processes that it names. */
async function endAll({ gone, left }: Case, box: Box, child: ChildProcess): Promise<void> {
  if (child.pid !== undefined) endGroup(child.pid);
  const named = [gone, left].flatMap((file) => (file === undefined ? [] : [inside(box, file)]));
  for (const pid of (await Promise.all(named.map(pidsIn))).flat()) end(pid);
}
