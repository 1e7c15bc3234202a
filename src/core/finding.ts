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
  /** A file as a whole has no line. */
  readonly at: FindingPlace | { readonly file: string };
  readonly args: Readonly<Record<string, string>>;
  /** What may stand there instead; the nearest one is suggested. */
  readonly allowed?: readonly string[];
};

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
    title: 'WebAssembly hooks cannot be run yet',
    sentence: 'this version of hookctl cannot run WebAssembly hooks',
    help: 'use "command" instead',
  },
  HK021: {
    severity: 'error',
    title: 'an event outside of "hooks"',
    sentence: 'the event "{event}" stands outside of "hooks", where it is not read: its hooks would be off',
    help: 'put it under "hooks:"',
  },
} as const satisfies Record<string, Entry>;

export type Code = keyof typeof CATALOGUE;

/** The severity of a code. */
export function severityOf(code: Code): Severity {
  return CATALOGUE[code].severity;
}

/** Whether `run` may go on. */
export function hasError(findings: readonly Finding[]): boolean {
  return findings.some((finding) => severityOf(finding.code) === 'error');
}
