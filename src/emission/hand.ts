/**
 * Hands emissions to a supervisor: a detached process that lives until their hooks have ended, and holds nothing of the caller's.
 */
import type { ChildProcess } from 'node:child_process';
import { reasonOf } from '../core/errno';
import { type Emission, encodeEmission } from './emission';

export interface Supervisor {
  /** Never throws; a supervisor that is gone is told by `done`. */
  readonly hand: (emission: Emission) => void;
  /** Resolves when all has been handed over, or says why it could not be. No emission may follow. */
  readonly done: () => Promise<string | undefined>;
}

/** So many bytes may wait for a supervisor that does not read; what comes then is left out. */
const WAITING_BYTES = 64 * 1024 * 1024;
/** How long one that does not read is waited for at the end. */
const STUCK_MS = 10_000;

/** One for as many emissions as come; it is started with the first, by `argv`, and again should it be gone. */
export function createSupervisor(argv: readonly [node: string, script: string]): Supervisor {
  let child: Promise<ChildProcess> | undefined;
  let problem: string | undefined;
  const handed = new Set<Promise<void>>();
  const running = () => {
    const one = started(argv, () => {
      if (child === one) child = undefined;
    });
    return one;
  };
  return {
    hand(emission) {
      child ??= running();
      const one = child
        .then((there) => written(there, encodeEmission(emission)), whyNot)
        .then((why) => {
          problem ??= why;
          handed.delete(one);
        });
      handed.add(one);
    },
    async done() {
      const all = Promise.all(handed)
        .then(() => child)
        .then(ended, () => {});
      return within(STUCK_MS, all, () => problem, 'it does not read');
    },
  };
}

/** `gone` is told of the end of it, or that there was no beginning. */
async function started([node, script]: readonly [string, string], gone: () => void): Promise<ChildProcess> {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [script], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  child.stdin?.on('error', gone);
  child.once('exit', gone);
  // With a number it runs; without one the reason comes as an event.
  if (child.pid !== undefined) return child;
  return new Promise((_, reject) =>
    child.once('error', (error) => {
      gone();
      reject(error);
    }),
  );
}

function ended(child: ChildProcess | undefined): Promise<void> {
  const stdin = child?.stdin;
  return new Promise((resolve) => (stdin ? stdin.end(() => resolve()) : resolve()));
}

async function within(
  ms: number,
  all: Promise<void>,
  problem: () => string | undefined,
  late: string,
): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(whyNot(new Error(late))), ms);
  });
  const why = await Promise.race([all.then(problem), passed]);
  clearTimeout(timer);
  return why;
}

function written({ stdin }: ChildProcess, line: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (stdin === null) resolve(whyNot(new Error('it has no stdin')));
    else if (stdin.writableLength > WAITING_BYTES) resolve(whyNot(new Error('it does not keep up')));
    else stdin.write(line, (error) => resolve(error ? whyNot(error) : undefined));
  });
}

function whyNot(error: unknown): string {
  return `some hooks were not handed to their supervisor: ${reasonOf(error)}`;
}
