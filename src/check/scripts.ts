/**
 * Which programs and scripts a command names, and whether they are there.
 */

import type { Finding } from '../core/finding';
import { didYouMean } from '../core/nearest';
import { nameOf, resolvePath, shownFrom } from '../core/path';
import { type ShellCommand, type ShellText, type ShellWord, wordValue } from '../core/shell';
import { lookUp } from '../core/table';
import { decode } from '../core/text';
import { authorOf } from '../dialects';
import type { WrittenHook } from '../dialects/dialect';
import type { CheckDoors } from './doors';
import { BUILDERS, BUILTINS, INTERPRETERS, MAKERS, OWN_SCRIPT, SOURCES } from './programs';
import { variableFindings } from './variables';
import { operandsOf, scriptOf, type Variables, withAssigned, withoutWrappers } from './words';

/** Stands for the folder that an event names. */
const EVENT_FOLDER = '/<folder of the event>';
/** What no system takes. */
const MAX_PATH = 4_096;
const MAX_SCRIPT_BYTES = 256 * 1024;

/** A finding about a part of the command: offsets into its text. */
export type CommandFinding = Omit<Finding, 'at'> & { readonly start: number; readonly end: number };

export type ScriptsRead = {
  readonly findings: readonly CommandFinding[];
  /** Scripts that are there: absolute path → text. */
  readonly scripts: ReadonlyMap<string, string>;
};

/** Looks for everything that the commands of a hook start. What only the running shell can tell is left alone. */
export function readScripts(written: WrittenHook, { commands, fault }: ShellText, doors: CheckDoors): ScriptsRead {
  if (fault !== undefined) return { findings: [unreadable(fault)], scripts: new Map() };
  const setting = settingOf(written, commands, doors);
  const scripts = new Map<string, string>();
  const findings = variableFindings(commands, setting.given, doors.env);
  const folders = new Folders(setting.folder, setting.variables);
  const asked = askedFor(commands, setting.variables);
  const isMissing = programLookup(setting.variables, doors);
  // What was defined elsewhere, and what may have been made, is not told.
  let [sourced, built] = [false, false];
  for (const command of commands) {
    folders.at(command.depth);
    const { variables } = folders;
    const words = withoutWrappers(command.words, variables);
    const [first] = words;
    const program = first === undefined ? undefined : wordValue(first, variables);
    if (program === 'cd') folders.enter(command.sure ? targetOfCd(words.slice(1), variables) : undefined);
    if (program !== undefined && BUILDERS.has(nameOf(program))) built = true;
    if (program === 'eval') sourced = true;
    if (first === undefined || program === undefined || program === '' || BUILTINS.has(program)) continue;
    const used = usedBy(program, words, variables);
    if (used.program !== undefined && !sourced && !asked.has(used.program) && isMissing(used.program))
      findings.push({ code: 'HK025', args: { program: used.program }, start: first.start, end: first.end });
    if (SOURCES.has(program)) sourced = true;
    if (used.script === undefined) continue;
    const path = wordValue(used.script, variables);
    if (path === undefined || path === '' || asked.has(spelt(path))) continue;
    const at = { start: used.script.start, end: used.script.end };
    const found = lookFor(path, used.endings ?? [], folders.here(), setting, doors);
    const told = found.findings.filter(({ code }) => code !== 'HK022' || !built);
    findings.push(...told.map((one) => ({ ...one, ...at })));
    if (found.path === undefined) continue;
    const text = scriptText(found.path, doors);
    if (used.direct) findings.push(...notRunnable(found.path, text, doors).map((one) => ({ ...one, ...at })));
    if (text !== undefined && nameOf(found.path) !== OWN_SCRIPT) scripts.set(found.path, text);
  }
  return { findings, scripts };
}

function unreadable({ why, start }: NonNullable<ShellText['fault']>): CommandFinding {
  return { code: 'HK064', args: { why }, start, end: start + 1 };
}

/** One spelling of a path. */
function spelt(path: string): string {
  return path.replace(/^(?:\.\/+)+(?=.)/, '').replace(/\/{2,}/g, '/');
}

