/**
 * `hookctl test *.hooktest.yaml`: runs suites.
 */
import { namedFrom } from '../config/find';
import { everyFinding, type Loaded, loadConfigs } from '../config/load';
import { treeIn } from '../config/parse';
import { readSuiteFile, type SuiteFile } from '../config/suite';
import { readerBy } from '../core/edit';
import type { Finding } from '../core/finding';
import { hasError, severityOf } from '../core/finding';
import { rawOf, scan, splice } from '../core/json';
import type { TraceEntry, Visit } from '../core/model';
import { folderOf, resolvePath, shownFrom } from '../core/path';
import { decode, firstLine } from '../core/text';
import { EXIT, SIGNAL_EXIT } from '../exit';
import type { Io } from '../io';
import { renderFinding } from '../render/findings';
import { type SuiteReport, suitesGithub, suitesJson, suitesJunit, suitesText } from '../render/suites';
import { traceOf } from '../render/trace';
import { createExec, type Exec } from '../runner/exec';
import { matchesText, mismatches } from '../suite/compare';
import { coverageOf } from '../suite/coverage';
import type { Case, CaseResult, Data, Mismatch, Observed } from '../suite/model';
import { type Updated, updated, type Why } from '../suite/update';
import { type Colors, colorsFor } from './colors';
import { badUsage, colorWhen } from './command';
import { replyOf } from './dry-run';
import { type Judged, judgeEvent, readPayload, sentAs } from './judge-event';
import { loadDoors } from './load-doors';
import { lastValue, type ParsedOptions } from './options';
import { type Output, overwriting, readOutputs, writeOutputs } from './outputs';
import { REPORTERS } from './test';
import { type FoundFile, type FoundFiles, findForValidate } from './validate-files';
import { worldOf } from './world';

const GRACE_MS = 2_000;
const SETUP_MS = 30_000;
const DEFAULT_JOBS = 4;

type Settings = {
  readonly outputs: readonly Output[];
  /** One of them matches the name of a case; without any, every case is meant. */
  readonly names: readonly RegExp[];
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
  const found = await findSuites(options.rest, io);
  if ('problem' in found) return badUsage('test', found.problem, io);
  const suites: Suite[] = [];
  for (const { path, shown } of found.files)
    suites.push({ path, shown, file: await readSuiteFile(path, shown, loadDoors(io)) });
  const findings = [...found.findings, ...suites.flatMap(({ file }) => file.findings)];
  for (const finding of findings) io.write('stderr', `${renderFinding(finding)}\n`);
  if (hasError(findings)) return EXIT.usage;
  const reading = { configs: settings.configs, suites: suites.map(({ path }) => path) };
  const clash = await overwriting(settings.outputs, reading, io, 'reporter');
  if (clash !== undefined) return badUsage('test', clash, io);
  return report(new SuiteRunner(settings, io), suites, settings, options, io);
}

/** The suites that the names stand for. A name that stands for none is told: it would go unnoticed beside others. */
async function findSuites(names: readonly string[], io: Io): Promise<FoundFiles | { readonly problem: string }> {
  const files = new Map<string, FoundFile>();
  const findings: Finding[] = [];
  for (const asked of names.length === 0 ? [[]] : names.map((name) => [name])) {
    const found = await findForValidate(asked, io.cwd, io.disk);
    const own = found.files.filter(({ room }) => room === undefined);
    for (const file of own) files.set(file.path, file);
    findings.push(...(asked.length === 0 ? [] : found.findings));
    if (own.length === 0 && (asked.length === 0 || !hasError(found.findings)))
      return { problem: `there is no suite (*.hooktest.yaml)${inName(asked)}; name one, or a config for a dry run` };
  }
  return { files: [...files.values()], findings };
}

function inName([name]: readonly string[]): string {
  return name === undefined ? '' : ` in ${name}`;
}

