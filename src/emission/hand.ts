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

/** One for as many emissions as come; it is started with the first, by `argv`. */
export function createSupervisor(argv: readonly [node: string, script: string]): Supervisor {
  let child: Promise<ChildProcess> | undefined;
  const writes: Promise<string | undefined>[] = [];
  return {
    hand(emission) {
      child ??= started(argv);
      writes.push(child.then((one) => written(one, encodeEmission(emission)), whyNot));
    },
    async done() {
      const [problem] = (await Promise.all(writes)).filter((one) => one !== undefined);
      if (child === undefined || problem !== undefined) return problem;
      const one = await child;
      await new Promise<void>((resolve) => (one.stdin === null ? resolve() : one.stdin.end(resolve)));
      return undefined;
    },
  };
}

async function started([node, script]: readonly [string, string]): Promise<ChildProcess> {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [script], { cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  child.stdin?.on('error', () => {});
  // With a number it runs; without one the reason comes as an event.
  if (child.pid !== undefined) return child;
  return new Promise((_, reject) => child.once('error', reject));
}

function written({ stdin }: ChildProcess, line: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (stdin === null) resolve('it has no stdin');
    else stdin.write(line, (error) => resolve(error ? whyNot(error) : undefined));
  });
}

function whyNot(error: unknown): string {
  return `the supervisor of the hooks could not be started: ${reasonOf(error)}`;
}
