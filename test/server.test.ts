/**
 * `hookctl serve`: the API, its refusals, edits of hooks.json beside other writers, hot reload, streams, the end.
 */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Folder, hookctl, makeFolder, Served, TOKEN, until } from './harness/served';

const HOOKS = {
  hooks: {
    tool_call: [{ command: 'true' }],
    error: [{ command: 'false', args: ['x'], timeout_ms: 500, stdin_json: true, env: { A: '1' }, cwd: '/tmp' }],
  },
};
const ERROR = { event: 'error', session_id: 's', payload: { component: 'c', message: 'm' } };
const cleanUps: (() => unknown)[] = [];

async function serving(hooks: unknown, args?: readonly string[]): Promise<Served> {
  const folder = makeFolder(hooks);
  cleanUps.push(folder.remove);
  const served = await Served.start(folder, args);
  cleanUps.unshift(() => served.stop('SIGKILL'));
  return served;
}
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

const file = (served: Served, name = 'hooks.json') => readFileSync(join(served.folder.path, name), 'utf8');
const parsed = (text: string) => JSON.parse(text);
const STAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

describe('the API', () => {
  it('lists hooks in the order of the file, with their effective values', async () => {
    const served = await serving(HOOKS);
    const { status, headers, body } = await served.ask('GET', '/api/hooks');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-store',
    ]);
    expect(parsed(body)).toEqual({
      hooks: [
        {
          id: 'hook_01',
          event: 'tool_call',
          action: { command: 'true', args: [], timeout_ms: 30000, stdin_json: false },
          enabled: true,
          created_at: STAMP,
          updated_at: STAMP,
        },
        {
          id: 'hook_02',
          event: 'error',
          action: { command: 'false', args: ['x'], timeout_ms: 500, stdin_json: true, env: { A: '1' }, cwd: '/tmp' },
          enabled: true,
          created_at: STAMP,
          updated_at: STAMP,
        },
      ],
    });
  });

  it('adds, replaces, toggles and removes, and keeps everything else in the file', async () => {
    const before = '{\n\t"//": "mine",\n\t"hooks": {\n\t\t"Tool-Call": [ { "command": "one", "note": 1.0 } ]\n\t}\n}\n';
    const served = await serving(before);
    const added = await served.ask('POST', '/api/hooks', { event: 'TOOL-CALL', action: { command: 'two' } });
    expect([added.status, added.headers.location, parsed(added.body).id]).toEqual([
      201,
      '/api/hooks/hook_02',
      'hook_02',
    ]);
    expect(file(served)).toBe(before.replace('1.0 } ]', '1.0 }, { "command": "two" } ]'));
    expect(parsed((await served.ask('PATCH', '/api/hooks/hook_01/toggle')).body)).toEqual({
      id: 'hook_01',
      enabled: false,
    });
    expect(file(served)).toContain('"note": 1.0, "enabled": false }');
    const got = parsed((await served.ask('GET', '/api/hooks')).body).hooks[1];
    expect(
      (await served.ask('PUT', '/api/hooks/hook_02', { ...got, action: { ...got.action, args: ['x'] } })).status,
    ).toBe(200);
    const moved = parsed(
      (await served.ask('PUT', '/api/hooks/hook_01', { event: 'error', action: { command: 'one' } })).body,
    );
    expect([moved.id, moved.event, moved.enabled]).toEqual(['hook_01', 'error', false]);
    const removed = await served.ask('DELETE', '/api/hooks/hook_02');
    expect([removed.status, removed.body]).toEqual([204, '']);
    expect(parsed((await served.ask('PATCH', '/api/hooks/hook_01/toggle')).body).enabled).toBe(true);
    expect(parsed(file(served))).toEqual({ '//': 'mine', hooks: { 'Tool-Call': [], error: [{ command: 'one' }] } });
    expect(
      parsed(
        (await served.ask('POST', '/api/hooks', { event: 'error', action: { command: 'three' }, enabled: false })).body,
      ),
    ).toMatchObject({ id: 'hook_03', enabled: false });
  });

  it('makes the file that does not exist yet, for its user alone, and never uses an id again', async () => {
    const served = await serving(undefined);
    expect(parsed((await served.ask('GET', '/api/hooks')).body)).toEqual({ hooks: [] });
    await served.ask('POST', '/api/hooks', { event: 'error', action: { command: 'a' } });
    expect(statSync(join(served.folder.path, 'hooks.json')).mode & 0o777).toBe(0o600);
    await served.ask('DELETE', '/api/hooks/hook_01');
    expect(await served.stop()).toBe(0);
    const again = await Served.start(served.folder);
    cleanUps.unshift(() => again.stop('SIGKILL'));
    expect(parsed((await again.ask('POST', '/api/hooks', { event: 'error', action: { command: 'b' } })).body).id).toBe(
      'hook_02',
    );
  });

  it('keeps the mode of the file, and follows a link', async () => {
    const served = await serving(HOOKS);
    const path = join(served.folder.path, 'hooks.json');
    const real = join(served.folder.path, 'real.json');
    writeFileSync(real, file(served));
    chmodSync(real, 0o640);
    rmSync(path);
    symlinkSync('real.json', path);
    expect((await served.ask('DELETE', '/api/hooks/hook_01')).status).toBe(204);
    expect([statSync(real).mode & 0o777, parsed(readFileSync(real, 'utf8')).hooks.tool_call]).toEqual([0o640, []]);
  });

  it('answers an event before its hooks have ended, and counts them', async () => {
    const served = await serving({
      hooks: {
        error: [
          { command: 'sleep', args: ['1'] },
          { command: 'false' },
          { command: 'sleep', args: ['9'], timeout_ms: 100 },
          { command: 'nope' },
          { command: 'true', enabled: false },
        ],
      },
    });
    const started = Date.now();
    const { status, body } = await served.ask('POST', '/api/events', ERROR);
    expect([status, parsed(body), Date.now() - started < 900]).toEqual([
      202,
      { event: 'error', topic: 'prx.lifecycle.error', hooks: 4 },
      true,
    ]);
    const report = async () => parsed((await served.ask('GET', '/api/status')).body);
    await until(async () => (await report()).last.length === 5);
    expect(await report()).toMatchObject({
      valid: true,
      error: null,
      generation: 1,
      hooks: 5,
      bus: { kind: 'embedded', subscribers: 0 },
      plugins: [],
      events: { emitted: 1, dropped: 0 },
      runs: { ok: 1, failed: 1, timeout: 1, not_started: 1, skipped: 1, dropped: 0 },
      last: expect.arrayContaining([
        expect.objectContaining({ hook: 'error[1]', id: 'hook_02', outcome: 'failed', exit: 1 }),
      ]),
    });
  });

  it('publishes only, and drops what is too deep', async () => {
    const served = await serving(HOOKS);
    const stream = served.stream();
    await stream.open;
    const told = async (headers: Record<string, string>) =>
      parsed((await served.ask('POST', '/api/events', ERROR, headers)).body);
    expect(await told({ 'hookctl-hooks': 'none' })).toMatchObject({ hooks: 0 });
    expect(await told({ 'hookctl-depth': '8' })).toMatchObject({ hooks: 1 });
    expect(await told({ 'hookctl-depth': '9' })).toEqual({
      event: 'error',
      topic: 'prx.lifecycle.error',
      hooks: 0,
      dropped: 'depth',
    });
    await until(() => stream.told.length === 2);
    stream.close();
  });
});

