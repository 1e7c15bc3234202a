/**
 * The completion scripts, sourced in the real shells.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOM_IDS } from '../../src/dialects';

const PROGRAM = join(import.meta.dirname, '../../bin/hookctl.js');
const SHELLS = ['bash', 'zsh', 'fish'] as const;
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookctl-completion-'));
  for (const shell of SHELLS) {
    if (spawnSync(shell, ['--version']).status !== 0) throw new Error(`${shell} is needed: install it`);
    const { stdout } = spawnSync(process.execPath, [PROGRAM, 'completion', shell], { encoding: 'utf8' });
    writeFileSync(join(folder, shell), stdout);
  }
  writeFileSync(join(folder, 'agent.yaml'), 'hooks: {}\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (shell: string, script: string) => {
  const { stdout, stderr } = spawnSync(shell, ['-c', script], { cwd: folder, encoding: 'utf8' });
  return (stdout + stderr).trim();
};

/** The words offered behind what was typed, the last word empty or begun. */
const COMPLETED: readonly (readonly [typed: readonly string[], offered: readonly string[]])[] = [
  [['val'], ['validate']],
  [
    ['run', '--as', ''],
    ['auto', ...ROOM_IDS],
  ],
  [['validate', '--dry'], ['--dry-run']],
  [['schema', 'sui'], ['suite']],
  [['run', 'age'], ['agent.yaml']],
  [['completion', 'z'], ['zsh']],
];

describe.each(COMPLETED)('%j offers %j', (typed, offered) => {
  it('in bash', () => {
    const words = ['hookctl', ...typed].map((word) => `'${word}'`).join(' ');
    const said = run(
      'bash',
      `source ./bash; COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _hookctl; printf '%s\\n' "\${COMPREPLY[@]}"`,
    );
    expect(said.split('\n')).toEqual(offered);
  });

  it('in fish', () => {
    const said = run('fish', `source ./fish; complete -C 'hookctl ${typed.join(' ')}'`);
    const words = said.split('\n').map((line) => line.split('\t')[0] ?? '');
    expect(words).toEqual(expect.arrayContaining([...offered]));
  });
});

describe('zsh', () => {
  it('takes the script, and knows the function', () => {
    const said = run(
      'zsh',
      'autoload -U compinit; compinit -u -d ./dump; source ./zsh; whence -w _hookctl; echo "$_comps[hookctl]"',
    );
    expect(said).toBe('_hookctl: function\n_hookctl');
  });

  it.each([
    ['val', 'validate'],
    ['schema sui', 'suite'],
    ['validate --dry', '--dry-run'],
  ])('completes %s', (typed, offered) => {
    // A pseudo terminal: the completion system only runs in the line editor.
    writeFileSync(
      join(folder, 'type.zsh'),
      `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; bindkey -e; autoload -U compinit; compinit -u -d ./dump; source ./zsh; echo re""ady'
zpty -r shell out '*ready*'
sleep 0.5
zpty -w -n shell $'hookctl ${typed}\\t'
sleep 1.5
while zpty -r -t shell out; do print -r -- "$out"; done
zpty -d shell
`,
    );
    const said = run('zsh', 'source ./type.zsh');
    expect(said).toContain(offered);
  });
});
