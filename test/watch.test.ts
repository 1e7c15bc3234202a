/**
 * `hookctl watch` as a process: what it tells of what happens on a disk, and that nothing gets lost or doubled.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../bin/hookctl.js');
const MANY = 10_000;

type Line = {
  readonly event: string;
  readonly path: string;
  readonly ran: readonly string[];
  readonly context?: string;
};

let folder = '';
let running: Watched | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookctl-watch-'));
  mkdirSync(join(folder, '.git'));
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

class Watched {
  private out = '';
  err = '';
  readonly ended: Promise<number | null>;

  constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk) => (this.out += chunk));
    child.stderr?.on('data', (chunk) => (this.err += chunk));
    this.ended = new Promise((resolve) => child.on('exit', resolve));
  }

  lines(): Line[] {
    return this.out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }

  /** Waits until it holds, and then until nothing more comes. */
  async until(holds: () => boolean, ms = 60_000): Promise<void> {
    for (const end = Date.now() + ms; !holds(); ) {
      if (Date.now() > end) throw new Error(`it never came:\n${this.out.slice(-2_000)}\n${this.err.slice(-2_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (let seen = -1; seen !== this.out.length; ) {
      seen = this.out.length;
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
  }

  said(): string[] {
    return this.lines().map(({ event, path }) => `${event} ${path}`);
  }

  signal(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) await this.signal('SIGKILL');
  }
}

async function watch(...args: string[]): Promise<Watched> {
  const child = spawn(process.execPath, [PROGRAM, 'watch', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running = new Watched(child);
  const started = running;
  await started.until(() => started.err.includes('Ctrl-C ends'), 120_000);
  return started;
}

const ALL = `hooks:
  fileCreated: [{ name: made, command: ':' }]
  fileSaved: [{ name: saved, command: ':' }]
  fileDeleted: [{ name: gone, command: ':' }]
`;

describe('watch', { timeout: 120_000 }, () => {
  it('tells making, saving, deleting, renaming and an atomic save apart', async () => {
    put('agent.yaml', ALL);
    put('old.ts', '1');
    const watched = await watch('agent.yaml');
    const step = async (act: () => void, count: number) => {
      const before = watched.lines().length;
      act();
      await watched.until(() => watched.lines().length >= before + count);
    };
    await step(() => put('new.ts', '1'), 1);
    await step(() => appendFileSync(join(folder, 'old.ts'), '2'), 1);
    await step(() => {
      put('.new.ts.tmp', '2');
      renameSync(join(folder, '.new.ts.tmp'), join(folder, 'new.ts'));
    }, 1);
    await step(() => renameSync(join(folder, 'new.ts'), join(folder, 'other.ts')), 2);
    await step(() => put('a/b/c.ts', ''), 1);
    await step(() => rmSync(join(folder, 'a'), { recursive: true }), 1);
    await step(() => {
      for (let n = 0; n < 20; n++) appendFileSync(join(folder, 'old.ts'), String(n));
    }, 1);
    expect(watched.said()).toEqual([
      'fileCreated new.ts',
      'fileSaved old.ts',
      'fileSaved new.ts',
      'fileDeleted new.ts',
      'fileCreated other.ts',
      'fileCreated a/b/c.ts',
      'fileDeleted a/b/c.ts',
      'fileSaved old.ts',
    ]);
  });

  it('leaves alone what git ignores', async () => {
    put('agent.yaml', ALL);
    put('.gitignore', 'node_modules\n*.log\n');
    put('node_modules/x/index.js', '');
    const watched = await watch('agent.yaml');
    put('node_modules/x/more.js', '');
    put('a.log', '');
    put('.git/index', '');
    put('a.ts', '');
    await watched.until(() => watched.lines().length > 0);
    expect(watched.said()).toEqual(['fileCreated a.ts']);
  });

  it('takes what was ignored until now for what was there, and watches it', async () => {
    put('agent.yaml', ALL);
    put('.gitignore', 'gen\n');
    put('gen/deep/old.ts', '');
    const watched = await watch('agent.yaml');
    put('.gitignore', '\n');
    await watched.until(() => watched.lines().length > 0);
    put('gen/deep/new.ts', '');
    await watched.until(() => watched.lines().length > 1);
    put('gen/deep/old.ts', 'saved');
    await watched.until(() => watched.lines().length > 2);
    expect(watched.said()).toEqual([
      'fileSaved .gitignore',
      'fileCreated gen/deep/new.ts',
      'fileSaved gen/deep/old.ts',
    ]);
  });

  it('finds what is made in new folders, all at once', async () => {
    put('agent.yaml', ALL);
    const watched = await watch('agent.yaml');
    const paths = Array.from({ length: 60 }, (_, n) => `new/${n % 5}/${n % 3}/f${n}.ts`);
    for (const path of paths) put(path, '');
    await watched.until(() => watched.lines().length >= paths.length);
    expect(watched.said().sort()).toEqual(paths.map((path) => `fileCreated ${path}`).sort());
  });

  it('does not call a formatter for what the formatter wrote', async () => {
    put(
      'agent.yaml',
      `hooks:\n  fileSaved: [{ name: format, command: 'sleep 0.3; echo "// header" >>a.ts; sleep 0.3' }]\n`,
    );
    put('a.ts', '1\n');
    const watched = await watch('agent.yaml');
    appendFileSync(join(folder, 'a.ts'), '2\n');
    await watched.until(() => watched.lines().length > 0);
    expect(watched.said()).toEqual(['fileSaved a.ts']);
    appendFileSync(join(folder, 'a.ts'), '3\n');
    await watched.until(() => watched.lines().length > 1);
    expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe('1\n2\n// header\n3\n// header\n');
  });

  it('pauses two hooks that call one another', async () => {
    const other = (from: string, to: string) =>
      `{ name: ${from}, matcher: x, command: 'case $(cat) in *${from}.ts*) echo x >>${to}.ts;; esac' }`;
    put(
      'agent.yaml',
      `hooks:\n  fileSaved: [${[other('a', 'b'), other('b', 'a')].join(', ').replaceAll('matcher: x, ', '')}]\n`,
    );
    put('a.ts', '');
    put('b.ts', '');
    const watched = await watch('agent.yaml', '--debounce', '20ms');
    appendFileSync(join(folder, 'a.ts'), 'x');
    await watched.until(() => watched.err.includes('paused'));
    const runs = watched.said().filter((one) => one === 'fileSaved a.ts').length;
    expect(runs).toBeGreaterThan(4);
    expect(runs).toBeLessThan(11);
    expect(watched.err).toContain('warning: a ran more than 8 times in 10 s for a.ts; it is paused for this file');
  });

  it('reads its configs again, and keeps the last good one', async () => {
    put('agent.yaml', ALL);
    const watched = await watch('agent.yaml');
    put('agent.yaml', ALL.replace('made', 'created'));
    await watched.until(() => watched.err.includes('read again'));
    put('a.ts', '');
    await watched.until(() => watched.lines().some(({ path }) => path === 'a.ts'));
    put('agent.yaml', 'hooks: 1');
    await watched.until(() => watched.err.includes('last good one'));
    put('b.ts', '');
    await watched.until(() => watched.lines().some(({ path }) => path === 'b.ts'));
    const made = watched.lines().filter(({ event }) => event === 'fileCreated');
    expect(made.map(({ path, ran }) => `${path} ${ran}`)).toEqual(['a.ts created', 'b.ts created']);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends on %s with its hooks', async (signal) => {
    put('agent.yaml', `hooks:\n  fileCreated: [{ command: 'case $(cat) in *a.ts*) echo $$ >pid; sleep 60;; esac' }]\n`);
    const watched = await watch('agent.yaml');
    put('a.ts', '');
    await watched.until(() => {
      try {
        return readFileSync(join(folder, 'pid'), 'utf8') !== '';
      } catch {
        return false;
      }
    });
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    expect(await watched.signal(signal)).toBe(0);
    expect(() => process.kill(pid, 0)).toThrow();
  });
});

describe('watch of many files', { timeout: 600_000 }, () => {
  it(`holds ${MANY} files, and loses and doubles none of 1,000 changes at once`, async () => {
    put('conf/agent.yaml', ALL);
    const name = (n: number) => `f/d${n % 100}/f${n}.txt`;
    for (let n = 0; n < MANY; n++) put(name(n), String(n));
    const watched = await watch('conf/agent.yaml', '--root', 'f');
    expect(watched.err).toContain(`(${MANY} files)`);
    const expected: string[] = [];
    for (let n = 0; n < 1_000; n++) {
      const path = name(n * 10);
      const shown = path.slice(2);
      if (n % 4 === 0) {
        rmSync(join(folder, path));
        expected.push(`fileDeleted ${shown}`);
      } else if (n % 4 === 1) {
        put(`${path}.new`, 'new');
        expected.push(`fileCreated ${shown}.new`);
      } else if (n % 4 === 2) {
        put(`${path}.tmp`, 'saved beside');
        renameSync(join(folder, `${path}.tmp`), join(folder, path));
        expected.push(`fileSaved ${shown}`);
      } else {
        put(path, 'saved in place');
        expected.push(`fileSaved ${shown}`);
      }
    }
    await watched.until(() => watched.lines().length >= expected.length, 400_000);
    expect(watched.said().sort()).toEqual(expected.sort());
  });
});
