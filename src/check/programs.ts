/**
 * Programs as commands name them.
 */

/** `inline`: options behind which there is no script. `valued`: options that take the next word. `command`: the word before a script. */
export type Interpreter = {
  readonly inline: readonly string[];
  readonly valued: readonly string[];
  readonly command?: string;
};

const SHELL: Interpreter = { inline: ['-c', '-s'], valued: ['-o', '+o', '--rcfile', '--init-file'] };
const PYTHON: Interpreter = { inline: ['-c', '-m'], valued: ['-W', '-X'] };
const NODE: Interpreter = {
  inline: ['-e', '--eval', '-p', '--print', '--run'],
  valued: ['-r', '--require', '--import', '--loader', '--experimental-loader', '--env-file', '-C', '--conditions'],
};

export const INTERPRETERS: Readonly<Record<string, Interpreter>> = Object.assign(Object.create(null), {
  sh: SHELL,
  bash: SHELL,
  dash: SHELL,
  zsh: SHELL,
  ksh: SHELL,
  python: PYTHON,
  python3: PYTHON,
  node: NODE,
  nodejs: NODE,
  ruby: { inline: ['-e'], valued: ['-I', '-r'] },
  perl: { inline: ['-e', '-E'], valued: ['-I'] },
  php: { inline: ['-r'], valued: ['-d', '-c'] },
  tsx: { inline: ['-e', '--eval'], valued: [] },
  bun: { inline: ['-e'], valued: [], command: 'run' },
  deno: { inline: [], valued: [], command: 'run' },
});

/** What runs the words behind it. Numbers and durations before those are its own. */
export const WRAPPERS: Readonly<Record<string, 'names' | 'assignments' | 'plain'>> = Object.assign(
  Object.create(null),
  {
    command: 'names',
    env: 'assignments',
    exec: 'plain',
    nice: 'plain',
    nohup: 'plain',
    setsid: 'plain',
    time: 'plain',
    timeout: 'plain',
  },
);

/** What a POSIX shell, or bash, does itself; and hookctl, which is there. */
export const BUILTINS: ReadonlySet<string> = new Set(
  (
    '. : [ [[ alias bg break cd command continue declare echo eval exec exit export false fc fg getopts hash jobs kill let local ' +
    'printf pwd read readonly return set shift shopt source test times trap true type typeset ulimit umask unalias unset wait hookctl'
  ).split(' '),
);
