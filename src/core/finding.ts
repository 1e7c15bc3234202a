/**
 * What can be wrong with a config: codes with arguments and a place. The sentences stand in one table; text is made in `render/`.
 */

export type Severity = 'error' | 'warning' | 'info';

/** Line and column are 1-based; the end is exclusive. `source` is the first line around the place, which begins in it at `caret` (characters). */
export type FindingPlace = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly source: string;
  readonly caret: number;
};

export type Finding = {
  readonly code: Code;
  /** Where it is not the code's own. */
  readonly severity?: Severity;
  /** A file as a whole has no line. */
  readonly at: FindingPlace | { readonly file: string };
  readonly args: Readonly<Record<string, string>>;
  /** What may stand there instead; the nearest one is suggested. */
  readonly allowed?: readonly string[];
  /** What mends it without a doubt. */
  readonly fix?: Fix;
};

/**
 * A change of what stands from `start` to `end` (UTF-16 units): a key (`rename`), a value (`replace`, `quote`), an entry from its key to
 * the end of its value (`remove`), or a comment (`uncomment`). Quotes that stand there stay.
 */
export type Fix = { readonly start: number; readonly end: number } & (
  | { readonly how: 'rename' | 'replace'; readonly text: string }
  | { readonly how: 'quote' | 'remove' | 'uncomment' }
);

/** `{name}` stands for an argument. A finding without `help` says all in its sentence. */
export type Entry = {
  readonly severity: Severity;
  readonly title: string;
  readonly sentence: string;
  readonly help?: string;
};