describe('refusals', () => {
  let served: Served;
  let folder: Folder;
  beforeAll(async () => {
    folder = makeFolder(HOOKS);
    served = await Served.start(folder, [
      'hooks.json',
      '--listen',
      '127.0.0.1:0',
      '--allow-host',
      'hooks.internal',
      '--allow-origin',
      'http://page',
    ]);
  });
  afterAll(async () => {
    await served.stop('SIGKILL');
    folder.remove();
  });
  const add = (action: unknown, more: object = {}) => ({ event: 'error', action, ...more });

  it.each<[string, [string, string, unknown?, Record<string, string | undefined>?], number, string | RegExp]>([
    ['a foreign host', ['GET', '/healthz', undefined, { host: 'evil.example' }], 403, /host "evil.example"/],
    ['a host with another port', ['GET', '/healthz', undefined, { host: '127.0.0.1:1' }], 403, /host/],
    ['a page', ['GET', '/healthz', undefined, { origin: 'http://127.0.0.1' }], 403, /origin/],
    [
      'a page without an origin',
      ['GET', '/healthz', undefined, { origin: 'null' }],
      403,
      'the origin "null" is not allowed',
    ],
    [
      'a foreign host with a wrong token',
      ['GET', '/api/hooks', undefined, { host: 'evil', authorization: 'Bearer x' }],
      403,
      /host/,
    ],
    ['no token', ['GET', '/api/hooks', undefined, { authorization: undefined }], 401, /token/],
    ['no token on no route', ['GET', '/api/nope', undefined, { authorization: undefined }], 401, /token/],
    ['a wrong token', ['GET', '/api/hooks', undefined, { authorization: `Bearer ${TOKEN}x` }], 401, /token/],
    [
      'a token in the query',
      ['GET', `/api/hooks?token=${TOKEN}&access_token=${TOKEN}`, undefined, { authorization: undefined }],
      401,
      /token/,
    ],
    [
      'a token in a cookie',
      ['GET', '/api/hooks', undefined, { authorization: undefined, cookie: `token=${TOKEN}` }],
      401,
      /token/,
    ],
    ['another scheme', ['GET', '/api/hooks', undefined, { authorization: `Basic ${TOKEN}` }], 401, /token/],
    ['no route', ['GET', '/api/nope'], 404, 'there is no /api/nope'],
    ['a slash too many', ['GET', '/api/hooks/'], 404, 'there is no /api/hooks/'],
    ['no method', ['DELETE', '/api/hooks'], 405, 'DELETE is not possible here (there is GET, POST)'],
    ['another type', ['POST', '/api/hooks', '{}', { 'content-type': 'text/plain' }], 415, /application\/json/],
    [
      'another charset',
      ['POST', '/api/hooks', '{}', { 'content-type': 'application/json; charset=latin1' }],
      415,
      /application\/json/,
    ],
    ['too large', ['POST', '/api/hooks', `"${'x'.repeat(262_144)}"`], 413, 'the body is larger than 262144 bytes'],
    [
      'too large an event',
      ['POST', '/api/events', { ...ERROR, payload: { component: 'c', message: 'x'.repeat(66_000) } }],
      413,
      /at most 65536/,
    ],
    ['nothing', ['POST', '/api/hooks', ''], 400, 'the body is empty'],
    [
      'no JSON',
      ['POST', '/api/hooks', '{"event":}'],
      400,
      "the body is not valid JSON: line 1, column 10: unexpected '}'",
    ],
    ['not UTF-8', ['POST', '/api/hooks', Uint8Array.from([0x22, 0xff, 0x22])], 400, /UTF-8/],
    ['a key twice', ['POST', '/api/events', '{"event":"error","event":"error"}'], 400, /duplicate key "event"/],
    [
      'a bad depth',
      ['POST', '/api/events', ERROR, { 'hookctl-depth': 'x' }],
      400,
      'Hookctl-Depth must be a whole number',
    ],
    ['a bad topic', ['GET', '/api/events?topic=prx.%3E'], 400, /^topic "prx\.>": /],
    ['no such hook to replace', ['PUT', '/api/hooks/hook_99', {}], 404, "Hook 'hook_99' not found"],
    ['no such hook to toggle', ['PATCH', '/api/hooks/hook_99/toggle'], 404, "Hook 'hook_99' not found"],
    ['no such hook to remove', ['DELETE', '/api/hooks/%2e%2e'], 404, "Hook '..' not found"],
    ['no object', ['POST', '/api/hooks', []], 422, /must be an object/],
    ['no event', ['POST', '/api/hooks', { action: { command: 'x' } }], 422, 'event: missing'],
    ['no action', ['POST', '/api/hooks', { event: 'error' }], 422, 'action: missing'],
    [
      'an unknown event',
      ['POST', '/api/hooks', { event: 'tool_cal', action: {} }],
      422,
      /^event: unknown event "tool_cal"; did you mean "tool_call"\?/,
    ],
    [
      'an unknown key',
      ['POST', '/api/hooks', add({ command: 'x' }, { enable: true })],
      422,
      /^enable: unknown key; did you mean "enabled"\?/,
    ],
    [
      'an unknown key of the action',
      ['POST', '/api/hooks', add({ command: 'x', arg: [] })],
      422,
      /^action\.arg: unknown key "arg" in an action; did you mean "args"\?/,
    ],
    ['a switch in the action', ['POST', '/api/hooks', add({ command: 'x', enabled: true })], 422, /^action\.enabled: /],
    ['no command', ['POST', '/api/hooks', add({})], 422, /^action\.command: /],
    [
      'a shell character',
      ['POST', '/api/hooks', add({ command: 'a|b' })],
      422,
      'action.command: the command has | at character 2; PRX starts it without a shell',
    ],
    ['a NUL', ['POST', '/api/hooks', add({ command: 'a', args: ['\0'] })], 422, /^action\.args\[0\]: /],
    ['a folder that leads out', ['POST', '/api/hooks', add({ command: 'a', cwd: '../x' })], 422, /^action\.cwd: /],
    [
      'a blocked variable',
      ['POST', '/api/hooks', add({ command: 'a', env: { ld_preload: 'x' } })],
      422,
      /^action\.env\.ld_preload: /,
    ],
    ['a limit in words', ['POST', '/api/hooks', add({ command: 'a', timeout_ms: '5s' })], 422, /^action\.timeout_ms: /],
    ['an unknown event to emit', ['POST', '/api/events', { event: 'x' }], 422, /unknown event "x"/],
    [
      'an event that lacks something',
      ['POST', '/api/events', { event: 'error', payload: {} }],
      422,
      /"payload\.component" \(string\) is missing/,
    ],
  ])('%s', async (_, ask, status, why) => {
    const answer = await served.ask(...ask);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    const { error, ...rest } = parsed(answer.body);
    expect(rest).toEqual({});
    if (typeof why === 'string') expect(error).toBe(why);
    else expect(error).toMatch(why);
    if (status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer');
    if (status === 405) expect(answer.headers.allow).toBe('GET, POST');
    expect(parsed(file(served))).toEqual(HOOKS);
  });

  it.each([
    ['the loopback by name', { host: 'localhost' }],
    ['an allowed host', { host: 'Hooks.Internal' }],
    ['an allowed page', { origin: 'http://page' }],
  ])('but not %s', async (_, headers) => {
    expect((await served.ask('GET', '/healthz', undefined, { authorization: undefined, ...headers })).body).toBe(
      '{"status":"ok"}',
    );
  });

  it('a body that is larger than told, before it is read', async () => {
    const { status } = await served
      .ask('POST', '/api/hooks', undefined, { 'content-type': 'application/json', 'content-length': '9999999' })
      .catch(() => ({ status: 413 }));
    expect(status).toBe(413);
  });

  it('what is no HTTP', async () => {
    const said = await new Promise<string>((resolve) => {
      const socket = connect(served.port, '127.0.0.1', () => socket.end('nonsense\r\n\r\n'));
      let out = '';
      socket.on('data', (chunk) => {
        out += chunk;
      });
      socket.on('close', () => resolve(out));
    });
    expect(said).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"error":"bad request"\}$/);
  });
});

