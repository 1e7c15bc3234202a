/**
 * Which programs and scripts a command names, and whether they are there.
 */
import type { Finding } from '../core/finding';
import { resolvePath, shownFrom } from '../core/path';
import { type ShellCommand, type ShellWord, wordValue } from '../core/shell';
import { decode } from '../core/text';
import { authorOf } from '../dialects';
import type { WrittenHook } from '../dialects/dialect';
import type { CheckDoors } from './doors';
import { BUILTINS, INTERPRETERS, type Interpreter, WRAPPERS } from './programs';

/** Stands for the folder that an event names. */
const EVENT_FOLDER = '/<folder of the event>';
const MAX_SCRIPT_BYTES = 256 * 1024;

/** A finding about a part of the command: offsets into its text. */
export type CommandFinding = Omit<Finding, 'at'> & { readonly start: number; readonly end: number };

export type ScriptsRead = {
  readonly findings: readonly CommandFinding[];
  /** Scripts that are there: absolute path → text. */
  readonly scripts: ReadonlyMap<string, string>;
};

/** Looks for everything that the commands of a hook start. What only the running shell can tell is left alone. */
export function readScripts(written: WrittenHook, commands: readonly ShellCommand[], doors: CheckDoors): ScriptsRead {
  const setting = settingOf(written, doors);
  const scripts = new Map<string, string>();
  const findings: CommandFinding[] = [];
  const folders = new Folders(setting.folder);
  const asked = askedFor(commands, setting);
  for (const command of commands) {
    folders.at(command.depth);
    const words = withoutWrappers(command.words, setting);
    const program = words[0] === undefined ? undefined : wordValue(words[0], setting.variables);
    if (program === 'cd') folders.enter(words[1] === undefined ? undefined : wordValue(words[1], setting.variables));
    if (words[0] === undefined || program === undefined || program === '' || BUILTINS.has(program)) continue;
    const used = usedBy(program, words, setting);
    if (used.program !== undefined && !asked.has(used.program))
      findings.push(...missingProgram(used.program, words[0], setting, doors));
    if (used.script === undefined) continue;
    const path = wordValue(used.script, setting.variables);
    if (path === undefined || path === '' || asked.has(path)) continue;
    const at = { start: used.script.start, end: used.script.end };
    const found = lookFor(path, folders.here(), setting, doors);
    findings.push(...found.findings.map((one) => ({ ...one, ...at })));
    if (found.path === undefined) continue;
    const text = scriptText(found.path, doors);
    if (used.direct) findings.push(...notRunnable(found.path, text, doors).map((one) => ({ ...one, ...at })));
    if (text !== undefined) scripts.set(found.path, text);
  }
  return { findings, scripts };
}

/** Where a hook runs, as far as its author's format says so. */
type Setting = {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Undefined: the folder of the event. */
  readonly folder: string | undefined;
  readonly root: string;
};

function settingOf({ hook }: WrittenHook, { env, world }: CheckDoors): Setting {
  const event = { name: hook.event, cwd: EVENT_FOLDER, rest: [], from: { room: hook.author, event: hook.event } };
  const job = authorOf(hook.author).job(hook, event, world);
  if (job.kind !== 'process') return { variables: env, folder: undefined, root: hook.root };
  const variables = { ...(job.env.from === 'all' ? env : {}), ...job.env.set };
  const folder = job.cwd[0] === EVENT_FOLDER ? undefined : job.cwd[0];
  return { variables, folder, root: hook.root };
}

/** What the command itself looks for before it uses it: `test -x FILE`, `command -v PROGRAM`. */
function askedFor(commands: readonly ShellCommand[], setting: Setting): ReadonlySet<string> {
  const values = commands.map(({ words }) => words.flatMap((word) => wordValue(word, setting.variables) ?? []));
  const asks = values.filter(
    ([program = '', option = '']) => TESTS.has(program) || (program === 'command' && /^-[vV]$/.test(option)),
  );
  return new Set(asks.flatMap(([, ...rest]) => rest));
}

const TESTS: ReadonlySet<string> = new Set(['test', '[', 'which', 'type', 'hash']);

/** A folder: absolute, or below the one that the event names; `unknown` where only the running shell can tell. */
type Folder = { readonly below: 'root' | 'event'; readonly path: string } | 'unknown';

/** The folder that `cd` has led to. A subshell's is over with it. */
class Folders {
  private readonly stack: Folder[];

  constructor(first: string | undefined) {
    this.stack = [first === undefined ? { below: 'event', path: '' } : { below: 'root', path: first }];
  }

  at(depth: number): void {
    while (this.stack.length - 1 > depth) this.stack.pop();
    while (this.stack.length - 1 < depth) this.stack.push(this.here());
  }

  enter(path: string | undefined): void {
    this.stack[this.stack.length - 1] = path === undefined || path === '' ? 'unknown' : within(this.here(), path);
  }

  here(): Folder {
    return this.stack.at(-1) ?? 'unknown';
  }
}

function within(folder: Folder, path: string): Folder {
  if (path.startsWith('/')) return { below: 'root', path };
  if (folder === 'unknown') return 'unknown';
  if (folder.below === 'root') return { below: 'root', path: resolvePath(folder.path, path) };
  return { below: 'event', path: folder.path === '' ? path : `${folder.path}/${path}` };
}

