/**
 * The library, as a wrapper gets it: packed, installed, imported in both ways, and typed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const GUARD = `hooks:
  preToolCall:
    - name: guard
      matcher: ^bash$
      command: cat >/dev/null; echo '{"action":"deny","reason":"no"}'
    - name: slow
      matcher: ^slow$
      onError: fail
      command: echo $$ >>"$MM_CONFIG_DIR/pids"; cat >/dev/null; sleep 60
    - name: echo
      matcher: ^echo$
      command: tee "$MM_CONFIG_DIR/seen" >/dev/null
`;
const EVENT = `{ event: 'preToolCall', cwd: '/', tool: { name: 'bash', input: {} } }`;

let folder = '';
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookctl-engine-')));
  const packed = npm(['pack', '--ignore-scripts', '--pack-destination', folder], ROOT).trim().split('\n').at(-1) ?? '';
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  npm(['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${packed}`], folder);
  writeFileSync(join(folder, 'agent.yaml'), GUARD);
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

describe.each([
  ['CommonJS', 'cjs', `const { createEngine } = require('hookctl');`],
  ['ESM', 'mjs', `import { createEngine } from 'hookctl';`],
])('%s', (_, ending, head) => {
  const run = (body: string, env: Record<string, string> = {}) => script(ending, `${head}\n${body}`, env);

  it('decides, in the words of hookctl run', () => {
    expect(run(`print(await createEngine({ configs: 'agent.yaml' }).decide(${EVENT}));`)).toEqual({
      event: 'preToolCall',
      action: 'deny',
      reason: 'no',
      source: { hook: 'guard', at: 'agent.yaml:3', kind: 'decision' },
    });
  });

  it('takes configs from the environment that it is given', () => {
    const env = `{ ...process.env, HOOKCTL_CONFIG: 'agent.yaml' }`;
    expect(run(`print(await createEngine({ env: ${env} }).decide(${EVENT}));`)).toMatchObject({ reason: 'no' });
  });

  it('answers any other agent in its own words', () => {
    const payload = `{ hook_event_name: 'PreToolUse', permission_mode: 'x', tool_name: 'Bash', tool_input: {} }`;
    const [auto, named, wrong] = run(`const engine = createEngine({ configs: ['agent.yaml'] });
      print([await engine.reply(${payload}), await engine.reply(JSON.stringify(${payload}), 'claude'), await engine.reply(${payload}, 'cladue')]);`);
    expect(auto).toMatchObject({ exit: 0, stdout: expect.stringContaining('"permissionDecision":"deny"') });
    expect(named).toEqual(auto);
    expect(wrong).toMatchObject({ exit: 2, stdout: expect.stringContaining('did you mean \\"claude\\"?') });
  });
});

describe('the engine', () => {
  const run = (body: string, env: Record<string, string> = {}) =>
    script('mjs', `import { createEngine } from 'hookctl';\n${body}`, env);

  it('hands text on as it was written', () => {
    const text = '{"event":"preToolCall","cwd":"/","tool":{"name":"echo","input":{"n":12345678901234567890.10}}}';
    expect(run(`print(await createEngine({ configs: 'agent.yaml' }).decide(${JSON.stringify(text)}));`)).toEqual({
      event: 'preToolCall',
    });
    expect(readFileSync(join(folder, 'seen'), 'utf8')).toBe(`${text}\n`);
  });

  it.each([
    ['no JSON', `'{bad'`],
    ['nothing', `''`],
    ['a list', `'[]'`],
    ['what JSON cannot say', `{ event: 'preToolCall', tool: { name: 'bash', input: { n: 1n } } }`],
    ['undefined', `undefined`],
    ['bytes that are no text', `new Uint8Array([0xff])`],
    ['an event that lacks something', `{ event: 'preToolCall' }`],
  ])('denies, and does not throw: %s', (_, event) => {
    expect(run(`print(await createEngine({ configs: 'agent.yaml' }).decide(${event}));`)).toMatchObject({
      action: 'deny',
      source: { kind: 'hookctl' },
    });
  });

  it.each([
    ['a config that is not there', `{ configs: 'none.yaml' }`, {}],
    ['no config', `{}`, {}],
    ['an empty list', `{ configs: [] }`, {}],
    ['too deep a recursion', `{ configs: 'agent.yaml' }`, { HOOKCTL_DEPTH: '8' }],
  ])('denies: %s', (_, options, env) => {
    expect(run(`print(await createEngine(${options}).decide(${EVENT}));`, env)).toMatchObject({
      action: 'deny',
      source: { kind: 'hookctl' },
    });
  });

  it.each([
    [`{ config: 'agent.yaml' }`, 'unknown option "config"; did you mean "configs"?'],
    [`{ cwd: 'relative' }`, 'cwd "relative" must be an absolute path'],
    [
      `{ deadline: '25' }`,
      'deadline "25": a duration is a number with the unit ms, s or m; did you mean 25ms, 25s, 25m?',
    ],
    [`{ ownFailure: 'wran' }`, 'ownFailure "wran" must be "fail" or "warn"'],
  ])('throws for wrong options: %s', (options, message) => {
    expect(run(`try { createEngine(${options}); } catch (error) { print([error.name, error.message]); }`)).toEqual([
      'TypeError',
      message,
    ]);
  });

  it('several at once, each bounded by the deadline; the others are not held up', () => {
    const slow = EVENT.replace('bash', 'slow');
    const verdicts = run(`const engine = createEngine({ configs: 'agent.yaml', deadline: '1s' });
      print(await Promise.all([engine.decide(${slow}), engine.decide(${EVENT})]));`);
    expect(verdicts).toMatchObject([
      { action: 'deny', reason: 'slow failed: the deadline of 1s passed' },
      { reason: 'no' },
    ]);
  });

  it('reads configs again when they change', () => {
    const verdicts = run(`import { writeFileSync } from 'node:fs';
      writeFileSync('b.yaml', 'hooks: {}');
      const engine = createEngine({ configs: 'b.yaml' });
      const all = [await engine.decide(${EVENT})];
      for (const text of ['hooks: { preToolCal: [] }', 'hooks: {}']) {
        writeFileSync('b.yaml', text);
        all.push(await engine.decide(${EVENT}));
      }
      print(all);`);
    expect(verdicts).toMatchObject([{ event: 'preToolCall' }, { action: 'deny' }, { event: 'preToolCall' }]);
    expect(verdicts[2]).toEqual({ event: 'preToolCall' });
  });

  it('close() denies what is pending, ends the hooks, and refuses what comes later', () => {
    rmSync(join(folder, 'pids'), { force: true });
    const slow = EVENT.replace('bash', 'slow');
    const verdicts = run(`import { existsSync } from 'node:fs';
      const engine = createEngine({ configs: 'agent.yaml' });
      const pending = engine.decide(${slow});
      while (!existsSync('pids')) await new Promise((resolve) => setTimeout(resolve, 20));
      await engine.close();
      print([await pending, await engine.decide(${EVENT})]);`);
    const closed = { action: 'deny', reason: 'hookctl: the engine is closed', source: { kind: 'hookctl' } };
    expect(verdicts).toMatchObject([closed, closed]);
    const pid = readFileSync(join(folder, 'pids'), 'utf8').trim();
    expect(existsSync(`/proc/${pid}`)).toBe(false);
  });

  describe('with observers', () => {
    const OBSERVED = `createEngine({ configs: 'hooks.json' })`;
    beforeEach(() => {
      rmSync(join(folder, 'seen'), { force: true });
      writeFileSync(join(folder, 'see.sh'), '#!/bin/sh\nwc -c >>seen\nsleep 30\n', { mode: 0o755 });
      writeFileSync(
        join(folder, 'hooks.json'),
        '{"hooks":{"tool_call_start":[{"command":"./see.sh","stdin_json":true}]}}',
      );
    });
    const seen = () =>
      existsSync(join(folder, 'seen')) ? readFileSync(join(folder, 'seen'), 'utf8').split('\n').length - 1 : 0;
    const until = async (count: number) => {
      for (let n = 0; seen() < count; n++) {
        if (n > 500) throw new Error('waited for 10 s in vain');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };

    it.each([
      ['without close()', ''],
      ['with it', 'await engine.close();'],
    ])('does not keep the process alive, and hands over what it was given, %s', async (_, close) => {
      const started = Date.now();
      const body = `const engine = ${OBSERVED};
        const text = 'x'.repeat(50_000);
        const event = { event: 'preToolCall', cwd: '/', tool: { name: 'bash', input: { text } } };
        const verdicts = await Promise.all([1, 2, 3, 4, 5].map(() => engine.decide(event)));
        ${close}
        print(verdicts.length);`;
      expect(run(body, { HOOKCTL_LOG: 'none' })).toBe(5);
      expect(Date.now() - started).toBeLessThan(20_000);
      await until(5);
    });

    it('the process ends while an engine that judged is still there, and one that never did', () => {
      const started = Date.now();
      run(`globalThis.kept = [createEngine({ configs: 'agent.yaml' }), ${OBSERVED}];
        print(await kept[0].decide(${EVENT}));`);
      expect(Date.now() - started).toBeLessThan(20_000);
    });
  });

  it('own failures may be told to warn', () => {
    expect(run(`print(await createEngine({ configs: 'none.yaml', ownFailure: 'warn' }).decide(${EVENT}));`)).toEqual({
      event: 'preToolCall',
      warnings: [expect.stringContaining('none.yaml')],
    });
  });
});

describe('types', () => {
  const GOOD = `const engine = createEngine({ configs: ['a.yaml'], deadline: '25s' });
    const verdict: Verdict = await engine.decide({ event: 'preToolCall', tool: { name: 'bash', input: {} } });
    const action: 'allow' | 'deny' | 'ask' | 'defer' | 'stop' | undefined = verdict.action;
    const { exit }: { exit: number } = await engine.reply({}, 'claude');
    console.log(action, exit);`;

  it.each([
    ['ESM', 'good.mts', `import { createEngine, type Verdict } from 'hookctl';\n${GOOD}`, ''],
    [
      'CommonJS',
      'good.cts',
      `import { createEngine, type Verdict } from 'hookctl';\nasync function main() { ${GOOD} }\nvoid main();`,
      '',
    ],
    [
      'an option that is none',
      'bad.mts',
      `import { createEngine } from 'hookctl';\ncreateEngine({ config: 'x' });`,
      "'config'",
    ],
  ])('%s', (_, name, text, wanted) => {
    writeFileSync(join(folder, name), text);
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', ...types];
    const { stdout, status } = spawnSync(tsc, [...options, name], { cwd: folder, encoding: 'utf8' });
    if (wanted === '') expect([status, stdout]).toEqual([0, '']);
    else expect(stdout).toContain(wanted);
  });
});

function npm(args: readonly string[], cwd: string): string {
  const { stdout, stderr, status } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** What a script that imports the package prints. */
function script(ending: string, text: string, env: Record<string, string>): ReturnType<typeof JSON.parse> {
  const [head = '', ...body] = text.split('\n');
  const print = 'const print = (value) => console.log(JSON.stringify(value));';
  const main = ending === 'cjs' ? `(async () => { ${body.join('\n')} })();` : body.join('\n');
  writeFileSync(join(folder, `main.${ending}`), `${head}\n${print}\n${main}\n`);
  const ran = spawnSync(process.execPath, [`main.${ending}`], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (ran.stdout === '') throw new Error(`exit ${ran.status}: ${ran.stderr}`);
  return JSON.parse(ran.stdout);
}
