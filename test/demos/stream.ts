/**
 * What the wrappers of demos/stream are put up against: hookctls that fail in every way.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

type Wrapper = { readonly name: string; readonly argv: readonly [string, ...string[]] };

export const NODE_WRAPPER: Wrapper = { name: 'Node', argv: [process.execPath, join(ROOT, 'demos/stream/stream.cjs')] };
export const SH_WRAPPER: Wrapper = { name: 'sh', argv: ['/bin/sh', join(ROOT, 'demos/stream/stream.sh')] };
export const PYTHON_WRAPPER: Wrapper = { name: 'Python', argv: ['python3', join(ROOT, 'demos/stream/stream.py')] };

const COMMANDS = 'git status\ngit push -f origin main\necho "a \\ b" && ls\n';
const GOOD = 'go no go';

/** Its cold runs are well. */
const BROKEN: readonly (readonly [what: string, fake: string])[] = [
  ['ends at once', 'stream) exit 0'],
  ['ends with an error', 'stream) exit 3'],
  ['is killed when it is asked', 'stream) read -r x; kill -9 $$'],
  ['prints no JSON', 'stream) while read -r x; do echo allow; done'],
  ['answers another event', `stream) while read -r x; do echo '{"id":99,"exit":0,"event":"preToolCall"}'; done`],
  ['answers without an id', `stream) while read -r x; do echo '{"exit":0,"event":"preToolCall"}'; done`],
  ['ends in the middle of an answer', `stream) read -r x; printf '{"id":1,"exit":0,"event":"preToolCall"'; exit 0`],
  ['says what nobody knows', `stream) read -r x; echo '{"id":1,"exit":7,"event":"preToolCall","action":"maybe"}'`],
];

/** Stream and cold run alike. */
const REFUSED: readonly (readonly [what: string, fake: string])[] = [
  ['everything is killed', '*) kill -9 $$'],
  ['everything ends with an error', 'stream) exit 3 ;; cold) cat >/dev/null; exit 3'],
  [
    'an allow, and an error',
    `stream) exit 3 ;; cold) cat >/dev/null; echo '{"event":"preToolCall","action":"allow"}'; exit 3`,
  ],
];

/** Holds that whatever its hookctl does, an event that is not surely allowed is refused. */
export function describeWrapper(wrapper: Wrapper): void {
  let folder = '';
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'hookctl-wrappers-')));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe(wrapper.name, () => {
    it('asks one process', () => expect(ranWith(wrapper, folder, undefined)).toBe(GOOD));

    it.each(BROKEN)('a stream that %s: a cold run is asked', (_, fake) => {
      expect(ranWith(wrapper, folder, fake)).toBe(GOOD);
    });

    it.each(REFUSED)('%s: refused', (_, fake) => expect(ranWith(wrapper, folder, fake)).toBe('no no no'));

    it('a hookctl that is not there: refused', () => {
      expect(ranWith(wrapper, folder, undefined, join(folder, 'none'))).toBe('no no no');
    });
  });
}

/** The first two letters of each line that the wrapper prints, in a folder of its own. `fake`: an arm of a `case` over `stream` and `cold`. */
function ranWith({ argv }: Wrapper, folder: string, fake: string | undefined, hookctl?: string): string {
  writeFileSync(join(folder, 'hookctl'), programText(fake), { mode: 0o755 });
  const { stdout } = spawnSync(argv[0], [...argv.slice(1), join(ROOT, 'demos/stream/agent.yaml')], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, HOOKCTL: hookctl ?? join(folder, 'hookctl'), WRAPPER_WAIT: '20' },
    input: COMMANDS,
    encoding: 'utf8',
    timeout: 100_000,
  });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.slice(0, 2))
    .join(' ');
}

/** Where the fake has nothing to say it is hookctl; a fake stream that goes on behind its arm ends. */
function programText(fake: string | undefined): string {
  const arms = fake === undefined ? '' : `case $kind in ${fake} ;; esac\n[ $kind = cold ] || exit 0\n`;
  return `#!/bin/sh
case "$*" in *--stream*) kind=stream ;; *) kind=cold ;; esac
${arms}exec '${process.execPath}' '${join(ROOT, 'bin/hookctl.js')}' "$@"
`;
}
