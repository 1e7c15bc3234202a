/**
 * What became of each hook: as data for `--trace`, as lines for `--display`.
 */
import { commandText, placeOf } from '../core/fold';
import type { Event, Excerpt, Job, Outcome, Result, Step, TraceEntry, Visit } from '../core/model';
import { clean, cut, decode, firstLine } from '../core/text';

const TEXT_CHARS = 2_000;
const COMMAND_CHARS = 60;

/** One entry a hook of the event, in order, those skipped included. */
export function traceOf(visits: readonly Visit[]): TraceEntry[] {
  return visits.map(({ step, run }) => (run === undefined ? skipped(step) : ran(step, run)));
}

/** One line a hook that ran: event, command, what it decided; below it what it wrote to stderr. */
export function displayOf(visits: readonly Visit[], event: Event): string[] {
  return visits.flatMap(({ step, run }) => (run === undefined ? [] : [displayLine(step, run, event)]));
}

function skipped({ hook, matched, skipped: why }: Step): TraceEntry {
  return { hook: hook.label, at: placeOf(hook), matched, skipped: why ?? 'an earlier hook blocked' };
}

type Run = NonNullable<Visit['run']>;

function ran({ hook }: Step, { result, ms, stdin, read }: Run): TraceEntry {
  return {
    hook: hook.label,
    at: placeOf(hook),
    matched: true,
    outcome: result.kind === 'started' ? 'started' : saidOf(read),
    ...whyOf(read),
    ...(result.kind === 'ended' ? { exit: result.exit } : {}),
    ...('signal' in result && result.signal !== undefined ? { signal: result.signal } : {}),
    ms,
    stdin,
    ...streamsOf(result),
  };
}

function streamsOf(result: Result): Pick<TraceEntry, 'stdout' | 'stderr'> {
  if (!('out' in result)) return {};
  const { out, err, totals } = result;
  return { stdout: excerpt(out, totals?.out), stderr: excerpt(err, totals?.err) };
}

function whyOf({ failure, reason, warnings }: Outcome): Pick<TraceEntry, 'why'> {
  const why = failure ?? reason ?? (warnings.length === 0 ? undefined : warnings.join('; '));
  return why === undefined ? {} : { why };
}

function excerpt(bytes: Uint8Array, total = bytes.length): Excerpt {
  return { bytes: total, text: cut(clean(decode(bytes.subarray(0, TEXT_CHARS * 4))), TEXT_CHARS) };
}

function displayLine({ hook }: Step, { job, result, ms, read }: Run, event: Event): string {
  const err = 'err' in result ? clean(decode(result.err)).trimEnd() : '';
  const quoted =
    err === ''
      ? ''
      : err
          .split('\n')
          .map((line) => `\n    ${line}`)
          .join('');
  const failed = read.failure === undefined ? '' : `: ${read.failure}`;
  return `🪝 ${event.name}: ${commandOf(job) ?? hook.label}: ${saidOf(read)}${failed} (${ms} ms)${quoted}`;
}

function commandOf(job: Job): string | undefined {
  return job.kind === 'process' ? cut(clean(firstLine(commandText(job))), COMMAND_CHARS) : undefined;
}

function saidOf({ kind, action, rewrite, context }: Outcome): string {
  if (kind === 'failure') return 'failed';
  const parts = [
    ...(action === undefined ? [] : [action]),
    ...(rewrite === undefined ? [] : [`${rewrite.field} rewritten`]),
    ...(context === undefined ? [] : [`context (${context.length} chars)`]),
  ];
  return parts.length === 0 ? 'no opinion' : parts.join(', ');
}
