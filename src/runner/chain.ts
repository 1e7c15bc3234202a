/**
 * Walks a plan: starts each group as its order says, has its results read by their authors, hands rewrites on.
 */
import { blocks, fold, mergeGroup, placeOf, rewriteEvent, type Said, settle } from '../core/fold';
import type {
  Event,
  Group,
  HttpJob,
  Job,
  Outcome,
  Plan,
  ProcessJob,
  Result,
  Rewrite,
  Row,
  Step,
  Verdict,
  Visit,
  WasmJob,
} from '../core/model';
import { clean } from '../core/text';
import { authorOf, roomOf } from '../dialects';
import type { World } from '../dialects/dialect';
import type { Exec, Ran } from './exec';
import type { SandboxJob } from './sandbox';

export type ChainDoors = {
  readonly exec: Exec;
  readonly world: World;
  /** Resolves, with the reason, when the deadline of the whole run has passed. */
  readonly deadline: Promise<string> | undefined;
  /** Takes a group of observers that nobody waits for. Absent: they are waited for like any other. */
  readonly handOver?: (group: Group, event: Event) => void;
};

export type Chained = { readonly verdict: Verdict; readonly visits: readonly Visit[] };

/** Runs the plan. It never rejects because of a hook. */
export async function runChain(plan: Plan, event: Event, row: Row, doors: ChainDoors): Promise<Chained> {
  // Who hands no observers over waits for them.
  const world = doors.handOver === undefined ? { ...doors.world, waits: true } : doors.world;
  const walk: Walk = { event, row, doors: { ...doors, world }, said: [], visits: [], late: undefined };
  void doors.deadline?.then((why) => {
    walk.late = why;
  });
  for (const group of plan.groups) await runGroup(group, walk);
  return { verdict: fold(walk.said, row), visits: walk.visits };
}

/** Where the walk stands. */
type Walk = {
  event: Event;
  readonly row: Row;
  readonly doors: ChainDoors;
  readonly said: Said[];
  readonly visits: Visit[];
  /** Why no hook is started any more. */
  late: string | undefined;
};

async function runGroup(group: Group, walk: Walk): Promise<void> {
  const { handOver } = walk.doors;
  if (handOver !== undefined && isObserving(group)) return handOverGroup(group, walk, handOver);
  const original = walk.event;
  const seen = () => (group.order.sees === 'original' ? original : walk.event);
  const run = (step: Step) => (isBlocked(walk) || !step.matched ? undefined : runHook(step, seen(), walk));
  const together = group.order.start === 'together' ? group.steps.map(run) : undefined;
  const said: Said[] = [];
  let ended = isBlocked(walk);
  for (const [index, step] of group.steps.entries()) {
    const told = together === undefined && ended ? undefined : await (together?.[index] ?? run(step));
    walk.visits.push(told?.visit ?? { step });
    if (told === undefined || !group.order.decides) continue;
    said.push(told.said);
    if (group.order.sees === 'rewritten') count(told.said, walk);
    ended ||= group.order.afterBlock === 'end' && blocks(told.said.outcome.action);
  }
  if (group.order.sees === 'original' && said.length > 0) count(mergeOf(group, said, original), walk);
}

/** Are its hooks such that nobody waits for them? */
export function isObserving({ steps }: Group): boolean {
  const author = steps[0]?.hook.author;
  return author !== undefined && roomOf(author)?.spec.observes === true;
}

/** With the event as it is now; after a block, or past the deadline, not at all. */
function handOverGroup(group: Group, walk: Walk, handOver: NonNullable<ChainDoors['handOver']>): void {
  const isStarted = !isBlocked(walk) && walk.late === undefined && group.steps.some(({ matched }) => matched);
  if (isStarted) handOver(group, walk.event);
  for (const step of group.steps) {
    if (!isStarted || !step.matched) walk.visits.push({ step });
    else walk.visits.push({ step, run: startedRun(step, walk) });
  }
}

