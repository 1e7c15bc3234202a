/**
 * Walks a plan: starts each group as its order says, has its results read by their authors, hands rewrites on.
 */
import { blocks, fold, mergeGroup, rewriteEvent, type Said, settle } from '../core/fold';
import type {
  Event,
  Excerpt,
  Group,
  Hook,
  Job,
  Outcome,
  Plan,
  Result,
  Row,
  Step,
  TraceEntry,
  Verdict,
} from '../core/model';
import { clean, cut, decode, firstLine } from '../core/text';
import { authorOf } from '../dialects';
import type { World } from '../dialects/dialect';
import type { Exec, Ran } from './exec';

const TRACE_CHARS = 2_000;
const COMMAND_CHARS = 60;

export type ChainDoors = {
  readonly exec: Exec;
  readonly world: World;
  /** Resolves, with the reason, when the deadline of the whole run has passed. */
  readonly deadline: Promise<string> | undefined;
};

export type Chained = {
  readonly verdict: Verdict;
  readonly trace: readonly TraceEntry[];
  readonly display: readonly string[];
};

/** Runs the plan. It never rejects because of a hook. */
export async function runChain(plan: Plan, event: Event, row: Row, doors: ChainDoors): Promise<Chained> {
  const walk: Walk = { event, row, doors, said: [], trace: [], display: [], late: undefined };
  void doors.deadline?.then((why) => {
    walk.late = why;
  });
  for (const group of plan.groups) await runGroup(group, walk);
  return { verdict: fold(walk.said, row), trace: walk.trace, display: walk.display };
}

/** Where the walk stands. */
type Walk = {
  event: Event;
  readonly row: Row;
  readonly doors: ChainDoors;
  readonly said: Said[];
  readonly trace: TraceEntry[];
  readonly display: string[];
  /** Why no hook is started any more. */
  late: string | undefined;
};

async function runGroup(group: Group, walk: Walk): Promise<void> {
  const original = walk.event;
  const seen = () => (group.order.sees === 'original' ? original : walk.event);
  const run = (step: Step) => (isBlocked(walk) || !step.matched ? undefined : runHook(step.hook, seen(), walk));
  const together = group.order.start === 'together' ? group.steps.map(run) : undefined;
  const said: Said[] = [];
  let ended = isBlocked(walk);
  for (const [index, step] of group.steps.entries()) {
    const told = together === undefined && ended ? undefined : await (together?.[index] ?? run(step));
    walk.trace.push(told?.trace ?? skipped(step));
    if (told === undefined) continue;
    walk.display.push(told.display);
    if (!group.order.decides) continue;
    said.push(told.said);
    if (group.order.sees === 'rewritten') count(told.said, walk);
    ended ||= group.order.afterBlock === 'end' && blocks(told.said.outcome.action);
  }
  if (group.order.sees === 'original' && said.length > 0) count(mergeOf(group, said, original), walk);
}

/** Takes what was said into the chain; a rewrite changes what comes after it. */
function count(said: Said, walk: Walk): void {
  walk.said.push(said);
  if (said.outcome.rewrite !== undefined && !isBlocked(walk))
    walk.event = rewriteEvent(walk.event, said.outcome.rewrite);
}

function mergeOf(group: Group, said: readonly Said[], event: Event): Said {
  const author = group.steps[0]?.hook.author;
  const merge = author === undefined ? undefined : authorOf(author).merge;
  return merge === undefined ? mergeGroup(said) : merge(said, event);
}

function isBlocked(walk: Walk): boolean {
  return walk.said.some((one) => blocks(one.outcome.action));
}

type Told = { readonly said: Said; readonly trace: TraceEntry; readonly display: string };

async function runHook(hook: Hook, event: Event, walk: Walk): Promise<Told> {
  const author = authorOf(hook.author);
  const job = author.job(hook, event, walk.doors.world);
  const ran = await launch(job, event, walk);
  const read = author.readOutcome(ran.result, hook, event, walk.row);
  const outcome = settle({ ...read, warnings: [...ran.warnings.map(clean), ...read.warnings] }, hook, walk.row);
  const at = `${hook.at.file}:${hook.at.line}`;
  return {
    said: { hook: hook.label, at, outcome },
    trace: traceOf(hook, at, read, ran),
    display: displayOf(event, hook, job, read, ran),
  };
}

