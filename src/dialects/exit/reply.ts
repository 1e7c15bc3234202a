/**
 * The reply for who reads the exit code alone: stdout stays empty; at exit 2 stderr is the reason, behind the trace if it was
 * asked for, and nothing else.
 */
import { blocks } from '../../core/fold';
import type { Event, Reply, Verdict } from '../../core/model';
import { warningLines } from '../_shared/native-words';

/** Exit 2 for a block, else 0. Agents hand all of stderr to the model at exit 2, so no warning stands there. */
export function writeReply(verdict: Verdict, _event: Event | undefined): Reply {
  if (verdict.own !== undefined)
    return { stdout: '', stderr: lines([verdict.own]), exit: blocks(verdict.action) ? 2 : 0 };
  const trace = verdict.trace === undefined ? [] : [`trace: ${JSON.stringify(verdict.trace)}`];
  if (blocks(verdict.action)) {
    return {
      stdout: '',
      stderr: lines([...trace, verdict.reason ?? verdict.response ?? 'blocked by a hook']),
      exit: 2,
    };
  }
  return { stdout: '', stderr: lines([...trace, ...(verdict.display ?? []), ...warningLines(verdict)]), exit: 0 };
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
