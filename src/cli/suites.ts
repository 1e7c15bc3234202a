/**
 * `hookctl test *.hooktest.yaml`: runs suites.
 */
import { everyFinding, type Loaded, loadConfigs } from '../config/load';
import { readSuiteFile, type SuiteFile } from '../config/suite';
import type { Finding } from '../core/finding';
import { hasError, severityOf } from '../core/finding';
import type { Visit } from '../core/model';
import { folderOf, resolvePath, shownFrom } from '../core/path';
import { runTool } from '../engines/tools';
import { EXIT, SIGNAL_EXIT } from '../exit';
import type { Io } from '../io';
import { renderFinding } from '../render/findings';
import { type SuiteReport, suitesGithub, suitesJson, suitesJunit, suitesText } from '../render/suites';
import { traceOf } from '../render/trace';
import { createExec, type Exec } from '../runner/exec';
import { matchesText, mismatches } from '../suite/compare';
import { coverageOf } from '../suite/coverage';
import type { Case, CaseResult, Data, Observed } from '../suite/model';
import { updated } from '../suite/update';
import { type Colors, colorsFor } from './colors';
import { badUsage, colorWhen } from './command';
import { loadDoors } from './doors';
import { replyOf } from './dry-run';
import { type Judged, judgeEvent, readPayload } from './judge-event';
import { lastValue, type ParsedOptions } from './options';
import { type Output, readOutputs, writeOutputs } from './outputs';
import { REPORTERS } from './test';
import { findForValidate } from './validate-files';
import { worldOf } from './world';

const GRACE_MS = 2_000;
const SETUP_MS = 30_000;
const DEFAULT_JOBS = 4;

type Settings = {
  readonly outputs: readonly Output[];
  readonly name: RegExp | undefined;
  readonly tags: readonly string[];
  /** In place of those of the suites; relative to where hookctl stands. */
  readonly configs: readonly string[];
  readonly bail: boolean;
  readonly jobs: number;
  readonly update: boolean;
  readonly posts: boolean;
  /** Absent: no coverage. */
  readonly coverage: number | undefined;
};

type Suite = { readonly path: string; readonly shown: string; readonly file: SuiteFile };

/** Runs the suites named, or all below the folder. Resolves with the exit code. */
export async function runSuites(options: ParsedOptions, io: Io): Promise<number> {
  const settings = readSettings(options);
  if ('problem' in settings) return badUsage('test', settings.problem, io);
  const found = await findForValidate(options.rest, io.cwd, io.disk);
  const files = found.files.filter(({ room }) => room === undefined);
  const suites: Suite[] = [];
  for (const { path, shown } of files)
    suites.push({ path, shown, file: await readSuiteFile(path, shown, loadDoors(io)) });
  const missing = options.rest.length === 0 ? [] : found.findings;
  const findings = [...missing, ...suites.flatMap(({ file }) => file.findings)];
  for (const finding of findings) io.write('stderr', `${renderFinding(finding)}\n`);
  if (hasError(findings)) return EXIT.usage;
  if (suites.length === 0)
    return badUsage('test', 'there is no suite (*.hooktest.yaml); name one, or a config for a dry run', io);
  return report(new SuiteRunner(settings, io), suites, settings, options, io);
}

function readSettings(options: ParsedOptions): Settings | { readonly problem: string } {
  const outputs = readOutputs(options.values.get('reporter') ?? [], REPORTERS, 'reporter');
  if ('problem' in outputs) return outputs;
  const [name, jobs, least] = [
    lastValue(options, 'name'),
    lastValue(options, 'jobs'),
    lastValue(options, 'min-coverage'),
  ];
  if (jobs !== undefined && !/^[1-9]\d{0,2}$/.test(jobs))
    return { problem: `--jobs must be a number from 1 to 999, but is "${jobs}"` };
  if (least !== undefined && !/^(?:\d{1,2}|100)$/.test(least)) {
    return { problem: `--min-coverage must be a whole number from 0 to 100, but is "${least}"` };
  }
  const pattern = name === undefined ? undefined : regex(name);
  if (typeof pattern === 'string') return { problem: `--name: ${pattern}` };
  return {
    outputs,
    name: pattern,
    tags: options.values.get('tag') ?? [],
    configs: options.values.get('config') ?? [],
    bail: options.switches.has('bail'),
    jobs: jobs === undefined ? DEFAULT_JOBS : Number(jobs),
    update: options.switches.has('update'),
    posts: options.switches.has('http'),
    coverage: least === undefined ? (options.switches.has('coverage') ? 0 : undefined) : Number(least),
  };
}

