/**
 * Speed as ratios: every command is run in each round, in a fresh random order, and compared with its base in the same round.
 *
 *     npm run bench                  25 rounds
 *     npm run bench -- --rounds 9
 *
 * Milliseconds depend on the machine and the hour, ratios much less: quote ratios. Fails on the exact gates alone (bundle size).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchEmit, benchServe } from './events.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const rounds = Number(process.argv[process.argv.indexOf('--rounds') + 1] || 25) || 25;
const folder = mkdtempSync(join(tmpdir(), 'hookctl-bench-'));
const node = process.execPath;
const env = { PATH: process.env.PATH, HOME: folder };

const ANSWER = `cat >/dev/null; echo '{"action":"allow"}'`;
const event = JSON.stringify({
  event: 'preToolCall',
  cwd: folder,
  tool: { name: 'bash', input: { command: 'git push origin main' } },
});
const yaml = (name, hooks) => {
  const file = join(folder, name);
  const lines = hooks.flatMap((hook) =>
    Object.entries(hook).map(([key, value], n) => `    ${n === 0 ? '-' : ' '} ${key}: ${JSON.stringify(value)}\n`),
  );
  writeFileSync(file, `hooks:\n  preToolCall:\n${lines.join('')}`);
  return file;
};
const config = (name, hooks) => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ hooks: { preToolCall: hooks } }, null, 1));
  return file;
};
const one = config('one.json', [{ command: ANSWER }]);
const other = config('other.json', [{ command: ANSWER, matcher: '^read$' }]);
const six = Array.from({ length: 6 }, (_, n) => ({
  name: `hook ${n}`,
  command: ANSWER,
  matcher: n === 0 ? '^bash$' : '^read$',
  onError: 'fail',
  timeout: '5s',
}));
const hundred = Array.from({ length: 100 }, () => ({ command: ANSWER }));
const loop = join(folder, 'loop.sh');
writeFileSync(
  loop,
  `e=$(cat)\ni=0\nwhile [ $i -lt $1 ]; do printf '%s\\n' "$e" | sh -c '${ANSWER.replaceAll("'", "'\\''")}' >/dev/null; i=$((i+1)); done\n`,
);
writeFileSync(join(folder, 'empty.mjs'), '');

const many = join(folder, 'many');
for (let n = 0; n < 1_000; n++) {
  mkdirSync(join(many, String(n)), { recursive: true });
  const hooks = Array.from(
    { length: 20 },
    (_, i) =>
      `    - name: guard ${n} ${i}\n      matcher: ^(bash|edit${i})$\n      command: node "$MM_CONFIG_DIR/guard.js" --strict ${n} ${i}\n      onError: fail\n      timeout: 5s\n`,
  );
  writeFileSync(join(many, String(n), 'agent.yaml'), `hooks:\n  preToolCall:\n${hooks.join('')}`);
}
writeFileSync(
  join(folder, 'parse.cjs'),
  `const { parseDocument } = require(${JSON.stringify(join(root, 'node_modules/yaml'))});
   const { readFileSync } = require('fs');
   for (let n = 0; n < 1000; n++) parseDocument(readFileSync(${JSON.stringify(many)} + '/' + n + '/agent.yaml', 'utf8'));`,
);

const run = (file) => [node, join(root, 'bin/hookctl.js'), 'run', file];
const COMMANDS = {
  'node -e 0': [node, '-e', '0'],
  'empty ESM file': [node, join(folder, 'empty.mjs')],
  'sh hook alone': ['/bin/sh', '-c', ANSWER],
  'bare async script': [node, join(here, 'f-async.js'), ANSWER],
  'run, one hook': run(one),
  'run, no hook matches': run(other),
  'run, 6 hooks, JSON': run(config('six.json', six)),
  'run, 6 hooks, YAML': run(yaml('six.yaml', six)),
  'run, chain of 100': run(config('hundred.json', hundred)),
  'spawn loop of 1': [node, join(here, 'spawn-loop.js'), '1', ANSWER],
  'spawn loop of 100': [node, join(here, 'spawn-loop.js'), '100', ANSWER],
  'dash loop of 1': ['/bin/sh', loop, '1'],
  'dash loop of 100': ['/bin/sh', loop, '100'],
  'parse 1,000 files of 20 hooks': [node, join(folder, 'parse.cjs')],
  'validate 1,000 files': [node, join(root, 'bin/hookctl.js'), 'validate', '--no-scripts', '--no-shellcheck', many],
};

/** What is compared, and the target of the finished product where there is one. Slopes are (100 − 1) / 99 hooks. */
const RATIOS = [
  ['empty ESM file', 'node -e 0'],
  ['sh hook alone', 'node -e 0'],
  ['bare async script', 'node -e 0'],
  ['run, one hook', 'bare async script', '1.10 with a warm config cache'],
  ['run, one hook', 'node -e 0', '1.50 with a warm config cache'],
  ['run, no hook matches', 'node -e 0', '1.20'],
  ['run, 6 hooks, JSON', 'node -e 0', '2.3'],
  ['run, 6 hooks, YAML', 'node -e 0', '2.3'],
  ['validate 1,000 files', 'parse 1,000 files of 20 hooks', '4'],
];
const SLOPES = [
  ['run, chain of 100', 'run, one hook', 'spawn loop of 100', 'spawn loop of 1', '1.10'],
  ['run, chain of 100', 'run, one hook', 'dash loop of 100', 'dash loop of 1', '1.7'],
];
const BUNDLE_LIMITS = { run: 480_000, yaml: 300_000, regex: 320_000, cli: 720_000 };