function readSettings(options: ParsedOptions): Settings | { readonly problem: string } {
  const outputs = readOutputs(options.values.get('reporter') ?? [], REPORTERS, 'reporter');
  if ('problem' in outputs) return outputs;
  const [jobs, least] = [lastValue(options, 'jobs'), lastValue(options, 'min-coverage')];
  if (jobs !== undefined && !/^[1-9]\d{0,2}$/.test(jobs))
    return { problem: `--jobs must be a number from 1 to 999, but is "${jobs}"` };
  if (least !== undefined && !/^(?:\d{1,2}|100)$/.test(least)) {
    return { problem: `--min-coverage must be a whole number from 0 to 100, but is "${least}"` };
  }
  const names = (options.values.get('name') ?? []).map(regex);
  const fault = names.find((one) => typeof one === 'string');
  if (fault !== undefined) return { problem: `--name: ${fault}` };
  return {
    outputs,
    names: names.filter((one) => typeof one !== 'string'),
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
  const least = settings.coverage ?? 0;
  const little = coverage !== undefined && (coverage.percent ?? 0) < least;
  if (little) {
    const ran = coverage.percent === undefined ? 'there are no hooks' : `${coverage.percent} % of the hooks ran`;
    io.write('stderr', `hookctl test: ${ran}, but --min-coverage is ${least}\n`);
  }
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

/** Where the hooks of a case run. */
type Setting = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly exec: Exec;
};

/** Why `--update` leaves expectations to people. */
const LEFT: Readonly<Record<Why, string>> = {
  row: 'rows of tables',
  nothing: 'nothing was observed where something is expected',
  number: 'a number that no suite can hold',
  folder: 'what was observed names the temporary folder of the run',
  comment: 'a comment stands in the value',
  shared: 'other places share the value by an anchor',
  twice: 'the value cannot be put there',
  overlap: 'the value cannot be put there',
  meaning: 'something else would change with it',
};

/** `folder`: where the case ran; absent where it did not. */
type Told = { readonly result: CaseResult; readonly folder?: string };

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
    const exec = createExec(env);
    this.execs.add(exec);
    try {
      for (const setup of one.setup) await setUp(setup, cwd, exec);
      const judged = await this.judge(suite, one, loaded, { cwd, env, exec });
      const observed = observedOf(judged);
      const wrong = mismatches(one.expect, observed);
      const trace = traceOf(judged.visits);
      const failures = isFailureExpected(one) ? [] : trace.flatMap(failureOf);
      const status = wrong.length === 0 ? 'passed' : 'failed';
      const told = { ...known, ms: Date.now() - started, mismatches: wrong, trace };
      return { result: { ...told, status, ...(failures.length === 0 ? {} : { failures }) }, folder: cwd };
    } finally {
      this.execs.delete(exec);
    }
  }

  private isWanted({ name, tags }: Case): boolean {
    const { settings } = this;
    const isNamed = settings.names.length === 0 || settings.names.some((one) => one.test(name));
    return isNamed && settings.tags.every((tag) => tags.includes(tag));
  }

  /** Once for all cases that test the same configs. */
  private load({ path }: Suite, { configs }: Case): Promise<Loaded> {
    const own = configs.map((config) => namedFrom(config, folderOf(path), this.io.cwd));
    const names = this.settings.configs.length > 0 ? this.settings.configs : own;
    const key = JSON.stringify(names);
    const before = this.loaded.get(key);
    if (before !== undefined) return before;
    const loaded = loadConfigs(names, this.io.cwd, loadDoors(this.io));
    this.loaded.set(key, loaded);
    void loaded.then((one) => this.known.push(one));
    return loaded;
  }

  private async judge(suite: Suite, one: Case, loaded: Loaded, { cwd, env, exec }: Setting): Promise<Judged> {
    const as = one.as === 'auto' ? undefined : one.as;
    const sent = this.payload(suite, one, cwd);
    const isNative = one.payload.kind === 'fields' && one.payload.fields['event'] !== undefined;
    const bytes = isNative ? sentAs(sent, as, { cwd, env }) : sent;
    const read = readPayload(bytes, as, { cwd, env });
    if ('refused' in read) {
      const what = one.payload.kind === 'file' ? `the payload ${one.payload.path}` : 'the event of the case';
      throw new Error(read.refused.replace('the event on stdin', what));
    }
    const world = { ...worldOf(this.io), env, test: true };
    const judged = await judgeEvent(read.room, read.event, loaded, { exec, world, posts: this.settings.posts });
    this.visits.push(...judged.visits);
    return judged;
  }

  /** The bytes of a file as they are, but for the values that a row puts in. */
  private payload({ path }: Suite, { payload }: Case, cwd: string): Uint8Array {
    if (payload.kind === 'fields') return bytesOf(withFolder(payload.fields, cwd));
    const bytes = this.io.disk.read(resolvePath(folderOf(path), payload.path));
    if (!(bytes instanceof Uint8Array)) throw new Error(`the payload ${payload.path} cannot be read: ${bytes.why}`);
    if (payload.over.length === 0 || scan(bytes).kind !== 'json') return bytes;
    const text = payload.over.reduce((old, step) => splice(old, step.path, rawOf(step.value)), decode(bytes));
    return new TextEncoder().encode(text);
  }

  /** Writes what was observed into the suites, where it was expected otherwise; the results after that. */
  private async update(suites: readonly Suite[], told: readonly Told[]): Promise<CaseResult[]> {
    const yaml = await loadDoors(this.io).yaml();
    const after = new Map<CaseResult, CaseResult>();
    for (const { path, shown, file } of suites) {
      const { parsed } = file;
      if (parsed?.tree === undefined) continue;
      const failed = told.flatMap(({ result, folder = '' }) =>
        result.suite === shown && result.status === 'failed' ? [{ result, folder }] : [],
      );
      const isJson = path.endsWith('.json');
      const source = { text: parsed.text, tree: parsed.tree, comments: parsed.comments() };
      const reader = readerBy((text) => treeIn(shown, text, isJson ? 'json' : yaml));
      const update = updated(source, failed, isJson, reader);
      this.tellLeft(shown, update);
      if (update.text !== parsed.text && this.replaced(path, shown, update.text, parsed.text))
        for (const [result, left] of update.left) after.set(result, afterUpdate(result, left));
    }
    return told.map(({ result }) => after.get(result) ?? result);
  }

  private tellLeft(shown: string, { left }: Updated): void {
    const reasons = [...left.values()].flatMap(([first]) => (first === undefined ? [] : [LEFT[first.why]]));
    if (reasons.length === 0) return;
    const counts = [...new Set(reasons)].map((one) => `${one} (${reasons.filter((other) => other === one).length})`);
    const words = left.size === 1 ? 'case is' : 'cases are';
    const head = `${shown}: ${reasons.length} of ${left.size} failed ${words} left to you`;
    this.io.write('stderr', `hookctl test: ${head}: ${counts.join(', ')}\n`);
  }

  private replaced(path: string, shown: string, text: string, before: string): boolean {
    const lost = this.io.replaceFile(path, text, before);
    const said =
      lost === undefined ? `${shown} was updated; read it before you commit it` : `cannot write ${shown}: ${lost}`;
    this.io.write('stderr', `hookctl test: ${said}\n`);
    return lost === undefined;
  }
}

