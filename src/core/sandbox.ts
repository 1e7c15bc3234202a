/**
 * What passes between hookctl and the process in which a WebAssembly hook runs.
 */

/** A line of the fourth descriptor. `ended` is what the hook gave `proc_exit`; the last line that is no log counts. */
export type Report =
  | { readonly kind: 'ended'; readonly exit: number }
  /** It never ran. */
  | { readonly kind: 'refused'; readonly why: string }
  /** It ran, and broke. */
  | { readonly kind: 'trapped'; readonly why: string }
  /** It said so itself: the `err` of a component. */
  | { readonly kind: 'erred'; readonly why: string }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly message: string };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Linear memory of a hook, unless it says otherwise. */
export const MEMORY_MIB = 64;
