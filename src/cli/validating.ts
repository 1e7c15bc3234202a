/**
 * What `hookctl validate` does: find files, check each, mend them, report.
 */
import { version } from '../../package.json';
import { type CheckDoors, type Checked, checkFile, checkTogether } from '../check';
import { askShellcheck, type RunShellcheck, shellcheckCommands, shellcheckScript } from '../check/shellcheck';
import { refusing, suppressed } from '../check/suppress';
import { nameFor } from '../config/find';
import { fixed } from '../config/fix';
import { type FileRead, readConfigFile } from '../config/load';
import { positionsIn, treeIn } from '../config/parse';
import { readSuiteFile } from '../config/suite';
import { readerBy } from '../core/edit';
import { distinct, type Finding, severityOf } from '../core/finding';
import { resolvePath, shownFrom } from '../core/path';
import { unifiedDiff } from '../engines/diff';
import { readShell } from '../engines/shell';
import { runTool } from '../engines/tools';
import { EXIT } from '../exit';
import type { Io } from '../io';
import {
  countsOf,
  type Report,
  reportGithub,
  reportJson,
  reportJunit,
  reportSarif,
  reportText,
} from '../render/report';
import { type Colors, colorsFor } from './colors';
import { badUsage, colorWhen } from './command';
import { loadDoors } from './load-doors';
import { lastValue, type ParsedOptions } from './options';
import { type Output, overwriting, readOutputs, writeOutputs } from './outputs';
import { type Input, withStdin } from './stdin-config';
import { VALIDATE_FORMATS } from './validate';
import { type FoundFile, findForValidate } from './validate-files';
import { worldOf } from './world';

const TOOL_MS = 30_000;
const UTF_8 = ['C.UTF-8', 'en_US.UTF-8'];
/** A fix can make room for another one. */
const MOST_PASSES = 10;

/** Runs the command and resolves with the exit code. */
export async function validating(options: ParsedOptions, io: Io): Promise<number> {
  const settings = readSettings(options, io);
  if ('problem' in settings) return badUsage('validate', settings.problem, io);
  const input = await withStdin(options.rest, io, lastValue(options, 'stdin-path'));
  if ('problem' in input) return badUsage('validate', input.problem, io);
  const found = await findForValidate(input.names, io.cwd, input.disk);
  const clash = await overwriting(settings.outputs, { ...namedAs(found.files, io.cwd), disk: input.disk }, io);
  if (clash !== undefined) return badUsage('validate', clash, io);
  const validator = new Validator(settings, input, io);
  const findings = [...found.findings, ...(await validator.all(found.files))];
  const warnings = countsOf(findings).warning;
  const fails = (finding: Finding) => isFailing(finding, settings, warnings);
  const shown = settings.quiet ? findings.filter(fails) : findings;
  const files = [...found.files.map((file) => file.shown), ...found.findings.map(({ at }) => at.file)];
  const report: Report = { findings: shown, files: [...new Set(files)], fails };
  const colors = await colorsFor(colorWhen(options), 'stdout', io);
  const lost = writeOutputs(settings.outputs, (format) => rendered(format, report, colors, io), io);
  for (const problem of lost) io.write('stderr', `hookctl validate: ${problem}\n`);
  if (lost.length > 0) return EXIT.own;
  return findings.some(fails) ? EXIT.findings : EXIT.fine;
}

/** Files as CONFIG is written, and suites. */
function namedAs(files: readonly FoundFile[], cwd: string) {
  const dialect = ({ room, forced }: FoundFile) => (forced === undefined ? '' : `${room?.spec.id}:`);
  return {
    configs: files.flatMap((file) => (file.room === undefined ? [] : [dialect(file) + nameFor(file.path, cwd)])),
    suites: files.flatMap(({ room, path }) => (room === undefined ? [path] : [])),
  };
}

type Settings = {
  readonly outputs: readonly Output[];
  readonly strict: boolean;
  readonly maxWarnings: number;
  readonly quiet: boolean;
  readonly fix: 'write' | 'show' | 'no';
  readonly scripts: boolean;
  readonly shellcheck: boolean;
};