/** Where a hook runs, as far as its author's format says so. */
type Setting = {
  readonly variables: Variables;
  /** Names that the format gives a hook. */
  readonly given: readonly string[];
  /** Undefined: the folder of the event. */
  readonly folder: string | undefined;
  readonly root: string;
};

function settingOf({ hook }: WrittenHook, commands: readonly ShellCommand[], { env, world }: CheckDoors): Setting {
  const event = { name: hook.event, cwd: EVENT_FOLDER, rest: [], from: { room: hook.author, event: hook.event } };
  const job = authorOf(hook.author).job(hook, event, world);
  if (job.kind !== 'process')
    return { variables: withAssigned(env, commands), given: [], folder: undefined, root: hook.root };
  const given = Object.keys(job.env.set);
  const variables = { ...(job.env.from === 'all' ? env : {}), ...job.env.set };
  const folder = job.cwd[0] === EVENT_FOLDER ? undefined : job.cwd[0];
  return { variables: withAssigned(variables, commands), given, folder, root: hook.root };
}

/** What the command itself looks for before it uses it, or makes: `test -x FILE`, `command -v PROGRAM`, `> FILE`, `cp A FILE`. */
function askedFor(commands: readonly ShellCommand[], variables: Variables): ReadonlySet<string> {
  const value = (word: ShellWord) => wordValue(word, variables) ?? [];
  const named = commands.flatMap(({ words, writes }) => [
    ...namedBy(withoutWrappers(words, variables).flatMap(value)),
    ...namedBy(words.flatMap(value)),
    ...writes.flatMap(value),
  ]);
  return new Set(named.map(spelt));
}

/** What a command asks for, or makes. */
function namedBy([program = '', ...rest]: readonly string[]): readonly string[] {
  if (TESTS.has(program)) return rest.filter((_, at) => FILE_TEST.test(rest[at - 1] ?? ''));
  const asks =
    ASKS.has(program) || MAKERS.has(nameOf(program)) || (program === 'command' && /^-[vV]$/.test(rest[0] ?? ''));
  return asks ? rest.map((word) => word.replace(/^(?:--?\w[\w-]*|of)=/, '').replace(/^-[oO](?=.)/, '')) : [];
}

const TESTS: ReadonlySet<string> = new Set(['test', '[', '[[']);
const FILE_TEST = /^-[abcdefghkprstuwxLNOGS]$/;
const ASKS: ReadonlySet<string> = new Set(['which', 'type', 'hash', 'stat', 'ls', 'file', 'realpath', 'readlink']);

/** Undefined where only the running shell can tell. */
function targetOfCd(words: readonly ShellWord[], variables: Variables): string | undefined {
  const [target] = operandsOf(words, [], variables).rest;
  if (target === undefined) return variables['HOME'];
  const path = wordValue(target, variables);
  return path === '-' ? undefined : path;
}

/** A folder: absolute, or below the one that the event names; `unknown` where only the running shell can tell. */
type Folder = { readonly below: 'root' | 'event'; readonly path: string } | 'unknown';

/** The folder that `cd` has led to. A subshell's is over with it. */
class Folders {
  private readonly stack: Folder[];
  private known: { readonly folder: Folder; readonly variables: Variables } | undefined;

  constructor(
    first: string | undefined,
    private readonly all: Variables,
  ) {
    this.stack = [first === undefined ? { below: 'event', path: '' } : { below: 'root', path: first }];
  }

