/**
 * Real Node binaries of other versions, from the npm registry: old ones are refused closed, newer ones run.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, 'bin/hookctl.js');
const NODES = join(ROOT, 'node_modules/.cache/hookctl-nodes');
const PACKAGE = `node-${process.platform}-${process.arch}`;

const OLD = ['12.22.12', '16.20.2', '18.20.8'];
const NEW = ['22.22.0', '24.13.0'];

const event = (name: string) =>
  JSON.stringify({
    event: name,
    cwd: '/',
    prompt: 'x',
    tool: { name: 'bash', input: { command: 'git push --force' } },
  });

beforeAll(() => {
  for (const version of [...OLD, ...NEW]) install(version);
});

describe.each(OLD)('Node %s is refused', (version) => {
  it.each([
    ['preToolCall', 'deny', 2],
    ['preGeneration', 'stop', 2],
    ['postGeneration', undefined, 0],
  ])('%s', (name, action, exit) => {
    const ran = run(version, event(name));
    expect(JSON.parse(ran.stdout).action).toBe(action);
    expect(ran.stdout.trim().split('\n')).toHaveLength(1);
    expect(ran.stderr).toContain(`Node ${version} is too old`);
    expect(ran.status).toBe(exit);
  });

  it('an event that cannot be read', () => {
    const ran = run(version, 'not json');
    expect(JSON.parse(ran.stdout)).toMatchObject({ action: 'deny', source: { kind: 'hookctl' } });
    expect(ran.status).toBe(2);
  });
});

describe.each(NEW)('Node %s', (version) => {
  it('denies a force-push and lets another tool pass', () => {
    expect(run(version, event('preToolCall')).stdout).toContain('"action":"deny"');
    expect(run(version, event('preToolCall'), 'demos/wasm/agent.yaml').stdout).toContain('"kind":"decision"');
    const other = event('preToolCall').replace('bash', 'read');
    expect(run(version, other)).toMatchObject({ stdout: '{"event":"preToolCall"}\n', stderr: '', status: 0 });
  });
});

function run(version: string, input: string, config = 'demos/hooks/agent.yaml') {
  const node = join(NODES, version, 'node_modules', PACKAGE, 'bin/node');
  const args = [PROGRAM, 'run', join(ROOT, config)];
  return spawnSync(node, args, { input, encoding: 'utf8', env: { PATH: process.env['PATH'] } });
}

function install(version: string): void {
  const folder = join(NODES, version);
  if (existsSync(join(folder, 'node_modules', PACKAGE, 'bin/node'))) return;
  mkdirSync(folder, { recursive: true });
  execFileSync(
    'npm',
    ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', `${PACKAGE}@${version}`],
    { stdio: 'inherit' },
  );
}