describe('hooks.json beside other writers', () => {
  it('is in force at once when it is edited by hand, and the last good state when it is broken', async () => {
    const served = await serving({ hooks: { error: [{ command: 'true' }] } });
    const path = join(served.folder.path, 'hooks.json');
    const emitted = async () => parsed((await served.ask('POST', '/api/events', ERROR)).body).hooks;
    writeFileSync(path, JSON.stringify({ hooks: { error: [{ command: 'true' }, { command: 'true' }] } }));
    expect(await emitted()).toBe(2);
    writeFileSync(path, '{ "hooks": { "error": [ ');
    expect(await emitted()).toBe(2);
    const status = parsed((await served.ask('GET', '/api/status')).body);
    expect([status.valid, status.generation, status.error]).toEqual([
      false,
      2,
      expect.stringContaining('hooks.json:1:24: unexpected end'),
    ]);
    expect(parsed((await served.ask('GET', '/api/hooks')).body).hooks).toHaveLength(2);
    const refused = await served.ask('POST', '/api/hooks', { event: 'error', action: { command: 'x' } });
    expect([refused.status, parsed(refused.body).error]).toEqual([409, expect.stringContaining('hooks.json:1:24: ')]);
    expect(readFileSync(path, 'utf8')).toBe('{ "hooks": { "error": [ ');
    await until(() => served.stderr.includes('the last good state stays in force'));
    writeFileSync(path, JSON.stringify({ hooks: { error: [{ command: 'true' }] } }));
    expect(await emitted()).toBe(1);
    rmSync(path);
    expect(await emitted()).toBe(0);
    expect(served.stderr.match(/last good state/g)).toHaveLength(1);
  });

  it('changes within a second without anybody asking', async () => {
    const served = await serving({ hooks: {} });
    writeFileSync(join(served.folder.path, 'hooks.json'), 'no');
    await until(() => served.stderr.includes('last good state'), 3_000);
  });

  it('loses nothing of two servers that write at once', async () => {
    const one = await serving({ hooks: {} });
    const two = await Served.start(one.folder);
    cleanUps.unshift(() => two.stop('SIGKILL'));
    const sent = Array.from({ length: 40 }, (_, n) =>
      (n % 2 === 0 ? one : two).ask('POST', '/api/hooks', { event: 'error', action: { command: `c${n}` } }),
    );
    expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([201]));
    const commands = parsed(file(one)).hooks.error.map(({ command }: { command: string }) => command);
    expect([...commands].sort()).toEqual(Array.from({ length: 40 }, (_, n) => `c${n}`).sort());
  });

  it('is valid after a kill in the middle of writing, and the lock of the dead is taken over', async () => {
    const served = await serving({ hooks: {} });
    let stopped = false;
    const writing = (async () => {
      for (let n = 0; !stopped; n += 1) {
        await served
          .ask('POST', '/api/hooks', { event: 'error', action: { command: `c${n}`, args: ['x'.repeat(1_000)] } })
          .catch(() => {
            stopped = true;
          });
      }
    })();
    await until(() => file(served).length > 20_000);
    await served.stop('SIGKILL');
    stopped = true;
    await writing;
    const { length } = parsed(file(served)).hooks.error;
    expect(length).toBeGreaterThan(10);
    writeFileSync(join(served.folder.path, 'hooks.json.lock'), String(served.child.pid));
    const again = await Served.start(served.folder);
    cleanUps.unshift(() => again.stop('SIGKILL'));
    expect((await again.ask('DELETE', '/api/hooks/hook_01')).status).toBe(204);
    expect(parsed(file(again)).hooks.error).toHaveLength(length - 1);
    expect(existsSync(join(again.folder.path, 'hooks.json.lock'))).toBe(false);
  });

  it('is refused while another process holds the lock', async () => {
    const served = await serving(HOOKS);
    writeFileSync(join(served.folder.path, 'hooks.json.lock'), String(process.pid));
    const { status, body } = await served.ask('DELETE', '/api/hooks/hook_01');
    expect([status, parsed(body).error]).toEqual([
      409,
      expect.stringContaining('hooks.json.lock (remove it if there is none)'),
    ]);
    expect(parsed(file(served))).toEqual(HOOKS);
  });

  it('stays as it was where it cannot be written, with a clear error', async () => {
    const served = await serving(HOOKS);
    const isRoot = process.getuid?.() === 0;
    // The superuser writes anywhere: there, a file size limit stands for the full disk.
    if (isRoot) return;
    chmodSync(served.folder.path, 0o500);
    const { status, body } = await served.ask('DELETE', '/api/hooks/hook_01');
    chmodSync(served.folder.path, 0o700);
    expect([status, parsed(body).error]).toEqual([500, expect.stringContaining('permission denied')]);
    expect(parsed(file(served))).toEqual(HOOKS);
  });

  it('begins with new ids where the state file is broken, and says so', async () => {
    const folder = makeFolder(HOOKS);
    cleanUps.push(folder.remove);
    writeFileSync(join(folder.path, 'hooks.state.json'), '{');
    const served = await Served.start(folder);
    cleanUps.unshift(() => served.stop('SIGKILL'));
    expect(parsed((await served.ask('GET', '/api/hooks')).body).hooks[0].id).toBe('hook_01');
    expect(served.stderr).toContain('hooks.state.json is broken; ids start anew');
  });
});

