/**
 * The config cache is a trust boundary. Every test plants an entry that is sound but for one thing, and says "planted" where the
 * config says "written": an answer tells which of the two was taken.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../bin/hookctl.js');
const EVENT = '{"event":"preToolCall","tool":{"name":"bash","input":{}}}';
const IS_ROOT = process.getuid?.() === 0;

let folder = '';
let home = '';
let cache = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookctl-cache-')));
  home = join(folder, 'home');
  cache = join(home, '.cache/hookctl');
  mkdirSync(home);
});
afterEach(() => {
  chmodSync(home, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

describe('the cache', () => {
  it('is private, and holds one entry', () => {
    write('agent.yaml', saying('written'));
    expect(reason()).toBe('written');
    expect(statSync(cache).mode & 0o777).toBe(0o700);
    expect(entries()).toHaveLength(1);
    expect(statSync(entry()).mode & 0o777).toBe(0o600);
  });

  it('is used: without this, no other test here could fail', () => {
    plant();
    expect(reason()).toBe('planted');
  });

  it('is used for every event of the config, one at a time', () => {
    write(
      'agent.yaml',
      `${saying('written')}  preGeneration:\n    - command: echo '{"action":"stop","reason":"of prompts"}'\n`,
    );
    expect(reason()).toBe('written');
    forge();
    expect(reason()).toBe('planted');
    expect(JSON.parse(run({ event: '{"event":"preGeneration","prompt":"x"}' }).stdout).reason).toBe('of prompts');
    expect(JSON.parse(run({ event: '{"event":"manual"}' }).stdout)).toEqual({ event: 'manual' });
  });

  it('keeps what Claude Code files say', () => {
    mkdirSync(join(folder, '.claude'));
    const handler = { type: 'command', command: `echo '{"decision":"block","reason":"written"}'` };
    write('.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: [{ hooks: [handler] }] } }));
    expect(reason({ config: '.claude/settings.json' })).toBe('written');
    forge();
    expect(reason({ config: '.claude/settings.json' })).toBe('planted');
  });

  it('keeps warnings of the config', () => {
    write(
      'agent.yaml',
      saying('written').replace('    - command', '    - matcher: bash\n      command').replace('preToolCall', 'manual'),
    );
    const first = run({ event: '{"event":"manual"}' });
    expect(first.stdout).toContain('warnings');
    expect(run({ event: '{"event":"manual"}' })).toEqual(first);
  });
});

describe('an entry is ignored, and the run is right', () => {
  it.each<[why: string, spoil: () => void]>([
    ['its folder is writable by the group', () => chmodSync(cache, 0o770)],
    ['its folder is readable by others', () => chmodSync(cache, 0o755)],
    ['its file is writable by the group', () => chmodSync(entry(), 0o660)],
    ['its file is readable by others', () => chmodSync(entry(), 0o644)],
    ['its folder is a link', () => moveAndLink(cache)],
    ['its file is a link', () => moveAndLink(entry())],
    ['its file is a folder', () => replaceBy(entry(), (path) => mkdirSync(path))],
    ['its file is a pipe', () => replaceBy(entry(), (path) => spawnSync('mkfifo', ['-m', '600', path]))],
    ['it is empty', () => truncateSync(entry(), 0)],
    ['it is truncated', () => truncateSync(entry(), statSync(entry()).size - 1)],
    ['it is half as long', () => truncateSync(entry(), statSync(entry()).size >> 1)],
    ['it has more bytes', () => writeFileSync(entry(), Buffer.concat([readFileSync(entry()), Buffer.from(' ')]))],
    ['it is filled with zeros', () => writeFileSync(entry(), Buffer.alloc(statSync(entry()).size))],
    ['its hooks are no JSON', () => edit(/\{"hook":\{/, '{"hook":[[')],
    ['it has no hook', () => edit(/"hook":\{/, '"hoo_":{')],
    ['its patterns are no list', () => edit(/"patterns":\[\]/, '"patterns":{}')],
    ['it counts hooks that it has not', () => edit(/"count":1/, '"count":2')],
    ['it is of another build', () => edit(/^hookctl ./, 'hookctl _')],
    ['it is of another Node', () => edit(/ node v./, ' node v_')],
    ['it was made in another folder', copyCache],
    ['it is of another config', () => edit(/"names":\["agent.yaml"\]/, '"names":["other.yaml"]')],
    ['it is of another folder to run in', () => edit(/"cwd":"\/./, '"cwd":"/_')],
    ['the source got a line', () => write('agent.yaml', `${saying('written')}# more\n`)],
  ])('%s', (_, spoil) => {
    plant();
    spoil();
    expect(reason()).toBe('written');
  });

  it.skipIf(!IS_ROOT).each<[why: string, path: () => string]>([
    ['the file', () => entry()],
    ['the folder', () => cache],
  ])('%s belongs to another user', (_, path) => {
    plant();
    chownSync(path(), 12345, 12345);
    expect(reason()).toBe('written');
  });

  it('--no-cache: neither taken nor kept', () => {
    plant();
    const before = readFileSync(entry());
    expect(reason({ args: ['--no-cache'] })).toBe('written');
    expect(readFileSync(entry())).toEqual(before);
    rmSync(cache, { recursive: true });
    expect(reason({ args: ['--no-cache'] })).toBe('written');
    expect(existsSync(cache)).toBe(false);
  });
});

describe('what a config depends on', () => {
  it('its bytes: a change of the same length, with the time set back, is seen', () => {
    const file = join(folder, 'agent.yaml');
    write('agent.yaml', saying('earlier'));
    const { atime, mtime, size } = statSync(file);
    expect(reason()).toBe('earlier');
    write('agent.yaml', saying('written'));
    utimesSync(file, atime, mtime);
    expect(statSync(file)).toMatchObject({ size, mtime });
    expect(reason()).toBe('written');
  });

  it('a file that a folder got', () => {
    mkdirSync(join(folder, 'guards'));
    write('guards/agent.yaml', 'hooks: {}\n');
    expect(run({ config: 'guards' }).stdout).toBe('{"event":"preToolCall"}\n');
    write('guards/more.agent.yaml', saying('more'));
    expect(reason({ config: 'guards' })).toBe('more');
  });

  it('a file that became a folder, and one that went away', () => {
    write('agent.yaml', saying('written'));
    expect(reason()).toBe('written');
    rmSync(join(folder, 'agent.yaml'));
    expect(run({}).stdout).toContain('there is no such file');
    mkdirSync(join(folder, 'agent.yaml'));
    write('agent.yaml/agent.yaml', saying('inner'));
    expect(reason()).toBe('inner');
  });

  it('a config with an error is not kept: it is read, and refused, each time', () => {
    write('agent.yaml', 'hooks:\n  preToolCal: []\n');
    for (const _ of [1, 2]) expect(run({})).toMatchObject({ status: 2, stdout: expect.stringContaining('preToolCal') });
    expect(existsSync(cache)).toBe(false);
    write('agent.yaml', saying('mended'));
    expect(reason()).toBe('mended');
    write('agent.yaml', 'hooks:\n  preToolCal: []\n');
    expect(run({}).status).toBe(2);
  });
});

/** What a config of each room depends on; a change of any of it must count at once. */
type Change = readonly [path: string, text: string | undefined];
const claudeDenies = (reason: string, more: object = {}) =>
  JSON.stringify({
    ...more,
    hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: `echo ${reason} >&2; exit 2` }] }] },
  });