function readSettings(options: ParsedOptions, io: Io): Settings | { readonly problem: string } {
  const { switches } = options;
  const written = options.values.get('format') ?? (io.env['GITHUB_ACTIONS'] === 'true' ? ['text', 'github'] : []);
  const outputs =
    options.values.has('format') || written.length === 0
      ? readOutputs(written, VALIDATE_FORMATS)
      : written.map((format) => ({ format }));
  if ('problem' in outputs) return outputs;
  const limit = lastValue(options, 'max-warnings');
  if (limit !== undefined && !/^\d{1,9}$/.test(limit))
    return { problem: `--max-warnings must be a whole number, but is "${limit}"` };
  const [fix, dry] = [switches.has('fix'), switches.has('dry-run')];
  if (dry && !fix) return { problem: '--dry-run needs --fix' };
  if (fix && !dry && options.rest.includes('-'))
    return { problem: '--fix cannot write to stdin; add --dry-run to see the change' };
  if (options.values.has('stdin-path') && !options.rest.includes('-'))
    return { problem: '--stdin-path needs "-" among the files' };
  return {
    outputs,
    strict: switches.has('strict'),
    maxWarnings: limit === undefined ? Number.POSITIVE_INFINITY : Number(limit),
    quiet: switches.has('quiet'),
    fix: fix ? (dry ? 'show' : 'write') : 'no',
    scripts: !switches.has('no-scripts'),
    shellcheck: !switches.has('no-shellcheck'),
  };
}

function isFailing(finding: Finding, { strict, maxWarnings }: Settings, warnings: number): boolean {
  const severity = severityOf(finding);
  if (severity === 'error') return true;
  return severity === 'warning' && (strict || warnings > maxWarnings);
}

/** One file with all that is known of it, before anything is silenced. */
type Validated = {
  readonly file: FoundFile;
  readonly read: FileRead;
  readonly checked?: Checked;
  readonly findings: readonly Finding[];
};

class Validator {
  private readonly doors: CheckDoors;
  private readonly load;
  private readonly ask = askShellcheck((args, input) => this.runShellcheck(args, input));
  /** What shellcheck says of scripts: several hooks may run one, and a file that is mended is looked at again. */
  private readonly known = new Map<string, readonly Finding[]>();
  private hasShellcheck = true;

  constructor(
    private readonly settings: Settings,
    private readonly input: Input,
    private readonly io: Io,
  ) {
    const disk = { ...input.disk, isExecutable: remembered(io.isExecutable) };
    this.doors = { disk, shell: readShell, env: io.env, cwd: io.cwd, world: worldOf(io) };
    this.load = { ...loadDoors(io), disk: input.disk };
  }

  /** The findings that are left of all files, each file's own in order. */
  async all(files: readonly FoundFile[]): Promise<Finding[]> {
    const validated: Validated[] = [];
    for (const file of files)
      validated.push(this.settings.fix === 'no' ? await this.one(file) : await this.mended(file));
    const together = checkTogether(validated.flatMap(({ checked }) => checked ?? []));
    const left = validated.flatMap((one) =>
      this.left(
        one,
        together.filter(({ at }) => at.file === one.file.shown),
      ),
    );
    return distinct(left);
  }

  private async one(file: FoundFile, disk = this.load.disk): Promise<Validated> {
    const doors = { ...this.load, disk };
    const { room } = file;
    if (room === undefined) return { file, read: await readSuiteFile(file.path, file.shown, doors), findings: [] };
    const read = await readConfigFile({ ...file, room }, doors);
    const { doc, config, parsed } = read;
    if (doc === undefined || config === undefined || parsed === undefined) return { file, read, findings: [] };
    const { text } = parsed;
    const checked = checkFile({ doc, config, text }, this.settings.scripts ? this.doors : undefined);
    return { file, read, checked, findings: [...checked.findings, ...(await this.shellcheck(checked, text))] };
  }

