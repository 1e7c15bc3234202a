/**
 * Runs a WebAssembly component: made into a module that Node can load, once, by the transpiler of the field, and called in a sandbox.
 */
import { createHash } from 'node:crypto';
import { reasonOf } from '../core/errno';
import type { ComponentJob, Result } from '../core/model';
import type { ComponentCall } from '../core/sandbox';
import { type FileKind, kindOf, MAX_MODULE_BYTES } from '../core/wasm/kind';
import { readRegularFile } from '../regular-file';
import { keep, keptFolder, type Made } from './component-cache';
import type { Exec, Ran } from './exec';
import { inSandbox, type SandboxWorld, sandbox } from './sandbox';
import { findTranspiler, INSTALL, type Transpiler } from './transpiler';

/** Changes with what is kept of a component. */
const FORMAT = 1;
/** Its own, and that of WASI's shim. */
const THREADS = 2;
/** The first run of a component: not counted against its own time. */
const TRANSPILE_MS = 60_000;
const TRANSPILE_SPACE = { memoryMiB: 1_600, threads: 1 };
const TRANSPILE_OPTIONS = ['--max-old-space-size=1024'];

/** Calls `on-event`. Never rejects. An `ok` is exit 0; an `err` is a failure with its message. */
export async function runComponent(job: ComponentJob, exec: Exec, world: SandboxWorld): Promise<Ran> {
  const started = Date.now();
  const made = await madeOf(job.component, exec, world);
  if ('result' in made) return { result: made.result, ms: Date.now() - started, stdin: 0, warnings: [] };
  const { event, payload, config, memoryMiB, keep, ms, graceMs } = job;
  const call: ComponentCall = { event, payload: payload.text, config, memoryMiB };
  const stdin = { text: JSON.stringify(call) };
  const process = sandbox(world.programs, 'wasm-component', [made.folder, made.shim], {
    memoryMiB,
    threads: THREADS,
  });
  const ran = await inSandbox(
    { ...process, stdin, newline: false, keep, ms, graceMs },
    new TextEncoder().encode(stdin.text),
    exec,
  );
  made.done();
  return { ...ran, ms: Date.now() - started };
}

type Ready = Made & { readonly shim: string };

/** The component as Node can load it: kept from before, or made now from the very bytes that it is kept for. */
async function madeOf(
  path: string,
  exec: Exec,
  { env, programs }: SandboxWorld,
): Promise<Ready | { readonly result: Result }> {
  const bytes = readRegularFile(path, MAX_MODULE_BYTES, 'refused');
  if (!(bytes instanceof Uint8Array)) return refused(`the component ${path} cannot be read: ${bytes.why}`);
  const kind = kindOf(bytes);
  if (kind !== 'component') return refused(`the component cannot be run: ${NO_COMPONENT[kind]}`);
  const transpiler = findTranspiler(programs.bundles);
  if (transpiler === undefined) return refused(`components need a package that is not installed: ${INSTALL}`);
  const key = `${createHash('sha256').update(bytes).digest('hex')}-${transpiler.version}-${FORMAT}`;
  const kept = keptFolder(env, key);
  const { shim } = transpiler;
  if (kept !== undefined) return { folder: kept, done: () => {}, shim };
  try {
    const made = await keep(env, key, (folder) => transpile(bytes, folder, transpiler, exec, programs));
    return 'failed' in made ? { result: made.failed } : { ...made, shim };
  } catch (error) {
    return refused(`the component cannot be made ready: ${reasonOf(error)}`);
  }
}

const NO_COMPONENT: Readonly<Record<Exclude<FileKind, 'component'>, string>> = {
  module: 'it is a core module, not a component; "wasm-tools component new" makes one of it',
  text: 'it is WebAssembly text, not a component',
  other: 'it is no WebAssembly',
};

/** Fills the folder, or says what went wrong. The transpiler is trusted, what it reads is not. */
async function transpile(
  bytes: Uint8Array,
  folder: string,
  { entry }: Transpiler,
  exec: Exec,
  programs: SandboxWorld['programs'],
): Promise<Result | undefined> {
  const process = sandbox(programs, 'wasm-transpile', [entry, folder], TRANSPILE_SPACE, TRANSPILE_OPTIONS);
  const stdin = { text: '' };
  const { result } = await inSandbox({ ...process, stdin, newline: false, ms: TRANSPILE_MS, graceMs: 0 }, bytes, exec);
  if (result.kind === 'ended' && result.exit === 0) return undefined;
  const why = 'why' in result ? result.why : 'the transpiler failed';
  return notStarted(`the component cannot be run: ${why}`);
}

function refused(why: string): { readonly result: Result } {
  return { result: notStarted(why) };
}

function notStarted(why: string): Result {
  return { kind: 'not started', why, out: new Uint8Array(), err: new Uint8Array() };
}
