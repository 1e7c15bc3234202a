/**
 * One action of hooks.json: what may stand in it. The same rules for files (with places) and for what is sent over HTTP (with field names).
 */
import type { Code, Finding, Severity } from '../../core/finding';
import { entryOf, type Tree, type TreeEntry, type TreeSpan } from '../../core/tree';
import { BLOCKED, BOUNDS, spec } from './spec';

/** An action as written, checked. Absent keys are absent here too. */
export type Action = {
  /** Trimmed. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Without the blocked variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly stdinJson?: boolean;
  readonly enabled?: boolean;
};

/** What is wrong at a span. `field` is the path as a sender writes it: `action.env.PATH`. */
export type Slip = {
  readonly code: Code;
  readonly severity?: Severity;
  readonly args: Finding['args'];
  readonly allowed?: readonly string[];
  readonly span: TreeSpan;
  readonly field: string;
};

export type ActionRead = { readonly action?: Action; readonly slips: readonly Slip[] };

export const ACTION_KEYS = ['command', 'args', 'env', 'cwd', 'timeout_ms', 'stdin_json', 'enabled'] as const;
type Key = (typeof ACTION_KEYS)[number];

const REFUSED = /[;&|<>$`\\"'(){}[\]*?!#~\x00-\x1f\x7f]/u;

/** Reads an action; there is one where nothing is wrong but warnings. `field` is what it is called: `action`. */
export function readAction(tree: Tree, field: string): ActionRead {
  if (tree.kind !== 'map') return { slips: [wrongType(tree, field, 'an action', 'a mapping')] };
  const found = tree.entries.map((entry) => readKey(entry, field));
  const slips = found.flatMap((one) => one.slips);
  const missing = entryOf(tree, 'command') === undefined;
  const all: Slip[] = missing
    ? [
        ...slips,
        { code: 'HK037', args: { where: 'an action', key: 'command' }, span: tree.span, field: `${field}.command` },
      ]
    : slips;
  if (all.some(({ severity, code }) => (severity ?? HARMLESS[code] ?? 'error') === 'error')) return { slips: all };
  const action = Object.assign({}, ...found.map((one) => one.part)) as Action;
  return { action, slips: all };
}

/** Codes that are no errors by themselves. */
const HARMLESS: Partial<Record<Code, Severity>> = { HK073: 'warning', HK076: 'info' };

type Part = { readonly part: Partial<Action>; readonly slips: readonly Slip[] };

function readKey(entry: TreeEntry, parent: string): Part {
  const field = `${parent}.${entry.key}`;
  if (isKey(entry.key)) return READERS[entry.key](entry.value, field);
  const slip: Slip = {
    code: 'HK006',
    severity: 'warning',
    args: { key: entry.key, where: 'an action', hint: '' },
    allowed: ACTION_KEYS,
    span: entry.keySpan,
    field,
  };
  return { part: {}, slips: [slip] };
}

function isKey(key: string): key is Key {
  return ACTION_KEYS.some((known) => known === key);
}

const READERS: Readonly<Record<Key, (value: Tree, field: string) => Part>> = {
  command: readCommand,
  args: readArgs,
  env: readEnv,
  cwd: readCwd,
  timeout_ms: (value, field) => part('timeoutMs', readTimeout(value, field)),
  stdin_json: (value, field) => part('stdinJson', readFlag(value, field, '"stdin_json"')),
  enabled(value, field) {
    const { part: read, slips } = part('enabled', readFlag(value, field, '"enabled"'));
    return { part: read, slips: [...slips, { code: 'HK076', args: {}, span: value.span, field }] };
  },
};

function part(key: keyof Action, { value, slips }: Value<Action[keyof Action]>): Part {
  return { part: value === undefined ? {} : { [key]: value }, slips };
}

/** What was read, or what is wrong with it. */
export type Value<T> = { readonly value?: T; readonly slips: readonly Slip[] };

function readCommand(tree: Tree, field: string): Part {
  const written = textOf(tree);
  if (written === undefined) return none(wrongType(tree, field, '"command"', 'text'));
  if (written.includes('\0')) return none(nul(tree, field, '"command"'));
  const command = written.trim();
  if (command === '') return none({ code: 'HK018', args: { where: '"command"' }, span: tree.span, field });
  const refused = REFUSED.exec(written.trim());
  if (refused === null) return { part: { command }, slips: [] };
  const args = {
    character: shown(refused[0]),
    position: String([...written.slice(0, written.indexOf(refused[0]))].length + 1),
  };
  return none({ code: 'HK070', args, span: tree.span, field });
}

function shown(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x20 || code === 0x7f ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}` : character;
}

function readArgs(tree: Tree, field: string): Part {
  if (tree.kind !== 'list') return none(wrongType(tree, field, '"args"', 'a list'));
  const slips = tree.items.flatMap(({ value }, index): Slip[] => {
    const said = textOf(value);
    const own = `${field}[${index}]`;
    if (said === undefined) return [wrongType(value, own, 'an item of "args"', 'text')];
    return said.includes('\0') ? [nul(value, own, 'an item of "args"')] : [];
  });
  const many =
    tree.items.length > BOUNDS.args ? [tooMany(tree, field, `${tree.items.length} "args"`, BOUNDS.args)] : [];
  const args = tree.items.flatMap(({ value }) => textOf(value) ?? []);
  return { part: { args }, slips: [...slips, ...many] };
}

function readEnv(tree: Tree, field: string): Part {
  if (tree.kind !== 'map') return none(wrongType(tree, field, '"env"', 'a mapping'));
  const read = tree.entries.map((entry) => readVariable(entry, `${field}.${entry.key}`));
  const { length } = tree.entries;
  const many = length > BOUNDS.env ? [tooMany(tree, field, `${length} variables in "env"`, BOUNDS.env)] : [];
  const env = Object.fromEntries(read.flatMap(({ value }) => (value === undefined ? [] : [value])));
  return { part: { env }, slips: [...read.flatMap((one) => one.slips), ...many] };
}

function readVariable({ key, keySpan, value }: TreeEntry, field: string): Value<readonly [string, string]> {
  const said = textOf(value);
  if (said === undefined) return { slips: [wrongType(value, field, `the variable ${key}`, 'text')] };
  if (key.includes('\0')) return { slips: [{ ...nul(value, field, 'a key of "env"'), span: keySpan }] };
  if (said.includes('\0')) return { slips: [nul(value, field, `the variable ${key}`)] };
  const reserved = (why: string, severity?: Severity): Slip => ({
    code: 'HK014',
    ...(severity === undefined ? {} : { severity }),
    args: { name: key === '' ? '""' : key, why, hint: '' },
    span: keySpan,
    field,
  });
  if (key === '' || key.includes('=')) return { slips: [reserved('a name is not empty and has no "="')] };
  if (isBlocked(key)) return { slips: [reserved('no hook may be given it; the hook runs without', 'warning')] };
  const slips: Slip[] = key.startsWith('ZERO_HOOK_')
    ? [{ code: 'HK073', args: { name: key }, span: keySpan, field }]
    : [];
  return { value: [key, said], slips };
}

/** A variable that hooks may not set, in any mixture of case. */
export function isBlocked(name: string): boolean {
  const upper = name.toUpperCase();
  return BLOCKED.some((blocked) => blocked === upper) || upper.startsWith('HOOKCTL_');
}

function readCwd(tree: Tree, field: string): Part {
  if (isNull(tree)) return { part: {}, slips: [] };
  const cwd = textOf(tree);
  if (cwd === undefined) return none(wrongType(tree, field, '"cwd"', 'text'));
  if (cwd.includes('\0')) return none(nul(tree, field, '"cwd"'));
  if (cwd === '') return none({ code: 'HK018', args: { where: '"cwd"' }, span: tree.span, field });
  const why = whyOutside(cwd);
  return why === undefined
    ? { part: { cwd }, slips: [] }
    : none({ code: 'HK071', args: { cwd, why }, span: tree.span, field });
}

/** Why a folder may not be named so. */
function whyOutside(cwd: string): string | undefined {
  const steps = cwd.split('/').filter((step) => step !== '' && step !== '.');
  if (cwd.startsWith('/')) return steps.includes('..') ? 'an absolute folder is written without ".."' : undefined;
  let depth = 0;
  for (const step of steps) {
    depth += step === '..' ? -1 : 1;
    if (depth < 0) return 'it leaves the folder of hooks.json';
  }
  return undefined;
}

/** A limit in milliseconds; null is absence. */
export function readTimeout(tree: Tree, field: string): Value<number> {
  if (isNull(tree)) return { slips: [] };
  const value = tree.kind === 'scalar' ? tree.value : undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= BOUNDS.timeoutMs) {
    return { value, slips: [] };
  }
  const why = `a limit is a whole number of milliseconds, 1 to ${BOUNDS.timeoutMs}`;
  const args = { got: JSON.stringify(value ?? null), why, hint: hintFor(value) };
  return { slips: [{ code: 'HK013', args, span: tree.span, field }] };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/** `"5s"`: 5000. */
function hintFor(value: unknown): string {
  const [, digits = '', unit = 'ms'] =
    typeof value === 'string' ? (/^\s*(\d+(?:\.\d+)?)\s*(ms|s|m)?\s*$/.exec(value) ?? []) : [];
  const ms = Number(digits) * (UNITS[unit] ?? 1);
  return digits !== '' && ms >= 1 && ms <= BOUNDS.timeoutMs ? `write ${Math.round(ms)}` : '';
}

/** true or false; null is an error. */
export function readFlag(tree: Tree, field: string, where: string): Value<boolean> {
  const value = tree.kind === 'scalar' ? tree.value : undefined;
  return typeof value === 'boolean'
    ? { value, slips: [] }
    : { slips: [wrongType(tree, field, where, 'true or false')] };
}

export function wrongType(tree: Tree, field: string, where: string, wanted: string): Slip {
  return { code: 'HK008', args: { where, got: gotOf(tree), wanted, hint: '' }, span: tree.span, field };
}

function gotOf(tree: Tree): string {
  if (tree.kind !== 'scalar') return tree.kind === 'map' ? 'a mapping' : 'a list';
  if (tree.value === null) return 'null';
  return typeof tree.value === 'string' ? JSON.stringify(tree.value) : String(tree.value);
}

function tooMany(tree: Tree, field: string, what: string, most: number): Slip {
  return { code: 'HK072', args: { what, most: String(most) }, span: tree.span, field };
}

function nul(tree: Tree, field: string, where: string): Slip {
  return { code: 'HK019', args: { where }, span: tree.span, field };
}

function none(slip: Slip): Part {
  return { part: {}, slips: [slip] };
}

function textOf(tree: Tree): string | undefined {
  return tree.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : undefined;
}

function isNull(tree: Tree): boolean {
  return tree.kind === 'scalar' && tree.value === null;
}

/** The limit of an action: its own, its file's, or the default. */
export function limitOf({ timeoutMs }: Action, ofFile: number | undefined): number {
  return timeoutMs ?? ofFile ?? spec.defaults.timeoutMs;
}
