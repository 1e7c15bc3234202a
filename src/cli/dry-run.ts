/**
 * `hookctl test agent.yaml`: every hook with sample events, or with one that was given.
 */
import { everyFinding, type Loaded, loadConfigs } from '../config/load';
import { hasError } from '../core/finding';
import type { Visit } from '../core/model';
import { resolvePath } from '../core/path';
import { plan } from '../core/plan';
import { clean, cut } from '../core/text';
import { EXIT, SIGNAL_EXIT } from '../exit';
import type { Io } from '../io';
import { explanationText } from '../render/explanation';
import { renderFinding } from '../render/findings';
import { traceLine } from '../render/suites';
import { traceOf } from '../render/trace';
import { createExec } from '../runner/exec';
import type { Data, Fields } from '../suite/model';
import { samplesFor } from '../suite/sample';
import { type Colors, colorsFor } from './colors';
import { badUsage, colorWhen } from './command';
import { selectionFor } from './doors';
import { explained } from './explain';
import { type Judged, judgeEvent, readPayload, sentAs } from './judge-event';
import { loadDoors } from './load-doors';
import { lastValue, type ParsedOptions } from './options';
import { type Output, overwriting, readOutputs, writeOutputs } from './outputs';
import { worldOf } from './world';

const MAX_EVENT_BYTES = 64 * 1024 * 1024;
const GRACE_MS = 2_000;

/** Runs the hooks of configs. Resolves with the exit code. */
export async function dryRun(options: ParsedOptions, io: Io): Promise<number> {
  const outputs = readOutputs(options.values.get('reporter') ?? [], ['text', 'json'], 'reporter');
  if ('problem' in outputs) return badUsage('test', outputs.problem, io);
  const loaded = await loadConfigs(options.rest, io.cwd, loadDoors(io));
  for (const finding of everyFinding(loaded)) io.write('stderr', `${renderFinding(finding)}\n`);
  if (hasError(everyFinding(loaded))) return EXIT.usage;
  const payload = lastValue(options, 'payload');
  const files = payload === undefined || payload === '-' ? [] : [resolvePath(io.cwd, payload)];
  const clash = await overwriting(outputs, { configs: options.rest, files }, io, 'reporter');
  if (clash !== undefined) return badUsage('test', clash, io);
  const scratch = io.scratch();
  try {
    const payloads = await payloadsFor(options, loaded, scratch.path, io);
    if ('problem' in payloads) return badUsage('test', payloads.problem, io);
    if (options.switches.has('write-payload'))
      return written(
        payloads.map((bytes) => new TextDecoder().decode(bytes)),
        io,
      );
    if (options.switches.has('plan')) return await planned(payloads, loaded, scratch.path, options, io);
    return await ran(payloads, loaded, scratch.path, outputs, options, io);
  } finally {
    scratch.remove();
  }
}

/** The one that was given, or samples. */
async function payloadsFor(
  options: ParsedOptions,
  loaded: Loaded,
  cwd: string,
  io: Io,
): Promise<readonly Uint8Array[] | { readonly problem: string }> {
  const [file, event] = [lastValue(options, 'payload'), lastValue(options, 'event')];
  if (file !== undefined) return payloadIn(file, io);
  const hooks = event === undefined ? loaded.hooks : loaded.hooks.filter((hook) => hook.event === event);
  const samples = samplesFor(hooks, cwd);
  if (samples.length === 0) {
    return {
      problem: event === undefined ? 'the config has no hooks' : `the config has no hooks on the event ${event}`,
    };
  }
  const asked = { cwd, env: io.env };
  return samples.map((sample) => sentAs(new TextEncoder().encode(JSON.stringify(sample)), dialect(options), asked));
}

async function payloadIn(file: string, io: Io): Promise<readonly Uint8Array[] | { readonly problem: string }> {
  if (file !== '-') {
    const bytes = io.disk.read(resolvePath(io.cwd, file));
    return bytes instanceof Uint8Array ? [bytes] : { problem: `the payload ${file} cannot be read: ${bytes.why}` };
  }
  const read = await io.readStdin(MAX_EVENT_BYTES, undefined);
  return read.kind === 'bytes' ? [read.bytes] : { problem: 'stdin holds no event; pipe one into it' };
}

function written(lines: readonly string[], io: Io): number {
  return io.write('stdout', lines.map((line) => `${line}\n`).join('')) === undefined ? EXIT.fine : EXIT.own;
}

async function planned(
  payloads: readonly Uint8Array[],
  loaded: Loaded,
  cwd: string,
  options: ParsedOptions,
  io: Io,
): Promise<number> {
  const colors = await colorsFor(colorWhen(options), 'stdout', io);
  const texts: string[] = [];
  for (const bytes of payloads) {
    const read = readPayload(bytes, dialect(options), hint(options, cwd, io));
    if ('refused' in read) return badUsage('test', refusal(read.refused, options), io);
    const { groups } = plan(loaded.hooks, read.event, await selectionFor(loaded.hooks, read.event));
    texts.push(explanationText(explained(read.event, loaded.hooks, groups, io), colors));
  }
  return written([texts.join('\n').trimEnd()], io);
}

