/**
 * What became of one hook: the record that `--wait`, the run log and the server tell alike.
 */
import { placeOf } from '../core/fold';
import type { Result, Visit } from '../core/model';
import { clean } from '../core/text';
import { QUEUE_FULL } from './slots';

export type RunOutcome = 'ok' | 'failed' | 'timeout' | 'not-started' | 'skipped' | 'dropped';

/** Keys in the order in which they are written. Texts are at most 4,096 bytes, without control characters. */
export type HookRecord = {
  readonly hook: string;
  readonly id?: string;
  readonly at: string;
  readonly event: string;
  readonly outcome: RunOutcome;
  readonly exit: number | null;
  readonly signal: string | null;
  readonly reason: string | null;
  readonly duration_ms: number;
  readonly stdout: string;
  readonly stdout_bytes: number;
  readonly stderr: string;
  readonly stderr_bytes: number;
};

const KEPT_BYTES = 4_096;
const NOTHING = { stdout: '', stdout_bytes: 0, stderr: '', stderr_bytes: 0 };

/** `native` is what PRX calls the event. */
export function recordOf({ step, run }: Visit, native: string): HookRecord {
  const known = { hook: step.hook.label, at: placeOf(step.hook), event: native };
  if (run === undefined) {
    const reason = step.skipped ?? 'an earlier hook blocked';
    return { ...known, outcome: 'skipped', exit: null, signal: null, reason, duration_ms: 0, ...NOTHING };
  }
  const { job, result, ms } = run;
  const limit = 'ms' in job && job.ms !== 'none' ? job.ms : undefined;
  return { ...known, ...endOf(result, limit), duration_ms: Math.round(ms), ...streamsOf(result) };
}

type End = Pick<HookRecord, 'outcome' | 'exit' | 'signal' | 'reason'>;

function endOf(result: Result, limit: number | undefined): End {
  const bare = { exit: null, signal: null };
  switch (result.kind) {
    case 'ended':
      return {
        outcome: result.exit === 0 ? 'ok' : 'failed',
        exit: result.exit,
        signal: null,
        reason: reasonOfExit(result.exit),
      };
    case 'killed':
      return { outcome: 'failed', exit: null, signal: result.signal ?? null, reason: result.signal ?? result.why };
    case 'timeout':
      return { outcome: 'timeout', ...bare, reason: limit === undefined ? result.why : `timed out after ${limit} ms` };
    case 'too large':
    case 'failed':
      return { outcome: 'failed', ...bare, reason: result.why };
    case 'not started':
      return { outcome: result.why === QUEUE_FULL ? 'dropped' : 'not-started', ...bare, reason: clean(result.why) };
    case 'answered': {
      const isFine = result.status >= 200 && result.status <= 299;
      return {
        outcome: isFine ? 'ok' : 'failed',
        ...bare,
        reason: isFine ? null : `the server answered ${result.status}`,
      };
    }
    case 'said':
    case 'started':
      return { outcome: 'ok', ...bare, reason: null };
  }
}

function reasonOfExit(exit: number): string | null {
  return exit === 0 ? null : `exit ${exit}`;
}

function streamsOf(result: Result): Pick<HookRecord, 'stdout' | 'stdout_bytes' | 'stderr' | 'stderr_bytes'> {
  if (!('out' in result)) return NOTHING;
  const { out, err, totals } = result;
  return {
    stdout: textOf(out),
    stdout_bytes: totals?.out ?? out.length,
    stderr: textOf(err),
    stderr_bytes: totals?.err ?? err.length,
  };
}

/** A character that was cut in two is left out. */
function textOf(bytes: Uint8Array): string {
  return clean(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, KEPT_BYTES), { stream: true }));
}
