/**
 * From what a chain came to, to what its caller is told.
 */
import type { Prepared } from '../config/prepared';
import { fit } from '../core/fit';
import type { Event, Verdict } from '../core/model';
import { rowOf } from '../dialects';
import type { Room } from '../dialects/dialect';
import { displayOf, traceOf } from '../render/trace';
import type { Chained } from '../runner/chain';
import type { RunOptions } from './run-options';

/** The chain's verdict with what the options and the configs add to it. */
export function verdictOf(
  { verdict, visits }: Chained,
  { warnings, switches }: Pick<Prepared, 'warnings' | 'switches'>,
  event: Event,
  options: Pick<RunOptions, 'trace' | 'display'>,
): Verdict {
  const concerning = warnings.filter((warning) => (warning.event ?? event.name) === event.name);
  return {
    ...verdict,
    warnings: [
      ...new Set([
        ...(event.warnings ?? []),
        ...concerning.map(({ text }) => text),
        ...visits.flatMap(({ step }) => step.warning ?? []),
      ]),
      ...verdict.warnings,
    ],
    ...(options.trace ? { trace: traceOf(visits) } : {}),
    ...(options.display || switches.displayHooks === true ? { display: displayOf(visits, event) } : {}),
  };
}

/** What the caller can be told; the trace ends with what it cannot. */
export function toldTo(caller: Room, verdict: Verdict, event: Event | undefined): Verdict {
  if (verdict.own !== undefined || event === undefined) return verdict;
  const fitted = fit(verdict, rowOf(caller, event));
  if (fitted.trace === undefined || fitted.losses.length === 0) return fitted;
  return { ...fitted, trace: [...fitted.trace, ...fitted.losses.map((loss) => ({ loss }))] };
}
