/**
 * How many cases run at once.
 */

/** A function that runs jobs, at most `max` of them at once, in the order given. */
export function limited(max: number): <T>(job: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = max;
  return async (job) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await job();
    } finally {
      // The place is handed on without becoming free, so that nobody comes in between.
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
