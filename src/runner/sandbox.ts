/**
 * Runs WebAssembly hooks: each in a process of its own, through the one runner, and read by what that process says of it.
 */
import type { ComponentJob, ProcessJob, Result, WasmJob } from '../core/model';
import { MEMORY_MIB, type Report, reportsIn } from '../core/sandbox';
import { clean } from '../core/text';
import type { Programs, World } from '../dialects/dialect';
import type { Exec, Ran } from './exec';

export type SandboxJob = WasmJob | ComponentJob;
export type SandboxWorld = Pick<World, 'env' | 'programs'>;

/** What the process as a whole may allocate, beyond the memory of the hook: KiB, of `ulimit -d`. */
const DATA_KIB = 448 * 1024;
/** Limits that the system refuses are no reason not to run: they stand behind those of V8. */
const LIMITS = (memoryMiB: number) => `ulimit -c 0; ulimit -d ${DATA_KIB + memoryMiB * 1024} 2>/dev/null; exec "$@"`;
/** A hook runs once: to compile it well does not pay. The heap holds hookctl's own part, tables and references. */
const NODE_OPTIONS = ['--liftoff-only', '--max-old-space-size=64'];

/** Runs it as its kind says. Never rejects. `stdin` is a module's. */
export async function runSandboxed(
  job: SandboxJob,
  stdin: Uint8Array | undefined,
  exec: Exec,
  world: SandboxWorld,
): Promise<Ran> {
  if (job.kind === 'component') return (await import('./component')).runComponent(job, exec, world);
  const { newline, ms, graceMs } = job;
  const shared = { stdin: job.stdin, newline, ms, graceMs };
  return inSandbox({ ...sandbox(world.programs, 'wasm-module', [job.module], MEMORY_MIB), ...shared }, stdin, exec);
}

/** Runs a process that reports. */
export async function inSandbox(job: ProcessJob, stdin: Uint8Array | undefined, exec: Exec): Promise<Ran> {
  const ran = await exec.run(job, stdin);
  return { ...ran, result: judged(ran.result) };
}

/** One of hookctl's own programs with nothing of the user's: no environment, no folder, and no descriptor but four pipes. */
export function sandbox(
  { node, bundles }: Programs,
  bundle: string,
  args: readonly string[],
  memoryMiB: number,
  options: readonly string[] = NODE_OPTIONS,
): Omit<ProcessJob, 'stdin' | 'newline' | 'ms' | 'graceMs'> {
  const program = [node, ...options, `${bundles}/${bundle}.js`, ...args];
  return {
    kind: 'process',
    argv: [['/bin/sh', '-c', LIMITS(memoryMiB), 'sh', ...program]],
    cwd: ['/'],
    env: { from: 'none', drop: [], set: {} },
    wait: true,
    reports: true,
  };
}

/** A process that ended without its last word did not end well, whatever its exit code is. */
function judged(result: Result): Result {
  if (result.kind !== 'ended') return result;
  const { exit, ...streams } = result;
  const last = lastWord(result.report);
  switch (last?.kind) {
    case 'ended':
      return { ...result, exit: last.exit };
    case 'refused':
      return { ...streams, kind: 'not started', why: clean(last.why) };
    case 'trapped':
    case 'erred':
      return { ...streams, kind: 'failed', why: clean(last.why) };
    default:
      return { ...streams, kind: 'failed', why: `its sandbox broke, with exit ${exit}` };
  }
}

function lastWord(bytes: Uint8Array | undefined): Exclude<Report, { kind: 'log' }> | undefined {
  return reportsIn(bytes)
    .flatMap((one) => (one.kind === 'log' ? [] : [one]))
    .at(-1);
}
