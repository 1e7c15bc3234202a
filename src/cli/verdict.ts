/**
 * From what a chain came to, to what its caller is told.
 */
import type { Loaded } from '../config/load';
import { type Finding, severityOf } from '../core/finding';
import { fit } from '../core/fit';
import type { Event, Group, Verdict } from '../core/model';
import { roomOf, rowOf } from '../dialects';
import type { Room } from '../dialects/dialect';
import { renderFindingLine } from '../render/findings';
import { displayOf, traceOf } from '../render/trace';
import type { Chained } from '../runner/chain';
import type { RunOptions } from './run-options';

/** The chain's verdict with what the options and the configs add to it. */
export function verdictOf(
  { verdict, visits }: Chained,
  { findings, observers, beside, switches }: Loaded,
  event: Event,
  options: Pick<RunOptions, 'trace' | 'display'>,
): Verdict {
  const warnings = findings.filter((finding) => severityOf(finding) === 'warning');
  const concerning = warnings.filter(({ args }) => (args['event'] ?? event.name) === event.name);
  return {
    ...verdict,
    warnings: [
      ...new Set([
        ...(event.warnings ?? []),
        ...concerning.map(renderFindingLine),
        ...observersProblem(observers),
        ...beside.filter(isTold).map((finding) => `${renderFindingLine(finding)}; the plugin was left out`),
        ...visits.flatMap(({ step }) => step.warning ?? []),
      ]),
      ...verdict.warnings,
    ],
    ...(options.trace ? { trace: traceOf(visits) } : {}),
    ...(options.display || switches.displayHooks === true ? { display: displayOf(visits, event) } : {}),
  };
}

/** One line for each invalid file of observers: its first error. */
export function observersProblem(observers: Loaded['observers']): string[] {
  return observers.map((findings) => {
    const first = findings.find(isTold);
    return `${first === undefined ? '' : renderFindingLine(first)}; its hooks were not started`;
  });
}

function isTold(finding: Finding): boolean {
  return severityOf(finding) === 'error';
}

/** What the author of a group calls an event. */
export function nativeName({ steps }: Group, event: Event): string {
  const room = roomOf(steps[0]?.hook.author ?? '');
  return room === undefined ? event.name : rowOf(room, { name: event.name }).native;
}

/** What the caller can be told; the trace ends with what it cannot. */
export function toldTo(caller: Room, verdict: Verdict, event: Event | undefined): Verdict {
  if (verdict.own !== undefined || event === undefined) return verdict;
  const fitted = fit(verdict, rowOf(caller, event));
  if (fitted.trace === undefined || fitted.losses.length === 0) return fitted;
  return { ...fitted, trace: [...fitted.trace, ...fitted.losses.map((loss) => ({ loss }))] };
}
