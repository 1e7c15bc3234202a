/**
 * Whole processes, measured in interleaved rounds, and what is made of the figures.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs a command to its end. Throws where it ends in another way than it should. */
export function once({ argv, input = '', env, exits = [0] }) {
  const [command, ...args] = argv;
  const started = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(command, args, { env, input, maxBuffer: 2 ** 30 });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (!exits.includes(status)) throw new Error(`${argv.join(' ')}: exit ${status}: ${stderr}`);
  return { ms, status, stdout };
}

/** Name → its times in each round, in milliseconds; every round in a fresh random order, those that are `slow` in every fifth. */
export function rounds(commands, count, tell) {
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (const command of Object.values(commands)) once(command);
  for (let round = 0; round < count; round++) {
    const due = Object.keys(commands).filter((name) => !commands[name].slow || round % 5 === 0);
    for (const name of shuffled(due)) times[name][round] = once(commands[name]).ms;
    tell();
  }
  return times;
}

export function median(list) {
  const sorted = list.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Of `of(round)` over the rounds in which it can be told. */
export function medianOver(count, of) {
  return median(Array.from({ length: count }, (_, round) => of(round)));
}

/** Node's arguments that write the peak of its memory, and its heap after collections on the way, to a file at its end. */
export function probed(folder) {
  const [script, file] = [join(folder, 'probe.cjs'), join(folder, 'probe.json')];
  writeFileSync(
    script,
    `require('v8').setFlagsFromString('--expose-gc');
     const gc = require('vm').runInNewContext('gc');
     const heaps = [];
     setInterval(() => { gc(); heaps.push(Math.round(process.memoryUsage().heapUsed / 1e4) / 100); }, 250).unref();
     process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(file)},
       JSON.stringify({ heaps, peakMb: Math.round(process.resourceUsage().maxRSS / 1024) })));`,
  );
  return { args: ['-r', script], file };
}

function shuffled(list) {
  return list
    .map((value) => [Math.random(), value])
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);
}