describe('streams', () => {
  it('tell what matches, in order, each once', async () => {
    const served = await serving({ hooks: {} });
    const all = served.stream();
    const some = served.stream('?topic=prx.lifecycle.error&topic=prx.lifecycle.turn_complete&topic=prx.*');
    const none = served.stream('?topic=prx.lifecycle.agent_start');
    await Promise.all([all.open, some.open, none.open]);
    for (let n = 0; n < 50; n += 1)
      await served.ask('POST', '/api/events', {
        event: n % 2 === 0 ? 'error' : 'turn_complete',
        session_id: String(n),
        payload: { component: 'c', message: 'm' },
      });
    await until(() => all.told.length === 50 && some.told.length === 50);
    expect(all.told.map(({ data }) => parsed(data).session_id)).toEqual(
      Array.from({ length: 50 }, (_, n) => String(n)),
    );
    expect([all.told[0]?.topic, none.told.length]).toEqual(['prx.lifecycle.error', 0]);
    for (const stream of [all, some, none]) stream.close();
    await until(async () => parsed((await served.ask('GET', '/api/status')).body).bus.subscribers === 0);
  });

  it('are 256 at most', async () => {
    const served = await serving({ hooks: {} });
    const streams = Array.from({ length: 256 }, () => served.stream());
    await Promise.all(streams.map(({ open }) => open));
    const { status, body } = await served.ask('GET', '/api/events');
    expect([status, parsed(body).error]).toEqual([503, 'there are 256 streams already']);
    for (const stream of streams) stream.close();
  });

  it('end with the server', async () => {
    const served = await serving({ hooks: {} });
    const stream = served.stream();
    await stream.open;
    expect(await served.stop()).toBe(0);
    await stream.ended;
  });
});

