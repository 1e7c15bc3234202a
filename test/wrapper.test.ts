/**
 * The wrappers of `demos/wrapper`: both print the same for each of its scenarios, and refuse what does not come from hookctl.
 * `UPDATE=1` rewrites the expected transcripts from wrapper.cjs.
 */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const DEMO = join(ROOT, 'demos/wrapper');
const SCENARIOS = join(DEMO, 'scenarios');
const HOOKCTL = join(ROOT, 'bin/hookctl.js');
const UPDATE = process.env['UPDATE'] === '1';
/** After so long a wrapper is killed. */
const SECONDS = 240;

const WRAPPERS = [
  { name: 'wrapper.cjs', command: [process.execPath, join(DEMO, 'wrapper.cjs')] },
  { name: 'wrapper.sh', command: ['/bin/sh', join(DEMO, 'wrapper.sh')] },
] as const;
type Wrapper = (typeof WRAPPERS)[number];

if (!existsSync(join(ROOT, 'dist'))) throw new Error('run npm run build first');

vi.setConfig({ testTimeout: (SECONDS + 30) * 1_000 });

describe.concurrent('scenarios', () => {
  for (const name of readdirSync(SCENARIOS)) {
    const folder = join(SCENARIOS, name);
    const file = join(folder, 'expected.txt');
    const args = name.startsWith('editor-') ? ['--editor'] : [];
    const files = (box: string) => cpSync(folder, box, { recursive: true });

    if (UPDATE) {
      it(`${name}: update`, async () => {
        const seen = await play(WRAPPERS[0], files, { args });
        expect(seen).toMatchObject({ stderr: '', exit: 0 });
        writeFileSync(file, seen.stdout);
      });
    } else {
      it.each(WRAPPERS)(`${name}: $name`, async (wrapper) => {
        const seen = await play(wrapper, files, { args });
        expect(seen).toEqual({ stdout: readFileSync(file, 'utf8'), stderr: '', exit: 0 });
      });
    }
  }
});

const WENT_WELL = `\
yolo: on | hooks: none
> hello
bash: ls
hi
--- history
user: hello
model: calls bash: ls
tool: a
model: hi
`;

/** What is played where hookctl misbehaves at a point. */
const REFUSED: Readonly<Record<string, (why: string) => string>> = {
  preGeneration: (why) => `\
yolo: on | hooks: none
> hello
${why}
--- history
user: [prompt blocked by a hook: ${why}]
`,
  preToolCall: (why) => `\
yolo: on | hooks: none
> hello
🪝 bash [denied by a hook: ${why}]
hi
--- history
user: hello
model: calls bash: ls
tool: ${why}
model: hi
`,
  postToolCall: (why) => WENT_WELL.replace('---', `warning: postToolCall: ${why}\n---`),
  postGeneration: (why) => WENT_WELL.replace('---', `warning: postGeneration: ${why}\n---`),
};

const POINTS = Object.keys(REFUSED);
const ONE_LINE = 'hookctl did not print one line';
const VERDICT = 'hookctl did not print a verdict';

/** What a shell script in place of hookctl does when it is asked, at first before the prompt, and the reason that is read. */
const FAULTS: readonly {
  readonly name: string;
  readonly does: string;
  readonly why: string;
  readonly points?: readonly string[];
  readonly wait?: string;
}[] = [
  { name: 'exit 1', does: 'exit 1', why: 'hookctl ended with exit code 1', points: POINTS },
  { name: 'nothing', does: 'exit 0', why: ONE_LINE, points: POINTS },
  { name: 'killed', does: 'kill -9 $$', why: 'hookctl was killed' },
  { name: 'ended by a signal', does: 'exit 143', why: 'hookctl was killed' },
  { name: 'no opinion, then killed', does: `${says({})}; kill -9 $$`, why: 'hookctl was killed' },
  { name: 'no opinion, then exit 1', does: `${says({})}; exit 1`, why: 'hookctl ended with exit code 1' },
  { name: 'no end', does: 'trap "" TERM; while :; do sleep 1; done', why: 'hookctl was killed', wait: '5' },
  { name: 'not started', does: 'exit 127', why: 'hookctl cannot be started' },
  { name: 'nothing, exit 2', does: 'exit 2', why: ONE_LINE },
  { name: 'an empty line', does: 'echo', why: ONE_LINE },
  { name: 'two lines', does: `${says({})}; ${says({})}`, why: ONE_LINE },
  { name: 'half a line', does: `printf '{"event":"preGeneration"}'`, why: ONE_LINE },
  { name: 'no JSON', does: 'echo yes', why: VERDICT },
  { name: 'no object', does: 'echo null', why: VERDICT },
  { name: 'an array', does: 'echo []', why: VERDICT },
  { name: 'another event', does: says({ event: 'preToolCall' }), why: VERDICT },
  { name: 'an unknown action', does: says({ action: 'permit' }), why: VERDICT },
  { name: 'an action of another point', does: says({ action: 'allow' }), why: VERDICT },
  { name: 'a stop with exit 0', does: says({ action: 'stop', reason: 'no' }), why: VERDICT },
  { name: 'no opinion with exit 2', does: `${says({})}; exit 2`, why: VERDICT },
  { name: 'a stop without a reason', does: `${says({ action: 'stop' })}; exit 2`, why: VERDICT },
  { name: 'a prompt that is no text', does: says({ prompt: 1 }), why: VERDICT },
  { name: 'an input that is no object', does: says({ input: 'ls' }), why: VERDICT },
];

