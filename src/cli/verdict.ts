/**
 * From what a chain came to, to what its caller is told.
 */
import type { Loaded } from '../config/load';
import { severityOf } from '../core/finding';
import { fit } from '../core/fit';
import type { Event, Verdict } from '../core/model';
import { rowOf } from '../dialects';
import type { Room } from '../dialects/dialect';
import { renderFindingLine } from '../render/findings';
import { displayOf, traceOf } from '../render/trace';
import type { Chained } from '../runner/chain';
import type { RunOptions } from './run-options';

/** The chain's verdict with what the options and the configs add to it. */
export function verdictOf(
  { verdict, visits }: Chained,
  { findings, switches }: Loaded,
  event: Event,
  options: Pick<RunOptions, 'trace' | 'display'>,
): Verdict {
  const warnings = findings.filter((finding) => severityOf(finding) === 'warning');
  const concerning = warnings.filter(({ args }) => (args['event'] ?? event.name) === event.name);
  return {
    ...verdict,
    warnings: [
      ...concerning.map(renderFindingLine),
      ...visits.flatMap(({ step }) => step.warning ?? []),
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