describe('the program', () => {
  it('listens on Unix sockets, for its user alone, and removes them', async () => {
    const served = await serving(HOOKS, ['hooks.json', '--listen', 'none', '--socket', 's.sock']);
    const path = join(served.folder.path, 's.sock');
    expect([served.line.listening, statSync(path).mode & 0o777]).toEqual([[`unix:${path}`], 0o600]);
    const at = { socketPath: path, host: undefined, port: undefined };
    expect((await served.ask('GET', '/api/hooks', undefined, { host: 'anything' }, at)).status).toBe(200);
    expect((await served.ask('GET', '/api/hooks', undefined, { authorization: undefined }, at)).status).toBe(401);
    await served.stop();
    expect(existsSync(path)).toBe(false);
  });

  it('replaces a stale socket, and leaves a live one and any other file alone', async () => {
    const served = await serving(HOOKS, ['hooks.json', '--listen', 'none', '--socket', 's.sock']);
    const second = await hookctl(served.folder, ['serve', 'hooks.json', '--listen', 'none', '--socket', 's.sock']);
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('another server listens there')]);
    await served.stop('SIGKILL');
    expect(existsSync(join(served.folder.path, 's.sock'))).toBe(true);
    const again = await Served.start(served.folder, ['hooks.json', '--listen', 'none', '--socket', 's.sock']);
    await again.stop();
    writeFileSync(join(served.folder.path, 's.sock'), 'mine');
    const third = await hookctl(served.folder, ['serve', 'hooks.json', '--listen', 'none', '--socket', 's.sock']);
    expect([third.code, third.stderr]).toEqual([2, expect.stringContaining('no socket')]);
  });

  it('is found by emit in its workspace, which starts the hooks itself', async () => {
    const served = await serving({ hooks: { error: [{ command: 'true' }] } });
    const stream = served.stream();
    await stream.open;
    // The server must answer within 50 ms, which a machine under load may not do at once.
    await until(async () => {
      const args = ['emit', 'hooks.json', '--wait', '--log', 'log'];
      const emitted = await hookctl(served.folder, args, JSON.stringify(ERROR));
      expect([emitted.code, emitted.stderr, parsed(emitted.stdout).outcome]).toEqual([0, '', 'ok']);
      const isPublished = readFileSync(join(served.folder.path, 'log'), 'utf8').includes('"bus":"published"');
      return isPublished && stream.told.length > 0;
    }, 30_000);
    expect(parsed((await served.ask('GET', '/api/status')).body).last).toEqual([]);
  });

  it('takes events of emit --server, and tells listen', async () => {
    const served = await serving({ hooks: { error: [{ command: 'true' }] } });
    const url = served.line.listening[0] ?? '';
    const listening = hookctl(served.folder, [
      'listen',
      'prx.lifecycle.error',
      '--server',
      url,
      '--count',
      '1',
      '--timeout',
      '20s',
    ]);
    await until(async () => parsed((await served.ask('GET', '/api/status')).body).bus.subscribers === 1);
    expect(await hookctl(served.folder, ['emit', '--server', url], JSON.stringify(ERROR))).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const heard = await listening;
    expect([heard.code, parsed(heard.stdout)]).toEqual([0, { ...ERROR, timestamp: expect.any(String) }]);
    expect(heard.stderr).toContain(`connected to ${url}`);
    const wrong = { ...served.folder, env: { ...served.folder.env, HOOKCTL_TOKEN: 'x'.repeat(16) } };
    expect(await hookctl(wrong, ['emit', '--server', url], JSON.stringify(ERROR))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the server answered 401'),
    });
    expect((await hookctl(served.folder, ['listen', '--server', url, '--timeout', '300ms'])).code).toBe(1);
  });

  it('keeps a token of its own, which only its user may read', async () => {
    const folder = makeFolder(HOOKS);
    cleanUps.push(folder.remove);
    const { HOOKCTL_TOKEN: _, ...env } = folder.env;
    const served = await Served.start({ ...folder, env });
    cleanUps.unshift(() => served.stop('SIGKILL'));
    const path = join(folder.env['HOME'] ?? '', '.local/state/hookctl/token');
    const token = readFileSync(path, 'utf8').trim();
    expect([token.length, statSync(path).mode & 0o777, served.stderr.includes(token)]).toEqual([64, 0o600, true]);
    expect((await served.ask('GET', '/api/hooks', undefined, { authorization: `Bearer ${token}` })).status).toBe(200);
  });

  it.each([
    ['no config', [], 2, 'name the hooks.json'],
    ['no folder', ['x/hooks.json'], 2, 'does not exist'],
    ['two files', ['hooks.json', 'prx:other.json'], 2, 'serve edits one hooks.json, and here are 2'],
    ['another format', ['agent.yaml'], 2, 'none of agent.yaml is a hooks.json'],
    ['a foreign address', ['hooks.json', '--listen', '0.0.0.0:1'], 2, 'not the loopback'],
    ['no port', ['hooks.json', '--listen', 'localhost'], 2, 'write HOST:PORT'],
    ['a token for all', ['hooks.json', '--token-file', 'open'], 2, 'can be read by others'],
    ['a short token', ['hooks.json', '--token-file', 'short'], 2, 'fewer than 16 characters'],
    ['a bus of another kind', ['hooks.json', '--bus', 'amqp://x'], 2, 'the scheme amqp'],
    ['an invalid config', ['bad/hooks.json'], 1, 'bad/hooks.json:1:14: error: unknown event "x"'],
  ])('does not start with %s', async (_, args, code, why) => {
    const folder = makeFolder(HOOKS);
    cleanUps.push(folder.remove);
    writeFileSync(join(folder.path, 'agent.yaml'), 'hooks: {}\n');
    writeFileSync(join(folder.path, 'open'), TOKEN);
    writeFileSync(join(folder.path, 'short'), 'short');
    chmodSync(join(folder.path, 'short'), 0o600);
    const { mkdirSync } = await import('node:fs');
    mkdirSync(join(folder.path, 'bad'));
    writeFileSync(join(folder.path, 'bad/hooks.json'), '{ "hooks": { "x": [ { "command": "x" } ] } }');
    const ran = await hookctl(folder, ['serve', ...args]);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([code, '', expect.stringContaining(why)]);
  });

  it('ends what runs after its time when it is told to stop, and leaves nothing behind', async () => {
    const served = await serving({ hooks: { error: [{ command: './slow.sh' }, { command: 'sleep', args: ['1'] }] } });
    writeFileSync(
      join(served.folder.path, 'slow.sh'),
      '#!/bin/sh\ntrap "" TERM\necho $$ > pid\nsleep 60 & wait; sleep 60\n',
    );
    chmodSync(join(served.folder.path, 'slow.sh'), 0o755);
    await served.ask('POST', '/api/events', ERROR);
    const pid = join(served.folder.path, 'pid');
    await until(() => existsSync(pid) && readFileSync(pid, 'utf8') !== '');
    expect(await served.stop()).toBe(0);
    expect(() => process.kill(Number(readFileSync(pid, 'utf8')), 0)).toThrow();
    const left = readdirSync(served.folder.env['TMPDIR'] ?? '', { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => /\.json$|\.sock$/.test(name))).toEqual([]);
  });

  it('ends at once on a second signal', async () => {
    const served = await serving({ hooks: { error: [{ command: 'sleep', args: ['30'] }] } });
    await served.ask('POST', '/api/events', ERROR);
    const ended = served.stop();
    await until(() =>
      served.ask('GET', '/healthz').then(
        () => false,
        () => true,
      ),
    );
    served.child.kill('SIGTERM');
    expect(await ended).toBe(143);
  });
});