describe.concurrent('in place of hookctl', () => {
  for (const wrapper of WRAPPERS) {
    it(`one that does as it should: ${wrapper.name}`, async () => {
      const seen = await play(wrapper, (box) => layFake(box, 'none', ':'), { hookctl: './fake' });
      expect(seen).toEqual({ stdout: WENT_WELL, stderr: '', exit: 0 });
    });

    it(`no program: ${wrapper.name}`, async () => {
      const seen = await play(wrapper, layTurn, { hookctl: './missing' });
      const refused = REFUSED['preGeneration']?.('hookctl cannot be started');
      expect(seen).toEqual({ stdout: refused?.replace(/.*/, 'yolo: off | hooks: unknown'), stderr: '', exit: 0 });
    });

    for (const { name, does, why, points = ['preGeneration'], wait = '50' } of FAULTS) {
      for (const point of points) {
        it(`${name}, ${point}: ${wrapper.name}`, async () => {
          const seen = await play(wrapper, (box) => layFake(box, point, does), { hookctl: './fake', wait });
          expect(seen).toEqual({ stdout: REFUSED[point]?.(why), stderr: '', exit: 0 });
        });
      }
    }
  }
});

describe.concurrent('what a person is asked', () => {
  // Longer than what Linux takes as one argument.
  const LONG = 'x'.repeat(200_000);
  const command = 'ls\u001b[2K\rrm -rf ~';
  const cases = [
    { name: 'control characters', input: { command }, title: String.raw`ls\u001b[2K\u000drm -rf ~` },
    { name: 'more than a command', input: { command: 'ls', cwd: '/' }, title: '{"command":"ls","cwd":"/"}' },
    { name: 'a long command', input: { command: LONG }, title: LONG },
    { name: 'no command', input: {}, title: '{}' },
    { name: 'quotes and backslashes', input: { command: `"a" 'b' \\n $HOME %s` }, title: `"a" 'b' \\n $HOME %s` },
  ];
  for (const wrapper of WRAPPERS) {
    for (const { name, input, title } of cases) {
      it(`${name}: ${wrapper.name}`, async () => {
        const files = (box: string) => lay(box, { agent: 'yolo: false\n', tool: { name: 'bash', input } });
        const { stdout } = await play(wrapper, files);
        expect(stdout.split('\n')[2]).toBe(`bash: ${title} — run it? no`);
      });
    }
  }
});

/** A verdict as a shell command. */
function says(verdict: object): string {
  return `echo '${JSON.stringify({ event: 'preGeneration', ...verdict })}'`;
}

function layTurn(box: string): void {
  lay(box, { agent: 'yolo: true\n', tool: { name: 'bash', input: { command: 'ls' } } });
}

function lay(box: string, { agent, tool }: { readonly agent: string; readonly tool: object }): void {
  writeFileSync(join(box, 'agent.yaml'), agent);
  writeFileSync(join(box, 'turn.json'), JSON.stringify({ prompt: 'hello', tool, output: 'a', answers: ['hi'] }));
}

/** A program that misbehaves at one point, and has no opinion at the others. */
function layFake(box: string, point: string, does: string): void {
  layTurn(box);
  const script = `#!/bin/sh
[ "$1" = list ] && echo 'yolo: on | hooks: none' && exit
event=$(cat)
event=\${event#'{"event":"'}
event=\${event%%'"'*}
[ "$event" != ${point} ] || { ${does}; exit; }
printf '{"event":"%s"}\\n' "$event"
`;
  writeFileSync(join(box, 'fake'), script, { mode: 0o755 });
}

type Seen = { readonly stdout: string; readonly stderr: string; readonly exit: number | null };

/** Plays the turn of a fresh folder. */
async function play(
  wrapper: Wrapper,
  files: (box: string) => void,
  { args = [], hookctl = HOOKCTL, wait = '50' }: { args?: readonly string[]; hookctl?: string; wait?: string } = {},
): Promise<Seen> {
  const box = mkdtempSync(join(tmpdir(), 'hookctl-wrapper-'));
  try {
    files(box);
    const env = {
      PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      HOME: box,
      TMPDIR: box,
      LANG: 'C.UTF-8',
      HOOKCTL: hookctl,
      WRAPPER_WAIT: wait,
    };
    return await run([...wrapper.command, ...args, 'agent.yaml', 'turn.json'], box, env);
  } finally {
    rmSync(box, { recursive: true, force: true, maxRetries: 3 });
  }
}

function run([file = '', ...args]: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), SECONDS * 1_000);
    const texts = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      texts.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      texts.stderr += text;
    });
    child.on('error', reject).on('close', (exit) => {
      clearTimeout(timer);
      resolve({ ...texts, stdout: texts.stdout.replace(/ \(\d+ ms\)$/gm, ' (0 ms)'), exit });
    });
  });
}