const kiroDenies = (reason: string) =>
  JSON.stringify({ hooks: { preToolUse: [{ matcher: 'execute_b*', command: `echo ${reason} >&2; exit 2` }] } });
const ideDenies = (reason: string) =>
  `{"name":"h","version":"1","when":{"type":"preToolUse","toolTypes":["shell"]},"then":{"type":"runCommand","command":"echo ${reason} >&2; exit 2"}}`;
const v1Denies = (reason: string) =>
  JSON.stringify({
    version: 'v1',
    hooks: [{ name: 'v', trigger: 'PreToolUse', action: { type: 'command', command: `echo ${reason} >&2; exit 2` } }],
  });
const prxHooks = (...commands: string[]) =>
  JSON.stringify({ hooks: { tool_call_start: commands.map((command) => ({ command })) } });

describe('configs of every room', () => {
  it.each<[what: string, configs: string[], files: Readonly<Record<string, string>>, changes: Change[]]>([
    [
      'Claude Code: settings of the user and of the project, and a switch for both',
      ['home/.claude/settings.json', '.claude'],
      { 'home/.claude/settings.json': '{}', '.claude/settings.json': '{}' },
      [
        ['.claude/settings.json', claudeDenies('a')],
        ['home/.claude/settings.json', claudeDenies('user')],
        ['.claude/settings.local.json', claudeDenies('local')],
        ['.claude/settings.local.json', '{"disableAllHooks":true}'],
        ['.claude/settings.local.json', undefined],
      ],
    ],
    [
      'Claude Code: the file that a plugin names',
      ['p/.claude-plugin/plugin.json'],
      { 'p/.claude-plugin/plugin.json': '{"name":"p","hooks":"./h.json"}', 'p/h.json': claudeDenies('one') },
      [
        ['p/h.json', claudeDenies('two')],
        ['p/.claude-plugin/plugin.json', '{"name":"p","hooks":"./g.json"}'],
        ['p/g.json', claudeDenies('three')],
      ],
    ],
    [
      'Kiro: a folder of agents',
      ['.kiro/agents'],
      { '.kiro/agents/a.json': kiroDenies('one') },
      [
        ['.kiro/agents/b.json', kiroDenies('two')],
        ['.kiro/agents/a.json', '{}'],
        ['.kiro/agents/b.json', undefined],
      ],
    ],
    [
      'Kiro: a folder of both kinds of hooks',
      ['.kiro'],
      { '.kiro/hooks/a.kiro.hook': ideDenies('one') },
      [
        ['.kiro/hooks/b.json', v1Denies('two')],
        ['.kiro/hooks/a.kiro.hook', undefined],
        ['.kiro/hooks/b.json', v1Denies('other')],
      ],
    ],
    [
      'PRX: observers, and plugins beside them',
      ['hooks.json'],
      { 'hooks.json': prxHooks('true'), 'plugins/none': '' },
      [
        ['hooks.json', prxHooks('true', 'false')],
        ['plugins/p/plugin.toml', '[plugin]\nname = 7\n'],
        ['plugins/p/plugin.toml', undefined],
        ['hooks.json', '{"hooks":{"tool_call_start":[7]}}'],
      ],
    ],
    [
      'several rooms at once',
      ['agent.yaml', 'claude:c.json', '.kiro/agents', 'hooks.json'],
      {
        'agent.yaml': 'hooks: {}',
        'c.json': '{}',
        '.kiro/agents/a.json': '{}',
        'hooks.json': prxHooks('true'),
      },
      [
        ['c.json', claudeDenies('claude')],
        ['.kiro/agents/a.json', kiroDenies('kiro')],
        ['agent.yaml', saying('mm')],
      ],
    ],
  ])('%s', (_, configs, files, changes) => {
    for (const [path, text] of Object.entries(files)) put(path, text);
    const said = [agreed(configs)];
    expect(entries()).toHaveLength(1);
    for (const [path, text] of changes) {
      if (text === undefined) rmSync(join(folder, path));
      else put(path, text);
      said.push(agreed(configs));
      expect(said.at(-1)).not.toBe(said.at(-2));
    }
  });

  /** What a run says: the first one, the next one, and one without the cache. */
  function agreed(configs: readonly string[]): string {
    const say = (args: string[] = []) => {
      const { stdout, stderr, status } = run({ configs, args: ['--trace', '--wait', ...args] });
      return JSON.stringify([status, stdout.replace(/"ms":\d+/g, '"ms":0'), stderr]);
    };
    const first = say();
    expect(say()).toBe(first);
    expect(say(['--no-cache'])).toBe(first);
    return first;
  }
});

