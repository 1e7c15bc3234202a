import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { HOOKS, type Program } from './box';
import { type Case, findCaseFiles, type Options, readCases, titleOf } from './cases';
import { limited } from './limit';
import { isAlive, pidsIn, poll } from './processes';
import { runCase, type Seen, wanted } from './run';
import { replaceExpected, updateCase } from './update';

const folder = mkdtempSync(join(tmpdir(), 'hookctl-harness-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The program under test: a script of the case's own, so that each test says what it does. */
const FAKE: Program = ['/bin/sh', '-c', 'exec /bin/sh "$@"', 'fake'];

describe('a case passes', () => {
  it('with the right stdout, stderr and exit', async () => {
    expect(await differences({ stdout: 'out\n', stderr: 'err\n', exit: 3 }, 'echo out; echo err >&2; exit 3')).toEqual(
      [],
    );
  });

  it('with a pattern that is found', async () => {
    expect(await differences({ stdout: '/^O.T/is', stderr: '/r{2}/' }, 'echo out; echo err >&2')).toEqual([]);
  });

  it('with the number of the signal that ended the program', async () => {
    expect(await differences({ exit: 143 }, 'kill -TERM $$')).toEqual([]);
  });

  it('when it never reads a long stdin', async () => {
    expect(await differences({ stdin: 'x'.repeat(1_000_000) }, 'exit 0')).toEqual([]);
  });
});

describe.concurrent('a case fails', () => {
  it.each([
    ['a wrong stdout', { stdout: 'out' }, 'echo out', ['stdout']],
    ['a wrong stderr', { stderr: '' }, 'echo err >&2', ['stderr']],
    ['a wrong exit', { exit: 0 }, 'exit 1', ['exit']],
    ['all three at once', { stdout: 'a', stderr: 'b', exit: 2 }, '', ['exit', 'stderr', 'stdout']],
    ['a pattern that is not found', { stdout: '/^x/' }, 'echo out', ['stdout']],
    ['a wrong file', { after: { log: 'a\n' } }, 'echo b >log', ['after']],
    ['a missing file', { after: { log: '' } }, '', ['after']],
    ['a file that must not be', { after: { log: null } }, 'echo >log', ['after']],
  ])('with %s', async (_, written, script, expected) => {
    expect(await differences(written, script)).toEqual(expected);
  });

  it('with bytes that are not UTF-8', async () => {
    const seen = await run({ stdout: '\ufffd' }, "printf '\\377'");
    expect(seen.problems).toEqual(['stdout is not UTF-8']);
  });

  it('when it takes too long, and its whole group is killed', async () => {
    const pids = join(folder, 'overlong.pids');
    const seen = await run({ seconds: 1 }, `sleep 30 & printf '%s\\n' $$ $! >${pids}; wait`);
    expect(seen).toMatchObject({ exit: 137, problems: ['took more than 1 s'] });
    expect(await aliveIn(pids)).toEqual([]);
  });

  it('when a process of another group holds the pipes for too long', async () => {
    const seen = await run(
      { seconds: 1, left: 'pids' },
      `(${HOOKS}/escape.cjs pids &); until [ -s pids ]; do sleep 0.1; done`,
    );
    expect(seen.problems).toContain('took more than 1 s');
  });

  it('when a process that must be dead lives, which is then killed', async () => {
    const pids = join(folder, 'survivor.pids');
    const script = `sleep 30 >/dev/null 2>&1 & echo $! >pids; cp pids ${pids}`;
    const seen = await run({ gone: 'pids' }, script);
    expect(seen.problems).toEqual(['1 of the 1 processes in pids are still alive']);
    expect(await aliveIn(pids)).toEqual([]);
  });

  it('when a process that must live is dead', async () => {
    const seen = await run({ left: 'pids' }, 'sleep 0 & echo $! >pids; wait');
    expect(seen.problems).toEqual(['1 of the 1 processes in pids are dead']);
  });

  it.each(['gone', 'left'])('when the file of `%s` holds no pids', async (key) => {
    expect((await run({ [key]: 'pids' }, 'echo none >pids')).problems).toEqual(['pids holds no pids']);
  });
});

describe.concurrent('the processes that a case names', () => {
  it('may go within three seconds', async () => {
    expect((await run({ gone: 'pids' }, 'sleep 1 >/dev/null 2>&1 & echo $! >pids')).problems).toEqual([]);
  });

  it('are ended after they were seen alive', async () => {
    const pids = join(folder, 'left.pids');
    const seen = await run({ left: 'pids' }, `sleep 30 >/dev/null 2>&1 & echo $! >pids; cp pids ${pids}`);
    expect(seen.problems).toEqual([]);
    expect(await aliveIn(pids)).toEqual([]);
  });
});

describe('what a case sets up', () => {
  it('a clean environment with what the case adds', async () => {
    process.env['HOOKCTL_LEAK'] = process.env['MM_LEAK'] = '1';
    const seen = await run({ env: { X: '{DIR}/x', LANG: null } }, 'env | cut -d= -f1 | sort; echo $X');
    // The shell itself sets PWD, and some shells more.
    const names = seen.stdout.split('\n').filter((line) => !/^(PWD|OLDPWD|SHLVL|_|)$/.test(line));
    expect(names).toEqual(['HOME', 'PATH', 'TMPDIR', 'X', '{DIR}/x']);
  });

  it('its files, those with a shebang executable, and its stdin', async () => {
    const files = { 'a/b': `#!/bin/sh\necho {DIR} "[\${DIR}]"; cat`, plain: '{HOOKS}' };
    const written = { files, stdin: '{HOME}', after: { plain: '{HOOKS}' } };
    const seen = await run(written, 'a/b; [ -x plain ] || echo plain; cd "$HOME"; pwd');
    expect(seen).toMatchObject({ stdout: '{DIR} []\n{HOME}plain\n{HOME}\n', after: { plain: '{HOOKS}' } });
  });

  it('the program as $HOOKCTL of a script', async () => {
    const path = written({ argv: undefined, run: '$HOOKCTL -c "echo \\$0 \\$*" a "b c" | tr a-z A-Z' });
    expect(await runCase(only(path), ['/bin/sh'])).toMatchObject({ stdout: 'A B C\n', exit: 0 });
  });

  it.each([
    ['stdinBase64', { stdinBase64: '/wAK' }, '377 000 012'],
    ['stdinFile', { stdinFile: 'stdin.bin' }, '376 015'],
  ])('%s as bytes', async (_, stdin, octal) => {
    mkdirSync(join(folder, 'topic'), { recursive: true });
    writeFileSync(join(folder, 'topic/stdin.bin'), Buffer.from([0o376, 0o15]));
    const seen = await run(stdin, 'od -An -to1 | xargs');
    expect(seen.stdout).toBe(`${octal}\n`);
  });
});

it('times are shown as 0', async () => {
  const seen = await run({}, `echo '{"ms":12.5,"x":{"ms": 3}}'; echo 'deny (12 ms)' >&2`);
  expect(seen).toMatchObject({ stdout: '{"ms":0,"x":{"ms": 0}}\n', stderr: 'deny (0 ms)\n' });
});

describe('a case file is refused', () => {
  it.each([
    ['an unknown key', { stdot: '' }, /unknown key "stdot"/],
    ['no name', { name: undefined }, /no `name`/],
    ['no stdout', { stdout: undefined }, /no `stdout`/],
    ['no exit', { exit: undefined }, /no `exit`/],
    ['no command', { argv: undefined }, /no `argv`/],
    ['two commands', { run: 'true' }, /argv and run exclude each other/],
    ['two kinds of stdin', { stdin: '', stdinBase64: '' }, /stdin and stdinBase64 exclude each other/],
    ['an exit that is a text', { exit: '0' }, /exit: must be a number from 0 to 255/],
    ['a variable that is a number', { env: { X: 1 } }, /env: X: must be a text/],
    ['a pattern that does not compile', { stderr: '/(/' }, /stderr: Invalid regular expression/],
    ['something else than base64', { stdinBase64: 'a-b' }, /stdinBase64: must be base64/],
    ['a file outside of the folder', { files: { '../../x': '' } }, /outside of the temporary folder/],
  ])('with %s', async (_, written, message) => {
    await expect(run(written, '')).rejects.toThrow(message);
  });

  it('with two cases of one name', () => {
    const path = save(`${stringify(minimal({}))}---\n${stringify(minimal({}))}`);
    expect(() => readCases(path)).toThrow(/case 2: there is another case named "x"/);
  });

  it('with an empty document, a duplicate key, or broken YAML', () => {
    for (const text of ['---\n', `${stringify(minimal({}))}---\n`, 'name: a\nname: b\n', 'name: [\n']) {
      expect(() => readCases(save(text))).toThrow(/, case [12]: /);
    }
  });

  it('anywhere but in a topic', () => {
    const cases = mkdtempSync(join(folder, 'cases-'));
    mkdirSync(join(cases, 'topic/deep'), { recursive: true });
    for (const name of ['topic/b.yaml', 'topic/a.yaml', 'topic/event.json']) writeFileSync(join(cases, name), '');
    expect(findCaseFiles(cases).map(titleOf)).toEqual(['topic/a', 'topic/b']);
    for (const name of ['stray.yaml', 'topic/stray.yml', 'topic/deep/stray.yaml']) {
      writeFileSync(join(cases, name), '');
      expect(() => findCaseFiles(cases)).toThrow(`${name}: a case file is <topic>/<name>.yaml`);
      rmSync(join(cases, name));
    }
  });
});

it('nothing is left in the temporary folder', async () => {
  const root = await run({ files: { x: '' } }, 'dirname "$PWD" >&2').then(({ stderr }) => stderr.trim());
  expect(root).toMatch(/hookctl-case-/);
  expect(existsSync(root)).toBe(false);
});

describe('an update', () => {
  const before = `# the file
name: first  # a name
argv: [-c,   'echo new; exit 4']

# what is printed
stdout: '' # nothing yet
stderr: |- # a block
  old
exit: 0 # fine
seconds:   9
# the end
---
# the other
argv: ["-c", "echo {DIR} >&2; echo 5"]
name: second
exit: 0
stdout: /\\d/
`;

  it('rewrites what is wrong and keeps everything else', async () => {
    const path = save(before);
    for (const one of readCases(path)) updateCase(one, await runCase(one, ['/bin/sh']));
    expect(readFileSync(path, 'utf8')).toBe(
      before
        .replace(`stdout: '' # nothing yet`, 'stdout: | # nothing yet\n  new')
        .replace('stderr: |- # a block\n  old', `stderr: '' # a block`)
        .replace('exit: 0 # fine', 'exit: 4 # fine')
        // The pattern holds; a `stderr` that the case did not have is added at its end.
        .replace('stdout: /\\d/\n', 'stdout: /\\d/\nstderr: |\n  {DIR}\n'),
    );
    for (const one of readCases(path)) {
      const seen = await runCase(one, ['/bin/sh']);
      expect(seen).toEqual(wanted(one, seen));
    }
  });

  it('leaves a file alone in which all is right', async () => {
    const path = save(stringify(minimal({ stdout: 'a\n', argv: ['-c', 'echo a'] })).replaceAll(': ', ':   '));
    const text = readFileSync(path, 'utf8');
    updateCase(only(path), await runCase(only(path), ['/bin/sh']));
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('fills in what a new case does not say yet', async () => {
    const path = save('name: new\nargv: [-c, "echo a; exit 2"]');
    const one = only(path, { missing: 'fill' });
    updateCase(one, await runCase(one, ['/bin/sh']));
    expect(readFileSync(path, 'utf8')).toBe('name: new\nargv: [-c, "echo a; exit 2"]\nstdout: |\n  a\nexit: 2\n');
  });

  it('writes any text so that it is read back', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '\t', '\r', '\x1b', '"', "'", '#', ':', '-', '/', '\u2028', 'é', '🪝'),
    });
    const starts = [before, 'name: new', 'name: new\n\n# end\n', "stdout: 'x'\nstderr: >\n  y\nexit: 1\n"];
    fc.assert(
      fc.property(
        text,
        text,
        fc.integer({ min: 0, max: 255 }),
        fc.constantFrom(...starts),
        (stdout, stderr, exit, start) => {
          replaceExpected(start, 0, { stdout, stderr, exit });
        },
      ),
      { examples: [[' \n', '', 0, before]] },
    );
  });
});

