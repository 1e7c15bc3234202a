/**
 * `.kiro.hook` files of the Kiro IDE before 1.0, as data.
 */
import { KIRO_OTHERWISE, kiroRows } from '../_shared/kiro-rows';
import { kiroTools } from '../_shared/kiro-tools';
import type { Ending, Spec } from '../dialect';

const GUARD = { stdout: 'context', reads: 'permission', exit2: 'deny', other: 'deny' } as const satisfies Ending;
const FEEDBACK = { stdout: 'context', exit2: 'deny', other: 'deny' } as const satisfies Ending;
const TOLD = { stdout: 'context', exit2: 'told', other: 'told' } as const satisfies Ending;

export const ROWS = kiroRows('kiro-hook');

export const spec = {
  id: 'kiro-hook',
  title: 'Kiro hook files',
  vendor: { page: 'https://kiro.dev/docs/hooks/actions', read: '2026-10-02' },
  config: {
    names: ['.kiro.hook'],
    endings: ['.kiro.hook'],
    schema: 'kiro-hook',
    judges: [],
    json: true,
    family: 'kiro',
    skipsLinks: true,
  },
  rows: ROWS,
  tools: kiroTools('kiro-hook'),
  payload: [
    { from: 'variable', name: 'USER_PROMPT' },
    { from: 'stdin', silenceMs: 500 },
  ],
  signs: [{ has: ['toolName', 'toolArgs'], lacks: ['hook_event_name', 'sessionId'] }],
  defaults: { timeoutMs: 60_000, graceMs: 2_000 },
  extras: {},
  endings: {
    promptSubmit: { ...GUARD, exit2: 'stop', other: 'stop' },
    preToolUse: GUARD,
    preTaskExecution: GUARD,
    postToolUse: FEEDBACK,
    agentStop: FEEDBACK,
    fileCreated: TOLD,
    fileEdited: TOLD,
    fileDeleted: TOLD,
    postTaskExecution: TOLD,
    userTriggered: TOLD,
  },
  otherwise: KIRO_OTHERWISE,
} as const satisfies Spec;

/** In turn, each with the same event; a block keeps no other from running. */
export const ORDER = { start: 'in turn', sees: 'original', afterBlock: 'go on', decides: true } as const;