function startedRun({ hook }: Step, { event, doors }: Walk): NonNullable<Visit['run']> {
  const job = authorOf(hook.author).job(hook, event, doors.world);
  return { job, result: { kind: 'started' }, ms: 0, stdin: 0, read: { kind: 'none', warnings: [] } };
}

/** Takes what was said into the chain; a rewrite changes what comes after it. */
function count(said: Said, walk: Walk): void {
  const { rewrite } = said.outcome;
  if (rewrite === undefined) {
    walk.said.push(said);
    return;
  }
  walk.event = rewriteEvent(walk.event, rewrite);
  walk.said.push({ ...said, outcome: { ...said.outcome, rewrite: wholeOf(rewrite, walk.event) } });
}

/** The verdict tells the whole value, also where a hook gave a part of it. */
function wholeOf(rewrite: Rewrite, event: Event): Rewrite {
  const value = rewrite.field === 'input' ? event.tool?.input : event.prompt;
  return { ...rewrite, how: 'replace', value: value ?? rewrite.value };
}

function mergeOf(group: Group, said: readonly Said[], event: Event): Said {
  const author = group.steps[0]?.hook.author;
  const merge = author === undefined ? undefined : authorOf(author).merge;
  return merge === undefined ? mergeGroup(said) : merge(said, event);
}

function isBlocked(walk: Walk): boolean {
  return walk.said.some((one) => blocks(one.outcome.action));
}

type Told = { readonly said: Said; readonly visit: Visit };

async function runHook(step: Step, event: Event, walk: Walk): Promise<Told> {
  const { hook } = step;
  const author = authorOf(hook.author);
  const job = author.job(hook, event, walk.doors.world);
  const ran = await launch(job, event, walk);
  const read = author.readOutcome(ran.result, hook, event, walk.row);
  const outcome = settle(warned(read, ran.warnings), hook, walk.row);
  const { result, ms, stdin } = ran;
  return {
    said: { hook: hook.label, at: placeOf(hook), outcome },
    visit: { step, run: { job, result, ms, stdin, read } },
  };
}

function warned(outcome: Outcome, warnings: readonly string[]): Outcome {
  return warnings.length === 0 ? outcome : { ...outcome, warnings: [...warnings.map(clean), ...outcome.warnings] };
}

/** What came of the job, or of the deadline, whichever is first. */
async function launch(job: Job, event: Event, walk: Walk): Promise<Ran> {
  if (walk.late !== undefined) return noRun(lateResult(walk.late));
  if (job.kind === 'say') return noRun({ kind: 'said', context: job.context });
  if (job.kind === 'cannot') return noRun(notStarted(job.why));
  if (job.kind === 'process' && !job.wait) return walk.doors.exec.start(job, stdinOf(job, event));
  const run = running(job, event, walk.doors);
  if (walk.doors.deadline === undefined) return run;
  return Promise.race([run, walk.doors.deadline.then((why) => late(why, walk.doors.exec))]);
}

function running(job: Exclude<Job, { kind: 'say' | 'cannot' }>, event: Event, doors: ChainDoors): Promise<Ran> {
  if (job.kind === 'http') return posted(job);
  if (job.kind === 'process') return doors.exec.run(job, stdinOf(job, event));
  return sandboxed(job, event, doors);
}

async function sandboxed(job: SandboxJob, event: Event, { exec, world }: ChainDoors): Promise<Ran> {
  const { runSandboxed } = await import('./sandbox');
  return runSandboxed(job, job.kind === 'wasm' ? stdinOf(job, event) : undefined, exec, world);
}

async function posted(job: HttpJob): Promise<Ran> {
  const { post } = await import('./post');
  const started = Date.now();
  const result = await post(job);
  return { result, ms: Date.now() - started, stdin: Buffer.byteLength(job.body.text), warnings: [] };
}

/** A hook that exited before the deadline is in time: its result comes first. */
async function late(why: string, exec: Exec): Promise<Ran> {
  exec.hurry();
  await new Promise((resolve) => setImmediate(resolve));
  return noRun(lateResult(why));
}

function stdinOf(job: ProcessJob | WasmJob, event: Event): Uint8Array | undefined {
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
