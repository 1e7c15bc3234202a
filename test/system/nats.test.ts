/**
 * The bus on a real nats-server: events cross machines, hooks do not; what happens while it is away.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Folder, hookctl, makeFolder, Served, until } from '../harness/served';

const ERROR = {
  event: 'error',
  timestamp: '2026-03-21T08:15:30.123Z',
  session_id: 's',
  payload: { component: 'c', message: 'm' },
};
const LINE = JSON.stringify(ERROR);
const HOOKS = { hooks: { error: [{ command: 'true' }] } };
const cleanUps: (() => unknown)[] = [];

beforeAll(() => {
  if (spawnSync('nats-server', ['--version']).status !== 0) throw new Error('nats-server is needed: install it');
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

async function nats(port: number, ...args: string[]): Promise<ChildProcess> {
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  cleanUps.unshift(() => child.kill('SIGKILL'));
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  await until(() => log.includes('Server is ready'));
  return child;
}

function folder(hooks: unknown = HOOKS): Folder {
  const made = makeFolder(hooks);
  cleanUps.push(made.remove);
  return made;
}

async function serving(in_: Folder, ...args: string[]): Promise<Served> {
  const served = await Served.start(in_, ['hooks.json', '--listen', '127.0.0.1:0', ...args]);
  cleanUps.unshift(() => served.stop('SIGKILL'));
  return served;
}

/** `hookctl listen`, ready to hear. */
async function listening(in_: Folder, url: string, ...args: string[]) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '../../bin/hookctl.js'), 'listen', ...args, '--bus', url],
    {
      cwd: in_.path,
      env: in_.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  cleanUps.unshift(() => child.kill('SIGKILL'));
  const heard = { out: '', err: '', code: undefined as number | null | undefined };
  child.stdout.on('data', (chunk) => {
    heard.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    heard.err += chunk;
  });
  child.on('exit', (code) => {
    heard.code = code;
  });
  await until(() => heard.err.includes('connected to'));
  // A moment for the subscription, which follows the connection.
  await new Promise((resolve) => setTimeout(resolve, 100));
  return heard;
}

const status = async (served: Served) => JSON.parse((await served.ask('GET', '/api/status')).body);

describe('events on NATS', () => {
  it('reach listeners by each kind of pattern, byte for byte, once', async () => {
    const port = await freePort();
    await nats(port);
    const url = `nats://127.0.0.1:${port}`;
    const one = folder();
    const heard = await Promise.all([
      listening(one, url, 'prx.lifecycle.error', '--count', '1'),
      listening(one, url, '--count', '1'),
      listening(one, url, 'prx.*', 'prx.lifecycle.error', 'prx.lifecycle.*', '--timeout', '4s'),
      listening(one, url, '*', '--count', '1'),
      listening(one, url, 'prx.lifecycle.tool_call', '--timeout', '4s'),
    ]);
    expect(await hookctl(one, ['emit', '--bus', url], LINE)).toEqual({ code: 0, stdout: '', stderr: '' });
    await until(() => heard.every(({ code }) => code !== undefined));
    expect(heard.map(({ out }) => out)).toEqual([`${LINE}\n`, `${LINE}\n`, `${LINE}\n`, `${LINE}\n`, '']);
    expect(heard.map(({ code }) => code)).toEqual([0, 0, 1, 0, 1]);
  });

  it('are shared by servers, while hooks run only where the event was emitted', async () => {
    const port = await freePort();
    await nats(port);
    const url = `nats://127.0.0.1:${port}`;
    const [here, there] = [await serving(folder(), '--bus', url), await serving(folder(), '--bus', url)];
    await until(async () => (await status(here)).bus.up && (await status(there)).bus.up);
    const streams = [here.stream(), there.stream()];
    await Promise.all(streams.map(({ open }) => open));
    await here.ask('POST', '/api/events', ERROR);
    await until(() => streams.every(({ told }) => told.length === 1));
    expect(streams.map(({ told }) => told[0])).toEqual(Array(2).fill({ topic: 'prx.lifecycle.error', data: LINE }));
    await until(async () => (await status(here)).runs.ok === 1);
    expect((await status(there)).runs.ok).toBe(0);
    const reached = await hookctl(folder(), ['emit', 'hooks.json', '--bus', url, '--wait'], LINE);
    expect(reached.code).toBe(0);
    await until(() => streams.every(({ told }) => told.length === 2));
    expect((await status(there)).runs.ok).toBe(0);
  });

  it('that are none are dropped and counted', async () => {
    const port = await freePort();
    await nats(port);
    const url = `nats://127.0.0.1:${port}`;
    const served = await serving(folder(), '--bus', url);
    await until(async () => (await status(served)).bus.up);
    const stream = served.stream();
    await stream.open;
    const { connect } = await import('@nats-io/transport-node');
    const connection = await connect({ servers: url });
    connection.publish('prx.lifecycle.error', 'no');
    connection.publish('prx.lifecycle.tool_call', LINE);
    connection.publish('prx.lifecycle.error', LINE);
    await connection.drain();
    await until(() => stream.told.length === 1);
    await until(async () => (await status(served)).events.dropped === 2);
  });

  it('carry the depth, an id and who sent them', async () => {
    const port = await freePort();
    await nats(port);
    const url = `nats://127.0.0.1:${port}`;
    const { connect } = await import('@nats-io/transport-node');
    const connection = await connect({ servers: url });
    const subscription = connection.subscribe('prx.>', { max: 1 });
    await connection.flush();
    const one = folder();
    await hookctl({ ...one, env: { ...one.env, HOOKCTL_DEPTH: '3' } }, ['emit', '--bus', url], LINE);
    for await (const { headers, data } of subscription) {
      expect(new TextDecoder().decode(data)).toBe(LINE);
      expect([
        headers?.get('Hookctl-Depth'),
        headers?.get('Hookctl-Id').length,
        headers?.get('Hookctl-Origin').length,
      ]).toEqual(['3', 36, 36]);
    }
    await connection.close();
  });
});

