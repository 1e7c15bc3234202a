/**
 * The hot path is lean: what the everyday `hookctl run` loads, held exactly.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PROGRAM = join(ROOT, 'bin/hookctl.js');
const BASE = join(ROOT, 'test/bench/f-async.js');

/** What `run` may load beyond the bare script that starts one hook: signal handlers. */
const MORE = ['Internal Binding signal_wrap'];

const HOOK = `cat >/dev/null; echo '{"action":"deny","reason":"no"}'`;
const EVENT = '{"event":"preToolCall","cwd":"/","tool":{"name":"bash","input":{}}}';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookctl-lean-'));
  writeFileSync(
    join(folder, 'list.js'),
    `process.on('exit', () => require('fs').writeFileSync(process.env.LIST, JSON.stringify({
      builtin: process.moduleLoadList, files: Object.keys(require.cache) })));`,
  );
  const hook = { command: HOOK };
  writeFileSync(join(folder, 'agent.json'), JSON.stringify({ hooks: { preToolCall: [hook] } }));
  writeFileSync(
    join(folder, 'other.json'),
    JSON.stringify({ hooks: { preToolCall: [{ ...hook, matcher: '^read$' }] } }),
  );
  writeFileSync(
    join(folder, 'agent.yaml'),
    `hooks:\n  preToolCall:\n    - matcher: ^read$\n      command: ${JSON.stringify(HOOK)}\n`,
  );
  writeFileSync(
    join(folder, 'costly.json'),
    JSON.stringify({ hooks: { preToolCall: [{ ...hook, matcher: '(a+)+$' }] } }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('loaded modules', () => {
  it('one hook, JSON: nothing beyond the bare script, and one bundle', () => {
    const base = loaded(BASE, [HOOK]);
    const run = loaded(PROGRAM, ['run', join(folder, 'agent.json')]);
    expect(run.builtin.filter((name) => !base.builtin.includes(name) && !MORE.includes(name))).toEqual([]);
    expect(bundles(run)).toEqual(['bin/hookctl.js', 'dist/run.js']);
  });

  it('no hook matches: no child_process either', () => {
    const run = loaded(PROGRAM, ['run', join(folder, 'other.json')]);
    expect(run.builtin.filter((name) => /child_process|NativeModule net|stream/.test(name))).toEqual(
      bare().builtin.filter((name) => /child_process|NativeModule net|stream/.test(name)),
    );
    expect(bundles(run)).toEqual(['bin/hookctl.js', 'dist/run.js']);
  });

  it('YAML: its parser, and nothing else', () => {
    expect(bundles(loaded(PROGRAM, ['run', join(folder, 'agent.yaml')]))).toEqual([
      'bin/hookctl.js',
      'dist/run.js',
      'dist/yaml.js',
    ]);
  });

  it('a costly pattern: the linear engine', () => {
    expect(bundles(loaded(PROGRAM, ['run', join(folder, 'costly.json')]))).toEqual([
      'bin/hookctl.js',
      'dist/regex.js',
      'dist/run.js',
    ]);
  });
});

describe('bundle size', () => {
  it.each([
    ['run', 480],
    ['yaml', 300],
    ['regex', 320],
    ['cli', 720],
  ])('dist/%s.js is at most %i KB', (name, kilobytes) => {
    expect(statSync(join(ROOT, `dist/${name}.js`)).size / 1000).toBeLessThan(kilobytes);
  });
});

type Loaded = { readonly builtin: readonly string[]; readonly files: readonly string[] };

function loaded(script: string, args: readonly string[]): Loaded {
  const list = join(folder, 'list.json');
  const env = { PATH: process.env['PATH'], LIST: list };
  spawnSync(process.execPath, ['-r', join(folder, 'list.js'), script, ...args], { input: EVENT, env });
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
