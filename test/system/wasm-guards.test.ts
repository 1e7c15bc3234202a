/**
 * The guards that `hookctl init --lang wasm` writes, built by the lines that it shows.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../../bin/hookctl.js');
const DEMO = join(import.meta.dirname, '../../demos/wasm/hooks/no-force-push.c');
/** Debian's own knows the target by its former name, and its linker by another one. */
const RUSTS = [
  { program: 'rustc', target: 'wasm32-wasip1', more: [] },
  { program: '/usr/bin/rustc', target: 'wasm32-wasi', more: ['-C', 'linker=wasm-ld-14'] },
];

let folder = '';
let lines: readonly string[] = [];
beforeAll(() => {
  if (spawnSync('clang', ['--version']).status !== 0) throw new Error('clang with wasi-libc is needed: install it');
  folder = mkdtempSync(join(tmpdir(), 'hookctl-init-'));
  const told = hookctl('init', '--lang', 'wasm').stdout;
  lines = told.split('\n').flatMap((line) => (/^ {2}(?:clang|rustc) /.test(line) ? [line.trim()] : []));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a guard in', () => {
  it('C', () => {
    built(lines[0] ?? '');
    expect(readFileSync(DEMO, 'utf8')).toBe(readFileSync(join(folder, 'hooks/no-force-push.c'), 'utf8'));
  });

  it('Rust', () => {
    const rust = RUSTS.find(({ program, target }) => hasTarget(program, target));
    if (rust === undefined) throw new Error('Rust with a target for WASI is needed: install it');
    const line = (lines[1] ?? '').replace(/^rustc --target wasm32-wasip1/, `${rust.program} --target ${rust.target}`);
    built(`${line} ${rust.more.join(' ')}`);
  });
});

function built(line: string): void {
  rmSync(join(folder, 'hooks/no-force-push.wasm'), { force: true });
  execFileSync('/bin/sh', ['-c', line], { cwd: folder });
  expect(hookctl('validate', '--strict').stdout).toBe('no findings in 2 files\n');
  expect(hookctl('test').stdout).toContain('\n5 passed');
}

function hasTarget(program: string, target: string): boolean {
  const { status, stdout } = spawnSync(program, ['--print', 'target-libdir', '--target', target], { encoding: 'utf8' });
  return status === 0 && existsSync(stdout.trim());
}

function hookctl(...args: string[]) {
  return spawnSync(process.execPath, [PROGRAM, ...args], { cwd: folder, encoding: 'utf8' });
}