/** `exec`, `env A=1`, `timeout 5` and the like run what comes behind them. */
function withoutWrappers(words: readonly ShellWord[], setting: Setting): readonly ShellWord[] {
  const [first] = words;
  const wrapper = first === undefined ? undefined : WRAPPERS[wordValue(first, setting.variables) ?? ''];
  if (wrapper === undefined) return words;
  const rest = words.slice(1);
  const asks = rest.some((word) => /^-[vV]$/.test(wordValue(word, {}) ?? ''));
  if (wrapper === 'names' && asks) return [];
  const at = rest.findIndex((word) => {
    const value = wordValue(word, setting.variables);
    if (value === undefined) return true;
    return !value.startsWith('-') && !NUMBER.test(value) && !(wrapper === 'assignments' && /^\w+=/.test(value));
  });
  return at < 0 ? [] : withoutWrappers(rest.slice(at), setting);
}

const NUMBER = /^[\d.]+[smhd]?$/;

type Used = { readonly program?: string; readonly script?: ShellWord; readonly direct: boolean };

function usedBy(program: string, words: readonly ShellWord[], setting: Setting): Used {
  const [first] = words;
  if (program.includes('/')) {
    const interpreter = INTERPRETERS[program.slice(program.lastIndexOf('/') + 1)];
    const script = interpreter === undefined ? first : scriptOf(interpreter, words.slice(1), setting);
    return { direct: interpreter === undefined, ...(script === undefined ? {} : { script }) };
  }
  const interpreter = INTERPRETERS[program];
  const script = interpreter === undefined ? undefined : scriptOf(interpreter, words.slice(1), setting);
  return { program, direct: false, ...(script === undefined ? {} : { script }) };
}

/** The first word behind an interpreter that is no option, unless the program comes with an option. */
function scriptOf(interpreter: Interpreter, words: readonly ShellWord[], setting: Setting): ShellWord | undefined {
  let rest = [...words];
  const [first] = rest;
  if (interpreter.command !== undefined && first !== undefined) {
    if (wordValue(first, setting.variables) !== interpreter.command) return undefined;
    rest = rest.slice(1);
  }
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const value = wordValue(word, setting.variables);
    if (value === undefined || !value.startsWith('-')) return word;
    if (value === '-' || interpreter.inline.some((option) => value === option || isBundle(option, value)))
      return undefined;
    if (interpreter.valued.includes(value)) rest.shift();
  }
  return undefined;
}

/** `-ec` holds `-c`. */
function isBundle(option: string, value: string): boolean {
  return option.length === 2 && /^-[a-z]+$/i.test(value) && value.includes(option.slice(1));
}

type Looked = { readonly path?: string; readonly findings: readonly Omit<Finding, 'at'>[] };

function lookFor(path: string, here: Folder, setting: Setting, doors: CheckDoors): Looked {
  const isThere = (one: string) => doors.disk.kindOf(one) === 'file';
  const missing = (script: string, hint: string): Looked => ({ findings: [{ code: 'HK022', args: { script, hint } }] });
  const place = within(here, path);
  if (place === 'unknown') return { findings: [] };
  if (place.below === 'root') {
    return isThere(place.path)
      ? { path: place.path, findings: [] }
      : missing(shownFrom(doors.cwd, place.path), 'check its path');
  }
  const [atWork, beside] = [resolvePath(doors.cwd, place.path), resolvePath(setting.root, place.path)];
  if (isThere(atWork)) return { path: atWork, findings: [] };
  if (!isThere(beside)) return missing(place.path, 'it is looked for in the folder that the agent works in');
  if (setting.variables['MM_CONFIG_DIR'] === undefined) return { path: beside, findings: [] };
  const meant = `"$MM_CONFIG_DIR/${place.path.replace(/^\.\//, '')}"`;
  return { path: beside, findings: [{ code: 'HK033', args: { script: place.path, meant } }] };
}

/** The kernel, or in its place sh, must know what to do with a script that is called by its name. */
function notRunnable(path: string, text: string | undefined, { disk, cwd }: CheckDoors): Omit<Finding, 'at'>[] {
  const script = shownFrom(cwd, path);
  if (!disk.isExecutable(path)) return [{ code: 'HK023', args: { script } }];
  return text === undefined || text.startsWith('#!') ? [] : [{ code: 'HK024', args: { script } }];
}

/** Undefined for what is no text. */
function scriptText(path: string, { disk }: CheckDoors): string | undefined {
  const bytes = disk.read(path);
  if (!(bytes instanceof Uint8Array)) return undefined;
  const head = bytes.subarray(0, MAX_SCRIPT_BYTES);
  return head.includes(0) ? undefined : decode(head);
}

function missingProgram(program: string, word: ShellWord, setting: Setting, doors: CheckDoors): CommandFinding[] {
  const folders = (setting.variables['PATH'] ?? '').split(':').filter((folder) => folder !== '');
  const found = folders.some((folder) => doors.disk.isExecutable(`${folder}/${program}`));
  return found ? [] : [{ code: 'HK025', args: { program }, start: word.start, end: word.end }];
}
