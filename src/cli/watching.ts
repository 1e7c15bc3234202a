/**
 * What `hookctl watch` does: watches, compares, runs, tells.
 */
import { type Loaded, loadConfigs } from '../config/load';
import { parseDuration } from '../core/duration';
import { hasError } from '../core/finding';
import { placeOf } from '../core/fold';
import type { Hook } from '../core/model';
import { placeBelow, resolvePath, shownFrom } from '../core/path';
import { clean } from '../core/text';
import { ignoreRules } from '../engines/gitignore';
import { type Watcher, watchPaths } from '../engines/watcher';
import { EXIT, SIGNAL_EXIT } from '../exit';
import type { Io } from '../io';
import { renderFinding } from '../render/findings';
import { traceOf } from '../render/trace';
import { createExec } from '../runner/exec';
import { Ignored } from '../watch/ignored';
import { type Change, Journal, type Look, Pace } from '../watch/journal';
import { badUsage } from './command';
import { configNames, loadDoors, NO_CONFIG } from './doors';
import { judgeEvent, readPayload } from './judge-event';
import { lastValue, type ParsedOptions } from './options';
import { worldOf } from './world';

const QUIET_MS = 200;
const GRACE_MS = 2_000;
const EVENTS: readonly string[] = ['fileCreated', 'fileSaved', 'fileDeleted'] satisfies readonly Change[];

/** Resolves with the exit code when it is told to end. */
export async function watching(options: ParsedOptions, io: Io): Promise<number> {
  const names = configNames(options.rest, io);
  if (names.length === 0) return badUsage('watch', NO_CONFIG, io);
  if (names.includes('-')) return badUsage('watch', 'a config on stdin cannot be watched; name a file', io);
  const root = resolvePath(io.cwd, lastValue(options, 'root') ?? '.');
  if (io.disk.kindOf(root) !== 'folder') return badUsage('watch', `--root ${root} is no folder`, io);
  const said = lastValue(options, 'debounce');
  const quiet = said === undefined ? { kind: 'ms' as const, ms: QUIET_MS } : parseDuration(said);
  if (quiet.kind !== 'ms') return badUsage('watch', `--debounce ${said}: ${quiet.why}`, io);
  const loaded = await loadConfigs(names, io.cwd, loadDoors(io));
  for (const finding of loaded.findings) io.write('stderr', `${renderFinding(finding)}\n`);
  if (hasError(loaded.findings)) return EXIT.findings;
  return new Watch(io, { names, root, quiet: quiet.ms }, loaded).run();
}

type Settings = { readonly names: readonly string[]; readonly root: string; readonly quiet: number };

class Watch {
  private readonly journal: Journal;
  private readonly pace = new Pace();
  private readonly exec;
  private readonly ignored: Ignored;
  private readonly watchers: Watcher[] = [];
  private ready = false;
  private busy = false;
  private reload = false;
  private timer: NodeJS.Timeout | undefined;
  private end: (code: number) => void = () => {};
  private ended = false;

  constructor(
    private readonly io: Io,
    private readonly settings: Settings,
    private loaded: Loaded,
  ) {
    this.journal = new Journal(settings.quiet);
    this.exec = createExec(io.env);
    this.ignored = new Ignored(topOf(settings.root, io), (path) => textOf(path, io), ignoreRules);
  }

  async run(): Promise<number> {
    const code = new Promise<number>((resolve) => {
      this.end = resolve;
    });
    this.io.onSignal((signal) => {
      this.ended = true;
      const isPlain = signal === 'SIGINT' || signal === 'SIGTERM';
      void this.exec.endAll(GRACE_MS).then(() => this.end(isPlain ? EXIT.fine : SIGNAL_EXIT[signal]));
    });
    this.watchFiles();
    this.watchConfigs();
    const result = await code;
    clearTimeout(this.timer);
    await Promise.all(this.watchers.map((one) => one.close()));
    return result;
  }

  private watchFiles(): void {
    const { root } = this.settings;
    const failed = (error: unknown) => this.fail(error);
    const ready = () => {
      this.ready = true;
      this.greet();
      this.schedule();
    };
    const touched = (path: string) => this.touched(path);
    this.watchers.push(
      watchPaths([root], { ignored: (path) => this.ignored.has(path), flat: false }, { touched, ready, failed }),
    );
  }

  /** Before all is known what is found was there; what is written meanwhile is looked at afterwards. */
  private touched(path: string): void {
    if (!this.ready && !this.journal.knows(path)) {
      this.journal.learn(path, this.io.stateOf(path));
      return;
    }
    if (path.endsWith('/.gitignore')) this.ignored.forget();
    this.journal.touch(path, this.io.uptime());
    if (this.ready) this.schedule();
  }

  private watchConfigs(): void {
    let ready = false;
    const watcher = watchPaths(
      this.configPaths(),
      { ignored: () => false, flat: true },
      {
        touched: () => {
          if (!ready) return;
          this.reload = true;
          this.schedule();
        },
        ready: () => {
          ready = true;
        },
        failed: (error) => this.fail(error),
      },
    );
    this.watchers.push(watcher);
  }

  private configPaths(): string[] {
    const named = this.settings.names.map((name) => resolvePath(this.io.cwd, name.replace(/^[a-z][a-z0-9-]*:/, '')));
    return [...new Set([...named, ...this.loaded.files])];
  }

