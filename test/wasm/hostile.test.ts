/**
 * Whatever a module is made of, it is a failure of its hook within its timeout, and reaches nothing of the user's.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Result } from '../../src/core/model';
import { commandOf } from '../../src/core/wasm/command';
import { PREVIEW1, PREVIEW1_NAMES } from '../../src/core/wasm/preview1';
import { createExec } from '../../src/runner/exec';
import { runSandboxed } from '../../src/runner/sandbox';
import { assemble } from './assemble';
import { compileBomb, mutated } from './hostile';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../..');
const WORLD = { env: {}, programs: { node: process.execPath, bundles: join(ROOT, 'dist') } };
const MUTANTS = 1_000;
const AT_ONCE = 4;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookctl-wasm-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a compile bomb is killed, and the hook behind it denies', () => {
  const bomb = join(folder, 'bomb.wasm');
  writeFileSync(bomb, compileBomb());
  expect(readFileSync(bomb).length).toBeGreaterThan(350_000);
  const hooks = [
    { name: 'bomb', wasm: bomb, timeout: '1s', onError: 'warn' },
    { name: 'guard', command: 'cat >/dev/null; echo guarded >&2; exit 2' },
  ];
  writeFileSync(join(folder, 'agent.json'), JSON.stringify({ hooks: { preToolCall: hooks } }));
  const started = Date.now();
  const ran = spawnSync(process.execPath, [join(ROOT, 'bin/hookctl.js'), 'run', join(folder, 'agent.json')], {
    input: '{"event":"preToolCall","cwd":"/","tool":{"name":"bash","input":{}}}',
    encoding: 'utf8',
  });
  expect(JSON.parse(ran.stdout)).toMatchObject({
    action: 'deny',
    reason: 'guarded',
    warnings: ['bomb failed: timed out after 1s'],
  });
  expect(ran.status).toBe(2);
  expect(Date.now() - started).toBeLessThan(15_000);
  expect(commandLines().filter((line) => line.includes(bomb))).toEqual([]);
});

describe('what a module can reach', () => {
  it('a clock, its streams, and nothing else', async () => {
    const { out, err } = await run(join(HERE, 'probe.wasm'), 'ended');
    expect(JSON.parse(out)).toEqual({
      argc: 1,
      env: 0,
      open_abs: 'Capabilities insufficient',
      open_rel: 'Capabilities insufficient',
      create: 'Capabilities insufficient',
      fds: [],
      clock: true,
      stderr: true,
    });
    expect(err).toBe('hello on stderr\n');
  });

  it.skipIf(process.platform !== 'linux')(
    'its process has no environment but what the shell sets, no folder, and no descriptor of ours',
    async () => {
      const job = { kind: 'wasm', module: join(HERE, 'infinite_loop.wasm'), ...LIMITS, ms: 3_000 } as const;
      const exec = createExec({ SECRET: 'x', NODE_OPTIONS: '--no-such-option' });
      const running = runSandboxed(job, new Uint8Array(), exec, WORLD);
      const found = await eventually(() =>
        processes().find(({ line }) => line.includes(job.module) && line.includes('liftoff')),
      );
      expect(found.environment.filter((one) => !/^(PWD|OLDPWD|_|SHLVL)=/.test(one))).toEqual([]);
      expect(found.environment).toContain('PWD=/');
      await exec.endAll(0);
      expect((await running).result.kind).toBe('killed');
    },
  );

  it('the fourth descriptor cannot be written by the module', async () => {
    const written = await assemble('three', calling('fd_write', [3, 0, 1, 64]));
    const { out } = await run(put('three.wasm', written), 'ended');
    expect(out).toBe('');
  });

  it('every function of preview 1 takes any numbers', async () => {
    for (const value of [0, 1, -1, 65_535, 0x7fff_ffff]) {
      const module = await assemble('odd', callingAll(value));
      await run(put(`odd${value}.wasm`, module), 'ended');
    }
  });
});

describe('mutated modules', () => {
  it(`${MUTANTS} of them each end within their timeout, and none ends hookctl`, async () => {
    const sources = readdirSync(HERE).filter((name) => /^(?!prx_).*\.wasm$/.test(name));
    const jobs = Array.from({ length: MUTANTS }, (_, seed) => {
      const name = sources[seed % sources.length] ?? '';
      return mutated(readFileSync(join(HERE, name)), seed);
    });
    // What is refused by the bytes alone is refused here as it is there.
    const runnable = jobs.filter((bytes) => 'module' in commandOf(bytes, 64));
    expect(runnable.length).toBeGreaterThan(MUTANTS / 4);
    const kinds = new Set<Result['kind']>();
    let next = 0;
    const worker = async () => {
      for (let index = next++; index < runnable.length; index = next++) {
        const path = put(`mutant${index}.wasm`, runnable[index] ?? new Uint8Array());
        const job = { kind: 'wasm', module: path, ...LIMITS, ms: 2_000 } as const;
        const started = Date.now();
        const { result } = await runSandboxed(job, new TextEncoder().encode('{}'), createExec({}), WORLD);
        expect(Date.now() - started).toBeLessThan(30_000);
        kinds.add(result.kind);
        rmSync(path);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect([...kinds]).toEqual(expect.arrayContaining(['ended', 'failed', 'timeout', 'not started']));
    expect(commandLines().filter((line) => line.includes(`${folder}/mutant`))).toEqual([]);
  }, 900_000);
});

const LIMITS = { stdin: 'event bytes', newline: true, ms: 20_000, graceMs: 100 } as const;

async function run(module: string, kind: Result['kind']): Promise<{ readonly out: string; readonly err: string }> {
  const ran = await runSandboxed({ kind: 'wasm', module, ...LIMITS }, new Uint8Array(), createExec({}), WORLD);
  expect(ran.result).toMatchObject({ kind });
  if (!('out' in ran.result)) throw new Error('no streams');
  return { out: Buffer.from(ran.result.out).toString(), err: Buffer.from(ran.result.err).toString() };
}

function put(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Calls every function but the end, each with nine times the same number. */
function callingAll(value: number): string {
  const names = PREVIEW1_NAMES.filter((name) => name !== 'proc_exit');
  const nine = (word: string) => new Array(9).fill(word).join(' ');
  const imports = names.map(
    (name) => `(import "${PREVIEW1}" "${name}" (func $${name} (param ${nine('i32')}) (result i32)))`,
  );
  const calls = names.map((name) => `(drop (call $${name} ${nine(`(i32.const ${value})`)}))`);
  return `(module ${imports.join(' ')} (memory (export "memory") 1) (func (export "_start") ${calls.join(' ')}))`;
}

/** Traps where the function says that it went well. */
function calling(name: string, values: readonly number[]): string {
  return `(module
  (import "${PREVIEW1}" "${name}" (func $f (param ${values.map(() => 'i32').join(' ')}) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\\10\\00\\00\\00\\02\\00\\00\\00")
  (data (i32.const 16) "{}")
  (func (export "_start") (if (i32.eqz (call $f ${values.map((value) => `(i32.const ${value})`).join(' ')})) (then unreachable))))`;
}

type Process = { readonly line: string; readonly environment: readonly string[] };

/** All that can be looked at; where there is no /proc, none. */
function processes(): Process[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.flatMap((id) => {
    try {
      const parts = (name: string) =>
        readFileSync(`/proc/${id}/${name}`, 'utf8')
          .split('\0')
          .filter((part) => part !== '');
      return [{ line: parts('cmdline').join(' '), environment: parts('environ') }];
    } catch {
      return [];
    }
  });
}

function commandLines(): string[] {
  return process.platform === 'linux' ? processes().map(({ line }) => line) : [];
}

async function eventually<T>(look: () => T | undefined): Promise<T> {
  for (let tries = 0; tries < 300; tries += 1) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('it did not come');
}