  /** With `PWD` as it is here. */
  get variables(): Variables {
    const folder = this.here();
    if (this.known?.folder !== folder) {
      const own = { PWD: folder !== 'unknown' && folder.below === 'root' ? folder.path : undefined, OLDPWD: undefined };
      this.known = { folder, variables: Object.assign(Object.create(this.all), own) };
    }
    return this.known.variables;
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
  if (folder !== 'unknown' && folder.path.length + path.length > MAX_PATH) return 'unknown';
  if (path.startsWith('/')) return { below: 'root', path };
  if (folder === 'unknown') return 'unknown';
  if (folder.below === 'root') return { below: 'root', path: resolvePath(folder.path, path) };
  return { below: 'event', path: folder.path === '' ? path : `${folder.path}/${path}` };
}

type Used = {
  /** To be looked for on the PATH. */
  readonly program?: string;
  readonly script?: ShellWord;
  readonly endings?: readonly string[];
  /** The script is called by its name. */
  readonly direct: boolean;
};

function usedBy(program: string, words: readonly ShellWord[], variables: Variables): Used {
  const [first, second] = words;
  if (SOURCES.has(program)) {
    const isPath = second !== undefined && wordValue(second, variables)?.includes('/') === true;
    return { direct: false, ...(isPath ? { script: second } : {}) };
  }
  const interpreter = lookUp(INTERPRETERS, nameOf(program));
  const isPath = program.includes('/');
  if (interpreter === undefined) {
    return isPath ? { direct: true, ...(first === undefined ? {} : { script: first }) } : { program, direct: false };
  }
  const script = scriptOf(interpreter, words.slice(1), variables);
  return {
    direct: false,
    endings: interpreter.endings ?? [],
    ...(isPath ? {} : { program }),
    ...(script === undefined ? {} : { script }),
  };
}

type Looked = { readonly path?: string; readonly findings: readonly Omit<Finding, 'at'>[] };

function lookFor(path: string, endings: readonly string[], here: Folder, setting: Setting, doors: CheckDoors): Looked {
  const find = (one: string) => ['', ...endings].map((ending) => one + ending).find((file) => isFile(file, doors));
  const missing = (script: string, hint: string): Looked => ({ findings: [{ code: 'HK022', args: { script, hint } }] });
  const place = within(here, path);
  if (place === 'unknown') return { findings: [] };
  if (place.below === 'root') {
    const found = find(place.path);
    if (found !== undefined) return { path: found, findings: [] };
    return missing(shownFrom(doors.cwd, place.path), nearHint(place.path, doors) ?? 'check its path');
  }
  const [atWork, beside] = [resolvePath(doors.cwd, place.path), resolvePath(setting.root, place.path)];
  const [foundAtWork, foundBeside] = [find(atWork), find(beside)];
  if (foundAtWork !== undefined) return { path: foundAtWork, findings: [] };
  if (foundBeside === undefined) {
    const near = nearHint(atWork, doors) ?? nearHint(beside, doors);
    return missing(place.path, near ?? 'it is looked for in the folder that the agent works in');
  }
  if (setting.variables['MM_CONFIG_DIR'] === undefined) return { path: foundBeside, findings: [] };
  const meant = `"$MM_CONFIG_DIR/${place.path.replace(/^\.\//, '')}"`;
  return { path: foundBeside, findings: [{ code: 'HK033', args: { script: place.path, meant } }] };
}

function isFile(path: string, { disk }: CheckDoors): boolean {
  return disk.kindOf(path) === 'file';
}

/** A file beside it with nearly its name; or what else stands there. */
function nearHint(path: string, { disk }: CheckDoors): string | undefined {
  if (disk.kindOf(path) === 'folder') return 'it is a folder';
  const folder = resolvePath(path, '..');
  const names = disk.kindOf(folder) === 'folder' ? disk.list(folder) : [];
  const meant = 'why' in names ? '' : didYouMean(nameOf(path), names, 2);
  return meant === '' ? undefined : meant.replace(/^; /, '');
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

/** Is a program on the PATH? Where the PATH is not known, each one is. */
function programLookup(variables: Variables, { disk }: CheckDoors): (program: string) => boolean {
  const folders = variables['PATH']?.split(':').filter((folder) => folder !== '');
  const known = new Map<string, boolean>();
  return (program) => {
    if (folders === undefined) return false;
    const before = known.get(program);
    if (before !== undefined) return before;
    const missing = !folders.some((folder) => disk.isExecutable(`${folder}/${program}`));
    known.set(program, missing);
    return missing;
  };
}
