/**
 * What passes between hookctl and the process in which a WebAssembly hook runs.
 */
import type { Result } from './model';
import { decode } from './text';

/** A line of the fourth descriptor. The last one that is no log is what came of the hook. */
export type Report =
  /** `exit` is what the hook gave `proc_exit`. */
  | { readonly kind: 'ended'; readonly exit: number }
  /** It never ran. */
  | { readonly kind: 'refused'; readonly why: string }
  /** It ran, and broke. */
  | { readonly kind: 'trapped'; readonly why: string }
  /** It said so itself: the `err` of a component. */
  | { readonly kind: 'erred'; readonly why: string }
  | LogLine;

export type LogLine = { readonly kind: 'log'; readonly level: LogLevel; readonly message: string };

export type LogLevel = (typeof LOG_LEVELS)[number];
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;

/** What a component's process reads on stdin, as JSON. */
export type ComponentCall = {
  readonly event: string;
  readonly payload: string;
  readonly config: Readonly<Record<string, string>>;
  readonly memoryMiB: number;
};

/** Linear memory of a hook, unless it says otherwise. */
export const MEMORY_MIB = 64;

/** What hookctl's own process wrote. What was cut off, by its end or by a limit, is left out, and so is what is none of its lines. */
export function reportsIn(bytes: Uint8Array | undefined): readonly Report[] {
  const lines = decode(bytes ?? new Uint8Array()).split('\n');
  return lines.slice(0, -1).flatMap(reportIn);
}

function reportIn(line: string): Report[] {
  try {
    const report: Report = JSON.parse(line);
    return typeof report?.kind === 'string' ? [report] : [];
  } catch {
    return [];
  }
}

/** What a component logged, in order. */
export function logsIn(result: Result): readonly LogLine[] {
  if (!('report' in result)) return [];
  return reportsIn(result.report).flatMap((one) => (one.kind === 'log' ? [one] : []));
}
