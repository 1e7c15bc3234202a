/**
 * Sizes beyond the everyday: large events and long streams, with the memory that they take.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once as happens } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, probed } from './measure.mjs';
import { HOOKCTL } from './setting.mjs';

const MB = 1024 * 1024;
const EVENT_BYTES = 64 * MB;

/** Peak memory and time of one run on each kind of large event, in MB and milliseconds. */
export function largeEvents(folder) {
  const config = join(folder, 'large.json');
  writeFileSync(config, JSON.stringify({ hooks: { preToolCall: [{ command: 'wc -c >/dev/null' }] } }));
  const inputs = {
    'one string': `"${'x'.repeat(EVENT_BYTES - 200)}"`,
    'an array of numbers': `[${'1,'.repeat(EVENT_BYTES / 2 - 200)}1]`,
  };
  return Object.entries(inputs).map(([name, value]) => {
    const probe = probed(folder);
    const input = `{"event":"preToolCall","cwd":"/","tool":{"name":"bash","input":{"value":${value}}}}`;
    const started = Date.now();
    const { status, stderr } = spawnSync(process.execPath, [...probe.args, HOOKCTL, 'run', config], {
      input,
      env: envOf(folder),
    });
    if (status !== 0) throw new Error(`64 MB event: exit ${status}: ${stderr}`);
    return { name, bytes: input.length, ms: Date.now() - started, peakMb: readProbe(probe).peakMb };
  });
}

/** A million events through one stream: microseconds an event, and the largest heap of its first and of its second half, in MB. */
export async function longStream(folder, count) {
  const config = join(folder, 'long.json');
  writeFileSync(config, JSON.stringify({ hooks: { preToolCall: [{ matcher: '^bash$', command: 'true' }] } }));
  const probe = probed(folder);
  const child = spawn(process.execPath, [...probe.args, HOOKCTL, 'run', '--stream', config], {
    env: envOf(folder),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let answers = 0;
  child.stdout.on('data', (chunk) => {
    for (const byte of chunk) if (byte === 10) answers++;
  });
  const closed = happens(child, 'close');
  const started = Date.now();
  for (let id = 0; id < count; id += 1_000) {
    const lines = Array.from(
      { length: 1_000 },
      (_, n) =>
        `{"id":${id + n},"event":"preToolCall","cwd":"/","tool":{"name":"tool${id + n}","input":{"path":"/etc/hosts"}}}\n`,
    );
    if (!child.stdin.write(lines.join(''))) await happens(child.stdin, 'drain');
  }
  child.stdin.end();
  const [status] = await closed;
  if (status !== 0 || answers !== count) throw new Error(`stream: exit ${status}, ${answers} answers`);
  const { heaps, peakMb } = readProbe(probe);
  const half = heaps.length >> 1;
  const [first, second] = [heaps.slice(0, half), heaps.slice(half)];
  return {
    events: count,
    microseconds: ((Date.now() - started) / count) * 1_000,
    heapMb: { first: Math.max(...first), second: Math.max(...second), medians: [median(first), median(second)] },
    peakMb,
  };
}

function readProbe({ file }) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function envOf(folder) {
  return { PATH: process.env.PATH, HOME: folder };
}