describe.skipIf(!IS_ROOT)('a config that the user cannot change', () => {
  const NOBODY = 65534;

  it.each<[what: string, path: string, named: string]>([
    ['a file', 'etc/agent.yaml', 'etc/agent.yaml'],
    ['a folder', 'etc/agent.yaml', 'etc'],
  ])('is not replaced by what the user put into the cache: %s', (_, path, named) => {
    chmodSync(folder, 0o755);
    put(path, saying('written'));
    chownSync(home, NOBODY, NOBODY);
    const asNobody = () => reason({ config: named, uid: NOBODY });
    expect(asNobody()).toBe('written');
    expect(existsSync(cache)).toBe(false);

    // An entry as the user's own hookctl makes it of a config of theirs, with nothing that it depends on.
    chownSync(join(folder, 'etc'), NOBODY, NOBODY);
    chownSync(join(folder, path), NOBODY, NOBODY);
    expect(asNobody()).toBe('written');
    forge();
    expect(asNobody()).toBe('planted');
    forget();
    expect(asNobody()).toBe('planted');
    chownSync(join(folder, 'etc'), 0, 0);
    chownSync(join(folder, path), 0, 0);
    expect(asNobody()).toBe('written');
  });

  /** Takes out of the entry what it was read from. */
  function forget(): void {
    const text = readFileSync(entry(), 'latin1');
    const [, mark = '', head = '', rest = ''] = /^(.*\n)(.*)\n([\s\S]*)$/.exec(text) ?? [];
    const { looks, ...others } = JSON.parse(head);
    const bytes = looks.reduce((sum: number, one: { answer: unknown }) => sum + (Number(one.answer) || 0), 0);
    writeFileSync(entry(), `${mark}${JSON.stringify({ ...others, looks: [] })}\n${rest.slice(bytes)}`, 'latin1');
  }
});

