/**
 * Hooks in agent files of Amazon Q CLI and Kiro CLI 1 and 2, as data.
 */
import { KIRO_OTHERWISE, kiroRows, kiroSign } from '../_shared/kiro-rows';
import { kiroTools } from '../_shared/kiro-tools';
import type { Spec } from '../dialect';

const DROPPED =
  'Kiro CLI adds the stdout of hooks on agentSpawn and userPromptSubmit alone: the model may not see the context';
const UNSURE = {
  preGeneration: { stop: 'Amazon Q and Kiro CLI 2 show exit 2 on userPromptSubmit as a warning and go on' },
  preToolCall: { context: DROPPED },
  postToolCall: { context: DROPPED, deny: 'Kiro CLI shows exit 2 on postToolUse to the user, not to the model' },
  postGeneration: { context: DROPPED },
} as const;

export const ROWS = kiroRows('kiro-agent', UNSURE);

export const spec = {
  id: 'kiro-agent',
  title: 'Kiro agent files',
  vendor: { page: 'https://kiro.dev/docs/cli/hooks', read: '2026-10-02' },
  config: {
    names: ['/.kiro/agents/*.json', '/.amazonq/cli-agents/*.json', '/.aws/amazonq/cli-agents/*.json'],
    endings: [],
    schema: 'kiro-agent',
    judges: [],
    json: true,
    family: 'kiro',
  },
  rows: ROWS,
  tools: kiroTools('kiro-agent'),
  payload: [{ from: 'stdin' }],
  signs: [
    kiroSign(
      ROWS.map(({ native }) => native),
      ['conversation_id', 'generation_id', 'cursor_version'],
    ),
  ],
  defaults: { timeoutMs: 30_000, graceMs: 2_000 },
  extras: {},
  endings: {
    agentSpawn: { stdout: 'context', exit2: 'failure', other: 'failure' },
    userPromptSubmit: { stdout: 'context', reads: 'permission', exit2: 'stop', other: 'failure' },
    preToolUse: { stdout: 'dropped', reads: 'permission', exit2: 'deny', other: 'failure' },
    postToolUse: { stdout: 'dropped', exit2: 'failure', other: 'failure' },
    stop: { stdout: 'dropped', reads: 'block', exit2: 'failure', other: 'failure' },
  },
  otherwise: KIRO_OTHERWISE,
} as const satisfies Spec;

/** The hooks of one file start together, each with its own copy of the event. */
export const ORDER = { start: 'together', sees: 'original', afterBlock: 'go on', decides: true } as const;
/** Bytes of output that count, where an entry does not say. */
export const OUTPUT_BYTES = 10_240;
