/**
 * Claude Code's hooks, as data.
 */
import type { Action, Block, Can, Carried, Row } from '../../core/model';
import { NOTHING_TAKEN } from '../_shared/native-rows';
import type { Sign, Spec } from '../dialect';

type Takes = Partial<Record<Action | Carried, Can>>;

/** How the answer of an event is written (`reply.ts`). */
export type Style =
  | 'tool'
  | 'permission'
  | 'prompt'
  | 'block'
  | 'context'
  | 'model'
  | 'skill'
  | 'decision'
  | 'elicit'
  | 'exit'
  | 'exit or stop'
  | 'none';

/** What only Claude Code's own rules need to know of an event. */
export type Own = {
  readonly style: Style;
  /** The field that a matcher is tried on, where it is not the tool's name. */
  readonly value?: string;
  /** Plain text on stdout at exit 0 is context. */
  readonly text?: true;
  /** `hookSpecificOutput` has a variant for it. */
  readonly hso?: true;
  /** `systemMessage` is discarded; then warnings go to stderr. */
  readonly mute?: true;
  /** `continue` is discarded. */
  readonly goesOn?: true;
  /** What exit 2 does. */
  readonly exit2: Block | 'failure';
};

type Line = readonly [native: string, canonical: string, takes: Takes, own: Own, guard?: Block];

const BLOCKS: Takes = { deny: 'yes', stop: 'yes', context: 'yes' };
const CONTEXT: Takes = { stop: 'yes', context: 'yes' };
const DECISION: Takes = { deny: 'yes', stop: 'deny' };
const ENDS: Takes = { allow: 'nothing', ask: 'nothing', defer: 'nothing' };
const SILENT: Takes = { stop: 'nothing' };
const TOOL: Takes = { allow: 'yes', deny: 'yes', ask: 'yes', defer: 'yes', stop: 'yes', input: 'yes', context: 'yes' };

/**
 * Name there and here, what can be said, how, and the block that a synthetic failure becomes on a guarding event.
 * Source: the hooks reference at code.claude.com/docs and the types of @anthropic-ai/claude-agent-sdk 0.3.332.
 */