type Dry = { readonly title: string; readonly judged: Judged };

async function ran(
  payloads: readonly Uint8Array[],
  loaded: Loaded,
  cwd: string,
  outputs: readonly Output[],
  options: ParsedOptions,
  io: Io,
): Promise<number> {
  const exec = createExec(io.env, io.uid);
  const doors = { exec, world: { ...worldOf(io), test: true }, posts: options.switches.has('http') };
  let ended: number | undefined;
  io.onSignal((signal) => {
    ended = SIGNAL_EXIT[signal];
    void exec.endAll(GRACE_MS);
  });
  const progress = await io.isTerminal('stderr');
  const done: Dry[] = [];
  for (const bytes of payloads) {
    if (ended !== undefined) break;
    const read = readPayload(bytes, dialect(options), hint(options, cwd, io));
    if ('refused' in read) return badUsage('test', refusal(read.refused, options), io);
    const title = `${read.event.name}${read.event.tool === undefined ? '' : ` ${read.event.tool.name}`}`;
    if (progress) io.write('stderr', `\r\x1b[K${clean(title)} …`);
    done.push({ title, judged: await judgeEvent(read.room, read.event, loaded, doors) });
  }
  if (progress) io.write('stderr', '\r\x1b[K');
  const colors = await colorsFor(colorWhen(options), 'stdout', io);
  const lost = writeOutputs(outputs, (format) => (format === 'json' ? dryJson(done) : dryText(done, colors)), io);
  for (const problem of lost) io.write('stderr', `hookctl test: ${problem}\n`);
  if (ended !== undefined) return ended;
  if (lost.length > 0) return EXIT.own;
  return done.some(({ judged }) => judged.visits.some(hasFailed)) ? EXIT.findings : EXIT.fine;
}

function hasFailed({ run }: Visit): boolean {
  return run?.read.failure !== undefined;
}

function dryText(done: readonly Dry[], colors: Colors): string {
  const head = 'The hooks are really run, with HOOKCTL_TEST=1 and a fresh folder as cwd; the tools are not.';
  const blocks = done.map(({ title, judged }) => {
    const lines = traceOf(judged.visits).map((entry) => `  ${traceLine(entry)}`);
    const { action, reason } = judged.verdict;
    const verdict = `${action ?? 'no opinion'}${reason === undefined ? '' : `: ${cut(clean(reason), 200)}`}`;
    return [colors.bold(clean(title)), ...lines, `  → ${verdict}`].join('\n');
  });
  const failed = done.flatMap(({ judged }) => judged.visits.filter(hasFailed)).length;
  const end = failed === 0 ? 'no hook failed' : `${failed} ${failed === 1 ? 'hook' : 'hooks'} failed`;
  return `${[colors.dim(head), ...blocks, `${done.length} ${done.length === 1 ? 'event' : 'events'}, ${end}`].join('\n\n')}\n`;
}

/** `{"version":1,"events":[{"event":…,"verdict":{…},"reply":{…}}],"summary":{"events":N,"failed":N}}`. */
function dryJson(done: readonly Dry[]): string {
  const events = done.map(({ judged }) => ({
    event: judged.event.name,
    ...(judged.event.tool === undefined ? {} : { tool: judged.event.tool.name }),
    action: judged.verdict.action ?? 'none',
    ...(judged.verdict.reason === undefined ? {} : { reason: judged.verdict.reason }),
    warnings: judged.verdict.warnings,
    exit: judged.reply.exit,
    reply: replyOf(judged),
    trace: traceOf(judged.visits),
  }));
  const failed = done.filter(({ judged }) => judged.visits.some(hasFailed)).length;
  return `${JSON.stringify({ version: 1, events, summary: { events: events.length, failed } }, null, 2)}\n`;
}

/** What the caller reads on stdout: its JSON, or the text. */
export function replyOf({ reply }: Judged): Data | Fields {
  try {
    return JSON.parse(reply.stdout);
  } catch {
    return reply.stdout;
  }
}

/** A payload may come from a file. */
function refusal(why: string, options: ParsedOptions): string {
  const file = lastValue(options, 'payload');
  return file === undefined || file === '-' ? why : why.replace('the event on stdin', `the payload ${file}`);
}

function dialect(options: ParsedOptions): string | undefined {
  const as = lastValue(options, 'as');
  return as === 'auto' ? undefined : as;
}

function hint(options: ParsedOptions, cwd: string, io: Io) {
  const event = lastValue(options, 'payload') === undefined ? undefined : lastValue(options, 'event');
  return { cwd, env: io.env, ...(event === undefined ? {} : { event }) };
}
