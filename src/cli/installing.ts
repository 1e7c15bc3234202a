/**
 * What `hookctl install` and `hookctl uninstall` do.
 */

import { splitDialect } from '../config/find';
import { loadConfigs } from '../config/load';
import { faultFinding, parseFile, treeIn } from '../config/parse';
import { hasError } from '../core/finding';
import type { Hook } from '../core/model';
import { didYouMean } from '../core/nearest';
import { folderOf, resolvePath, shownFrom } from '../core/path';
import { decode } from '../core/text';
import { dataOf, type Tree } from '../core/tree';
import { authorOf, knownEvents, NATIVE, ROOMS, rowOf } from '../dialects';
import type { Room, WiredCall, Wiring } from '../dialects/dialect';
import { unifiedDiff } from '../engines/diff';
import { EXIT, UserError } from '../exit';
import type { Io } from '../io';
import { backupOf, confirmed, programs, removeFile } from '../io-files';
import { renderFinding } from '../render/findings';
import { createExec } from '../runner/exec';
import { samplesFor } from '../suite/sample';
import { copyWhole, createWhole, lock } from '../whole-file';
import { type Caller, callsFor, isInside } from '../wiring/command';
import { installed, MARK, uninstalled } from '../wiring/text';
import { badUsage } from './command';
import { configNames } from './doors';
import { loadDoors } from './load-doors';
import { lastValue, type ParsedOptions } from './options';
import { worldOf } from './world';

/** What hookctl says where it is called from hooks that are too deep. */
const LOCK_MS = 5_000;
const SELF_TEST = 'levels deep';

type Wired = Room & { readonly wiring: Wiring };

export { converting } from './converting';

/** Everything that both commands need to know. */
type Target = {
  readonly room: Wired;
  readonly scope: string;
  readonly project: string;
  /** Absolute. */
  readonly path: string;
  readonly shown: string;
};

/** Runs `install` and resolves with the exit code. */
export async function installing(options: ParsedOptions, io: Io): Promise<number> {
  const target = targetOf(options, io);
  if ('problem' in target) return badUsage('install', target.problem, io);
  const names = configsFor(options.rest.slice(1), target, io);
  if (names.length === 0)
    return badUsage('install', 'there is no agent.yaml here; name the config whose hooks shall run', io);
  const loaded = await loadConfigs(names, io.cwd, loadDoors(io));
  for (const finding of loaded.findings) io.write('stderr', `${renderFinding(finding)}\n`);
  if (hasError(loaded.findings)) return EXIT.findings;
  const caller = callerFor(names, target, io);
  if ('problem' in caller) return badUsage('install', caller.problem, io);
  const { room, path } = target;
  const calls = callsFor(room.spec.rows, loaded.hooks, room.wiring, caller, worldOf(io));
  tellUncalled(loaded.hooks, calls, room, io);
  if (calls.length === 0) return refused('install', 'there is no hook that it could call', io);
  if (target.scope === 'project' && caller.variable !== undefined && !isInside(caller.hookctl, caller))
    say(
      io,
      `hookctl lies outside of the project: the calls are right on this machine alone (see --local, or "npm install --save-dev hookctl")`,
    );
  const wanted = calls.map((call) => room.wiring.item(call));
  const change = (text: string, parse: (one: string) => Tree) => installed(text, wanted, parse);
  return withLock('install', target, io, async () => {
    const outcome = await changed('install', target, change, options, io);
    if (outcome.kind === 'ended') return outcome.code;
    const faults = outcome.kind === 'same' && options.switches.has('dry-run') ? [] : await testCalls(target, io);
    if (faults.length === 0) return installedWell(target, outcome.kind, io);
    for (const fault of faults) say(io, fault);
    const lost = outcome.kind === 'written' ? restore(path, outcome, io) : undefined;
    if (lost !== undefined)
      return refused('install', `the calls do not work, but ${target.shown} has them: ${lost}`, io);
    return refused('install', 'the calls do not work, so nothing was changed', io);
  });
}

