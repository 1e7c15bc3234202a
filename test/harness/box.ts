/**
 * The fresh folder that a case runs in, what is laid out there, and how its paths are written and shown.
 */

import { realpathSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Case } from './cases';

/** A command line that the case's arguments are added to. */
export type Program = readonly [file: string, ...args: string[]];

/** Absolute paths without symbolic links. Only `dir` is the case's own; the others stand beside it. */
export type Box = {
  readonly root: string;
  readonly dir: string;
  readonly home: string;
  readonly tmp: string;
  /** An executable that stands for the program. */
  readonly program: string;
};

/** The hooks that a case writes as `{HOOKS}`. */
export const HOOKS = fileURLToPath(new URL('../hooks', import.meta.url));
/** The modules that a case writes as `{WASM}`. */
const WASM = fileURLToPath(new URL('../wasm', import.meta.url));

/** Makes the folder, still empty. The caller removes it. */
export async function makeBox(): Promise<Box> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'hookctl-case-')));
  const at = (name: string) => join(root, name);
  const box: Box = { root, dir: at('dir'), home: at('home'), tmp: at('tmp'), program: at('hookctl') };
  await Promise.all([box.dir, box.home, box.tmp].map((folder) => mkdir(folder)));
  return box;
}

/** Lays out the case's files, and the program. Rejects for a file that would stand outside of the folder. */
export async function fillBox(box: Box, one: Case, program: Program): Promise<void> {
  await lay(box.program, `#!/bin/sh\nexec ${program.map(shellWord).join(' ')} "$@"\n`);
  for (const [name, content] of Object.entries(one.files)) await lay(inside(box, name), fill(content, box));
}

/** Removes the folder with all that is in it. What a process still writes there meanwhile may stay. */
export async function removeBox(box: Box): Promise<void> {
  await rm(box.root, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}

/** The clean environment, with what the case adds and removes. */
export function environmentOf(one: Case, box: Box): Record<string, string> {
  // The Node that runs the tests comes first, for hooks that begin with `#!/usr/bin/env node`.
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  const clean = { PATH: path, HOME: box.home, TMPDIR: box.tmp, LANG: 'C.UTF-8' };
  const script = one.command.kind === 'run' ? { HOOKCTL: box.program } : {};
  const entries = Object.entries<string | null>({ ...clean, ...script, ...one.env });
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === null ? [] : [[name, fill(value, box)]])));
}

/** The path of a file of the case. Throws for one outside of the box. */
export function inside(box: Box, name: string): string {
  const path = resolve(box.dir, fill(name, box));
  if (!path.startsWith(`${box.root}/`)) throw new Error(`${name}: outside of the temporary folder`);
  return path;
}

/** Puts the paths where a case has placeholders. The shell's own `${DIR}` is none. */
export function fill(text: string, box: Box): string {
  return text.replace(/(?<!\$)\{(HOOKS|WASM|DIR|HOME)\}/g, (whole, name) => placesOf(box).get(name)?.[0] ?? whole);
}

/** Text as expectations have it: placeholders where paths are, and no times. */
export function show(text: string, box: Box): string {
  const spellings = [...placesOf(box)].flatMap(([name, paths]) => paths.map((path) => ({ name, path })));
  const placed = spellings.reduce((shown, { name, path }) => shown.replaceAll(path, `{${name}}`), text);
  return placed
    .replace(/("(?:duration_)?ms":\s*)\d+(?:\.\d+)?/g, (_, key) => `${key}0`)
    .replace(/ \(\d+(?:\.\d+)? ms\)/g, ' (0 ms)');
}

/** The spellings of each place, the one to write first. */
function placesOf(box: Box): ReadonlyMap<string, readonly string[]> {
  return new Map([
    ['DIR', [box.dir]],
    ['HOME', [box.home]],
    ['HOOKS', [HOOKS, realpathSync(HOOKS)]],
    ['WASM', [WASM, realpathSync(WASM)]],
  ]);
}

async function lay(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await chmod(path, content.startsWith('#!') ? 0o755 : 0o644);
}

function shellWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
