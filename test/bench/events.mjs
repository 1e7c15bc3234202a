/**
 * Events that nobody waits for, as ratios: `emit` with ten slow hooks against none; `hookctl serve`: events a second against a bare
 * node:http server, the heap over 100,000 events, 200 subscribers.
 */
import { fork, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const TOKEN = 'bench-token-0123456789';
const AT_ONCE = 16;
const SUBSCRIBERS = 200;
const EVENT = JSON.stringify({
  event: 'tool_call',
  timestamp: '2026-03-21T08:15:30.123Z',
  session_id: 's',
  payload: { tool: 'bash', success: true, output: 'x'.repeat(200) },
});

/** What a supervisor needs to start would fall into the next round. */
const PAUSE_MS = 400;

/** Rows of [what, figure, target]. */
export async function benchEmit({ rounds = 15 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hookctl-bench-emit-'));
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, HOOKCTL_LOG: 'none' };
  const file = (name, count) => {
    const actions = Array.from({ length: count }, () => ({ command: 'sleep', args: ['2'] }));
    writeFileSync(join(folder, name), JSON.stringify({ hooks: { tool_call: actions, error: [] } }));
    return name;
  };
  const once = async (name) => {
    // After a pause a processor is slow: wake it.
    spawnSync(process.execPath, ['-e', '0'], { env });
    const started = performance.now();
    const { status } = spawnSync(process.execPath, [join(root, 'bin/hookctl.js'), 'emit', `prx:${name}`], {
      cwd: folder,
      env,
      input: EVENT,
    });
    const ms = performance.now() - started;
    if (status !== 0) throw new Error(`emit ${name}: exit ${status}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    return ms;
  };
  const [none, ten] = [file('none.json', 0), file('ten.json', 10)];
  await once(none);
  await once(ten);
  const ratios = [];
  for (let round = 0; round < rounds; round += 1) ratios.push((await once(ten)) / (await once(none)));
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return [['emit with ten slow hooks, against none', median(ratios).toFixed(2), '1.3']];
}

/** Rows of [what, figure, target]; `events` for the heap. */
export async function benchServe({ events = 100_000, rounds = 5 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'hookctl-bench-serve-'));
  writeFileSync(join(folder, 'hooks.json'), '{ "hooks": {} }');
  writeFileSync(
    join(folder, 'probe.cjs'),
    "process.on('message', () => { gc(); gc(); process.send(process.memoryUsage().heapUsed); }); process.channel?.unref();",
  );
  const bare = createServer((incoming, response) => {
    incoming.resume();
    incoming.on('end', () => {
      response.writeHead(202, { 'content-type': 'application/json' });
      response.end('{"event":"tool_call"}');
    });
  });
  await new Promise((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const { child, port } = await start(folder);
  try {
    const ratios = [];
    for (let round = 0; round < rounds; round += 1) {
      const floor = await rate(bare.address().port, 4_000);
      ratios.push((await rate(port, 4_000)) / floor);
    }
    const rows = [['serve: events a second, against bare node:http', median(ratios).toFixed(2), '']];
    await rate(port, 10_000);
    const before = await heap(child);
    await rate(port, events);
    const after = await heap(child);
    rows.push([
      `serve: heap after ${events.toLocaleString('en')} events more, against before`,
      (after / before).toFixed(3),
      '1.05',
    ]);
    rows.push(...(await subscribers(port)));
    return rows;
  } finally {
    child.kill('SIGKILL');
    bare.close();
    bare.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  }
}

function start(folder) {
  const child = fork(
    join(root, 'bin/hookctl.js'),
    ['serve', 'hooks.json', '--listen', '127.0.0.1:0', '--log', 'none'],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, HOOKCTL_TOKEN: TOKEN },
      execArgv: ['--expose-gc', '-r', join(folder, 'probe.cjs')],
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  return new Promise((resolve) => {
    child.stdout.once('data', (line) => resolve({ child, port: Number(/:(\d+)"/.exec(String(line))[1]) }));
  });
}

function heap(child) {
  return new Promise((resolve) => {
    child.once('message', resolve);
    child.send('heap');
  });
}

/** Events a second. */
async function rate(port, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const started = performance.now();
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      await post(port, agent, EVENT);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  agent.destroy();
  return count / ((performance.now() - started) / 1_000);
}

function post(port, agent, body) {
  const headers = {
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const call = request(
      { port, host: '127.0.0.1', agent, method: 'POST', path: '/api/events', headers },
      (response) => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 202 ? resolve() : reject(new Error(String(response.statusCode))),
        );
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

/** Each hears every event, in order; one that never reads is cut off and slows nobody. */
async function subscribers(port) {
  const heard = Array.from({ length: SUBSCRIBERS }, () => []);
  const streams = await Promise.all(heard.map((list) => subscribe(port, list)));
  const stuck = await subscribe(port, undefined);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const count = 2_000;
  const padding = 'x'.repeat(2_000);
  for (let n = 0; n < count; n += 1) {
    await post(port, agent, JSON.stringify({ event: 'turn_complete', session_id: String(n), payload: { padding } }));
  }
  const deadline = performance.now() + 30_000;
  while (heard.some((list) => list.length < count) && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const complete = heard.filter((list) => list.length === count && list.every((id, n) => id === n)).length;
  agent.destroy();
  for (const stream of [...streams, stuck]) stream.destroy();
  return [
    [
      `serve: of ${SUBSCRIBERS} subscribers beside one that never reads, those who heard ${count.toLocaleString('en')} events in order`,
      String(complete),
      String(SUBSCRIBERS),
    ],
  ];
}

function subscribe(port, list) {
  return new Promise((resolve) => {
    const call = request(
      { port, host: '127.0.0.1', agent: false, path: '/api/events', headers: { authorization: `Bearer ${TOKEN}` } },
      (response) => {
        if (list === undefined) response.pause();
        else read(response, list);
        resolve(call);
      },
    );
    call.on('error', () => {});
    call.end();
  });
}

function read(response, list) {
  let left = '';
  response.setEncoding('utf8');
  response.on('data', (chunk) => {
    const blocks = (left + chunk).split('\n\n');
    left = blocks.pop();
    for (const block of blocks) {
      const id = /"session_id":"(\d+)"/.exec(block)?.[1];
      if (id !== undefined) list.push(Number(id));
    }
  });
  response.on('error', () => {});
}

function median(list) {
  return [...list].sort((a, b) => a - b)[list.length >> 1];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [what, figure, target] of [...(await benchEmit()), ...(await benchServe())])
    console.log(`${what}: ${figure}${target === '' ? '' : ` (target ${target})`}`);
}