/** Runs `uninstall` and resolves with the exit code. */
export async function uninstalling(options: ParsedOptions, io: Io): Promise<number> {
  const target = targetOf(options, io);
  if ('problem' in target) return badUsage('uninstall', target.problem, io);
  if (options.rest.length > 1) return badUsage('uninstall', 'it takes the name of an agent alone', io);
  const { path, shown } = target;
  if (io.disk.kindOf(path) === 'none') return nothingThere(shown, io);
  const backup = textOf(backupOf(path), io);
  const change = (text: string, parse: (one: string) => Tree) => {
    const [bare, pruned] = uninstalled(text, parse);
    return bare !== undefined && bare === backup ? bare : (pruned ?? text);
  };
  return withLock('uninstall', target, io, async () => {
    const outcome = await changed('uninstall', target, change, options, io);
    if (outcome.kind === 'ended') return outcome.code;
    if (outcome.kind === 'same') return nothingThere(shown, io);
    const text = textOf(path, io);
    if (backup === undefined && text !== undefined && isBare(text, target)) removeFile(path);
    removeFile(backupOf(path));
    say(io, `the calls of hookctl are out of ${shown}`, 'stdout');
    return EXIT.fine;
  });
}

function targetOf(options: ParsedOptions, io: Io): Target | { readonly problem: string } {
  const [agent] = options.rest;
  const wired = ROOMS.filter((room): room is Wired => room.wiring !== undefined);
  const ids = wired.map(agentOf);
  if (agent === undefined) return { problem: `say which agent: ${ids.join(', ')}` };
  const room = wired.find((one) => agentOf(one) === agent || one.spec.id === agent);
  if (room === undefined)
    return { problem: `there is no agent "${agent}"${didYouMean(agent, ids)} (there is ${ids.join(', ')})` };
  const scopes = ['project', 'local', 'user'].filter((one) => options.switches.has(one));
  if (scopes.length > 1) return { problem: `--${scopes.join(' and --')} exclude one another` };
  const named = lastValue(options, 'file');
  const project = projectOf(io);
  if (named !== undefined) {
    if (scopes.length > 0) return { problem: `--file and --${scopes[0]} exclude one another` };
    const path = resolvePath(io.cwd, named);
    return { room, scope: 'file', project, path, shown: shownFrom(io.cwd, path) };
  }
  const scope = scopes[0] ?? Object.keys(room.wiring.files)[0];
  if (scope === undefined) return { problem: `say which file: ${agent} --file FILE` };
  const file = room.wiring.files[scope];
  if (file === undefined) return { problem: `${room.spec.title} has no --${scope}` };
  const home = io.env['HOME'];
  if (file.below === 'home' && !home?.startsWith('/')) return { problem: '--user needs $HOME' };
  const path = resolvePath(file.below === 'home' ? (home ?? '/') : project, file.path);
  return { room, scope, project, path, shown: shownFrom(io.cwd, path) };
}

function agentOf({ spec, wiring }: Wired): string {
  return wiring.agent ?? spec.id;
}

/** The nearest folder that is a repository, or the one where hookctl stands. */
function projectOf({ cwd, disk }: Io): string {
  for (let folder = cwd; folder !== '/'; folder = folderOf(folder))
    if (disk.kindOf(`${folder}/.git`) !== 'none') return folder;
  return cwd;
}

function configsFor(named: readonly string[], { project }: Target, io: Io): readonly string[] {
  const names = configNames(named, io);
  if (names.length > 0) return names;
  const found = [`${io.cwd}/agent.yaml`, `${project}/agent.yaml`].find((path) => io.disk.kindOf(path) === 'file');
  return found === undefined ? [] : [found];
}