const LINES: readonly Line[] = [
  ['PreToolUse', 'preToolCall', TOOL, { style: 'tool', hso: true, exit2: 'deny' }, 'deny'],
  ['PostToolUse', 'postToolCall', BLOCKS, { style: 'block', hso: true, exit2: 'deny' }],
  ['PostToolUseFailure', 'postToolCall', BLOCKS, { style: 'block', hso: true, exit2: 'deny' }],
  ['PostToolBatch', 'claude:PostToolBatch', BLOCKS, { style: 'block', hso: true, exit2: 'deny' }, 'deny'],
  [
    'Notification',
    'notification',
    SILENT,
    { style: 'none', value: 'notification_type', hso: true, mute: true, goesOn: true, exit2: 'failure' },
  ],
  [
    'UserPromptSubmit',
    'preGeneration',
    { stop: 'yes', deny: 'stop', prompt: 'stop', context: 'yes' },
    { style: 'prompt', text: true, hso: true, exit2: 'stop' },
    'stop',
  ],
  [
    'UserPromptExpansion',
    'claude:UserPromptExpansion',
    { deny: 'yes', stop: 'yes', prompt: 'deny', context: 'yes' },
    { style: 'prompt', value: 'command_name', text: true, hso: true, exit2: 'deny' },
    'deny',
  ],
  [
    'SessionStart',
    'sessionStart',
    CONTEXT,
    { style: 'context', value: 'source', text: true, hso: true, exit2: 'failure' },
  ],
  ['SessionEnd', 'sessionEnd', SILENT, { style: 'none', value: 'reason', mute: true, goesOn: true, exit2: 'failure' }],
  ['Stop', 'postGeneration', { ...BLOCKS, ...ENDS }, { style: 'block', hso: true, exit2: 'deny' }],
  ['StopFailure', 'error', SILENT, { style: 'none', value: 'error', mute: true, goesOn: true, exit2: 'failure' }],
  ['SubagentStart', 'subagentStart', CONTEXT, { style: 'context', value: 'agent_type', hso: true, exit2: 'failure' }],
  [
    'SubagentStop',
    'subagentStop',
    { ...BLOCKS, ...ENDS },
    { style: 'block', value: 'agent_type', hso: true, exit2: 'deny' },
  ],
  [
    'PreCompact',
    'preCompact',
    DECISION,
    { style: 'decision', value: 'trigger', mute: true, goesOn: true, exit2: 'deny' },
    'deny',
  ],
  [
    'PostCompact',
    'postCompact',
    SILENT,
    { style: 'none', value: 'trigger', mute: true, goesOn: true, exit2: 'failure' },
  ],
  [
    'PreModelSwitch',
    'claude:PreModelSwitch',
    { allow: 'yes', deny: 'yes', ask: 'yes', defer: 'deny', stop: 'deny' },
    { style: 'model', value: 'to_model', hso: true, exit2: 'deny' },
    'deny',
  ],
  [
    'PostModelSwitch',
    'claude:PostModelSwitch',
    CONTEXT,
    { style: 'context', value: 'to_model', text: true, hso: true, exit2: 'failure' },
  ],
  [
    'PermissionRequest',
    'permissionRequest',
    { allow: 'yes', deny: 'yes', ask: 'nothing', defer: 'nothing', stop: 'yes', input: 'with allow' },
    { style: 'permission', hso: true, exit2: 'failure' },
    'deny',
  ],
  ['PermissionDenied', 'permissionDenied', SILENT, { style: 'none', hso: true, exit2: 'failure' }],
  ['Setup', 'claude:Setup', SILENT, { style: 'none', value: 'trigger', mute: true, goesOn: true, exit2: 'failure' }],
  ['TeammateIdle', 'claude:TeammateIdle', { deny: 'yes', stop: 'yes' }, { style: 'exit or stop', exit2: 'deny' }],
  ['TaskCreated', 'claude:TaskCreated', DECISION, { style: 'decision', goesOn: true, exit2: 'deny' }, 'deny'],
  ['TaskCompleted', 'claude:TaskCompleted', { deny: 'yes', stop: 'yes' }, { style: 'exit or stop', exit2: 'deny' }],
  [
    'Elicitation',
    'claude:Elicitation',
    DECISION,
    { style: 'elicit', value: 'mcp_server_name', hso: true, mute: true, goesOn: true, exit2: 'deny' },
    'deny',
  ],
  [
    'ElicitationResult',
    'claude:ElicitationResult',
    DECISION,
    { style: 'elicit', value: 'mcp_server_name', hso: true, mute: true, goesOn: true, exit2: 'deny' },
    'deny',
  ],
  [
    'ConfigChange',
    'claude:ConfigChange',
    DECISION,
    { style: 'decision', value: 'source', mute: true, goesOn: true, exit2: 'deny' },
    'deny',
  ],
  [
    'WorktreeCreate',
    'claude:WorktreeCreate',
    DECISION,
    { style: 'exit', mute: true, goesOn: true, exit2: 'deny' },
    'deny',
  ],
  [
    'WorktreeRemove',
    'claude:WorktreeRemove',
    DECISION,
    { style: 'exit', mute: true, goesOn: true, exit2: 'deny' },
    'deny',
  ],
  [
    'InstructionsLoaded',
    'instructionsLoaded',
    SILENT,
    { style: 'none', value: 'load_reason', mute: true, goesOn: true, exit2: 'failure' },
  ],
  ['CwdChanged', 'claude:CwdChanged', SILENT, { style: 'none', hso: true, goesOn: true, exit2: 'failure' }],
  ...['fileCreated', 'fileSaved', 'fileDeleted'].map(
    (canonical): Line => [
      'FileChanged',
      canonical,
      SILENT,
      { style: 'none', value: 'file_path', hso: true, goesOn: true, exit2: 'failure' },
    ],
  ),
  [
    'DirectoryAdded',
    'claude:DirectoryAdded',
    SILENT,
    { style: 'none', value: 'source', goesOn: true, exit2: 'failure' },
  ],
  [
    'MessageDisplay',
    'claude:MessageDisplay',
    SILENT,
    { style: 'none', hso: true, mute: true, goesOn: true, exit2: 'failure' },
  ],
  [
    'PreSkillShellCommand',
    'claude:PreSkillShellCommand',
    { allow: 'nothing', deny: 'yes', ask: 'deny', defer: 'deny', stop: 'deny', input: 'deny' },
    { style: 'skill', hso: true, exit2: 'deny' },
    'deny',
  ],
];

/** Events whose matcher is tried on the tool's name. */
export const TOOL_EVENTS: readonly string[] = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PermissionDenied',
  'PreSkillShellCommand',
];