  private greet(): void {
    const hooks = this.loaded.hooks.filter((hook) => EVENTS.includes(hook.event) && hook.off === undefined).length;
    const where = shownFrom(this.io.cwd, this.settings.root);
    const what = `${hooks} ${hooks === 1 ? 'hook' : 'hooks'} on files`;
    this.say(`watching ${where} (${this.journal.size} files) with ${what}; Ctrl-C ends`);
  }

  /** The next time at which a file comes to rest. Hooks of one change run before the next is looked at. */
  private schedule(): void {
    if (this.busy || this.ended || !this.ready) return;
    const wait = this.reload ? this.settings.quiet : this.journal.wait(this.io.uptime());
    if (wait === undefined) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.work().catch((error) => this.fail(error)), wait);
  }

  private async work(): Promise<void> {
    this.busy = true;
    if (this.reload) await this.readAgain();
    const settled = this.journal.settled(this.io.uptime());
    const changes = settled.flatMap((path): [string, Change][] => {
      if (this.ignored.has(path)) return [];
      const change = this.journal.look(path, this.lookAt(path), this.io.uptime());
      return change === undefined ? [] : [[path, change]];
    });
    // A rename is told as what it is: the old name is gone, then there is the new one.
    const gone = changes.filter(([, change]) => change === 'fileDeleted');
    for (const [path, change] of [...gone, ...changes.filter((one) => !gone.includes(one))]) {
      if (!this.ended) await this.judge(path, change);
    }
    this.busy = false;
    this.schedule();
  }

  private async judge(path: string, change: Change): Promise<void> {
    const { root } = this.settings;
    const started = this.io.uptime();
    const bytes = new TextEncoder().encode(JSON.stringify({ event: change, cwd: root, file: { path } }));
    const read = readPayload(bytes, 'mm', { cwd: root, env: this.io.env });
    if ('refused' in read) throw new Error(read.refused);
    const hooks = this.loaded.hooks.map((hook) => this.paced(hook, path, change));
    const doors = { exec: this.exec, world: worldOf(this.io), posts: true };
    const { verdict, visits } = await judgeEvent(read.room, read.event, { ...this.loaded, hooks, findings: [] }, doors);
    const ran = traceOf(visits.filter(({ run }) => run !== undefined));
    if (ran.length === 0) return;
    this.journal.leave(path, this.lookAt(path), this.io.uptime());
    const shown = placeBelow(root, path) ?? path;
    const { context, warnings } = verdict;
    const line = {
      event: change,
      path: shown,
      ran: ran.map(({ hook }) => hook),
      ...(context === undefined ? {} : { context }),
      ...(warnings.length === 0 ? {} : { warnings }),
      ms: Math.round(this.io.uptime() - started),
    };
    if (this.ended) return;
    const lost = this.io.write('stdout', `${JSON.stringify(line)}\n`);
    for (const warning of warnings) this.say(`warning: ${shown}: ${warning}`);
    if (lost !== undefined) this.fail(`stdout cannot be written: ${lost}`);
  }

  /** A hook that seems to call itself is held up. */
  private paced(hook: Hook, path: string, change: Change): Hook {
    if (hook.event !== change || hook.off !== undefined) return hook;
    const pace = this.pace.call(`${placeOf(hook)} ${path}`, this.io.uptime());
    if (pace === 'go on') return hook;
    if (pace === 'paused now')
      this.say(
        `warning: ${hook.label} ran more than 8 times in 10 s for ${placeBelow(this.settings.root, path)}; it is paused for this file`,
      );
    return { ...hook, off: 'paused' };
  }

  private lookAt(path: string): Look {
    return { state: this.io.stateOf(path), contents: () => this.io.fingerprint(path) };
  }

  /** One with errors leaves the last good one in force. */
  private async readAgain(): Promise<void> {
    this.reload = false;
    const loaded = await loadConfigs(this.settings.names, this.io.cwd, loadDoors(this.io));
    for (const finding of loaded.findings) this.io.write('stderr', `${renderFinding(finding)}\n`);
    if (hasError(loaded.findings)) {
      this.say('the config has errors; the last good one stays in force');
      return;
    }
    this.loaded = loaded;
    this.watchers[1]?.add(this.configPaths());
    this.say(`the config was read again: ${loaded.hooks.length} hooks`);
  }

  private fail(error: unknown): void {
    const why = error instanceof Error ? error.message : String(error);
    const hint = /ENOSPC|EMFILE/.test(why) ? ' (raise fs.inotify.max_user_watches, or watch a smaller folder)' : '';
    this.say(`${why}${hint}`);
    this.ended = true;
    void this.exec.endAll(GRACE_MS).then(() => this.end(EXIT.own));
  }

  private say(words: string): void {
    this.io.write('stderr', `hookctl watch: ${clean(words)}\n`);
  }
}

/** The repository's folder, where the watched one lies in one. */
function topOf(root: string, io: Io): string {
  for (let at = root; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    if (io.disk.kindOf(`${at}/.git`) !== 'none') return at;
  }
  return root;
}

function textOf(path: string, io: Io): string | undefined {
  if (io.disk.kindOf(path) !== 'file') return undefined;
  const bytes = io.disk.read(path);
  return bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : undefined;
}
