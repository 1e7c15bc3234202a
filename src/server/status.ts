/**
 * What the server counts.
 */
import type { HookRecord, RunOutcome } from '../emission/record';

const LAST = 100;

/** Counters since the start, and the newest records. */
export class Status {
  emitted = 0;
  dropped = 0;
  private readonly runs = new Map<RunOutcome, number>();
  private readonly newest: HookRecord[] = [];

  record(record: HookRecord): void {
    this.runs.set(record.outcome, (this.runs.get(record.outcome) ?? 0) + 1);
    this.newest.push(record);
    if (this.newest.length > LAST) this.newest.shift();
  }

  counts() {
    const of = (outcome: RunOutcome) => this.runs.get(outcome) ?? 0;
    return {
      ok: of('ok'),
      failed: of('failed'),
      timeout: of('timeout'),
      not_started: of('not-started'),
      skipped: of('skipped'),
      dropped: of('dropped'),
    };
  }

  last(): readonly HookRecord[] {
    return [...this.newest];
  }
}
