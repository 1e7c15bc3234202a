/**
 * `npm test`: everything that needs Node alone. `npm run test:system`: what needs more.
 *
 * Each step is a check; the tests count one by one. The last line reads `N passed, N failed`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => join(root, 'node_modules/.bin', name);

const STEPS = [
  ['format and lint', () => runs(bin('biome'), ['ci', '--error-on-warnings', '.'])],
  ['types', () => runs(bin('tsc'), ['-p', '.'])],
  ['build', () => runs(process.execPath, ['scripts/build.mjs'])],
  ['tests', () => vitest(['--config', 'vitest.config.mts'])],
  ['package', () => runs(bin('publint'), ['run', '--strict'])],
  [
    'demos: no findings',
    () =>
      runs(process.execPath, [
        'bin/hookctl.js',
        'validate',
        '--no-shellcheck',
        '--strict',
        'demos/hooks',
        'demos/redact',
        'demos/languages',
        'demos/claude-code',
        'demos/kiro',
        'demos/wasm',
        'demos/stream',
        'demos/prx/audit',
        'demos/prx/channels',
        'demos/prx/latency',
        'demos/prx/session',
        'demos/prx/plugins/audit-logger/plugin.toml',
      ]),
  ],
  ['demo: a force-push is denied', () => demo('git push -f origin main', 2)],
  ['demo: a plain push passes', () => demo('git push origin main', 0)],
];
const SYSTEM_STEPS = [
  ['build', () => runs(process.execPath, ['scripts/build.mjs'])],
  ['system tests', () => vitest(['--config', 'test/system/vitest.config.mts'])],
];

const totals = { passed: 0, failed: 0 };
for (const [name, check] of process.argv.includes('--system') ? SYSTEM_STEPS : STEPS) {
  console.log(`\n=== ${name}`);
  const { passed, failed } = check();
  totals.passed += passed;
  totals.failed += failed;
  if (failed > 0) console.log(`FAILED: ${name}`);
}
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed > 0 ? 1 : 0);

function runs(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Counts the single tests; a run that gives no count, or is red without a failed test, is one failure more. */
function vitest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'hookctl-test-'));
  const file = join(folder, 'result.json');
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${file}`];
  const { status } = spawnSync(bin('vitest'), ['run', ...args, ...reporters], { cwd: root, stdio: 'inherit' });
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(file, 'utf8'));
    return { passed, failed: failed + (status !== 0 && failed === 0 ? 1 : 0) + (passed + failed === 0 ? 1 : 0) };
  } catch {
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function demo(command, wanted) {
  const input = JSON.stringify({ event: 'preToolCall', cwd: '/tmp', tool: { name: 'bash', input: { command } } });
  const ran = spawnSync(process.execPath, ['bin/hookctl.js', 'run', 'demos/hooks/agent.yaml'], {
    cwd: root,
    input,
    encoding: 'utf8',
  });
  const denied = /"action":"deny"/.test(ran.stdout);
  if (ran.status === wanted && denied === (wanted === 2)) return { passed: 1, failed: 0 };
  console.log(ran.stdout, ran.stderr, `exit ${ran.status}`);
  return { passed: 0, failed: 1 };
}