describe('while NATS is away', () => {
  it('local hooks run, with one warning: at once when refused, within a second when silent', async () => {
    const port = await freePort();
    const one = folder();
    const refused = await hookctl(
      one,
      ['emit', 'hooks.json', '--wait', '--bus', `nats://u:s3cret@127.0.0.1:${port}`, '--log', 'log'],
      LINE,
    );
    expect(JSON.parse(refused.stdout).outcome).toBe('ok');
    expect([refused.code, refused.stderr]).toEqual([
      0,
      `hookctl emit: warning: bus nats://127.0.0.1:${port}: connection refused; the event was not published; hooks were started\n`,
    ]);
    expect(readFileSync(join(one.path, 'log'), 'utf8')).toMatch(/"bus":"down"/);
    expect(readFileSync(join(one.path, 'log'), 'utf8')).not.toContain('s3cret');
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve));
    cleanUps.unshift(() => silent.close());
    const waited = await hookctl(one, ['emit', 'hooks.json', '--bus', `nats://127.0.0.1:${port}`], LINE);
    expect([waited.code, waited.stderr]).toEqual([0, expect.stringContaining('no answer within 1000 ms')]);
  });

  it('a server starts, says so once, and connects when it is there; then again', async () => {
    const port = await freePort();
    const url = `nats://127.0.0.1:${port}`;
    const served = await serving(folder(), '--bus', url);
    await until(() => served.stderr.includes('connection refused'));
    await served.ask('POST', '/api/events', ERROR);
    expect((await status(served)).bus).toMatchObject({ kind: 'nats', url, up: false });
    const first = await nats(port);
    await until(() => served.stderr.includes('connected'), 15_000);
    first.kill('SIGKILL');
    await until(async () => !(await status(served)).bus.up, 15_000);
    await nats(port);
    await until(async () => (await status(served)).bus.up, 15_000);
    expect(served.stderr.match(/warning: bus/g)).toHaveLength(2);
    const heard = await listening(folder(), url, '--count', '1');
    await served.ask('POST', '/api/events', ERROR);
    await until(() => heard.code === 0);
    expect(heard.out).toBe(`${LINE}\n`);
  });

  it('listen says so, and hears again when it is back', async () => {
    const port = await freePort();
    const url = `nats://127.0.0.1:${port}`;
    const one = folder();
    const first = await nats(port);
    const heard = await listening(one, url, '--count', '1');
    first.kill('SIGKILL');
    await until(() => heard.err.includes('lost'), 15_000);
    await nats(port);
    await until(() => heard.err.split('connected to').length === 3, 15_000);
    await until(async () => {
      await hookctl(one, ['emit', '--bus', url], LINE);
      return heard.code === 0;
    }, 20_000);
  });
});

describe('credentials', () => {
  it('are those of the URL, and a wrong one counts as away', async () => {
    const port = await freePort();
    await nats(port, '--user', 'ada', '--pass', 'p@ss');
    const one = folder();
    const right = await hookctl(one, ['emit', '--bus', `nats://ada:p%40ss@127.0.0.1:${port}`], LINE);
    expect(right).toEqual({ code: 0, stdout: '', stderr: '' });
    const wrong = await hookctl(
      { ...one, env: { ...one.env, HOOKCTL_BUS: `nats://ada:nope@127.0.0.1:${port}` } },
      ['emit', 'hooks.json'],
      LINE,
    );
    expect([wrong.code, wrong.stderr]).toEqual([
      0,
      expect.stringMatching(/^hookctl emit: warning: bus nats:\/\/127\.0\.0\.1:\d+: .*authorization/i),
    ]);
    expect(wrong.stderr).not.toContain('nope');
    const token = await freePort();
    await nats(token, '--auth', 't0ken-t0ken');
    expect((await hookctl(one, ['emit', '--bus', `nats://t0ken-t0ken@127.0.0.1:${token}`], LINE)).stderr).toBe('');
    writeFileSync(join(one.path, 'no.creds'), 'nonsense');
    const creds = await hookctl(one, ['emit', '--bus', `nats://127.0.0.1:${port}`, '--bus-creds', 'no.creds'], LINE);
    expect([creds.code, creds.stderr]).toEqual([0, expect.stringContaining('warning: bus ')]);
  });
});
