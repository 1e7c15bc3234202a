/**
 * Verdict → what Kiro reads: exit 2 with the reason on stderr, or text on stdout.
 */
import { blocks } from '../../core/fold';
import { objectText, rawOf } from '../../core/json';
import type { Event, Reply, Verdict } from '../../core/model';

const BLOCKED = 2;

/**
 * At exit 2 stdout is empty and stderr holds the reason and nothing else: Kiro hands all of it to the model. `turnEnd`: how the agent is
 * kept working, by a block in JSON at exit 0, or by exit 2 too.
 */
export function kiroReply(verdict: Verdict, event: Event | undefined, turnEnd: 'decision' | 'exit'): Reply {
  const { action, own, context } = verdict;
  if (own !== undefined) return { stdout: '', stderr: `${own}\n`, exit: blocks(action) ? BLOCKED : 0 };
  if (!blocks(action)) {
    return { stdout: context === undefined ? '' : `${context}\n`, stderr: words(verdict), exit: 0 };
  }
  const reason = reasonOf(verdict);
  if (event?.name !== 'postGeneration' || turnEnd === 'exit')
    return { stdout: '', stderr: `${reason}\n`, exit: BLOCKED };
  const said = objectText([
    ['decision', rawOf('block')],
    ['reason', rawOf(reason)],
  ]);
  return { stdout: `${said}\n`, stderr: words(verdict), exit: 0 };
}

/** Never empty. After the fact the context goes with it. */
function reasonOf({ reason, response, source, context }: Verdict): string {
  const why = reason ?? response ?? `blocked by ${source?.hook ?? 'a hook'}`;
  return context === undefined ? why : `${why}\n\n${context}`;
}

function words({ display, warnings, trace }: Verdict): string {
  const lines = [
    ...(trace === undefined ? [] : [`trace: ${JSON.stringify(trace)}`]),
    ...(display ?? []),
    ...warnings.map((warning) => `hookctl: warning: ${warning}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
