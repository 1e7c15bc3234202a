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

/**
 * Of `ulimit -d`, in MiB: of the process beside the memory of the hook, and of each thread's V8. That of Node 24 takes so much for code,
 * most of which it never uses.
 */
const PROCESS_MIB = 448;
const THREAD_MIB = 512;
/** Limits that the system refuses are no reason not to run: they stand behind those of V8. */
const limits = ({ memoryMiB, threads }: Space) =>
  `ulimit -c 0; ulimit -d ${(PROCESS_MIB + threads * THREAD_MIB + memoryMiB) * 1024} 2>/dev/null; exec "$@"`;
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
  return inSandbox(
    { ...sandbox(world.programs, 'wasm-module', [job.module], { memoryMiB: MEMORY_MIB, threads: 1 }), ...shared },
    stdin,
    exec,
  );
}

/** Runs a process that reports. */
export async function inSandbox(job: ProcessJob, stdin: Uint8Array | undefined, exec: Exec): Promise<Ran> {
  const ran = await exec.run(job, stdin);
  return { ...ran, result: judged(ran.result) };
}

/** What a process may allocate. `threads` that run JavaScript. */
export type Space = { readonly memoryMiB: number; readonly threads: number };

/** One of hookctl's own programs with nothing of the user's: no environment, no folder, and no descriptor but four pipes. */
export function sandbox(
  { node, bundles }: Programs,
  bundle: string,
  args: readonly string[],
  space: Space,
  options: readonly string[] = NODE_OPTIONS,
): Omit<ProcessJob, 'stdin' | 'newline' | 'ms' | 'graceMs'> {
  const program = [node, ...options, `${bundles}/${bundle}.js`, ...args];
  return {
    kind: 'process',
    argv: [['/bin/sh', '-c', limits(space), 'sh', ...program]],
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