function regex(source: string): RegExp | string {
  try {
    return new RegExp(source);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function report(
  runner: SuiteRunner,
  suites: readonly Suite[],
  settings: Settings,
  options: ParsedOptions,
  io: Io,
): Promise<number> {
  const started = Date.now();
  const results = await runner.run(suites);
  if (results.length === 0 || results.every(({ status }) => status === 'skipped')) {
    if (runner.ended === undefined) return badUsage('test', 'no case has such a name or tag', io);
  }
  const coverage = settings.coverage === undefined ? undefined : coverageOf(runner.hooks(), runner.visits);
  const told: SuiteReport = { results, ms: Date.now() - started, ...(coverage === undefined ? {} : { coverage }) };
  const colors = await colorsFor(colorWhen(options), 'stdout', io);
  const lost = writeOutputs(settings.outputs, (format) => rendered(format, told, colors, io), io);
  for (const problem of lost) io.write('stderr', `hookctl test: ${problem}\n`);
  if (runner.ended !== undefined) return runner.ended;
  if (lost.length > 0) return EXIT.own;
  const little = coverage !== undefined && coverage.percent < (settings.coverage ?? 0);
  if (little)
    io.write(
      'stderr',
      `hookctl test: ${coverage.percent} % of the hooks ran, but --min-coverage is ${settings.coverage}\n`,
    );
  return little || results.some(({ status }) => status === 'failed' || status === 'error') ? EXIT.findings : EXIT.fine;
}

function rendered(format: string, told: SuiteReport, colors: Colors, io: Io): string {
  switch (format) {
    case 'json':
      return suitesJson(told);
    case 'junit':
      return suitesJunit(told, PLAIN);
    case 'github':
      return suitesGithub(told, (shown) => shownFrom(io.env['GITHUB_WORKSPACE'] ?? io.cwd, resolvePath(io.cwd, shown)));
    default:
      return suitesText(told, colors);
  }
}

const same = (text: string) => text;
const PLAIN = { bold: same, dim: same, red: same, green: same, yellow: same };

type Told = { readonly result: CaseResult; readonly observed?: Observed };

class SuiteRunner {
  ended: number | undefined;
  readonly visits: Visit[] = [];
  private readonly loaded = new Map<string, Promise<Loaded>>();
  private readonly execs = new Set<Exec>();
  private readonly known: Loaded[] = [];
  private failed = false;

  constructor(
    private readonly settings: Settings,
    private readonly io: Io,
  ) {
    io.onSignal((signal) => {
      this.ended = SIGNAL_EXIT[signal];
      for (const exec of this.execs) void exec.endAll(GRACE_MS);
    });
  }

  /** The hooks of all configs that were tested. */
  hooks() {
    return this.known.flatMap((one) => one.hooks);
  }

  /** Results in the order of suites and cases, however many run at once. */
  async run(suites: readonly Suite[]): Promise<CaseResult[]> {
    const tasks = suites.flatMap((suite) => (suite.file.cases ?? []).map((one) => ({ suite, one })));
    const told: Told[] = [];
    const progress = await this.io.isTerminal('stderr');
    const say = (text: string) => (progress ? this.io.write('stderr', `\r\x1b[K${text}`) : undefined);
    let [next, done] = [0, 0];
    const worker = async () => {
      for (let index = next++; index < tasks.length; index = next++) {
        const task = tasks[index];
        if (task === undefined) return;
        const tried = await this.one(task.suite, task.one);
        told[index] = tried;
        done += 1;
        say(`${done} of ${tasks.length} cases`);
        const { status } = tried.result;
        this.failed ||= status === 'failed' || status === 'error';
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.settings.jobs, tasks.length) }, worker));
    say('');
    return this.settings.update ? this.update(suites, told) : told.map(({ result }) => result);
  }

  private async one(suite: Suite, one: Case): Promise<Told> {
    const known = { suite: suite.shown, name: one.name, at: one.at, mismatches: [], trace: [] };
    if (!this.isWanted(one) || this.ended !== undefined || (this.settings.bail && this.failed)) {
      return { result: { ...known, ms: 0, status: 'skipped' } };
    }
    const started = Date.now();
    const scratch = this.io.scratch();
    try {
      const tried = await this.tried(suite, one, scratch.path, (path, content) => scratch.put(path, content), started);
      // What a hook said that was ended with us is no result.
      return this.ended === undefined ? tried : { result: { ...known, ms: Date.now() - started, status: 'skipped' } };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { result: { ...known, ms: Date.now() - started, status: 'error', why } };
    } finally {
      scratch.remove();
    }
  }

  /** Throws what keeps the case from being tried. */
  private async tried(
    suite: Suite,
    one: Case,
    cwd: string,
    put: (path: string, content: string) => void,
    started: number,
  ): Promise<Told> {
    const known = { suite: suite.shown, name: one.name, at: one.at };
    const loaded = await this.load(suite, one);
    const { error } = one.expect;
    if (typeof error === 'string' || hasError(everyFinding(loaded))) {
      const result = refusalResult(everyFinding(loaded), typeof error === 'string' ? error : undefined);
      return { result: { ...known, trace: [], ms: Date.now() - started, ...result } };
    }
    for (const [path, content] of Object.entries(one.files)) put(path, content);
    const env = { ...this.io.env, ...one.env };
    for (const setup of one.setup) await this.setUp(setup, cwd, env);
    const judged = await this.judge(suite, one, loaded, cwd, env);
    const observed = observedOf(judged);
    const wrong = mismatches(one.expect, observed);
    const trace = traceOf(judged.visits);
    const status = wrong.length === 0 ? 'passed' : 'failed';
    return { result: { ...known, status, ms: Date.now() - started, mismatches: wrong, trace }, observed };
  }

  private isWanted({ name, tags }: Case): boolean {
    const { settings } = this;
    return (settings.name?.test(name) ?? true) && settings.tags.every((tag) => tags.includes(tag));
  }

  /** Once for all cases that test the same configs. */
  private load({ path }: Suite, { configs }: Case): Promise<Loaded> {
    const own = configs.map((config) => shownFrom(this.io.cwd, resolvePath(folderOf(path), config))).map(unambiguous);
    const names = this.settings.configs.length > 0 ? this.settings.configs : own;
    const key = JSON.stringify(names);
    const before = this.loaded.get(key);
    if (before !== undefined) return before;
    const loaded = loadConfigs(names, this.io.cwd, loadDoors(this.io));
    this.loaded.set(key, loaded);
    void loaded.then((one) => this.known.push(one));
    return loaded;
  }

  private async setUp(command: string, cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<void> {
    const given = Object.fromEntries(
      Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    );
    const ran = await runTool('/bin/sh', ['-c', command], { input: '', cwd, ms: SETUP_MS, env: given });
    if (ran === 'missing' || ran.exit !== 0)
      throw new Error(`the setup failed with exit ${ran === 'missing' ? 127 : ran.exit}: ${command}`);
  }

  private async judge(
    suite: Suite,
    one: Case,
    loaded: Loaded,
    cwd: string,
    env: Readonly<Record<string, string | undefined>>,
  ): Promise<Judged> {
    const bytes =
      typeof one.payload === 'string' ? this.payload(suite, one.payload) : bytesOf(withFolder(one.payload, cwd));
    const read = readPayload(bytes, one.as === 'auto' ? undefined : one.as, { cwd, env });
    if ('refused' in read) {
      const what = typeof one.payload === 'string' ? `the payload ${one.payload}` : 'the event of the case';
      throw new Error(read.refused.replace('the event on stdin', what));
    }
    const exec = createExec(env, this.io.uid);
    this.execs.add(exec);
    const world = { ...worldOf(this.io), env, test: true };
    const judged = await judgeEvent(read.room, read.event, loaded, { exec, world, posts: this.settings.posts });
    this.execs.delete(exec);
    this.visits.push(...judged.visits);
    return judged;
  }

  private payload({ path }: Suite, name: string): Uint8Array {
    const bytes = this.io.disk.read(resolvePath(folderOf(path), name));
    if (bytes instanceof Uint8Array) return bytes;
    throw new Error(`the payload ${name} cannot be read: ${bytes.why}`);
  }

  /** Writes what was observed into the suites, where it was expected otherwise; the results after that. */
  private update(suites: readonly Suite[], told: readonly Told[]): CaseResult[] {
    const mended = new Set<CaseResult>();
    for (const { path, shown, file } of suites) {
      if (file.text === undefined || file.tree === undefined) continue;
      const failed = told.flatMap(({ result }) =>
        result.suite === shown && result.status === 'failed' ? [result] : [],
      );
      const update = updated(file.text, file.tree, failed);
      if (update.text === file.text) continue;
      const lost = this.io.replaceFile(path, update.text);
      const said =
        lost === undefined ? `${shown} was updated; read it before you commit it` : `cannot write ${shown}: ${lost}`;
      this.io.write('stderr', `hookctl test: ${said}\n`);
      if (lost === undefined) for (const result of update.mended) mended.add(result);
    }
    return told.map(({ result }) => (mended.has(result) ? { ...result, status: 'passed', mismatches: [] } : result));
  }
}

type Refusal = Pick<CaseResult, 'mismatches'> &
  ({ readonly status: 'passed' | 'failed' } | { readonly status: 'error'; readonly why: string });

/** What a refused config comes to, where that was expected, and where not. */
function refusalResult(findings: readonly Finding[], expected: string | undefined): Refusal {
  const errors = findings.filter((finding) => severityOf(finding) === 'error').map(renderFinding);
  if (expected === undefined)
    return { status: 'error', why: `the config cannot be used:\n${errors.join('\n')}`, mismatches: [] };
  if (errors.some((error) => matchesText(expected, error))) return { status: 'passed', mismatches: [] };
  return {
    status: 'failed',
    mismatches: [{ what: 'error', expected, actual: errors.length === 0 ? undefined : errors.join('\n') }],
  };
}

/** A name with a colon is no dialect. */
function unambiguous(shown: string): string {
  return shown.startsWith('/') ? shown : `./${shown}`;
}

function withFolder(payload: { readonly [key: string]: Data }, cwd: string) {
  return { ...payload, cwd: payload['cwd'] ?? cwd };
}

function bytesOf(data: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(data));
}

function observedOf(judged: Judged): Observed {
  const { verdict, reply, visits } = judged;
  const { action, reason, response, context, rewrite, warnings } = verdict;
  const value: Data | undefined = rewrite === undefined ? undefined : JSON.parse(rewrite.value.text);
  const names = (ran: boolean) =>
    visits.filter((visit) => (visit.run !== undefined) === ran).map(({ step }) => step.hook.label);
  return {
    action: action ?? 'none',
    ...(reason === undefined ? {} : { reason }),
    ...(response === undefined ? {} : { response }),
    ...(context === undefined ? {} : { context }),
    ...(rewrite?.field === 'prompt' && typeof value === 'string' ? { prompt: value } : {}),
    ...(rewrite?.field === 'input' && value !== undefined ? { input: value } : {}),
    warnings,
    exit: reply.exit,
    reply: replyOf(judged),
    ran: names(true),
    skipped: names(false),
  };
}
