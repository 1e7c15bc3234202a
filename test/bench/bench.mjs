/**
 * Speed as ratios: every command is run in each round, in a fresh random order, and compared with its base in the same round. Then
 * sizes, and what became of the hard cases.
 *
 *     npm run bench                     25 rounds; the peers are installed into test/bench/peers when they are not there
 *     npm run bench -- --rounds 9       fewer
 *     npm run bench -- --no-peers       hookctl and the floors alone
 *     npm run bench -- --quick          no sizes, no hard cases
 *
 * Milliseconds depend on the machine and the hour, ratios much less: quote ratios. Fails on the exact gates alone (bundle size; the
 * loaded modules are held by `npm test`). Writes test/bench/result.json.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchEmit, benchServe } from './events.mjs';
import { hardCases } from './hard-cases.mjs';
import { BUNDLE_LIMITS } from './limits.mjs';
import { median, medianOver, rounds } from './measure.mjs';
import { largeEvents, longStream } from './scale.mjs';
import { commandsIn, PEERS, ROOT } from './setting.mjs';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '25' }, 'no-peers': { type: 'boolean' }, quick: { type: 'boolean' } },
});
const count = Number(values.rounds);
const PAIRS = [
  ['an empty ESM file', 'node -e 0'],
  ['sh hook alone', 'node -e 0'],
  ['F_async', 'node -e 0'],
  ['run, one hook', 'F_async', 1.1],
  ['run, one hook', 'node -e 0', 1.5],
  ['run, no hook matches', 'node -e 0', 1.2],
  ['run, 6 hooks', 'node -e 0'],
  ['run, 6 hooks, no cache', 'node -e 0', 2.3],
  ['run, 6 hooks, YAML, no cache', 'node -e 0', 2.3],
  ['run, 1,000 hooks', 'run, 6 hooks', 1.1],
  ['run, 10,000 hooks', 'run, 6 hooks'],
  ['run, 10,000 hooks, no cache', 'run, 6 hooks'],
  ['stream, 1,000 events, one hook each', 'dash loop of 1,000', 2],
  ['validate 1,000 files', 'parse 1,000 files of 20 hooks', 4],
];
/** Against the same question: what hookctl is measured by, the peer, and at most 1. */
const RIVALS = [
  ['hookctl, no hook matches: git status', 'block-no-verify: git status', 1],
  ['hookctl, no hook matches: git status', 'cc-safety-net: git status', 1],
  ['hookctl, one hook: git status', 'block-no-verify: git status', 1],
  ['hookctl, one hook: git status', 'cc-safety-net: git status', 1],
  ['hookctl, one hook: git commit --no-verify -m x', 'block-no-verify: git commit --no-verify -m x', 1],
  ['hookctl, one hook: git reset --hard', 'cc-safety-net: git reset --hard', 1],
  ['run, one hook', "Gemini CLI's runner, one hook", 1],
];
/** (many − few) of each: what 99 hooks more, or 9,999 events more, cost. */
const SLOPES = [
  ['run, chain of 100', 'run, one hook', 'spawn loop of 100', 'spawn loop of 1', 1.1],
  ['run, chain of 100', 'run, one hook', 'dash loop of 100', 'dash loop of 1', 1.7],
];
const PEER_SLOPES = [
  ['run, chain of 100', 'run, one hook', "Gemini CLI's runner, chain of 100", "Gemini CLI's runner, one hook", 1],
];

const hasPeers = values['no-peers'] ? false : installPeers();
const folder = mkdtempSync(join(tmpdir(), 'hookctl-bench-'));
const loadBefore = loadavg();
try {
  const commands = hasPeers ? commandsIn(folder) : withoutPeers(commandsIn(folder));
  const times = rounds(commands, count, () => process.stderr.write('.'));
  process.stderr.write('\n');
  const result = {
    environment: environmentOf(loadBefore),
    ratios: ratiosOf(times),
    medians: Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)])),
    sizes: Object.entries(BUNDLE_LIMITS).map(([name, limit]) => ({
      name,
      bytes: statSync(join(ROOT, `dist/${name}.js`)).size,
      limit,
    })),
    ...(values.quick
      ? {}
      : {
          events: largeEvents(folder),
          stream: await longStream(folder, 1_000_000),
          observers: [...(await benchEmit({ rounds: count })), ...(await benchServe())],
          hardCases: hardCases(folder),
        }),
  };
  print(result);
  writeFileSync(fileURLToPath(new URL('result.json', import.meta.url)), `${JSON.stringify(result, null, 2)}\n`);
  process.exitCode = result.sizes.some(({ bytes, limit }) => bytes > limit) ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Into a folder of their own; their scripts are not run. Without a registry the bench goes on without them. */
