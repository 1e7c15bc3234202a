/**
 * The hot path is lean: what the everyday `hookctl run` loads, held exactly.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUNDLE_LIMITS } from './bench/limits.mjs';

const ROOT = join(import.meta.dirname, '..');
const PROGRAM = join(ROOT, 'bin/hookctl.js');
const BASE = join(ROOT, 'test/bench/f-async.js');

/** What `run` may load beyond the bare script that starts one hook: signal handlers. */
const MORE = ['Internal Binding signal_wrap'];

const HOOK = `cat >/dev/null; echo '{"action":"deny","reason":"no"}'`;
const EVENT = '{"event":"preToolCall","cwd":"/","tool":{"name":"bash","input":{}}}';
const CLAUDE_EVENT = JSON.stringify({
  hook_event_name: 'PreToolUse',
  permission_mode: 'default',
  cwd: '/',
  tool_name: 'Bash',
  tool_input: {},
});
const RUN = ['bin/hookctl.js', 'dist/run.js'];

const hook = { command: HOOK };
const CONFIGS: Readonly<Record<string, string>> = {
  'agent.json': JSON.stringify({ hooks: { preToolCall: [hook] } }),
  'other.json': JSON.stringify({ hooks: { preToolCall: [{ ...hook, matcher: '^read$' }] } }),
  'costly.json': JSON.stringify({ hooks: { preToolCall: [{ ...hook, matcher: '(a+)+$' }] } }),
  'wasm.json': JSON.stringify({
    hooks: { preToolCall: [hook, { wasm: join(ROOT, 'test/wasm/trap.wasm'), matcher: '^read$' }] },
  }),
  'module.json': JSON.stringify({ hooks: { preToolCall: [{ wasm: join(ROOT, 'test/wasm/exit2.wasm') }] } }),
  'agent.yaml': `hooks:\n  preToolCall:\n    - matcher: ^read$\n      command: ${JSON.stringify(HOOK)}\n`,
  '.claude/settings.json': JSON.stringify({
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: HOOK }] }] },
  }),
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookctl-lean-'));
  mkdirSync(join(folder, '.claude'));
  writeFileSync(
    join(folder, 'list.js'),
    `process.on('exit', () => require('fs').writeFileSync(process.env.LIST, JSON.stringify({
      builtin: process.moduleLoadList, files: Object.keys(require.cache) })));`,
  );
  for (const [name, text] of Object.entries(CONFIGS)) writeFileSync(join(folder, name), text);
  for (const name of Object.keys(CONFIGS)) run(name);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('loaded modules', () => {
  it('one hook: nothing beyond the bare script, and one bundle', () => {
    const base = loaded(BASE, [HOOK]);
    const seen = run('agent.json');
    expect(seen.builtin.filter((name) => !base.builtin.includes(name) && !MORE.includes(name))).toEqual([]);
    expect(bundles(seen)).toEqual(RUN);
  });

  it('no hook matches: no child_process either', () => {
    const seen = run('other.json');
    expect(seen.builtin.filter((name) => /child_process|NativeModule net|stream/.test(name))).toEqual(
      bare().builtin.filter((name) => /child_process|NativeModule net|stream/.test(name)),
    );
    expect(bundles(seen)).toEqual(RUN);
  });

  it.each([
    ['YAML', 'agent.yaml', [], EVENT, []],
    ['a costly pattern: the linear engine', 'costly.json', [], EVENT, ['dist/regex.js']],
    ['a caller that is recognised, and its hooks', '.claude/settings.json', [], CLAUDE_EVENT, ['dist/claude.js']],
    ['a caller that is named', 'agent.json', ['--as', 'claude'], CLAUDE_EVENT, ['dist/claude.js']],
    ['hooks of another room', '.claude/settings.json', [], EVENT, ['dist/claude.js']],
    ['hooks of another room, on an event without any', '.claude/settings.json', [], '{"event":"manual","cwd":"/"}', []],
    ['a WebAssembly hook that does not match', 'wasm.json', [], EVENT, []],
    ['a WebAssembly hook: what starts it, and nothing of what runs it', 'module.json', [], EVENT, ['dist/sandbox.js']],
  ])('with a warm cache: %s', (_, config, more, event, others) => {
    expect(bundles(run(config, more, event))).toEqual([...RUN, ...others].sort());
  });

  it.each([
    ['JSON whose name says nothing', 'agent.json', EVENT, ['dist/config.js']],
    ['YAML: its parser', 'agent.yaml', EVENT, ['dist/config.js', 'dist/yaml.js']],
    ['another room', '.claude/settings.json', CLAUDE_EVENT, ['dist/config.js', 'dist/claude.js']],
  ])('without a cache: %s', (_, config, event, others) => {
    expect(bundles(run(config, ['--no-cache'], event))).toEqual([...RUN, ...others].sort());
  });
});

describe('bundle size', () => {
  it.each(Object.entries(BUNDLE_LIMITS))('dist/%s.js is at most %i bytes', (name, bytes) => {
    expect(statSync(join(ROOT, `dist/${name}.js`)).size).toBeLessThanOrEqual(bytes);
  });
});

type Loaded = { readonly builtin: readonly string[]; readonly files: readonly string[] };

function run(config: string, more: readonly string[] = [], event: string = EVENT): Loaded {
  return loaded(PROGRAM, ['run', ...more, join(folder, config)], event);
}

function loaded(script: string, args: readonly string[], input: string = EVENT): Loaded {
  const list = join(folder, 'list.json');
  const env = { PATH: process.env['PATH'], HOME: folder, LIST: list };
  spawnSync(process.execPath, ['-r', join(folder, 'list.js'), script, ...args], { input, env });
  return JSON.parse(readFileSync(list, 'utf8'));
}

function bare(): Loaded {
  writeFileSync(join(folder, 'bare.js'), '');
  return loaded(join(folder, 'bare.js'), []);
}

function bundles({ files }: Loaded): string[] {
  return files
    .filter((file) => file.startsWith(ROOT))
    .map((file) => file.slice(ROOT.length + 1))
    .sort();
}