describe('without a cache a run is right', () => {
  it.each<[why: string, env: Record<string, string>]>([
    ['there is no HOME', {}],
    ['HOME is no folder', { HOME: '/dev/null' }],
    ['HOME is relative', { HOME: 'home' }],
    ['XDG_CACHE_HOME is relative', { XDG_CACHE_HOME: 'home' }],
    ['nothing can be made there', { XDG_CACHE_HOME: '/proc/self' }],
  ])('%s', (_, env) => {
    write('agent.yaml', saying('written'));
    for (const _again of [1, 2]) expect(reason({ env })).toBe('written');
    expect(readdirSync(home)).toEqual([]);
  });

  it('$XDG_CACHE_HOME goes before HOME', () => {
    write('agent.yaml', saying('written'));
    reason({ env: { XDG_CACHE_HOME: join(folder, 'xdg'), HOME: home } });
    expect(readdirSync(join(folder, 'xdg'))).toEqual(['hookctl']);
    expect(readdirSync(home)).toEqual([]);
  });

  it('the disk is full', () => {
    write('agent.yaml', saying('written'));
    write('event.json', EVENT);
    const script = `ulimit -f 0; exec "$NODE" "$PROGRAM" run agent.yaml < event.json 2>&1 | cat`;
    const env = { PATH: process.env['PATH'], HOME: home, NODE: process.execPath, PROGRAM };
    for (const _again of [1, 2]) {
      const { stdout } = spawnSync('/bin/sh', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
      expect(JSON.parse(stdout.split('\n')[0] ?? '').reason).toBe('written');
      expect(entries()).toEqual([]);
    }
  });

  it('many runs at once, while the config changes', () => {
    const script = `for i in 1 2 3 4 5 6; do
      printf '%s' "$A" > agent.new; mv agent.new agent.yaml; "$NODE" "$PROGRAM" run agent.yaml < event.json & "$NODE" "$PROGRAM" run agent.yaml < event.json & wait
      printf '%s' "$B" > agent.new; mv agent.new agent.yaml; "$NODE" "$PROGRAM" run agent.yaml < event.json & "$NODE" "$PROGRAM" run agent.yaml < event.json & wait
    done`;
    write('event.json', EVENT);
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      NODE: process.execPath,
      PROGRAM,
      A: saying('a'),
      B: saying('b'),
    };
    const { stdout } = spawnSync('/bin/sh', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
    const reasons = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).reason);
    expect(reasons.join('')).toBe('aabb'.repeat(6));
    expect(readdirSync(cache).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

function saying(reason: string): string {
  return `hooks:\n  preToolCall:\n    - command: echo '{"action":"deny","reason":"${reason}"}'\n`;
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}

/** Writes a file, and its folders. */
function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  write(path, text);
}

type Ask = {
  readonly config?: string;
  readonly configs?: readonly string[];
  readonly args?: readonly string[];
  readonly event?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
};

function run({ config = 'agent.yaml', configs = [config], args = [], event = EVENT, env = { HOME: home }, uid }: Ask) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [PROGRAM, 'run', ...args, ...configs], {
    cwd: folder,
    ...(uid === undefined ? {} : { uid, gid: uid }),
    env: { PATH: process.env['PATH'], ...env },
    input: event,
    encoding: 'utf8',
    timeout: 30_000,
    killSignal: 'SIGKILL',
  });
  return { stdout, stderr, status };
}

function reason(ask: Ask = {}): unknown {
  const { stdout, stderr } = run(ask);
  return stdout === '' ? stderr : JSON.parse(stdout).reason;
}

/** An entry as hookctl made it, with another answer in the place of the hook's. */
function plant(): void {
  write('agent.yaml', saying('written'));
  expect(reason()).toBe('written');
  forge();
}

/** In what is run: the file itself and the name of the hook are in the entry too, and stay. */
function forge(): void {
  const bytes = readFileSync(entry());
  const at = bytes.lastIndexOf('written\\\\');
  expect(at).toBeGreaterThan(0);
  bytes.write('planted', at);
  writeFileSync(entry(), bytes);
}

function entries(): string[] {
  return readdirSync(cache);
}

function entry(): string {
  return join(cache, entries()[0] ?? 'none');
}

function edit(part: RegExp, text: string): void {
  const bytes = readFileSync(entry(), 'latin1');
  expect(bytes).toMatch(part);
  writeFileSync(entry(), bytes.replace(part, text), 'latin1');
}

function moveAndLink(path: string): void {
  renameSync(path, join(folder, 'moved'));
  symlinkSync(join(folder, 'moved'), path);
}

function replaceBy(path: string, make: (path: string) => void): void {
  rmSync(path);
  make(path);
  expect(existsSync(path)).toBe(true);
}

function copyCache(): void {
  const other = join(home, 'other');
  cpSync(cache, other, { recursive: true });
  rmSync(cache, { recursive: true });
  renameSync(other, cache);
  chmodSync(cache, 0o700);
  chmodSync(entry(), 0o600);
}
