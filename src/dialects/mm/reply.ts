/**
 * The native reply: the verdict as one line of JSON, words for people on stderr.
 */

import { blocks } from '../../core/fold';
import { objectText, rawOf } from '../../core/json';
import type { Event, Raw, Reply, Verdict } from '../../core/model';
import { compactLines } from '../_shared/native-stdin';
import { blockLine, warningLines } from '../_shared/native-words';

const GO_ON = 0;
const BLOCKED = 2;

/** One JSON object and a newline. Exit 2 for a deny, a stop and a defer, else 0. */
export function writeReply(verdict: Verdict, event: Event | undefined): Reply {
  return {
    stdout: `${verdictText(verdict, event)}\n`,
    stderr: words(verdict, event)
      .map((line) => `${line}\n`)
      .join(''),
    exit: blocks(verdict.action) || verdict.action === 'defer' ? BLOCKED : GO_ON,
  };
}

function verdictText(verdict: Verdict, event: Event | undefined): string {
  const { rewrite } = verdict;
  const warnings = [...verdict.warnings];
  const value = rewrite === undefined ? undefined : { text: compactLines(rewrite.value.text) };
  const fields: [string, Raw | undefined][] = [
    ['event', some(event?.name)],
    ['action', some(verdict.action)],
    ['reason', some(verdict.reason)],
    ['response', some(verdict.response)],
    ['input', rewrite?.field === 'input' ? value : undefined],
    ['prompt', rewrite?.field === 'prompt' ? value : undefined],
    ['context', some(verdict.context)],
    ['source', some(verdict.source)],
    ['warnings', warnings.length === 0 ? undefined : rawOf(warnings)],
    ['trace', some(verdict.trace)],
  ];
  return objectText(fields.flatMap(([key, value]): [string, Raw][] => (value === undefined ? [] : [[key, value]])));
}

function some(value: unknown): Raw | undefined {
  return value === undefined ? undefined : rawOf(value);
}

/** hookctl's own failure says what to mend, and nothing else. */
function words(verdict: Verdict, event: Event | undefined): string[] {
  if (verdict.own !== undefined) return [verdict.own];
  const blocked = blocks(verdict.action) || verdict.action === 'defer';
  return [...(verdict.display ?? []), ...warningLines(verdict), ...(blocked ? [blockLine(verdict, event)] : [])];
}