it('jobs beyond the limit wait', async () => {
  const run = limited(2);
  let [running, most] = [0, 0];
  const job = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
  };
  await Promise.all(Array.from({ length: 6 }, () => run(job)));
  await run(job);
  expect({ running, most }).toEqual({ running: 0, most: 2 });
});

it('every hook is executable and says what it does', () => {
  for (const name of readdirSync(HOOKS).filter((name) => name !== 'quote.sh')) {
    const path = join(HOOKS, name);
    accessSync(path, constants.X_OK);
    expect(readFileSync(path, 'utf8'), name).toMatch(/^#!(\/bin\/sh\n#|\/usr\/bin\/env node\n\/\/) [A-Z].*\.\n/);
  }
});

type Written = Readonly<Record<string, unknown>>;

/** The names of what a case saw otherwise than it should have. */
async function differences(keys: Written, script: string): Promise<readonly string[]> {
  const one = only(written({ argv: ['-c', script], ...keys }));
  const seen = await runCase(one, FAKE);
  const should = new Map<string, unknown>(Object.entries(wanted(one, seen)));
  const differing = Object.entries(seen).filter(([name, value]) => !isSame(value, should.get(name)));
  return differing.map(([name]) => name).sort();
}

async function run(keys: Written, script: string): Promise<Seen> {
  return runCase(only(written({ argv: ['-c', script], ...keys })), FAKE);
}

/** The smallest case that is complete, with other keys; undefined leaves one out. */
function minimal(keys: Written): Written {
  return { name: 'x', argv: ['-c', ''], stdout: '', exit: 0, ...keys };
}

function written(keys: Written): string {
  return save(stringify(minimal(keys), { keepUndefined: false }));
}

let saved = 0;

/** Saves a case file, gives back its path. */
function save(text: string): string {
  saved += 1;
  const path = join(folder, 'topic', `${saved}.yaml`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function only(path: string, options: Options = {}): Case {
  const [one, ...others] = readCases(path, options);
  if (one === undefined || others.length > 0) throw new Error('not exactly one case');
  return one;
}

/** The pids in a file that still live; a killed one has a moment to go. */
async function aliveIn(path: string): Promise<readonly number[]> {
  const pids = await pidsIn(path);
  expect(pids).not.toEqual([]);
  return poll(
    1_000,
    async () => pids.filter(isAlive),
    (alive) => alive.length === 0,
  );
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
