/**
 * So many hooks at a time, so many waiting, and no more.
 */
import type { Result } from '../core/model';
import type { Exec, Ran } from '../runner/exec';

const RUNNING = 64;
const WAITING = 1_024;

/** Why a hook was not even queued. */
export const QUEUE_FULL = 'queue full';

/** The exec with bounds. A hook that waits is not timed yet. */
export function bounded(exec: Exec, running = RUNNING, waiting = WAITING): Exec {
  const queue: (() => void)[] = [];
  let busy = 0;
  const freed = () => {
    const next = queue.shift();
    if (next === undefined) busy -= 1;
    else next();
  };
  return {
    ...exec,
    async run(job, stdin) {
      if (busy < running) busy += 1;
      else if (queue.length >= waiting) return dropped();
      else await new Promise<void>((resolve) => queue.push(resolve));
      try {
        return await exec.run(job, stdin);
      } finally {
        freed();
      }
    },
  };
}

function dropped(): Ran {
  const result: Result = { kind: 'not started', why: QUEUE_FULL, out: new Uint8Array(), err: new Uint8Array() };
  return { result, ms: 0, stdin: 0, warnings: [] };
}