describe('a full disk', () => {
  it('gives a clear error, and the old state', async () => {
    const folder = makeFolder(HOOKS);
    cleanUps.push(folder.remove);
    // A limit on the size of files stands for it: what is written beyond it fails.
    const args = [
      '-c',
      `ulimit -f 1; trap '' XFSZ; exec "$@"`,
      'sh',
      process.execPath,
      join(import.meta.dirname, '../bin/hookctl.js'),
      'serve',
      'hooks.json',
      '--listen',
      '127.0.0.1:0',
      '--log',
      'none',
    ];
    const child = spawn('sh', args, { cwd: folder.path, env: folder.env, stdio: ['ignore', 'pipe', 'ignore'] });
    cleanUps.unshift(() => child.kill('SIGKILL'));
    const line = await new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk))));
    const [, port] = /:(\d+)"/.exec(line) ?? [];
    const response = await fetch(`http://127.0.0.1:${port}/api/hooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ event: 'error', action: { command: 'x', args: ['y'.repeat(4_000)] } }),
    });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: expect.stringMatching(/hooks\.json cannot be written: /) });
    expect(readdirSync(folder.path).filter((name) => !/^hooks(\.state)?\.json$/.test(name))).toEqual([]);
    expect(JSON.parse(readFileSync(join(folder.path, 'hooks.json'), 'utf8'))).toEqual(HOOKS);
  });
});
