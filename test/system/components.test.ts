/**
 * Components, with the real transpiler from the npm registry, installed beside hookctl as a user would.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
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
const LOGGER = join(ROOT, 'demos/prx/plugins/audit-logger/plugin.wasm');
const PACKAGE = '@bytecodealliance/jco-transpile';
const VERSION = peerDependencies[PACKAGE];
const PREFIX = join(ROOT, 'node_modules/.cache/hookctl-jco', VERSION);
const HOME = join(PREFIX, 'node_modules/hookctl');
const BESIDE = join(HOME, 'dist');
const PROGRAM = join(HOME, 'bin/hookctl.js');
const MUTANTS = 300;
const AT_ONCE = 2;

let folder = '';
let world: SandboxWorld;
beforeAll(() => {
  mkdirSync(PREFIX, { recursive: true });
  if (!existsSync(join(PREFIX, 'node_modules', PACKAGE))) {
    const args = ['install', '--prefix', PREFIX, '--no-save', '--no-audit', '--no-fund', `${PACKAGE}@${VERSION}`];
    execFileSync('npm', args, { stdio: 'inherit' });
  }
  rmSync(HOME, { recursive: true, force: true });
  for (const part of ['dist', 'bin', 'package.json']) cpSync(join(ROOT, part), join(HOME, part), { recursive: true });
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

describe('plugins', () => {
  const ERROR = '{"event":"error","session_id":"s","payload":{"component":"c","message":"m"}}';
  const CALL = '{"event":"preToolCall","session":"s","tool":{"name":"bash","input":{"command":"git push --force"}}}';

  it('emit: a record each, and what they log', () => {
    const place = workspace('emit', {
      audit: ['logger.wasm', 'prx.lifecycle.*'],
      guard: ['prx_deny.wasm', 'tool_call_start'],
    });
    const said = hookctl(['emit', 'hooks.json', '--wait', '--log', 'log.jsonl'], place, ERROR);
    expect(said).toEqual([{ hook: 'plugin:audit', outcome: 'ok', reason: null }]);
    expect(hookctl(['emit', 'hooks.json', '--wait', '--log', 'log.jsonl'], place, FORCED)).toEqual([
      { hook: 'plugin:audit', outcome: 'ok', reason: null },
      { hook: 'plugin:guard', outcome: 'failed', reason: 'force-push is not allowed' },
    ]);
    expect(logOf(place).filter(({ kind }) => kind === 'plugin')).toEqual([
      { kind: 'plugin', event: 'error', session_id: 's', plugin: 'audit', level: 'info', message: 'error' },
      expect.objectContaining({ plugin: 'audit', message: 'tool_call_start' }),
    ]);
  });

  it('run: the verdict does not wait, and what they say decides nothing', async () => {
    const place = workspace('run', { loop: ['prx_loop.wasm', '*', 1_000], guard: ['prx_deny.wasm', '*'] });
    const began = Date.now();
    const { stdout, status } = spawnSync(process.execPath, [PROGRAM, 'run', 'hooks.json'], {
      ...inPlace(place),
      input: CALL,
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, '{"event":"preToolCall"}\n']);
    const hooks = () => logOf(place).filter(({ kind }) => kind === 'hook');
    while (hooks().length < 2 && Date.now() < began + 30_000) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(hooks().map(({ hook, outcome, reason }) => [hook, outcome, reason])).toEqual([
      ['plugin:guard', 'failed', 'force-push is not allowed'],
      ['plugin:loop', 'timeout', 'timed out after 1000 ms'],
    ]);
  });

  it("a memory cap, a trap, a link, a core module, a file that is missing: each is that plugin's failure", () => {
    const place = workspace('bad', {
      a_grow: ['prx_grow.wasm', '*'],
      b_trap: ['prx_trap.wasm', '*'],
      c_core: ['echo.wasm', '*'],
      d_fine: ['logger.wasm', '*'],
      e_gone: ['prx_trap.wasm', '*'],
      f_link: ['prx_trap.wasm', '*'],
    });
    rmSync(join(place, 'plugins/e_gone/plugin.wasm'));
    rmSync(join(place, 'plugins/f_link/plugin.wasm'));
    symlinkSync(join(WASM, 'prx_deny.wasm'), join(place, 'plugins/f_link/plugin.wasm'));
    expect(hookctl(['emit', 'hooks.json', '--wait'], place, ERROR)).toEqual([
      { hook: 'plugin:a_grow', outcome: 'failed', reason: expect.stringContaining('trap') },
      { hook: 'plugin:b_trap', outcome: 'failed', reason: expect.stringContaining('trap') },
      { hook: 'plugin:c_core', outcome: 'not-started', reason: expect.stringContaining('core module') },
      { hook: 'plugin:d_fine', outcome: 'ok', reason: null },
      { hook: 'plugin:e_gone', outcome: 'not-started', reason: expect.stringContaining('no such file') },
      { hook: 'plugin:f_link', outcome: 'not-started', reason: expect.stringContaining('it is a link') },
    ]);
  });
});

/** A folder with plugins: name → fixture, pattern, time in milliseconds. */
function workspace(name: string, plugins: Readonly<Record<string, readonly [string, string, number?]>>): string {
  const place = join(folder, `workspace ${name}`);
  mkdirSync(place);
  writeFileSync(join(place, 'hooks.json'), '{ "hooks": {} }');
  for (const [plugin, [fixture, pattern, ms = 30_000]] of Object.entries(plugins)) {
    const own = join(place, 'plugins', plugin);
    mkdirSync(own, { recursive: true });
    cpSync(fixture === 'logger.wasm' ? LOGGER : join(WASM, fixture), join(own, 'plugin.wasm'));
    const manifest = ['[plugin]', `name = "${plugin}"`, 'version = "1"', '[[capabilities]]', 'type = "hook"'];
    const limits = [`events = ["${pattern}"]`, '[resources]', `max_execution_time_ms = ${ms}`];
    writeFileSync(join(own, 'plugin.toml'), [...manifest, ...limits, ''].join('\n'));
  }
  return place;
}

