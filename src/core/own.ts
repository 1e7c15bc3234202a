/**
 * What the caller is told when hookctl itself fails: never an open door.
 */
import type { Row, Verdict } from './model';
import { clean } from './text';

/** `fail` blocks where a synthetic block lands, or when the event could not even be read; `warn` goes on with a warning. */
export type OwnFailure = 'fail' | 'warn';

/** `row` is the event's, undefined where the event could not be read. `why` is one line, `words` what people read on stderr. */
export function ownVerdict(why: string, words: string, row: Row | undefined, mode: OwnFailure): Verdict {
  const [told, shown] = [clean(why), clean(words)];
  const action = row === undefined ? 'deny' : row.synthetic;
  if (mode === 'warn' || action === 'warning') return { warnings: [told], losses: [], own: shown };
  return { action, reason: `hookctl: ${told}`, source: { kind: 'hookctl' }, warnings: [], losses: [], own: shown };
}
