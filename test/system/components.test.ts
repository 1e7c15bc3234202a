/**
 * Components, with the real transpiler from the npm registry, installed beside hookctl as a user would.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { peerDependencies } from '../../package.json';
import type { ComponentJob, Result } from '../../src/core/model';
import { logsIn } from '../../src/core/sandbox';
import { createExec } from '../../src/runner/exec';
import { runSandboxed, type SandboxWorld } from '../../src/runner/sandbox';
import { assemble, componentOf } from '../wasm/assemble';
import { mutated } from '../wasm/hostile';

const ROOT = join(import.meta.dirname, '../..');
const WASM = join(ROOT, 'test/wasm');
const PACKAGE = '@bytecodealliance/jco-transpile';
const VERSION = peerDependencies[PACKAGE];
const PREFIX = join(ROOT, 'node_modules/.cache/hookctl-jco', VERSION);
const BESIDE = join(PREFIX, 'node_modules/hookctl/dist');
const MUTANTS = 200;
const AT_ONCE = 4;

let folder = '';
let world: SandboxWorld;
beforeAll(() => {
  mkdirSync(PREFIX, { recursive: true });
  if (!existsSync(join(PREFIX, 'node_modules', PACKAGE))) {
    const args = ['install', '--prefix', PREFIX, '--no-save', '--no-audit', '--no-fund', `${PACKAGE}@${VERSION}`];
    execFileSync('npm', args, { stdio: 'inherit' });
  }
  rmSync(BESIDE, { recursive: true, force: true });
  cpSync(join(ROOT, 'dist'), BESIDE, { recursive: true });
  folder = mkdtempSync(join(tmpdir(), 'hookctl components %#'));
  const env = { XDG_CACHE_HOME: join(folder, 'cache'), SECRET: 'x' };
  world = { env, programs: { node: process.execPath, bundles: BESIDE } };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FORCED = '{"event":"tool_call_start","payload":{"tool":"bash","arguments":{"command":"git push --force"}}}';

describe('on-event', () => {
  it.each([
    ['prx_deny', 'tool_call_start', FORCED, { kind: 'failed', why: 'force-push is not allowed' }],
    ['prx_deny', 'tool_call_start', '{}', { kind: 'ended', exit: 0 }],
    ['prx_deny', 'tool_call', FORCED, { kind: 'ended', exit: 0 }],
    ['prx_deny', 'tool_call', `"${'é'.repeat(40_000)}"`, { kind: 'ended', exit: 0 }],
    ['prx_deny_documented', 'tool_call_start', FORCED, { kind: 'failed', why: 'force-push is not allowed' }],
    ['prx_trap', 'error', '{}', { kind: 'failed', why: 'trap: wasm `unreachable` instruction executed' }],
    ['prx_grow', 'error', '{}', { kind: 'failed', why: 'trap: wasm `unreachable` instruction executed' }],
  ])('%s %s', async (name, event, payload, result) => {
    expect(await run(join(WASM, `${name}.wasm`), { event, payload: { text: payload } })).toMatchObject(result);
  });

  it('is killed when its time is over', async () => {
    const result = await run(join(WASM, 'prx_loop.wasm'), { ms: 1_000 });
    expect(result).toMatchObject({ kind: 'timeout', why: 'timed out after 1s' });
  });

  it('memory up to what the manifest says', async () => {
    const bytes = await wrapped(`(memory (export "memory") 17)`, 'unreachable', 'prx:plugin/hooks');
    const result = await run(put('large.wasm', bytes), { memoryMiB: 1 });
    expect(result).toMatchObject({
      kind: 'not started',
      why: 'the component cannot be run: it wants 2 MiB of memory to begin with, but may have 1 MiB',
    });
  });
});

describe('the export', () => {
  it.each([
    'prx:plugin/hook-exports',
    'prx:plugin/hook-exports@0.2.0',
    'prx:plugin/hooks',
    'other:kit/hooks@1.0.0',
    'other:kit/observer',
  ])('%s', async (name) => {
    const bytes = await wrapped('(memory (export "memory") 1)', '(i32.const 64)', name);
    expect(await run(put('named.wasm', bytes))).toMatchObject({ kind: 'ended', exit: 0 });
  });

  it('says what a component exports in its place', async () => {
    // A component that is empty.
    const bytes = Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00]);
    expect(await run(put('empty.wasm', bytes))).toMatchObject({
      kind: 'not started',
      why: 'the component cannot be run: it exports no "on-event" (it exports nothing)',
    });
  });
});

describe('what is kept of a component', () => {
  it('is made once, in a folder that is closed to others', async () => {
    const cache = join(folder, 'fresh');
    const own = { ...world, env: { XDG_CACHE_HOME: cache } };
    await run(join(WASM, 'prx_deny.wasm'), {}, own);
    const kept = join(cache, 'hookctl/components');
    const [name = '', ...others] = readdirSync(kept);
    expect(others).toEqual([]);
    expect(name).toMatch(new RegExp(`^[0-9a-f]{64}-${VERSION.replaceAll('.', '\\.')}-1$`));
    expect(statSync(join(kept, name)).mode & 0o777).toBe(0o700);
    writeFileSync(join(kept, name, 'component.mjs'), 'export function instantiate() { throw "kept"; }');
    expect(await run(join(WASM, 'prx_deny.wasm'), {}, own)).toMatchObject({ kind: 'failed', why: 'kept' });
  });

  it('is not taken from a folder that is open to others', async () => {
    const cache = join(folder, 'open');
    mkdirSync(join(cache, 'hookctl/components'), { recursive: true, mode: 0o755 });
    const own = { ...world, env: { XDG_CACHE_HOME: cache } };
    expect(await run(join(WASM, 'prx_deny.wasm'), {}, own)).toMatchObject({ kind: 'ended', exit: 0 });
    expect(readdirSync(join(cache, 'hookctl/components'))).toEqual([]);
  });

  it('is nothing where there is no cache folder', async () => {
    const own = { ...world, env: {} };
    expect(await run(join(WASM, 'prx_deny.wasm'), {}, own)).toMatchObject({ kind: 'ended', exit: 0 });
  });

  it('is made by many at once', async () => {
    const own = { ...world, env: { XDG_CACHE_HOME: join(folder, 'many') } };
    const results = await Promise.all([1, 2, 3].map(() => run(join(WASM, 'prx_deny.wasm'), {}, own)));
    expect(results.map(({ kind }) => kind)).toEqual(['ended', 'ended', 'ended']);
  });
});

it('mutated components end within their timeout', async () => {
  const sources = readdirSync(WASM).filter((name) => name.startsWith('prx_'));
  const kinds = new Map<string, number>();
  let next = 0;
  const worker = async () => {
    for (let seed = next++; seed < MUTANTS; seed = next++) {
      const bytes = mutated(readFileSync(join(WASM, sources[seed % sources.length] ?? '')), seed);
      const path = put(`mutant${seed}.wasm`, bytes);
      const result = await run(path, { ms: 1_000 }, { ...world, env: {} });
      kinds.set(result.kind, (kinds.get(result.kind) ?? 0) + 1);
      rmSync(path);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect([...kinds.values()].reduce((sum, count) => sum + count, 0)).toBe(MUTANTS);
  expect(kinds.get('ended')).toBeGreaterThan(0);
  expect(kinds.get('not started')).toBeGreaterThan(0);
}, 1_800_000);

describe('imports', () => {
  it('a log and its configuration; no environment, no folder; the rest is not granted', async () => {
    const path = put('imports.wasm', await importing());
    const result = await run(path, { config: { mode: 'strict' } });
    expect(result).toMatchObject({ kind: 'failed', why: 'not granted' });
    expect(logsIn(result)).toEqual([{ kind: 'log', level: 'warn', message: 'strict' }]);
    expect(logsIn(await run(path, { config: {} }))).toEqual([]);
  });
});

it('without the transpiler it says how to install it', async () => {
  const own = { ...world, programs: { ...world.programs, bundles: join(folder, 'nowhere') } };
  const result = await run(join(WASM, 'prx_deny.wasm'), {}, own);
  expect(result).toMatchObject({
    kind: 'not started',
    why: expect.stringContaining(`npm install --global ${PACKAGE}`),
  });
});

/** Made by the tools of the transpiler. */
async function importing(): Promise<Uint8Array> {
  const tools = await import(join(PREFIX, 'node_modules', PACKAGE, 'dist/wasm-tools.js'));
  const text = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
  const core = await assemble('imports', text('imports.wat'));
  const binary = await tools.componentEmbed({ binary: core, witSource: text('imports.wit'), world: 'probe' });
  return tools.componentNew(binary, []);
}

async function run(component: string, more: Partial<ComponentJob> = {}, own = world): Promise<Result> {
  const job: ComponentJob = {
    kind: 'component',
    component,
    event: 'tool_call',
    payload: { text: '{}' },
    config: {},
    memoryMiB: 64,
    ms: 30_000,
    graceMs: 200,
    ...more,
  };
  return (await runSandboxed(job, undefined, createExec(own.env), own)).result;
}

function put(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** A component whose `on-event` is one instruction, and answers what stands at 64: nothing but zeros, `ok`. */
async function wrapped(memory: string, body: string, instance: string): Promise<Uint8Array> {
  const core = await assemble(
    'core',
    `(module ${memory}
      (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 1024))
      (func (export "${instance}#on-event") (param i32 i32 i32 i32) (result i32) ${body}))`,
  );
  return componentOf(core, instance);
}