function callerFor(
  names: readonly string[],
  { room, scope, project }: Target,
  io: Io,
): Caller | { readonly problem: string } {
  const { node, hookctl } = programs(io.env['PATH'] ?? '');
  if (/\/_npx\//.test(hookctl))
    return {
      problem: 'this hookctl is a temporary one of npx; install it first, as in "npm install --save-dev hookctl"',
    };
  const configs = names.map((name) => {
    const [dialect, written] = splitDialect(name);
    const path = resolvePath(io.cwd, written);
    return dialect === undefined ? { path } : { dialect, path };
  });
  const variable = room.wiring.projectVariable;
  const shares = scope !== 'user' && variable !== undefined ? { project, variable } : {};
  return { as: room.spec.id, node, hookctl, configs, project: undefined, variable: undefined, ...shares };
}

/** Hooks of events that the agent does not have will not run under it. */
function tellUncalled(hooks: readonly Hook[], calls: readonly WiredCall[], { spec }: Room, io: Io): void {
  const called = calls.map(({ row }) => row.canonical);
  const events = [...new Set(hooks.map(({ event }) => event))].filter((event) => !called.includes(event));
  if (events.length > 0) say(io, `${spec.title} has no event for ${events.join(', ')}: hooks of these will not run`);
}

type Changed =
  | { readonly kind: 'ended'; readonly code: number }
  | { readonly kind: 'same' }
  /** `before` is absent where there was no file. */
  | ({ readonly kind: 'written' } & Written);

type Written = { readonly before: string | undefined; readonly after: string };

/** Shows the change and asks; then writes it, behind a backup. */
async function changed(
  command: string,
  target: Target,
  change: (text: string, parse: (text: string) => Tree) => string,
  options: ParsedOptions,
  io: Io,
): Promise<Changed> {
  const { path, shown } = target;
  const before = textOf(path, io);
  const ended = (code: number): Changed => ({ kind: 'ended', code });
  if (before === undefined && io.disk.kindOf(path) !== 'none')
    return ended(refused(command, `${shown} cannot be read`, io));
  if (before === undefined && target.room.wiring.skeleton === undefined)
    return ended(refused(command, `there is no file ${shown}`, io));
  const text = before === undefined || before.trim() === '' ? emptyText(target) : before;
  const parsed = parseFile(shown, new TextEncoder().encode(text), 'json');
  if (parsed.tree === undefined) {
    for (const fault of parsed.faults) io.write('stderr', `${renderFinding(faultFinding(fault, parsed.place))}\n`);
    return ended(refused(command, `${shown} has to be mended first`, io));
  }
  const after = tried(text, change);
  if ('problem' in after) return ended(refused(command, `${shown}: ${after.problem}`, io));
  if (after.text === text) return { kind: 'same' };
  io.write('stdout', unifiedDiff(shown, before ?? '', after.text));
  if (options.switches.has('dry-run')) return ended(EXIT.fine);
  if (!options.switches.has('yes')) {
    if (!(await io.isTerminal('stdin')))
      return ended(badUsage(command, 'nothing was written; say --yes where nobody can be asked', io));
    if (!(await confirmed(`Write this to ${shown}? [y/N] `))) return ended(refused(command, 'nothing was written', io));
  }
  const lost = written(path, before, after.text, io);
  return lost === undefined
    ? { kind: 'written', before, after: after.text }
    : ended(failed(command, `cannot write ${shown}: ${lost}`, io));
}

/** Nothing but the calls may be another. */
function tried(
  text: string,
  change: (text: string, parse: (text: string) => Tree) => string,
): { text: string } | { problem: string } {
  const parse = (one: string): Tree => {
    const tree = treeIn('settings.json', one, 'json');
    if (tree === undefined) throw new UserError('the change would not be JSON');
    return tree;
  };
  const bare = (one: string) => JSON.stringify(filled(dataOf(parse(uninstalled(one, parse).at(-1) ?? one))));
  try {
    const after = change(text, parse);
    const [was, is] = [bare(text), bare(after)];
    return was === is ? { text: after } : { problem: 'something else would change' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Without the lists and objects that are empty: those around a call come and go with it. */
function filled(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  const kept = Object.entries(data).flatMap(([key, value]): [string, unknown][] => {
    const inner = filled(value);
    const isEmpty = typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0;
    return isEmpty ? [] : [[key, inner]];
  });
  return Array.isArray(data) ? kept.map(([, value]) => value) : Object.fromEntries(kept);
}

function written(path: string, before: string | undefined, text: string, io: Io): string | undefined {
  if (before === undefined) return createWhole(path, text);
  const kept = before.includes(MARK) ? undefined : copyWhole(path, backupOf(path));
  return kept ?? io.replaceFile(path, text, before);
}

function restore(path: string, { before, after }: Written, io: Io): string | undefined {
  if (before === undefined) removeFile(path);
  else {
    const lost = io.replaceFile(path, before, after);
    if (lost !== undefined) return lost;
  }
  if (before?.includes(MARK) !== true) removeFile(backupOf(path));
  return undefined;
}

/** A deny through each command line as it stands in the file: hookctl refuses to run below eight others. What went wrong, in words. */
async function testCalls({ room, path, shown, project }: Target, io: Io): Promise<string[]> {
  const loaded = await loadConfigs([`${room.spec.id}:${path}`], io.cwd, loadDoors(io));
  if (hasError(loaded.findings)) return loaded.findings.map(renderFinding);
  const hooks = loaded.hooks.filter((hook) => hook.written.text.includes(MARK));
  const off = hooks.find((hook) => hook.off !== undefined);
  if (off !== undefined) return [`${shown} switches its hooks off (${off.off})`];
  const guarding = hooks.filter((hook) => rowOf(room, { name: hook.event }).synthetic !== 'warning');
  const exec = createExec({ ...io.env, CLAUDE_PROJECT_DIR: project });
  const faults: string[] = [];
  for (const hook of guarding) {
    const why = await testCall(hook, room, project, exec, io);
    if (why !== undefined) faults.push(`the test of ${hook.event} failed: ${why}`);
  }
  return faults;
}

async function testCall(
  hook: Hook,
  room: Room,
  cwd: string,
  exec: ReturnType<typeof createExec>,
  io: Io,
): Promise<string | undefined> {
  const [sample] = samplesFor([hook], cwd);
  const event = NATIVE.readEvent(new TextEncoder().encode(JSON.stringify(sample)), {
    cwd,
    env: io.env,
    events: knownEvents(),
    now: new Date().toISOString(),
  });
  if ('refused' in event) return event.refused;
  const author = authorOf(hook.author);
  const job = author.job(hook, event, { ...worldOf(io), depth: 8 });
  if (job.kind !== 'process' || typeof job.stdin === 'string') return 'it is no command';
  const { result } = await exec.run(job, new TextEncoder().encode(job.stdin.text));
  const { action, reason = '' } = author.readOutcome(result, hook, event, rowOf(room, event));
  if ((action === 'deny' || action === 'stop') && reason.includes(SELF_TEST)) return undefined;
  const said = 'err' in result ? decode(result.err).trim() : '';
  return `${action ?? 'no decision'}${reason === '' ? '' : `: ${reason}`}${said === '' ? '' : ` (${said})`}`;
}

function installedWell({ shown, room, scope }: Target, kind: 'same' | 'written', io: Io): number {
  const done =
    kind === 'same'
      ? `${shown} has the calls already; they work`
      : `${shown} calls hookctl now; a test through every guarding call was denied, as it must be`;
  say(io, done, 'stdout');
  const isFirst = scope === Object.keys(room.wiring.files)[0];
  const option = scope === 'file' ? ` --file ${shown}` : isFirst ? '' : ` --${scope}`;
  const undo = `"hookctl uninstall ${agentOf(room)}${option}" takes them out again; the agent may have to be started anew`;
  if (kind === 'written') say(io, undo, 'stdout');
  return EXIT.fine;
}

async function withLock(command: string, { path, shown }: Target, io: Io, act: () => Promise<number>): Promise<number> {
  const name = `${path}.hookctl-lock`;
  const held = await lock(name, LOCK_MS);
  if ('why' in held) return failed(command, `cannot lock ${shown}: ${held.why}`, io);
  try {
    return await act();
  } finally {
    held.release();
  }
}

/** Nothing stands there but what a new file would hold. */
function isBare(text: string, target: Target): boolean {
  const { skeleton } = target.room.wiring;
  const tree = treeIn(target.shown, text, 'json');
  if (skeleton === undefined || tree === undefined) return false;
  return JSON.stringify(filled(dataOf(tree))) === JSON.stringify(skeleton);
}

function emptyText({ room }: Target): string {
  return `${JSON.stringify(room.wiring.skeleton ?? {}, null, 2)}\n`;
}

function textOf(path: string, io: Io): string | undefined {
  const bytes = io.disk.kindOf(path) === 'file' ? io.disk.read(path) : undefined;
  return bytes instanceof Uint8Array ? decode(bytes).replace(/^\ufeff/, '') : undefined;
}

function nothingThere(shown: string, io: Io): number {
  say(io, `there is no call of hookctl in ${shown}`, 'stdout');
  return EXIT.fine;
}

function say(io: Io, text: string, stream: 'stdout' | 'stderr' = 'stderr'): void {
  io.write(stream, `${text}\n`);
}

function refused(command: string, why: string, io: Io): number {
  say(io, `hookctl ${command}: ${why}`);
  return EXIT.findings;
}

function failed(command: string, why: string, io: Io): number {
  say(io, `hookctl ${command}: ${why}`);
  return EXIT.own;
}
