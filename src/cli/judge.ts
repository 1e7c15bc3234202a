/**
 * From one event to its verdict: what `run`, a stream and the engine of the library have in common.
 */
import { showDuration } from '../core/duration';
import type { Event, Plan, Verdict } from '../core/model';
import { type OwnFailure, ownVerdict } from '../core/own';
import { plan } from '../core/plan';
import { rowOf } from '../dialects';
import type { Room } from '../dialects/dialect';
import type { Io } from '../io';
import { runChain } from '../runner/chain';
import type { Exec } from '../runner/exec';
import type { Configs, EventConfigs } from './configs';
import { selectionFor } from './doors';
import type { Observers } from './observers';
import type { Refusal } from './refusal';
import { verdictOf } from './verdict';
import { worldOf } from './world';

/** What hooks get between SIGTERM and SIGKILL when a deadline has passed. */
export const SHORT_GRACE_MS = 250;

/** Whose event it is, and what it says; `event` is undefined where it could not be read. */
export type Asked = { readonly room: Room; readonly event?: Event | undefined };

export type JudgeOptions = {
  readonly ownFailure: OwnFailure;
  readonly trace: boolean;
  readonly display: boolean;
  /** For observers too. */
  readonly wait: boolean;
};

/** `deadline`: how long all of it may take, in milliseconds, and at what `uptime` that began. */
export type Deadline = { readonly ms: number; readonly since: number };

export type JudgeDoors = {
  readonly io: Io;
  readonly configs: Configs;
  readonly exec: Exec;
  readonly observers: Observers;
  readonly deadline: Deadline | undefined;
};

/** The verdict, hookctl's own failures included. It rejects only because of a bug. What still runs then is the caller's to end. */
export async function judge(room: Room, event: Event, options: JudgeOptions, doors: JudgeDoors): Promise<Verdict> {
  const { io, configs, exec, observers, deadline } = doors;
  const said = await configs.for(event, options.trace);
  if ('why' in said) return refuse(said, { room, event }, options.ownFailure);
  const planned = plan(said.hooks, event, await selectionFor(said.hooks, event, said.patterns));
  if (isLate(planned, deadline, io)) {
    const why = `the deadline of ${showDuration(deadline?.ms ?? 0)} passed before a hook could be started`;
    return refuse({ why }, { room, event }, options.ownFailure);
  }
  const timer = startTimer(deadline, io);
  const world = { ...worldOf(io), waits: options.wait };
  const handOver = options.wait ? undefined : await observers.handOver(planned, room, world);
  const chained = await runChain(planned, event, rowOf(room, event), {
    exec,
    world,
    deadline: timer?.passed,
    ...(handOver === undefined ? {} : { handOver }),
  });
  timer?.clear();
  return withUnstarted(verdictOf(chained, said, event, options), room, said);
}

/** Who reads no warnings reads that hookctl failed. */
function withUnstarted(verdict: Verdict, { spec }: Room, { unstarted }: EventConfigs): Verdict {
  if (unstarted.length === 0 || !spec.observes) return verdict;
  return { ...verdict, own: unstarted.map((line) => `hookctl: ${line}`).join('\n') };
}

/** What the caller is told when hookctl itself fails. */
export function refuse({ why, words, usage }: Refusal, { room, event }: Asked, mode: OwnFailure): Verdict {
  const row = event === undefined ? undefined : rowOf(room, event);
  const verdict = ownVerdict(why, words ?? `hookctl: ${why}`, row, mode);
  return usage === undefined ? verdict : { ...verdict, usage };
}

/** A deadline that passed before any hook was started is no hook's fault. */
function isLate({ groups }: Plan, deadline: Deadline | undefined, io: Io): boolean {
  if (deadline === undefined || io.uptime() < deadline.since + deadline.ms) return false;
  return groups.some((group) => group.steps.some((step) => step.matched));
}

function startTimer(
  deadline: Deadline | undefined,
  io: Io,
): { readonly passed: Promise<string>; readonly clear: () => void } | undefined {
  if (deadline === undefined) return undefined;
  const { ms, since } = deadline;
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<string>((resolve) => {
    const left = Math.max(0, since + ms - io.uptime());
    timer = setTimeout(() => resolve(`the deadline of ${showDuration(ms)} passed`), left);
  });
  return { passed, clear: () => clearTimeout(timer) };
}
