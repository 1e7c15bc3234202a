import { describe, expect, it } from 'vitest';
import { readScripts } from '../../../src/check/scripts';
import { readShell } from '../../../src/engines/shell';
import { diskOf } from '../config/disk';
import { hookNamed } from '../dialects/sample';

const FILES = {
  '/conf/guard.js': '',
  '/conf/lib.sh': 'deny_it() { :; }',
  '/conf/sub/g.js': '',
  '/bin/node': '',
  '/bin/sh': '',
  '/bin/bash': '',
  '/bin/cat': '',
  '/bin/curl': '',
  '/bin/jq': '',
  '/bin/make': '',
  '/bin/chmod': '',
  '/bin/git': '',
  '/bin/cp': '',
  '/bin/ls': '',
  '/dev/stdin': '',
};
const PROGRAMS = Object.keys(FILES).filter((path) => path.startsWith('/bin/'));

/** Codes, with what they are about. */
function told(command: string): string[] {
  const disk = { ...diskOf(FILES), isExecutable: (path: string) => PROGRAMS.includes(path) };
  const programs = { node: '/bin/node', bundles: '/' };
  const world = { depth: 1, test: false, env: {}, now: '', programs };
  const doors = { disk, shell: readShell, env: { PATH: '/bin', HOME: '/home/u' }, cwd: '/work', world };
  const span = { start: 0, end: command.length };
  const { findings } = readScripts(
    { hook: hookNamed('h'), span, command: { text: command, span } },
    readShell(command),
    doors,
  );
  return findings.map(
    ({ code, args }) => `${code} ${args['script'] ?? args['program'] ?? args['name'] ?? args['why']}`,
  );
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the shell's
describe('nothing is said of', () => {
  it.each([
    ['functions of a file that is sourced', '. "$MM_CONFIG_DIR/lib.sh"; deny_it force'],
    ['what stdin defines', '. /dev/stdin; foo_bar'],
    ['what eval defines', 'eval "$(cat x)"; deny_it'],
    ['$PWD after cd', 'cd "$MM_CONFIG_DIR/sub" && node "$PWD/g.js"'],
    ['a file that is tested for', '[ -f nope.sh ] && sh nope.sh'],
    ['the same in bash', '[[ -f nope.sh && -r nope.sh ]] && bash nope.sh'],
    ['the same in a branch', 'if [[ -x "$MM_CONFIG_DIR/nope.sh" ]]; then "$MM_CONFIG_DIR/nope.sh"; fi'],
    ['the same by another spelling', '[ -e nope.sh ] || exit 0; sh ./nope.sh'],
    ['a file that is looked at before', 'ls nope.sh && sh nope.sh'],
    ['a file that is written', 'cat > /tmp/gen.sh; sh /tmp/gen.sh'],
    ['a file that a block writes', '{ echo a; echo b; } > /tmp/g.sh; sh /tmp/g.sh'],
    ['a file that is fetched', 'curl -fsSL URL -o /tmp/dl.sh && sh /tmp/dl.sh'],
    ['a file that is fetched, in one word', 'curl URL -o/tmp/dl.sh && sh /tmp/dl.sh'],
    ['a file that is copied', 'cp a "$MM_CONFIG_DIR/b.js"; node "$MM_CONFIG_DIR/b.js"'],
    ['what may have been built', 'make && node "$MM_CONFIG_DIR/dist/x.js"'],
    ['a script that is made executable', 'chmod +x "$MM_CONFIG_DIR/lib.sh" && "$MM_CONFIG_DIR/lib.sh"'],
    ['a cd that may not be', 'if [ -d /opt/none ]; then cd /opt/none; fi; node ./x.js'],
    ['a default that may not be taken', '[ -n "$GUARDS" ] || GUARDS=/opt/none; sh "$GUARDS/x.sh"'],
    ['values of options', `node --disable-proto delete --allow-fs-read '*' "$MM_CONFIG_DIR/guard.js"`],
    ['variables that somebody sets', 'echo "$HOME $MM_CONFIG_DIR"; read MM_X; echo "$MM_X"'],
  ])('%s', (_, command) => {
    expect(told(command)).toEqual([]);
  });
});

describe('told is', () => {
  it.each<[string, string, string[]]>([
    ['a missing script', 'sh "$MM_CONFIG_DIR/nope.sh"', ['HK022 /conf/nope.sh']],
    ['one in the folder of cd', 'cd "$MM_CONFIG_DIR/sub" && node "$PWD/nope.js"', ['HK022 /conf/sub/nope.js']],
    ['one behind a cd that is over', '(cd /tmp); node "$MM_CONFIG_DIR/nope.js"', ['HK022 /conf/nope.js']],
    [
      'one that is only compared',
      '[ "$X" = "$MM_CONFIG_DIR/n.js" ] || node "$MM_CONFIG_DIR/n.js"',
      ['HK022 /conf/n.js'],
    ],
    ['one behind node inspect', 'node inspect "$MM_CONFIG_DIR/n.js"', ['HK022 /conf/n.js']],
    ['one before it is written', 'sh "$MM_CONFIG_DIR/n.sh"; make', ['HK022 /conf/n.sh']],
    ['a missing program', 'nosuch x', ['HK025 nosuch']],
    ['a misspelt variable', 'node "$MM_CONFIG_DIRR/guard.js"', ['HK049 MM_CONFIG_DIRR']],
    ['a variable that nobody sets', 'echo "$MM_OTHER"', ['HK049 MM_OTHER']],
    ['a script that is not executable', '"$MM_CONFIG_DIR/lib.sh"', ['HK023 /conf/lib.sh']],
  ])('%s', (_, command, expected) => {
    expect(told(command)).toEqual(expected);
  });

  // Each of them agrees with `bash -n`.
  it.each([
    'echo "unclosed',
    'if true; then echo',
    'grep x | | cat',
    'foo() {',
    'a; ; b',
    'done',
    'fi',
    '( a',
    'a )',
    'echo ${a',
    'echo $(a',
    '&& a',
    "echo 'it's'",
    'case x in',
  ])('a text that no shell can read: %s', (command) => {
    expect(told(command).map((one) => one.slice(0, 5))).toEqual(['HK064']);
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the shell's
