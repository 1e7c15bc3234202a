/**
 * The process in which a WebAssembly module runs as a hook: `node … wasm-module.js MODULE`. It has no environment, and stands in `/`.
 */
import { MEMORY_MIB } from '../core/sandbox';
import { commandOf } from '../core/wasm/command';
import { MAX_MODULE_BYTES } from '../core/wasm/kind';
import { PREVIEW1 } from '../core/wasm/preview1';
import { readRegularFile } from '../regular-file';
import { end } from './report';
import { trapOf } from './trap';
import { preview1 } from './wasi';

/** Runs the module and ends the process. */
function main(path: string): never {
  const bytes = readRegularFile(path, MAX_MODULE_BYTES);
  if (!(bytes instanceof Uint8Array)) return refuse(`the module ${path} cannot be read: ${bytes.why}`);
  const checked = commandOf(bytes, MEMORY_MIB);
  if (!('module' in checked)) return refuse(`the module cannot be run: ${checked.why}`);
  const compiled = compile(checked.module);
  return typeof compiled === 'string' ? refuse(`the module cannot be run: ${compiled}`) : run(compiled);
}

function refuse(why: string): never {
  return end({ kind: 'refused', why });
}

/** The module, or why it is none. */
function compile(bytes: Uint8Array): WebAssembly.Module | string {
  try {
    return new WebAssembly.Module(bytes);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A start function runs before there is an instance, and so before there is a memory. */
function run(compiled: WebAssembly.Module): never {
  let memory: WebAssembly.Memory | undefined;
  try {
    const instance = new WebAssembly.Instance(compiled, { [PREVIEW1]: preview1(() => memory) });
    memory = instance.exports['memory'] as WebAssembly.Memory;
    (instance.exports['_start'] as () => void)();
  } catch (error) {
    return end({ kind: 'trapped', why: trapOf(error, memory) });
  }
  return end({ kind: 'ended', exit: 0 });
}

main(process.argv[2] ?? '');