function rowOf([native, canonical, takes, own, guard]: Line): Row {
  return {
    native,
    canonical,
    phase: guard === undefined ? 'after' : 'before',
    matches: TOOL_EVENTS.includes(native) ? 'tool' : own.value === undefined ? 'nothing' : 'value',
    can: { ...NOTHING_TAKEN, ...takes },
    exit2: NATIVE_EXIT_2.includes(native) ? 'deny if said' : own.exit2,
    synthetic: guard ?? 'warning',
  };
}

/** A deny there makes the agent work on: a native hook must say it. */
const NATIVE_EXIT_2 = ['Stop', 'SubagentStop', 'TeammateIdle', 'TaskCompleted'];

/** Claude Code's name → what its own rules need. */
export const OWN: ReadonlyMap<string, Own> = new Map(LINES.map(([native, , , own]) => [native, own]));
export const EVENTS: readonly string[] = [...OWN.keys()];

/** Of a name that a newer version may have brought. */
export const UNKNOWN: Own = { style: 'exit', exit2: 'deny' };

/** Events that Kiro's files of the format v1 have too. */
const SHARED = ['SessionStart', 'SessionEnd', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'];
/** Fields of other agents that send `hook_event_name` as well. */
const OTHERS = [
  'cursor_version',
  'generation_id',
  'clineVersion',
  'agent_action_name',
  'hookEventName',
  'workspaceRoot',
  'timestamp',
  'tool_call_id',
  'sessionId',
];
const OTHERS_ENV = ['GEMINI_SESSION_ID', 'QWEN_PROJECT_DIR'];

function sign(events: readonly string[], any?: readonly string[]): Sign {
  return {
    has: ['hook_event_name'],
    values: { hook_event_name: events },
    lacks: events.includes('MessageDisplay') && events.length === 1 ? OTHERS : [...OTHERS, 'turn_id'],
    lacksEnv: OTHERS_ENV,
    ...(any === undefined ? {} : { any }),
  };
}

export const spec = {
  id: 'claude',
  title: 'Claude Code',
  vendor: { page: 'https://code.claude.com/docs/en/hooks', read: '2026-10-09' },
  config: {
    names: [
      ...['/.claude/settings.json', '/.claude/settings.local.json', '/hooks/hooks.json', '/.claude-plugin/plugin.json'],
      'managed-settings.json',
    ],
    endings: ['.md'],
    documents: ['**/.claude/agents/**/*.md', '**/.claude/skills/**/SKILL.md'],
    schema: 'claude',
    judges: [],
  },
  rows: LINES.map(rowOf),
  tools: {
    bash: ['Bash'],
    powershell: ['PowerShell'],
    read: ['Read'],
    list: ['LS'],
    glob: ['Glob'],
    grep: ['Grep'],
    write: ['Write'],
    edit: ['Edit', 'MultiEdit'],
    notebook: ['NotebookEdit'],
    fetch: ['WebFetch'],
    search: ['WebSearch'],
    task: ['Agent', 'Task'],
    todo: ['TodoWrite'],
    skill: ['Skill'],
    question: ['AskUserQuestion'],
    plan: ['ExitPlanMode'],
  },
  payload: [{ from: 'stdin' }],
  signs: [
    sign(EVENTS, ['transcript_path', 'permission_mode', 'tool_use_id']),
    sign(EVENTS.filter((event) => !SHARED.includes(event) && event !== 'MessageDisplay')),
    sign(['MessageDisplay']),
  ],
  defaults: { timeoutMs: 600_000, graceMs: 2_000 },
  failing: { key: 'onFailure', block: '"onFailure": "block"', warn: '"onFailure": "continue"', plain: 'continue' },
  extras: {
    systemMessage: 'lines',
    updatedToolOutput: 'last',
    updatedMCPToolOutput: 'last',
    classifierContext: 'lines',
    updatedPermissions: 'deciding',
    interrupt: 'deciding',
    watchPaths: 'union',
    sessionTitle: 'last',
    initialUserMessage: 'last',
    displayContent: 'last',
    terminalSequence: 'last',
    reloadSkills: 'any',
    retry: 'any',
    suppressOriginalPrompt: 'any',
  },
  otherwise: {
    phase: 'after',
    matches: 'nothing',
    can: { ...NOTHING_TAKEN, deny: 'yes', stop: 'deny' },
    exit2: 'deny',
    synthetic: 'warning',
  },
} as const satisfies Spec;