  /** Fixes until nothing is left to fix; shows the change, and writes it if that was asked for. */
  private async mended(file: FoundFile): Promise<Validated> {
    const first = await this.one(file);
    const before = first.read.parsed?.text;
    let validated = first;
    const isJson = file.path.endsWith('.json') || file.room?.spec.config?.json === true;
    const by = isJson ? 'json' : await this.load.yaml();
    const reader = readerBy((text) => treeIn(file.shown, text, by));
    for (let pass = 0; pass < MOST_PASSES; pass += 1) {
      const { parsed } = validated.read;
      const { tree } = parsed ?? {};
      if (parsed === undefined || tree === undefined) break;
      const source = { text: parsed.text, tree, comments: parsed.comments(), commas: parsed.commas?.() ?? [] };
      const next = fixed(source, this.left(validated, []), reader);
      if (next === parsed.text) break;
      validated = await this.one(file, withFile(this.input.disk, file.path, next));
    }
    const after = validated.read.parsed?.text;
    if (before === undefined || after === undefined || before === after) return validated;
    this.io.write('stdout', unifiedDiff(file.shown, before, after));
    if (this.settings.fix === 'show') return first;
    const lost = this.io.replaceFile(file.path, after, before);
    if (lost === undefined) return validated;
    return {
      ...validated,
      findings: [
        ...validated.findings,
        { code: 'HK001', at: { file: file.shown }, args: { path: file.shown, why: `it cannot be written: ${lost}` } },
      ],
    };
  }

  private left({ file, read, findings }: Validated, together: readonly Finding[]): Finding[] {
    const all = inOrder([...read.findings, ...findings, ...together], file.shown);
    if (read.parsed === undefined) return all;
    return inOrder(suppressed(all, read.parsed, refusing(read.findings)), file.shown);
  }

  private async shellcheck(checked: Checked, text: string): Promise<Finding[]> {
    const { settings } = this;
    if (!settings.shellcheck || !settings.scripts) return [];
    const findings = await shellcheckCommands(checked, text, this.ask);
    for (const [path, script] of checked.scripts) {
      const own = this.known.get(path) ?? (await this.shellcheckOf(path, script));
      this.known.set(path, own);
      findings.push(...own);
    }
    return findings;
  }

  private shellcheckOf(path: string, script: string): Promise<readonly Finding[]> {
    const placeIn = (name: string, content: string) => positionsIn(name, content).place;
    return shellcheckScript(path, script, this.io.cwd, placeIn, (args, input) => this.runShellcheck(args, input));
  }

  /** It reads by the locale, and must read UTF-8: one name for it is known on Linux, the other on macOS. */
  private readonly runShellcheck: RunShellcheck = async (args, input) => {
    for (const locale of UTF_8) {
      if (!this.hasShellcheck) return 'missing';
      const ran = await runTool('shellcheck', args, { input, cwd: this.io.cwd, ms: TOOL_MS, env: { LC_ALL: locale } });
      if (ran === 'missing') this.hasShellcheck = false;
      else if (ran.exit === 0 || ran.exit === 1) return ran;
    }
    if (this.hasShellcheck)
      this.io.write('stderr', 'hookctl validate: shellcheck failed; --no-shellcheck leaves it out\n');
    this.hasShellcheck = false;
    return 'missing';
  };
}

/** Many hooks look for the same programs in the same folders. */
function remembered(ask: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const answer = known.get(path) ?? ask(path);
    known.set(path, answer);
    return answer;
  };
}

function withFile(disk: Input['disk'], path: string, text: string): Input['disk'] {
  const bytes = new TextEncoder().encode(text);
  return { ...disk, read: (one, limit) => (one === path ? bytes : disk.read(one, limit)) };
}

/** By place; the file itself before the scripts that it names. */
function inOrder(findings: readonly Finding[], file: string): Finding[] {
  const place = ({ at }: Finding) => [
    at.file === file ? 0 : 1,
    'line' in at ? at.line : 0,
    'line' in at ? at.column : 0,
  ];
  const rows = findings.map((finding) => ({ finding, keys: place(finding) }));
  rows.sort(
    (a, b) => a.keys.map((key, index) => key - (b.keys[index] ?? 0)).find((difference) => difference !== 0) ?? 0,
  );
  return rows.map(({ finding }) => finding);
}

function rendered(format: string, report: Report, colors: Colors, io: Io): string {
  switch (format) {
    case 'json':
      return reportJson(report);
    case 'sarif':
      return reportSarif(report, version);
    case 'junit':
      return reportJunit(report);
    case 'github':
      return reportGithub(report, (shown) =>
        shownFrom(io.env['GITHUB_WORKSPACE'] ?? io.cwd, resolvePath(io.cwd, shown)),
      );
    default:
      return reportText(report, colors);
  }
}
