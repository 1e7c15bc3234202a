/**
 * So many hooks at a time, so many waiting, the rest dropped.
 */
import { describe, expect, it } from 'vitest';
import type { ProcessJob } from '../../../src/core/model';
import { bounded, QUEUE_FULL } from '../../../src/emission/slots';
import type { Exec, Ran } from '../../../src/runner/exec';
import { ended } from '../dialects/sample';

const job = {} as ProcessJob;

function gated() {
  const open: (() => void)[] = [];
  let most = 0;
  let running = 0;
  const exec: Exec = {
    run: async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => open.push(resolve));
      running -= 1;
      return { result: ended(0), ms: 1, stdin: 0, warnings: [] };
    },
    start: async () => ({ result: { kind: 'started' }, ms: 0, stdin: 0, warnings: [] }),
    endAll: async () => {},
    hurry: () => {},
  };
  return { exec, open, most: () => most };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('slots', () => {
  it('bound what runs, keep the order of what waits, and drop the rest at once', async () => {
    const { exec, open, most } = gated();
    const slots = bounded(exec, 2, 3);
    const done: number[] = [];
    const runs = Array.from({ length: 7 }, async (_, n): Promise<Ran> => {
      const ran = await slots.run(job, undefined);
      done.push(n);
      return ran;
    });
    await settle();
    expect(done).toEqual([5, 6]);
    expect((await Promise.all(runs.slice(5))).map(({ result }) => 'why' in result && result.why)).toEqual([
      QUEUE_FULL,
      QUEUE_FULL,
    ]);
    while (done.length < 7) {
      open.shift()?.();
      await settle();
    }
    expect(done).toEqual([5, 6, 0, 1, 2, 3, 4]);
    expect(most()).toBe(2);
  });
});
