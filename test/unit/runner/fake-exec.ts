/**
 * An exec that starts nothing: what each command comes to is said beforehand.
 */
import type { ProcessJob, Result } from '../../../src/core/model';
import type { Exec, Ran } from '../../../src/runner/exec';
import { ended } from '../dialects/sample';

/** A command that was run, and what it read. */
export type Started = { readonly command: string; readonly stdin: string; readonly job: ProcessJob };

export type FakeExec = Exec & { readonly started: readonly Started[] };

/** Command → its end. One that is not listed never ends. */
export function fakeExec(endings: Readonly<Record<string, Result | string>>, more: Partial<Ran> = {}): FakeExec {
  const started: Started[] = [];
  return {
    started,
    run(job, stdin) {
      const command = job.argv[0]?.at(-1) ?? '';
      started.push({ command, stdin: new TextDecoder('utf-8', { ignoreBOM: true }).decode(stdin), job });
      const ending = endings[command];
      if (ending === undefined) return new Promise(() => {});
      const result = typeof ending === 'string' ? ended(0, ending) : ending;
      return Promise.resolve({ result, ms: 7, stdin: stdin?.length ?? 0, warnings: [], ...more });
    },
    hurry: () => {},
    start: async () => ({ result: { kind: 'started' }, ms: 0, stdin: 0, warnings: [] }),
    endAll: async () => {},
  };
}