const times = Object.fromEntries(Object.keys(COMMANDS).map((name) => [name, []]));
for (const name of Object.keys(COMMANDS)) once(name);
/** Those of seconds are run in every fifth round. */
const isSlow = (name) => name.includes('1,000');
for (let round = 0; round < rounds; round++) {
  const due = Object.keys(COMMANDS).filter((name) => !isSlow(name) || round % 5 === 0);
  for (const name of shuffled(due)) times[name].push(once(name));
  process.stderr.write('.');
}
process.stderr.write('\n');
rmSync(folder, { recursive: true, force: true });

const ratios = [
  ...RATIOS.map(([name, base, target]) => ({
    name,
    base,
    ratio: median(times[name].map((ms, n) => ms / times[base][n])),
    target,
  })),
  ...SLOPES.map(([many, few, baseMany, baseFew, target]) => ({
    name: `${many}, slope`,
    base: `${baseMany}, slope`,
    ratio: median(times[many].map((ms, n) => (ms - times[few][n]) / (times[baseMany][n] - times[baseFew][n]))),
    target,
  })),
];
const sizes = Object.entries(BUNDLE_LIMITS).map(([name, limit]) => ({
  name,
  bytes: statSync(join(root, `dist/${name}.js`)).size,
  limit,
}));
const environment = {
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
  cpu: cpus()[0]?.model,
  cores: cpus().length,
  rounds,
};

console.log(
  `\n${environment.node}, ${environment.platform}, ${environment.cpu} × ${environment.cores}, ${rounds} rounds, medians\n`,
);
for (const { name, base, ratio, target } of ratios) {
  console.log(
    `${name.padEnd(28)} / ${base.padEnd(26)} ${ratio.toFixed(2).padStart(6)}${target ? `   target ${target}` : ''}`,
  );
}
for (const { name, bytes, limit } of sizes) console.log(`dist/${name}.js`.padEnd(28), `${bytes} bytes of ${limit}`);
const events = [...(await benchEmit({ rounds })), ...(await benchServe())];
for (const [what, figure, target] of events)
  console.log(`${what}: ${figure}${target === '' ? '' : `   target ${target}`}`);
const medians = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
writeFileSync(
  join(here, 'result.json'),
  `${JSON.stringify({ environment, ratios, medians, sizes, events }, null, 2)}\n`,
);
process.exit(sizes.some(({ bytes, limit }) => bytes > limit) ? 1 : 0);

/** Milliseconds of one whole process. */
function once(name) {
  const [command, ...args] = COMMANDS[name];
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync(command, args, { env, input: event });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (status !== 0) throw new Error(`${name}: exit ${status}: ${stderr}`);
  return ms;
}

function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

function shuffled(list) {
  return list
    .map((value) => [Math.random(), value])
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);
}