/** What was written holds now. */
function afterUpdate(result: CaseResult, left: readonly { readonly mismatch: Mismatch }[]): CaseResult {
  const mismatches = left.map(({ mismatch }) => mismatch);
  return left.length === 0 ? { ...result, status: 'passed', mismatches } : { ...result, mismatches };
}

/** A setup is run as a hook is: bounded, and not held by what it leaves in the background. Throws where it fails. */
async function setUp(command: string, cwd: string, exec: Exec): Promise<void> {
  const { result } = await exec.run(
    {
      kind: 'process',
      argv: [['/bin/sh', '-c', `exec >/dev/null\n${command}`]],
      cwd: [cwd],
      env: { from: 'all', drop: [], set: {} },
      stdin: 'closed',
      newline: false,
      ms: SETUP_MS,
      graceMs: GRACE_MS,
      wait: true,
    },
    undefined,
  );
  if (result.kind === 'ended' && result.exit === 0) return;
  const why = result.kind === 'ended' ? `exit ${result.exit}` : 'why' in result ? result.why : result.kind;
  const said = 'err' in result ? firstLine(decode(result.err)) : '';
  throw new Error(`the setup failed: ${said === '' ? why : `${why}: ${said}`}\n${command}`);
}

/** What is expected of a failure: its name, its warning, the reason that it gives. */
function isFailureExpected({ expect }: Case): boolean {
  return ['failed', 'warnings', 'reason'].some((key) => expect[key] !== undefined && expect[key] !== null);
}

function failureOf({ hook, outcome, why }: TraceEntry): string[] {
  return outcome === 'failed' ? [`${hook} failed${why === undefined ? '' : `: ${firstLine(why)}`}`] : [];
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
    mismatches: [{ what: 'error', expected, actual: errors.length > 1 ? errors : errors[0] }],
  };
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
    failed: visits.flatMap(({ step, run }) => (run?.read.failure === undefined ? [] : [step.hook.label])),
  };
}