function installPeers() {
  if (existsSync(PEERS)) return true;
  process.stderr.write('installing the peers into test/bench/peers …\n');
  const args = ['install', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: join(PEERS, '..'), stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.stderr.write('the peers cannot be installed; going on without them\n');
  return status === 0;
}

function withoutPeers(commands) {
  const names = [...RIVALS.flat(), ...PEER_SLOPES.flat()].filter((name) => /no-verify|safety-net|Gemini/.test(name));
  return Object.fromEntries(Object.entries(commands).filter(([name]) => !names.includes(name)));
}

function ratiosOf(times) {
  const has = (...names) => names.every((name) => times[name] !== undefined);
  const pairs = [...PAIRS, ...RIVALS].filter(([name, base]) => has(name, base));
  const slopes = [...SLOPES, ...PEER_SLOPES].filter((names) => has(...names.slice(0, 4)));
  const at = (name, round) => times[name][round];
  return [
    ...pairs.map(([name, base, target]) => ({
      name,
      base,
      ratio: medianOver(count, (n) => at(name, n) / at(base, n)),
      target,
    })),
    ...slopes.map(([many, few, baseMany, baseFew, target]) => ({
      name: `${many}, slope`,
      base: `${baseMany}, slope`,
      ratio: medianOver(count, (n) => (at(many, n) - at(few, n)) / (at(baseMany, n) - at(baseFew, n))),
      target,
    })),
    {
      name: 'stream, no hook, an event',
      base: 'node -e 0',
      ratio: medianOver(
        count,
        (n) => (at('stream, 10,000 events, no hook', n) - at('stream, 1 event', n)) / 9_999 / at('node -e 0', n),
      ),
      target: 0.003,
    },
  ];
}

function environmentOf(before) {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    rounds: count,
    load: { before: before[0], after: loadavg()[0] },
  };
}

function print({ environment, ratios, sizes, events, stream, observers, hardCases: cases }) {
  const { node, platform, cpu, cores, load } = environment;
  console.log(
    `\n${node}, ${platform}, ${cpu} × ${cores}, ${count} rounds, medians; load ${load.before} to ${load.after}\n`,
  );
  for (const { name, base, ratio, target } of ratios) {
    const goal = target === undefined ? '' : `   target ${target}${ratio > target ? '   MISSED' : ''}`;
    console.log(`${name.padEnd(48)} / ${base.padEnd(46)} ${ratio.toFixed(ratio < 0.1 ? 5 : 2).padStart(8)}${goal}`);
  }
  console.log('');
  for (const { name, bytes, limit } of sizes) console.log(`dist/${name}.js`.padEnd(28), `${bytes} bytes of ${limit}`);
  for (const { name, peakMb, ms } of events ?? [])
    console.log(`64 MB event, ${name}: peak ${peakMb} MB (target 350), ${ms} ms`);
  if (stream !== undefined) {
    const { heapMb } = stream;
    console.log(
      `${stream.events} streamed events: ${stream.microseconds.toFixed(0)} µs an event, heap ${heapMb.first} MB, then ${heapMb.second} MB, peak ${stream.peakMb} MB`,
    );
  }
  for (const [what, figure, target] of observers ?? [])
    console.log(`${what}: ${figure}${target === '' ? '' : `   target ${target}`}`);
  for (const one of cases ?? []) console.log(`${one.case.padEnd(64)} ${one.who.padEnd(20)} ${one.did}`);
}
