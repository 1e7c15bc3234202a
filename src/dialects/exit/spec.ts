/**
 * Native events, answered by the exit code alone: for a wrapper that does not read stdout.
 */
import type { Row } from '../../core/model';
import { NATIVE_ROWS } from '../_shared/native-rows';
import type { Spec } from '../dialect';

export const spec = {
  id: 'exit',
  title: 'native events, answers by the exit code alone',
  rows: NATIVE_ROWS.map(byExitCode),
  tools: {},
  payload: [{ from: 'stdin' }],
  signs: [],
  defaults: { timeoutMs: 30_000, graceMs: 2_000 },
  extras: {},
} as const satisfies Spec;

/** An exit code says go on or block. What would need stdout blocks where blocking is possible; a block after the fact is told. */
function byExitCode(row: Row): Row {
  if (row.synthetic === 'warning') return { ...row, can: { ...row.can, context: 'no' } };
  const block = row.synthetic;
  return {
    ...row,
    can: {
      ...row.can,
      allow: row.can.allow === 'yes' ? 'nothing' : row.can.allow,
      ask: row.can.ask === 'yes' ? block : row.can.ask,
      defer: row.can.defer === 'yes' ? block : row.can.defer,
      input: row.can.input === 'yes' ? block : 'no',
      prompt: row.can.prompt === 'yes' ? block : 'no',
      context: 'no',
    },
  };
}
