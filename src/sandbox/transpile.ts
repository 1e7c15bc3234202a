/**
 * The process that makes a component loadable: `node … wasm-transpile.js TRANSPILER FOLDER`, the component on stdin. It writes
 * `component.mjs` and its core modules into the folder.
 */

import { writeFileSync } from 'node:fs';
import { folderOf } from '../core/path';
import { makeFolder } from '../make-folder';
import { load } from './load';
import { end } from './report';
import { readAll } from './streams';

/** The part of `@bytecodealliance/jco-transpile` that is used (its `dist/transpile.d.ts`). */
type Transpiler = {
  readonly transpileBytes: (
    component: Uint8Array,
    options: Readonly<Record<string, unknown>>,
  ) => Promise<{ readonly files: Readonly<Record<string, Uint8Array>> }>;
};

const STDIN = 0;
const NAME = 'component';
/** Imports are handed in, nothing is loaded by the result itself, and no module is in its text. */
const OPTIONS = { name: NAME, instantiation: 'sync', nodejsCompat: false, tlaCompat: false, base64Cutoff: 0 };

async function main(entry: string, folder: string): Promise<never> {
  try {
    const component = readAll(STDIN);
    const { transpileBytes } = await load<Transpiler>(entry);
    const { files } = await transpileBytes(component, OPTIONS);
    for (const [name, content] of Object.entries(files)) write(folder, name, content);
    return end({ kind: 'ended', exit: 0 });
  } catch (error) {
    return end({ kind: 'refused', why: error instanceof Error ? error.message : String(error) });
  }
}

/** A name is the transpiler's, made of names in the component. Types are for people. */
function write(folder: string, name: string, content: Uint8Array): void {
  if (name.endsWith('.d.ts')) return;
  if (name.startsWith('/') || name.split('/').includes('..')) throw new Error(`a file of it would be called ${name}`);
  const path = `${folder}/${name.replace(/\.js$/, '.mjs')}`;
  makeFolder(folderOf(path));
  writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
}

const [, , entry = '', folder = ''] = process.argv;
void main(entry, folder);
