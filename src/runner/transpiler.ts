/**
 * The transpiler of components, `@bytecodealliance/jco-transpile`: 105 MB that only who has components installs, beside hookctl. It is
 * looked for from hookctl's own folder alone: what a project has installed is not run.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { peerDependencies } from '../../package.json';
import { folderOf } from '../core/path';

const PACKAGE = '@bytecodealliance/jco-transpile';
const SHIM = '@bytecodealliance/preview2-shim/instantiation';

/** The command that installs it. */
export const INSTALL = `run "npm install --global ${PACKAGE}@${peerDependencies[PACKAGE]}", or install it beside hookctl`;

export type Transpiler = {
  /** Absolute paths of its entry, and of WASI's shim that it comes with. */
  readonly entry: string;
  readonly shim: string;
  readonly version: string;
};

/** Undefined where it is not installed. `folder` is that of hookctl's bundles. */
export function findTranspiler(folder: string): Transpiler | undefined {
  try {
    const entry = realpathSync(createRequire(`${folder}/`).resolve(PACKAGE));
    const shim = realpathSync(createRequire(entry).resolve(SHIM));
    const { version } = JSON.parse(readFileSync(`${folderOf(folderOf(entry))}/package.json`, 'utf8'));
    return { entry, shim, version };
  } catch {
    return undefined;
  }
}