function inPlace(cwd: string) {
  const env = { PATH: process.env['PATH'], XDG_CACHE_HOME: join(folder, 'cache'), HOOKCTL_LOG: join(cwd, 'log.jsonl') };
  return { cwd, env };
}

/** Of each record on stdout what is told here. */
function hookctl(args: readonly string[], cwd: string, input: string): Record<string, unknown>[] {
  const { stdout } = spawnSync(process.execPath, [PROGRAM, ...args], { ...inPlace(cwd), input, encoding: 'utf8' });
  return linesOf(stdout).map(({ hook, outcome, reason }) => ({ hook, outcome, reason }));
}

function logOf(cwd: string): Record<string, unknown>[] {
  const path = join(cwd, 'log.jsonl');
  return existsSync(path) ? linesOf(readFileSync(path, 'utf8')).map(({ time: _, ...line }) => line) : [];
}

function linesOf(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

it('without the transpiler it says how to install it', async () => {
  const own = { ...world, programs: { ...world.programs, bundles: join(folder, 'nowhere') } };
  const result = await run(join(WASM, 'prx_deny.wasm'), {}, own);
  expect(result).toMatchObject({
    kind: 'not started',
    why: expect.stringContaining(`npm install --global ${PACKAGE}`),
  });
});

it('the component of the demo is what its source makes', async () => {
  const source = join(ROOT, 'demos/prx/plugins/audit-logger/src');
  expect(Buffer.compare(await built(source, 'plugin', 'plugin'), readFileSync(LOGGER))).toBe(0);
});

function importing(): Promise<Uint8Array> {
  return built(import.meta.dirname, 'imports', 'probe');
}

/** `<name>.wat` and `<name>.wit` of a folder, made a component by the tools of the transpiler. */
async function built(source: string, name: string, world: string): Promise<Uint8Array> {
  const tools = await import(join(PREFIX, 'node_modules', PACKAGE, 'dist/wasm-tools.js'));
  const text = (ending: string) => readFileSync(join(source, `${name}.${ending}`), 'utf8');
  const core = await assemble(name, text('wat'));
  const binary = await tools.componentEmbed({ binary: core, witSource: text('wit'), world });
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
    keep: 4_096,
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
