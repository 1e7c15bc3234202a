/**
 * The modules that tests use are what their sources say. (Those of C are kept as they were built: `clang --target=wasm32-wasi -Oz -flto
 * -Wl,--strip-all`, with a C library that differs from machine to machine.)
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assemble, componentOf } from './assemble';

const HERE = import.meta.dirname;
const MODULES = textsIn('src');
const COMPONENTS = textsIn('src/prx').flatMap((name) => [
  { name, instance: 'hook-exports', file: `prx_${name}` },
  ...(name === 'deny' ? [{ name, instance: 'hooks', file: `prx_${name}_documented` }] : []),
]);
const OF_C = readdirSync(join(HERE, 'src')).flatMap((name) => (name.endsWith('.c') ? [name.slice(0, -2)] : []));

describe('modules', () => {
  it.each(MODULES)('%s', async (name) => {
    expect(await assemble(name, source(`src/${name}.wat`))).toEqual(built(name));
  });
});

describe('components', () => {
  it.each(COMPONENTS)('$file', async ({ name, instance, file }) => {
    const full = `prx:plugin/${instance}@0.1.0`;
    const core = await assemble(name, source(`src/prx/${name}.wat`).replaceAll('IFACE', full));
    expect(componentOf(core, full)).toEqual(built(file));
  });
});

it('every module has a source', () => {
  const files = readdirSync(HERE).flatMap((name) => (name.endsWith('.wasm') ? [name.slice(0, -5)] : []));
  expect(files.sort()).toEqual([...MODULES, ...COMPONENTS.map(({ file }) => file), ...OF_C].sort());
});

function textsIn(folder: string): string[] {
  return readdirSync(join(HERE, folder)).flatMap((name) => (name.endsWith('.wat') ? [name.slice(0, -4)] : []));
}

function source(name: string): string {
  return readFileSync(join(HERE, name), 'utf8');
}

function built(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(HERE, `${name}.wasm`)));
}
