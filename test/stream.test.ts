/**
 * `run --stream` as a coprocess: what only shows while it runs.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../bin/hookctl.js');
const HOOK = `cat >/dev/null; echo '{"action":"deny","reason":"no"}'`;
const GUARD = `hooks: { preToolCall: [{ name: guard, matcher: ^bash$, command: ${JSON.stringify(HOOK)} }] }\n`;

let folder = '';
let started: ChildProcessWithoutNullStreams[] = [];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookctl-stream-')));
  started = [];
});
afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

describe('a stream', () => {
  it('answers each event before the next one is there', async () => {
    write(GUARD);
    const { ask, end } = stream();
    expect(await ask(event(1, 'bash'))).toMatchObject({ id: 1, action: 'deny', reason: 'no' });
    expect(await ask(event(2, 'read'))).toEqual({ id: 2, event: 'preToolCall' });
    expect(await ask('{bad')).toMatchObject({ line: 3, action: 'deny' });
    expect(await ask(event(4, 'bash'))).toMatchObject({ id: 4, action: 'deny' });
    expect(await end()).toBe(0);
  });

  it('answers an event that comes in pieces, and the last one without a newline', async () => {
    write(GUARD);
    const { child, answers, end } = stream();
    for (const piece of event('é', 'bash').match(/.{1,7}/gs) ?? []) {
      child.stdin.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(await end()).toBe(0);
    expect(answers).toMatchObject([{ id: 'é', action: 'deny' }]);
  });

  it('reads configs again when they change; a broken one denies until it is mended', async () => {
    write('hooks: {}\n');
    const { ask, end } = stream();
    expect(await ask(event(1, 'bash'))).toEqual({ id: 1, event: 'preToolCall' });
    write(GUARD);
    expect(await ask(event(2, 'bash'))).toMatchObject({ action: 'deny', reason: 'no' });
    write('hooks:\n  preToolCal: []\n');
    for (const id of [3, 4])
      expect(await ask(event(id, 'read'))).toMatchObject({
        id,
        action: 'deny',
        reason: expect.stringContaining('preToolCal'),
        source: { kind: 'hookctl' },
      });
    rmSync(join(folder, 'agent.yaml'));
    expect(await ask(event(5, 'read'))).toMatchObject({ id: 5, action: 'deny', source: { kind: 'hookctl' } });
    write('hooks: {}\n');
    expect(await ask(event(6, 'bash'))).toEqual({ id: 6, event: 'preToolCall' });
    expect(await end()).toBe(0);
  });

  it('a room that is first asked for in the middle', async () => {
    write(GUARD);
    const { ask, end } = stream();
    await ask(event(1, 'read'));
    const payload = { id: 2, hook_event_name: 'PreToolUse', permission_mode: 'x', tool_name: 'Bash', tool_input: {} };
    expect(await ask(JSON.stringify(payload))).toMatchObject({
      id: 2,
      exit: 0,
      stdout: expect.stringContaining('"deny"'),
    });
    expect(await end()).toBe(0);
  });
});

describe('the end of a stream', () => {
  const SLOW = `hooks: { preToolCall: [{ name: slow, command: "echo $$ >>pids; trap '' TERM; cat >/dev/null; sleep 60" }] }\n`;

  it('SIGTERM: what was read is denied, in order, and the hooks are ended', async () => {
    write(SLOW);
    const { child, answers, exited } = stream('--jobs', '2');
    child.stdin.write([1, 2, 3, 4].map((id) => `${event(id, 'bash')}\n`).join(''));
    await until(() => pids().length === 2);
    child.kill('SIGTERM');
    expect(await exited).toBe(143);
    expect(answers).toEqual(
      [1, 2, 3, 4].map((id) => ({
        id,
        event: 'preToolCall',
        action: 'deny',
        reason: 'hookctl: ended by SIGTERM before all hooks had answered',
        source: { kind: 'hookctl' },
      })),
    );
    await until(() => pids().every((pid) => !isAlive(pid)));
  });

  it('the denies come before the hooks are gone', async () => {
    write(SLOW);
    const { child, answers, exited } = stream();
    child.stdin.write(`${event(1, 'bash')}\n`);
    await until(() => pids().length === 1);
    child.kill('SIGTERM');
    await until(() => answers.length === 1);
    expect(pids().some(isAlive)).toBe(true);
    child.kill('SIGTERM');
    expect(await exited).toBe(143);
    expect(pids().some(isAlive)).toBe(false);
  });

  it('end of stdin: what was read is judged, then it ends', async () => {
    write(`hooks: { preToolCall: [{ command: 'cat >/dev/null; sleep 0.2; echo "{\\"action\\":\\"allow\\"}"' }] }\n`);
    const { child, answers, exited } = stream('--jobs', '3');
    child.stdin.end([1, 2, 3, 4, 5].map((id) => `${event(id, 'bash')}\n`).join(''));
    expect(await exited).toBe(0);
    expect(answers.map(({ id, action }) => `${id} ${action}`)).toEqual([1, 2, 3, 4, 5].map((id) => `${id} allow`));
  });

  it('nobody reads verdicts any more: it ends with 2', async () => {
    write(GUARD);
    const { child, exited, ask } = stream();
    await ask(event(1, 'read'));
    child.stdout.destroy();
    child.stdin.write(`${event(2, 'read')}\n${event(3, 'read')}\n`);
    expect(await exited).toBe(2);
  });

  it('a reader who takes nothing does not keep SIGTERM from ending it', async () => {
    write(GUARD);
    const { child, exited } = stream({ reads: false });
    child.stdin.write(`${event('x'.repeat(1_000), 'read')}\n`.repeat(2_000));
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill('SIGTERM');
    expect(await exited).toBe(143);
  });
});

describe('observers in a stream', () => {
  const observed = (command: string) =>
    writeFileSync(join(folder, 'hooks.json'), JSON.stringify({ hooks: { tool_call_start: [{ command }] } }));
  const seen = () => lineCount(join(folder, 'seen'));

  it('have all been handed over when it ends, however much their events hold', async () => {
    writeFileSync(join(folder, 'see.sh'), '#!/bin/sh\nwc -c >>seen\n', { mode: 0o755 });
    writeFileSync(
      join(folder, 'hooks.json'),
      JSON.stringify({ hooks: { tool_call_start: [{ command: './see.sh', stdin_json: true }] } }),
    );
    const { child, exited, answers } = stream({ config: 'hooks.json' }, '--jobs', '4');
    const text = 'x'.repeat(50_000);
    for (let id = 0; id < 40; id++)
      child.stdin.write(
        `${JSON.stringify({ id, event: 'preToolCall', cwd: folder, tool: { name: 'bash', input: { text } } })}\n`,
      );
    child.stdin.end();
    expect(await exited).toBe(0);
    expect(answers).toHaveLength(40);
    await until(() => seen() === 40);
  });

  it('are not waited for', async () => {
    observed('./slow.sh');
    writeFileSync(join(folder, 'slow.sh'), '#!/bin/sh\necho $$ >>pids\nexec sleep 60\n', { mode: 0o755 });
    const { ask, end } = stream({ config: 'hooks.json' });
    for (const id of [1, 2, 3]) expect(await ask(event(id, 'bash'))).toEqual({ id, event: 'preToolCall' });
    expect(await end()).toBe(0);
    await until(() => pids().length === 3);
    for (const pid of pids()) process.kill(pid, 'SIGKILL');
  });

  it('SIGTERM: those of the answers that were given are started', async () => {
    observed('./see.sh');
    writeFileSync(join(folder, 'see.sh'), '#!/bin/sh\necho x >>seen\n', { mode: 0o755 });
    const { ask, child, exited } = stream({ config: 'hooks.json' });
    for (let id = 0; id < 20; id++) await ask(event(id, 'bash'));
    child.kill('SIGTERM');
    expect(await exited).toBe(143);
    await until(() => seen() === 20);
  });

  it('get another supervisor when theirs is gone', async () => {
    observed('./parent.sh');
    writeFileSync(join(folder, 'parent.sh'), '#!/bin/sh\necho $PPID >>pids\n', { mode: 0o755 });
    const { ask, end } = stream({ config: 'hooks.json' });
    await ask(event(1, 'bash'));
    await until(() => pids().length === 1);
    const [first = 0] = pids();
    process.kill(first, 'SIGKILL');
    await until(() => !isAlive(first));
    for (let id = 2; pids().length < 2; id++) {
      await ask(event(id, 'bash'));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(pids()[1]).not.toBe(first);
    expect(await end()).toBe(0);
  });
});

describe('memory', () => {
  it('while nobody reads answers no more events are read', async () => {
    write(GUARD);
    const { child, lines, exited } = stream({ reads: false });
    let taken = 0;
    const chunk = `${event('x'.repeat(1_000), 'read')}\n`.repeat(100);
    const writing = (async () => {
      for (; taken < 200; taken++) if (!child.stdin.write(chunk)) await once(child.stdin, 'drain');
    })();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const before = taken;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(taken).toBe(before);
    expect(taken).toBeLessThan(50);
    const all = lines();
    await writing;
    child.stdin.end();
    expect(await exited).toBe(0);
    expect(await all).toHaveLength(200 * 100);
  });

  it('words that nobody reads hold nothing up', async () => {
    write(`hooks: { preToolCall: [{ matcher: ^bash$, command: x }], manual: [{ matcher: a, command: 'true' }] }\n`);
    const { child, answers, exited } = stream({ words: false });
    child.stdin.end('{bad\n'.repeat(20_000));
    expect(await exited).toBe(0);
    expect(answers).toHaveLength(20_000);
  });

  it('a line beyond 64 MiB is denied without being kept', async () => {
    write(GUARD);
    const { child, answers, exited } = stream();
    child.stdin.write(`${event(1, 'read')}\n{"id":2,"x":"`);
    const part = Buffer.alloc(1024 * 1024, 'x');
    for (let n = 0; n < 200; n++) if (!child.stdin.write(part)) await once(child.stdin, 'drain');
    child.stdin.end(`"}\n${event(3, 'read')}\n`);
    expect(await exited).toBe(0);
    expect(answers).toMatchObject([
      { id: 1 },
      { line: 2, action: 'deny', reason: 'hookctl: the event is longer than 64 MiB' },
      { id: 3 },
    ]);
    expect(peakMb()).toBeLessThan(350);
  });

  it('does not grow: 30,000 events, whatever their names', async () => {
    write(GUARD);
    const { child, answers, exited } = stream();
    for (let id = 0; id < 30_000; id++) {
      const text =
        id % 3 === 0 ? event(id, 'read') : id % 3 === 1 ? `{"id":${id},"event":"event${id}"}` : event(id, `t${id}`);
      if (!child.stdin.write(`${text}\n`)) await once(child.stdin, 'drain');
    }
    child.stdin.end();
    expect(await exited).toBe(0);
    expect(answers).toHaveLength(30_000);
    const heaps = heapsMb();
    expect(heaps.length).toBeGreaterThan(4);
    const half = heaps.length >> 1;
    expect(Math.max(...heaps.slice(half))).toBeLessThan(Math.max(...heaps.slice(0, half)) + 1);
  });
});

function write(text: string): void {
  writeFileSync(join(folder, 'agent.yaml'), text);
}

function event(id: unknown, tool: string): string {
  return JSON.stringify({ id, event: 'preToolCall', cwd: folder, tool: { name: tool, input: {} } });
}

type Answer = Readonly<Record<string, unknown>>;
type How = { readonly reads?: false; readonly words?: false; readonly config?: string };

/** Starts one. `reads: false`: nobody reads stdout, until `lines` does; `words: false`: nobody reads stderr. */
function stream(...args: readonly (string | How)[]) {
  const how = args.find((one): one is How => typeof one === 'object') ?? {};
  const words = args.filter((one) => typeof one === 'string');
  const child = spawn(
    process.execPath,
    ['-r', probe(), PROGRAM, 'run', '--stream', ...words, how.config ?? 'agent.yaml'],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder },
    },
  );
  started.push(child);
  child.stdin.on('error', () => {});
  if (how.words !== false) child.stderr.resume();
  const exited = once(child, 'close').then(([code]) => code as number);
  const answers: Answer[] = [];
  const waiting: ((answer: Answer) => void)[] = [];
  const take = (line: string) => {
    const answer = JSON.parse(line) as Answer;
    answers.push(answer);
    waiting.shift()?.(answer);
  };
  const lines = () => {
    const reader = createInterface({ input: child.stdout });
    reader.on('line', take);
    return once(reader, 'close').then(() => answers);
  };
  if (how.reads !== false) void lines();
  return {
    child,
    answers,
    exited,
    lines,
    ask: (text: string) =>
      new Promise<Answer>((resolve) => {
        waiting.push(resolve);
        child.stdin.write(`${text}\n`);
      }),
    end: () => {
      child.stdin.end();
      return exited;
    },
  };
}

/** Notes the heap after a collection, again and again, and the peak of the process at its end. */
function probe(): string {
  const file = join(folder, 'probe.cjs');
  writeFileSync(
    file,
    `require('v8').setFlagsFromString('--expose-gc');
     const gc = require('vm').runInNewContext('gc');
     const heaps = [];
     setInterval(() => { gc(); heaps.push(process.memoryUsage().heapUsed / 1e6); }, 100).unref();
     process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(join(folder, 'probe.json'))},
       JSON.stringify({ heaps, peak: process.resourceUsage().maxRSS / 1024 })));`,
  );
  return file;
}

function seen(): { readonly heaps: readonly number[]; readonly peak: number } {
  return JSON.parse(readFileSync(join(folder, 'probe.json'), 'utf8'));
}

function heapsMb(): readonly number[] {
  return seen().heaps;
}

function peakMb(): number {
  return seen().peak;
}

function lineCount(file: string): number {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
}

function pids(): number[] {
  const file = join(folder, 'pids');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; !holds(); n++) {
    if (n > 1_000) throw new Error('waited for 20 s in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
