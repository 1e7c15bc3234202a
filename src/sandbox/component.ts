/**
 * The process in which a component is called: `node … wasm-component.js FOLDER SHIM`, a `ComponentCall` on stdin. Each call has an instance
 * of its own.
 */
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { ComponentCall } from '../core/sandbox';
import { decode } from '../core/text';
import { limitedModule } from '../core/wasm/limit';
import { hostImports } from './host-imports';
import { load } from './load';
import { end } from './report';
import { readAll } from './streams';
import { trapOf } from './trap';

type Exports = Readonly<Record<string, unknown>>;
type OnEvent = (event: string, payload: string) => void;
/** What the transpiler makes, in its mode `sync`. */
type Component = {
  readonly instantiate: (core: (name: string) => WebAssembly.Module, imports: unknown) => Exports;
};

/** More memories than any component has of its own. */
const MEMORIES = 16;
const STDIN = 0;

class Refused extends Error {}

async function main(folder: string, shim: string): Promise<never> {
  // Some components need it.
  if (Number.parseInt(process.versions.node, 10) < 22) setFlagsFromString('--experimental-wasm-extended-const');
  const call: ComponentCall = JSON.parse(decode(readAll(STDIN)));
  try {
    const { instantiate } = await load<Component>(`${folder}/component.mjs`);
    const text = readFileSync(`${folder}/component.mjs`, 'utf8');
    const imports = await hostImports(call.config, /\bwasi:/.test(text) ? shim : undefined);
    const exports = instantiate((name) => core(`${folder}/${name}`, call.memoryMiB), imports);
    onEventIn(exports)(call.event, call.payload);
  } catch (error) {
    return end(reportOf(error, call));
  }
  return end({ kind: 'ended', exit: 0 });
}

function reportOf(error: unknown, { memoryMiB }: ComponentCall) {
  if (error instanceof Refused)
    return { kind: 'refused', why: `the component cannot be run: ${error.message}` } as const;
  // An `err` arrives as its bare text.
  if (typeof error === 'string') return { kind: 'erred', why: error === '' ? 'err' : error } as const;
  return { kind: 'trapped', why: trapOf(error, undefined, memoryMiB) } as const;
}

/** Its bounds are put into each module on its way in. */
function core(path: string, memoryMiB: number): WebAssembly.Module {
  const limited = limitedModule(readFileSync(path), { memoryMiB, memories: MEMORIES });
  if (!('module' in limited)) throw new Refused(limited.why);
  return new WebAssembly.Module(limited.module);
}

const INSTANCES = [/^prx:plugin\/hook-exports(?:@|$)/, /\/hooks(?:@|$)/, /^/];

/** The interface of PRX's own kit, the one of its documentation, any other with such a function, the function alone. */
function onEventIn(exports: Exports): OnEvent {
  const names = Object.keys(exports);
  for (const pattern of INSTANCES) {
    const found = names.filter((name) => pattern.test(name)).flatMap((name) => functionIn(exports[name]) ?? []);
    if (found[0] !== undefined) return found[0];
  }
  const bare = functionIn(exports);
  if (bare !== undefined) return bare;
  const shown =
    names.length === 0 ? 'nothing' : names.filter((name) => name.includes(':') || names.length < 2).join(', ');
  throw new Refused(`it exports no "on-event" (it exports ${shown})`);
}

function functionIn(instance: unknown): OnEvent | undefined {
  if (typeof instance !== 'object' || instance === null || !('onEvent' in instance)) return undefined;
  return typeof instance.onEvent === 'function' ? (instance.onEvent as OnEvent) : undefined;
}

const [, , folder = '', shim = ''] = process.argv;
void main(folder, shim);