export const CATALOGUE = {
  HK001: {
    severity: 'error',
    title: 'a config cannot be read',
    sentence: 'cannot read {path}: {why}',
    help: 'check the path; it is relative to the folder that hookctl was started in',
  },
  HK002: { severity: 'error', title: 'not valid YAML or JSON', sentence: '{why}', help: '{hint}' },
  HK003: {
    severity: 'error',
    title: 'a key stands twice',
    sentence: 'the key "{key}" stands twice; one of the two would be lost',
    help: 'join the two, or remove one',
  },
  HK004: {
    severity: 'error',
    title: 'more than one document',
    sentence: 'a second document begins here; only the first would be read',
    help: 'put it into a file of its own and name both files',
  },
  HK005: {
    severity: 'error',
    title: 'nothing in the file',
    sentence: 'the file is empty',
    help: 'an agent without hooks is `{}`',
  },
  HK006: { severity: 'error', title: 'an unknown key', sentence: 'unknown key "{key}" in {where}', help: '{hint}' },
  HK007: { severity: 'error', title: 'an unknown event', sentence: 'unknown event "{event}"', help: '{hint}' },
  HK008: {
    severity: 'error',
    title: 'a value of the wrong type',
    sentence: '{where} is {got}, but must be {wanted}',
    help: '{hint}',
  },
  HK009: { severity: 'error', title: 'a value that is not allowed', sentence: '{where} cannot be {got}' },
  HK010: {
    severity: 'error',
    title: 'not exactly one thing to run',
    sentence: 'a hook needs exactly one of {keys}; this one has {got}',
  },
  HK011: {
    severity: 'error',
    title: 'a matcher that cannot be used',
    sentence: 'the matcher {matcher} cannot be used: {why}',
    help: '{hint}',
  },
  HK012: {
    severity: 'warning',
    title: 'a matcher on an event without tools',
    sentence: '{event} has no tool, so the matcher has no effect and the hook always runs',
    help: 'remove the matcher',
  },
  HK013: {
    severity: 'error',
    title: 'a timeout that is no duration',
    sentence: 'the timeout {got} cannot be used: {why}',
    help: '{hint}',
  },
  HK014: {
    severity: 'error',
    title: 'a reserved variable',
    sentence: 'the variable {name} cannot be set: {why}',
    help: '{hint}',
  },
  HK015: {
    severity: 'error',
    title: 'a misspelt "hooks"',
    sentence: 'the key "{key}" holds hooks, but only "hooks" is read: all of them would be off',
    help: 'write "hooks"',
  },
  HK016: {
    severity: 'error',
    title: 'a config that no dialect reads',
    sentence: '{why}',
  },
  HK017: { severity: 'error', title: 'an alias that cannot be followed', sentence: '{why}', help: '{hint}' },
  HK018: {
    severity: 'error',
    title: 'nothing to run',
    sentence: '{where} is empty',
    help: 'write the command, or remove the hook',
  },
  HK019: {
    severity: 'error',
    title: 'a NUL character',
    sentence: '{where} holds a NUL character, which no command line and no variable can',
    help: 'remove it',
  },
  HK020: {
    severity: 'error',
    title: 'variables for a WebAssembly hook',
    sentence: 'a WebAssembly hook has no environment: it would not get these variables',
    help: 'remove "env"; build what it needs to know into the module',
  },
  HK021: {
    severity: 'error',
    title: 'an event outside of "hooks"',
    sentence: 'the event "{event}" stands outside of "hooks", where it is not read: its hooks would be off',
    help: 'put it under "hooks:"',
  },
  HK022: {
    severity: 'error',
    title: 'a script that does not exist',
    sentence: 'the script {script} does not exist',
    help: '{hint}',
  },
  HK023: {
    severity: 'error',
    title: 'a script that is not executable',
    sentence: 'the script {script} is not executable',
    help: 'run "chmod +x {script}", or name its interpreter in the command',
  },
  HK024: {
    severity: 'warning',
    title: 'a script without a #! line',
    sentence: 'the script {script} has no #! line, so sh runs it, whatever it is written in',
    help: 'begin it with a line such as #!/usr/bin/env node',
  },
  HK025: {
    severity: 'warning',
    title: 'a program that is not installed',
    sentence: 'there is no program "{program}" on the PATH here',
    help: 'install it, or check its name',
  },
  HK026: {
    severity: 'warning',
    title: 'a matcher that can never match',
    sentence: 'the matcher {matcher} can never match: {why}',
    help: '{hint}',
  },
  HK027: {
    severity: 'warning',
    title: 'a matcher that matches more than it names',
    sentence: 'the matcher {matcher} is searched anywhere in the name: it also matches {names}',
    help: 'write {anchored} to mean nothing else',
  },
  HK028: {
    severity: 'warning',
    title: 'a guard that lets calls through when it breaks',
    sentence: 'this hook can block, but without "{key}" the call goes on when it crashes or hangs',
    help: 'add {block}; if a broken guard shall not block, write {warn}',
  },
  HK029: {
    severity: 'warning',
    title: 'exit 1 where a block is meant',
    sentence: 'exit 1 is a failure and blocks nothing here; only exit 2 is a block',
    help: 'exit with 2, or print a deny',
  },
  HK030: {
    severity: 'warning',
    title: 'a rewrite after a guard has looked',
    sentence: 'this hook rewrites what the guard {guard} has looked at before; nobody looks again',
    help: 'put it before the guard',
  },
  HK031: {
    severity: 'warning',
    title: 'the same hook twice',
    sentence: 'this hook stands at {first} already: it would run twice',
    help: 'remove one of them',
  },
  HK032: {
    severity: 'warning',
    title: 'a hook that can never run',
    sentence: 'this hook can never run: the hook at {first} blocks every call before it',
    help: 'put it before that one, or remove it',
  },
  HK033: {
    severity: 'warning',
    title: 'a path that depends on where the agent stands',
    sentence: '{script} is looked for in the folder that the agent works in, not beside the agent file, where it is',
    help: 'write {meant}',
  },
  HK034: {
    severity: 'warning',
    title: 'a suppression that silences nothing',
    sentence: 'there is no {code} here to be ignored',
    help: 'remove the comment',
  },
  HK035: {
    severity: 'warning',
    title: 'a suppression that cannot be used',
    sentence: '{why}',
    help: 'write "# hookctl-ignore HK028 and why"',
  },
  HK036: {
    severity: 'info',
    title: 'a failure that shall block where nothing can be blocked',
    sentence: 'on {event} it is too late to block: {block} only warns',
    help: 'write {warn}',
  },
  HK037: { severity: 'error', title: 'a key that is missing', sentence: '{where} needs the key "{key}"' },
  HK038: {
    severity: 'error',
    title: 'a value that is empty',
    sentence: '{where} is empty',
    help: 'fill it, or remove it',
  },
  HK039: {
    severity: 'error',
    title: 'a case that stands twice',
    sentence: 'there are two cases called "{name}"',
    help: 'give each a name of its own',
  },
  HK040: {
    severity: 'error',
    title: 'a case without an event',
    sentence: 'the case "{name}" has neither an event nor a payload',
    help: 'write "event: preToolCall", or name a file behind "payload:"',
  },
  HK041: {
    severity: 'error',
    title: 'an expectation that is no pattern',
    sentence: '{pattern} is no regular expression: {why}',
    help: 'a text between slashes is a pattern; without them it is compared as it stands',
  },
  HK042: {
    severity: 'error',
    title: 'a case without a config',
    sentence: 'the case "{name}" does not say which config it tests',
    help: 'write "config: agent.yaml" at the top of the suite',
  },
  HK043: {
    severity: 'error',
    title: 'keys that exclude one another',
    sentence: '"{key}" would be dropped: beside "{other}" it has no effect',
    help: 'remove one of the two',
  },
  HK044: {
    severity: 'error',
    title: 'a path that leads nowhere',
    sentence: '{path} leads nowhere: {why}',
    help: 'a path names keys of the case, as in tool.input.command',
  },
  HK048: {
    severity: 'warning',
    title: 'a handler that does not run on its event',
    sentence: '{type} hooks do not run on {event}: this one is skipped',
    help: 'use a command',
  },
  HK047: {
    severity: 'error',
    title: 'a suite that names a file that is not there',
    sentence: 'cannot read {path}: {why}',
    help: 'paths in a suite are relative to the suite',
  },
  HK046: {
    severity: 'warning',
    title: 'a matcher that names no known tool',
    sentence: 'no known tool is called "{name}"; did you mean "{meant}"?',
    help: 'where a tool of that name is meant, leave it so: "# hookctl-ignore HK046 and why"',
  },
  HK045: {
    severity: 'error',
    title: 'a number that would be another one',
    sentence: 'the number {written} would be read as {read}',
    help: 'put the event into a JSON file and name it behind "payload:": there it stays as it is',
  },
  HK050: {
    severity: 'warning',
    title: 'a trigger that drops its hook',
    sentence: '"{got}" is no trigger, so this hook is dropped',
    help: '{hint}',
  },
  HK051: { severity: 'error', title: "another format's way of writing", sentence: '{why}', help: '{hint}' },
  HK052: {
    severity: 'warning',
    title: 'a timeout in the wrong unit or place',
    sentence: 'about "{key}": {why}',
    help: '{hint}',
  },
  HK053: { severity: 'warning', title: 'a file that its agent never loads', sentence: 'no Kiro loads this: {why}' },
  HK054: {
    severity: 'warning',
    title: 'a hook that asks first',
    sentence:
      'hookctl cannot ask the question of "confirm": it skips the hook, unless the event says what the user chose',
  },
  HK055: {
    severity: 'warning',
    title: 'a word that may not mean what it says',
    sentence: 'about {what}: {why}',
    help: '{hint}',
  },
  HK056: {
    severity: 'info',
    title: 'a guard whose crash lets the call through',
    sentence: 'this hook can block, but when it crashes or is missing the call goes on: only exit 2 blocks',
    help: 'write {meant}; its timeout cannot be made to block',
  },
  HK057: {
    severity: 'warning',
    title: 'a block that gives no reason',
    sentence:
      'this hook exits with 2 and writes nothing to stderr: the model is not told why, and one build of Kiro went on',
    help: 'write the reason to stderr',
  },
  HK058: {
    severity: 'warning',
    title: 'a decision that its agent does not read',
    sentence:
      'this hook decides by JSON on stdout, which {agent} ignores here: under hookctl it counts, elsewhere the call goes on',
    help: 'write the reason to stderr and exit with 2',
  },
  HK059: {
    severity: 'warning',
    title: 'exit 2 where nothing can be blocked',
    sentence: 'on {event} exit 2 blocks nothing: it is a failure of the hook',
    help: 'exit with 0',
  },
  HK060: {
    severity: 'warning',
    title: 'a hook that may make the agent go on for ever',
    sentence: 'this hook speaks at the end of every turn: without an end of its own the agent may go on for ever',
    help: 'let it speak once, or under a condition that comes true',
  },
  HK061: {
    severity: 'warning',
    title: 'a shell that reads the event as its script',
    sentence: 'this command is a shell alone, and the event comes on its stdin: it would be run as a script',
    help: 'name the script',
  },
  HK062: { severity: 'info', title: 'what is done otherwise here, or may surprise', sentence: '{why}' },
  HK070: {
    severity: 'error',
    title: 'a command with a character that only a shell understands',
    sentence: 'the command has {character} at character {position}; PRX starts it without a shell',
    help: 'put it into a script, or into "args"',
  },
  HK071: {
    severity: 'error',
    title: 'a folder that leads out',
    sentence: 'the "cwd" {cwd} cannot be used: {why}',
    help: 'name a folder below the one of hooks.json, or an absolute one',
  },
  HK072: {
    severity: 'error',
    title: 'more than the format allows',
    sentence: 'there are {what}, at most {most} are allowed',
    help: 'split it',
  },
  HK073: {
    severity: 'warning',
    title: 'a variable that replaces what hookctl sets',
    sentence: '{name} is set by hookctl; this value replaces it',
    help: 'take another name',
  },
  HK074: {
    severity: 'warning',
    title: 'a folder that does not exist',
    sentence: 'there is no folder {cwd}; the hook would not be started',
    help: 'make it, or check the path',
  },
  HK075: {
    severity: 'info',
    title: 'a command that reads stdin and may get none',
    sentence:
      '{program} reads stdin, and without "stdin_json" that is empty here; the PRX program writes the event there',
    help: 'write "stdin_json": true, or false to mean it',
  },
  HK076: {
    severity: 'info',
    title: 'a switch that PRX itself does not know',
    sentence: 'PRX itself ignores "enabled" and would run the action',
    help: 'remove the action where PRX reads the file too',
  },
  HK077: {
    severity: 'error',
    title: 'a module that cannot be used',
    sentence: 'the module {module} cannot be used: {why}',
    help: 'name a file below the folder of plugin.toml',
  },
  HK078: {
    severity: 'warning',
    title: 'a pattern that matches no event',
    sentence: 'the pattern {pattern} matches no event of PRX',
  },
  HK079: {
    severity: 'error',
    title: 'a permission that is not granted',
    sentence: 'the plugin needs "{name}", which hookctl does not grant',
    help: 'only "log" and "config" are granted',
  },
  HK091: {
    severity: 'info',
    title: 'a limit that nobody keeps',
    sentence: 'hookctl reads "{key}" and does not enforce it',
    help: '"max_memory_mb" and "max_execution_time_ms" are enforced',
  },
  HK049: {
    severity: 'warning',
    title: 'a variable that is never set',
    sentence: 'nobody sets the variable {name}: it is empty',
    help: '{hint}',
  },
  HK064: {
    severity: 'error',
    title: 'a command that no shell can read',
    sentence: 'the shell cannot read this command: {why}',
    help: 'mend it: the hook would fail each time, and on many events block',
  },
  HK090: {
    severity: 'error',
    title: 'a WebAssembly module that cannot be run',
    sentence: 'the module {module} cannot be run: {why}',
    help: '{hint}',
  },
} as const satisfies Record<string, Entry>;

/** What `shellcheck` finds, under its own code. */
export type ShellcheckCode = `SC${number}`;
export type OwnCode = keyof typeof CATALOGUE;
export type Code = OwnCode | ShellcheckCode;

const SHELLCHECK: Entry = {
  severity: 'warning',
  title: 'a finding of shellcheck',
  sentence: '{message}',
  help: 'https://www.shellcheck.net/wiki/{code}',
};

/** The entry of a code. */
export function entryOf(code: Code): Entry {
  return isOwn(code) ? CATALOGUE[code] : SHELLCHECK;
}

/** Is it a code of the catalogue? */
export function isOwn(code: string): code is OwnCode {
  return Object.hasOwn(CATALOGUE, code);
}

export function severityOf({ code, severity }: Pick<Finding, 'code' | 'severity'>): Severity {
  return severity ?? entryOf(code).severity;
}

/** Whether `run` may go on. */
export function hasError(findings: readonly Finding[]): boolean {
  return findings.some((finding) => severityOf(finding) === 'error');
}

/** Each once: what an alias stands for, or a handler of several events, is looked at several times. */
export function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((one) => [JSON.stringify([one.code, one.at, one.args]), one])).values()];
}
