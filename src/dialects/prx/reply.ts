/**
 * What PRX is told: nothing on stdout, which it throws away. The exit code says whether hookctl itself worked.
 */
import type { Event, Reply, Verdict } from '../../core/model';
import { warningLines } from '../_shared/native-words';

/** Exit 1, which makes PRX log stderr, only where hookctl itself failed; 2 for bad usage. */
export function writeReply(verdict: Verdict, _event: Event | undefined): Reply {
  if (verdict.own !== undefined) return { stdout: '', stderr: `${verdict.own}\n`, exit: verdict.usage ? 2 : 1 };
  const trace = verdict.trace === undefined ? [] : [`trace: ${JSON.stringify(verdict.trace)}`];
  const lines = [...trace, ...(verdict.display ?? []), ...warningLines(verdict)];
  return { stdout: '', stderr: lines.map((line) => `${line}\n`).join(''), exit: 0 };
}