/** What came of the job, or of the deadline, whichever is first. */
async function launch(job: Job, event: Event, walk: Walk): Promise<Ran> {
  if (walk.late !== undefined) return noRun(lateResult(walk.late));
  if (job.kind === 'say') return noRun({ kind: 'said', context: job.context });
  if (job.kind === 'cannot') return noRun(notStarted(job.why));
  if (job.kind !== 'process') return noRun(notStarted(`this version of hookctl runs no ${job.kind} hooks`));
  const run = walk.doors.exec.run(job, stdinOf(job, event));
  if (walk.doors.deadline === undefined) return run;
  return Promise.race([run, walk.doors.deadline.then((why) => noRun(lateResult(why)))]);
}

function stdinOf(job: Extract<Job, { kind: 'process' }>, event: Event): Uint8Array | undefined {
  if (job.stdin === 'closed') return undefined;
  if (job.stdin === 'event bytes') return event.from.bytes ?? new Uint8Array();
  return new TextEncoder().encode(job.stdin.text);
}

function noRun(result: Result): Ran {
  return { result, ms: 0, stdin: 0, warnings: [] };
}

function lateResult(why: string): Result {
  return { kind: 'timeout', why, out: new Uint8Array(), err: new Uint8Array() };
}

function notStarted(why: string): Result {
  return { kind: 'not started', why, out: new Uint8Array(), err: new Uint8Array() };
}

function skipped({ hook, skipped: why, matched }: Step): TraceEntry {
  return {
    hook: hook.label,
    at: `${hook.at.file}:${hook.at.line}`,
    matched,
    skipped: why ?? 'an earlier hook blocked',
  };
}

function traceOf(hook: Hook, at: string, outcome: Outcome, { result, ms, stdin }: Ran): TraceEntry {
  return {
    hook: hook.label,
    at,
    matched: true,
    outcome: saidOf(outcome),
    ...whyOf(outcome),
    ...(result.kind === 'ended' ? { exit: result.exit } : {}),
    ...('signal' in result && result.signal !== undefined ? { signal: result.signal } : {}),
    ms,
    stdin,
    ...('out' in result ? { stdout: excerpt(result.out), stderr: excerpt(result.err) } : {}),
  };
}

function whyOf(outcome: Outcome): Pick<TraceEntry, 'why'> {
  const why =
    outcome.failure ?? outcome.reason ?? (outcome.warnings.length === 0 ? undefined : outcome.warnings.join('; '));
  return why === undefined ? {} : { why };
}

function excerpt(bytes: Uint8Array): Excerpt {
  return { bytes: bytes.length, text: cut(clean(decode(bytes.subarray(0, TRACE_CHARS * 4))), TRACE_CHARS) };
}

/** One line for people: event, command, what it decided; and what it wrote to stderr. */
function displayOf(event: Event, hook: Hook, job: Job, outcome: Outcome, ran: Ran): string {
  const command = job.kind === 'process' ? cut(clean(firstLine(job.argv[0]?.at(-1) ?? '')), COMMAND_CHARS) : hook.label;
  const err = 'err' in ran.result ? clean(decode(ran.result.err)).trimEnd() : '';
  const quoted =
    err === ''
      ? ''
      : err
          .split('\n')
          .map((line) => `\n    ${line}`)
          .join('');
  return `🪝 ${event.name}: ${command}: ${saidOf(outcome)} (${ran.ms} ms)${quoted}`;
}

/** `deny`, `context (178 chars)`, `allow, input rewritten`, `failed: exit 1`, `no opinion`. */
function saidOf(outcome: Outcome): string {
  if (outcome.kind === 'failure') return `failed: ${outcome.failure ?? ''}`;
  const parts = [
    ...(outcome.action === undefined ? [] : [outcome.action]),
    ...(outcome.rewrite === undefined ? [] : [`${outcome.rewrite.field} rewritten`]),
    ...(outcome.context === undefined ? [] : [`context (${outcome.context.length} chars)`]),
  ];
  return parts.length === 0 ? 'no opinion' : parts.join(', ');
}
