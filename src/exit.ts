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

/** Exit code after a signal: 128 and its number. */
export const SIGNAL_EXIT = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type EndSignal = keyof typeof SIGNAL_EXIT;
