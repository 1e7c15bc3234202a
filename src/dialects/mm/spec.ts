/**
 * Agent YAML: hookctl's native format, a superset of the hooks of `mm` agent files.
 */
import { NATIVE_ROWS } from '../_shared/native-rows';
import type { Spec } from '../dialect';

export const spec = {
  id: 'mm',
  title: 'agent YAML',
  config: {
    names: ['agent.yaml', 'agent.yml', 'agent.json', '.agent.yaml', '.agent.yml', '.agent.json'],
    endings: ['.yaml', '.yml', '.json'],
    schema: 'agent',
    judges: ['timeout'],
  },
  rows: NATIVE_ROWS,
  tools: {},
  payload: [{ from: 'stdin' }],
  signs: [],
  defaults: { timeoutMs: 30_000, graceMs: 2_000 },
  failing: { key: 'onError', block: 'onError: fail', warn: 'onError: warn', plain: 'warn' },
  extras: {},
} as const satisfies Spec;

/** `onError` as written → what the engine calls it. */
export const ON_ERROR = { fail: 'block', warn: 'warn', ignore: 'ignore' } as const;

/** In turn, each reading what its forerunners made of the event; the first block ends the chain. */
export const ORDER = { start: 'in turn', sees: 'rewritten', afterBlock: 'end', decides: true } as const;
