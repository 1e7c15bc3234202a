/**
 * Programs as commands name them, and how their words are to be read.
 */

/** Options that take the next word; a short one also at the end of a bundle (`-euo pipefail`). */
type Options = { readonly valued: readonly string[] };

/** What runs a script. */
export type Interpreter = Options & {
  /** Options behind which there is no script. */
  readonly inline: readonly string[];
  /** The word before a script; without it there is none. */
  readonly command?: string;
  /** Words that may stand before a script. */
  readonly modes?: readonly string[];
  /** What may be left away at the end of a path, and what a folder holds that can be run. */
  readonly endings?: readonly string[];
  /** A word without a dot and a slash is the name of something else. */
  readonly named?: true;
};

const SHELL: Interpreter = {
  inline: ['-c', '-s'],
  valued: ['-o', '+o', '-O', '+O', '--rcfile', '--init-file'],
};
const PYTHON: Interpreter = {
  inline: ['-c', '-m'],
  valued: ['-W', '-X', '--check-hash-based-pycs'],
  endings: ['/__main__.py'],
};
const OF_NODE = ['.js', '.json', '.node', '/package.json', '/index.js'];
const NODE_VALUED = (
  '-r --require --import --loader --experimental-loader --env-file --env-file-if-exists -C --conditions --watch-path --title ' +
  '--test-reporter --test-reporter-destination --test-name-pattern --test-skip-pattern --test-shard --icu-data-dir --openssl-config ' +
  '--redirect-warnings --disable-warning --input-type --unhandled-rejections --dns-result-order --inspect-port --diagnostic-dir ' +
  '--disable-proto --allow-fs-read --allow-fs-write --experimental-default-type --experimental-sea-config --build-snapshot-config --localstorage-file ' +
  '--report-directory --cpu-prof-dir --heap-prof-dir --trace-event-categories --max-http-header-size --experimental-config-file'
).split(' ');
const NODE: Interpreter = {
  inline: [
    '-e',
    '--eval',
    '-p',
    '--print',
    '--run',
    '-i',
    '--interactive',
    '--test',
    '-v',
    '--version',
    '-h',
    '--help',
  ],
  valued: NODE_VALUED,
  modes: ['inspect'],
  endings: OF_NODE,
};
const TYPESCRIPT = ['.ts', '.tsx', '.mts', ...OF_NODE, '/index.ts'];

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
  ruby: { inline: ['-e'], valued: ['-I', '-r', '-C'] },
  perl: { inline: ['-e', '-E'], valued: ['-I'] },
  php: { inline: ['-r'], valued: ['-d', '-c'] },
  tsx: {
    inline: ['-e', '--eval', '-p', '--print'],
    valued: ['--tsconfig', '--env-file'],
    modes: ['watch'],
    endings: TYPESCRIPT,
  },
  bun: {
    inline: ['-e'],
    valued: ['--cwd', '-r', '--preload', '--config'],
    command: 'run',
    endings: TYPESCRIPT,
    named: true,
  },
  deno: {
    inline: [],
    valued: ['-c', '--config', '--import-map', '--lock', '--cert', '-L', '--log-level', '--seed', '--location'],
    command: 'run',
    named: true,
  },
});

/** What runs the words behind it. */
export type Wrapper = Options & {
  /** Words of its own before those. */
  readonly operands?: number;
  /** Variables may be set before those. */
  readonly assigns?: true;
  /** Options with which nothing can be said of what is run, or nothing is. */
  readonly opaque?: readonly string[];
};

export const WRAPPERS: Readonly<Record<string, Wrapper>> = Object.assign(Object.create(null), {
  command: { valued: [], opaque: ['-v', '-V'] },
  builtin: { valued: [] },
  env: { valued: ['-u', '--unset'], assigns: true, opaque: ['-S', '--split-string', '-C', '--chdir'] },
  exec: { valued: ['-a'] },
  nice: { valued: ['-n', '--adjustment'] },
  ionice: { valued: ['-c', '--class', '-n', '--classdata'], opaque: ['-p', '--pid'] },
  nohup: { valued: [] },
  setsid: { valued: [] },
  stdbuf: { valued: ['-i', '-o', '-e', '--input', '--output', '--error'] },
  sudo: { valued: ['-u', '--user', '-g', '--group', '-C', '-D', '-p', '-r', '-t', '-T', '-U', '-h'], assigns: true },
  time: { valued: ['-f', '--format', '-o', '--output'] },
  timeout: { valued: ['-s', '--signal', '-k', '--kill-after'], operands: 1 },
  xargs: {
    valued: ['-I', '-n', '-P', '-L', '-s', '-a', '-E', '-d', '--max-args', '--max-procs', '--arg-file', '--delimiter'],
  },
});

/** What a POSIX shell, or bash, does itself; and hookctl, which is there. */
export const BUILTINS: ReadonlySet<string> = new Set(
  (
    ': [ [[ alias bg break cd continue declare echo eval exit export false fc fg getopts hash jobs kill let local mapfile ' +
    'printf pwd read readarray readonly return set shift shopt test times trap true type typeset ulimit umask unalias unset wait hookctl'
  ).split(' '),
);

/** What makes the files that it names. */
export const MAKERS: ReadonlySet<string> = new Set(
  'cp mv ln install tee touch mktemp dd rsync scp curl wget chmod sed'.split(' '),
);

/** What may make any file. */
export const BUILDERS: ReadonlySet<string> = new Set(
  (
    'make cmake ninja npm npx pnpm yarn bun cargo go tsc esbuild rustc gcc g++ cc clang mvn gradle pip pip3 uv poetry bundle gem ' +
    'git hg svn tar unzip bsdtar 7z gunzip cpio docker podman nix ansible-playbook eval'
  ).split(' '),
);

/** hookctl itself: what it can do is no advice to who calls it. */
export const OWN_SCRIPT = 'hookctl.js';

/** What reads a script of the same shell. */
export const SOURCES: ReadonlySet<string> = new Set(['.', 'source']);
