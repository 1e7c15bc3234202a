/**
 * Runs a WebAssembly hook: in a process of its own, through the one runner, and read by what that process says of it.
 */
import type { ComponentJob, ProcessJob, Result, WasmJob } from '../core/model';
import { MEMORY_MIB, type Report } from '../core/sandbox';
import { clean, decode } from '../core/text';
import type { Programs } from '../dialects/dialect';
import type { Exec, Ran } from './exec';

/** What the process as a whole may allocate, beyond the memory of the hook: KiB, of `ulimit -d`. */
const DATA_KIB = 448 * 1024;
/** Refused limits are no reason not to run: they stand behind those of V8. */
const LIMITS = (memoryMiB: number) => `ulimit -c 0; ulimit -d ${DATA_KIB + memoryMiB * 1024} 2>/dev/null; exec "$@"`;
/** A hook runs once: to compile it twice does not pay. The heap holds hookctl's own part, tables and references. */
const NODE_OPTIONS = ['--liftoff-only', '--max-old-space-size=64'];

export type SandboxJob = WasmJob | ComponentJob;

/** Runs it as its kind says. Never rejects. */
export async function runSandboxed(
  job: SandboxJob,
  stdin: Uint8Array | undefined,
  exec: Exec,
  programs: Programs,
): Promise<Ran> {
  if (job.kind === 'component') throw new Error('components cannot be run yet');
  const ran = await exec.run(moduleProcess(job, programs), stdin);
  return { ...ran, result: judged(ran.result) };
}

function moduleProcess({ module, stdin, newline, ms, graceMs }: WasmJob, programs: Programs): ProcessJob {
  return { ...sandbox(programs, 'wasm-module', [module], MEMORY_MIB), stdin, newline, ms, graceMs };
}

/** Nothing of the user's: no environment, no folder, and no descriptor but four pipes. */
function sandbox(
  { node, bundles }: Programs,
  bundle: string,
  args: readonly string[],
  memoryMiB: number,
): Omit<ProcessJob, 'stdin' | 'newline' | 'ms' | 'graceMs'> {
  const program = [node, ...NODE_OPTIONS, `${bundles}/${bundle}.js`, ...args];
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
  const words = reportsIn(bytes).flatMap((one) => (one.kind === 'log' ? [] : [one]));
  return words.at(-1);
}

/** What hookctl's own process wrote; a line that was cut off is none. */
function reportsIn(bytes: Uint8Array | undefined): Report[] {
  const lines = decode(bytes ?? new Uint8Array())
    .split('\n')
    .slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Report);
}
