/**
 * Hooks of version v1: `.kiro/hooks/*.json` of the Kiro IDE from 1.0 and of Kiro CLI 3, as data.
 */
import { KIRO_OTHERWISE, kiroRows, kiroSign } from '../_shared/kiro-rows';
import { kiroTools } from '../_shared/kiro-tools';
import type { Ending, Spec } from '../dialect';

const GUARD = { stdout: 'context', reads: 'permission', exit2: 'deny', other: 'failure' } as const satisfies Ending;
const OBSERVED = { stdout: 'context', exit2: 'failure', other: 'failure' } as const satisfies Ending;

/** Fields, and variables, of other agents that send these event names too. */
const OTHERS = [
  ...[
    'transcript_path',
    'permission_mode',
    'tool_use_id',
    'turn_id',
    'cursor_version',
    'generation_id',
    'conversation_id',
  ],
  ...['clineVersion', 'agent_action_name', 'hookEventName', 'workspaceRoot', 'timestamp', 'tool_call_id', 'sessionId'],
];
const OTHERS_ENV = ['GEMINI_SESSION_ID', 'QWEN_PROJECT_DIR'];
const SHARED = ['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'];

export const ROWS = kiroRows('kiro-v1');

/** Other spellings of the triggers that Kiro reads as well. */
export const ALIASES: Readonly<Record<string, string>> = {
  AgentSpawn: 'SessionStart',
  agentSpawn: 'SessionStart',
  sessionStart: 'SessionStart',
  stop: 'Stop',
  agentStop: 'Stop',
  userPromptSubmit: 'UserPromptSubmit',
  promptSubmit: 'UserPromptSubmit',
  preToolUse: 'PreToolUse',
  postToolUse: 'PostToolUse',
  preTaskExecution: 'PreTaskExec',
  postTaskExecution: 'PostTaskExec',
  fileCreated: 'PostFileCreate',
  fileEdited: 'PostFileSave',
  AfterFileEdit: 'PostFileSave',
  fileDeleted: 'PostFileDelete',
  userTriggered: 'Manual',
};

export const spec = {
  id: 'kiro-v1',
  title: 'Kiro hooks of version v1',
  vendor: { page: 'https://kiro.dev/docs/hooks/types', read: '2026-10-02' },
  config: {
    names: ['/.kiro/hooks/*.json', '/.kiro/hooks/*/*.json', '/.kiro/settings/hooks.json'],
    endings: [],
    schema: 'kiro-v1',
    judges: [],
    json: true,
    family: 'kiro',
    within: { '.kiro': 'hooks' },
    skipsLinks: true,
  },
  rows: ROWS,
  tools: kiroTools('kiro-v1'),
  payload: [{ from: 'stdin' }],
  signs: [
    kiroSign(
      ROWS.flatMap(({ native }) => (SHARED.includes(native) ? [] : [native])),
      [],
    ),
    kiroSign(SHARED, OTHERS, OTHERS_ENV),
  ],
  defaults: { timeoutMs: 60_000, graceMs: 2_000 },
  extras: {},
  endings: {
    SessionStart: OBSERVED,
    UserPromptSubmit: { ...GUARD, exit2: 'stop' },
    PreToolUse: GUARD,
    PreTaskExec: GUARD,
    PostToolUse: OBSERVED,
    PostTaskExec: OBSERVED,
    PostFileCreate: OBSERVED,
    PostFileSave: OBSERVED,
    PostFileDelete: OBSERVED,
    Manual: OBSERVED,
    Stop: { ...OBSERVED, reads: 'block' },
    SessionEnd: { ...OBSERVED, stdout: 'dropped' },
  },
  otherwise: KIRO_OTHERWISE,
} as const satisfies Spec;

/** In turn, each with the same event; a block keeps no other from running. */
export const ORDER = { start: 'in turn', sees: 'original', afterBlock: 'go on', decides: true } as const;
