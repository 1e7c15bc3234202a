/**
 * hookctl's own exit codes. Those of `run` belong to the caller's room.
 */
export const EXIT = {
  fine: 0,
  /** Findings, or failed cases. */
  findings: 1,
  usage: 2,
  /** hookctl itself failed. */
  own: 3,
} as const;

/** Exit code of `run` where its verdict could not be written: every agent that reads codes reads a block. */
export const UNHEARD = 2;

/** Every signal that would end hookctl without a word, and the exit code after it: 128 and its number on Linux. */
export const SIGNAL_EXIT = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGQUIT: 131,
  /** Left alone, Node would open its debugger. */
  SIGUSR1: 138,
  SIGUSR2: 140,
  SIGALRM: 142,
  SIGTERM: 143,
  SIGXCPU: 152,
} as const;

export const END_SIGNALS = Object.keys(SIGNAL_EXIT) as readonly EndSignal[];

/** What the user has to mend, where there is no finding to tell it. Known by its name: bundles have copies of the class. */
export class UserError extends Error {
  override readonly name = 'UserError';
}

export type EndSignal = keyof typeof SIGNAL_EXIT;
