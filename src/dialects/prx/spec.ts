/**
 * PRX: `hooks.json` and its events, as data. Every hook of it is an observer: what it answers decides nothing.
 */
import type { Row } from '../../core/model';
import { NOTHING_TAKEN } from '../_shared/native-rows';
import type { Spec } from '../dialect';

/** What a field of a payload must be. */
export type FieldType = 'string' | 'number' | 'boolean' | 'object';

type Line = readonly [native: string, canonical: string, payload: Readonly<Record<string, FieldType>>];

/** Name there and here, and the fields that its payload must have. Source: the page below, and the program for what it leaves out. */
const LINES: readonly Line[] = [
  ['agent_start', 'turnStart', { agent: 'string', session: 'string' }],
  ['agent_end', 'turnEnd', { success: 'boolean', messages_count: 'number' }],
  ['llm_request', 'modelRequest', { provider: 'string', model: 'string', messages_count: 'number' }],
  ['llm_response', 'modelResponse', { provider: 'string', model: 'string', duration_ms: 'number', success: 'boolean' }],
  ['tool_call_start', 'preToolCall', { tool: 'string', arguments: 'object' }],
  ['tool_call', 'postToolCall', { tool: 'string', success: 'boolean', output: 'string' }],
  ['turn_complete', 'postGeneration', {}],
  ['error', 'error', { component: 'string', message: 'string' }],
];

/** PRX's name → the fields of its payload. */
export const PAYLOADS: ReadonlyMap<string, Readonly<Record<string, FieldType>>> = new Map(
  LINES.map(([native, , payload]) => [native, payload]),
);
export const EVENTS: readonly string[] = LINES.map(([native]) => native);

/** The name as hooks, logs and topics see it. */
export function normalised(name: string): string {
  return name.trim().toLowerCase().replaceAll('-', '_');
}

/** PRX's name of an event of hookctl; undefined where PRX has none. */
export function nativeOf(canonical: string): string | undefined {
  return LINES.find(([, own]) => own === canonical)?.[0];
}

/** hookctl's name of an event of PRX, however it is spelt; undefined where it is none. */
export function canonicalOf(name: string): string | undefined {
  return LINES.find(([native]) => native === normalised(name))?.[1];
}

/** Where an event is published. */
export function topicOf(native: string): string {
  return `prx.lifecycle.${native}`;
}

/** Bytes of an event, beyond which the variable is left out, and beyond which no hook is started. */
export const MAX_VARIABLE_BYTES = 8_192;
export const MAX_EVENT_BYTES = 65_536;

/** The whole search path of a hook. */
export const MINIMAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Variables that a hook's `env` may not set, in any mixture of case. */
export const BLOCKED = [
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'DYLD_INSERT_LIBRARIES',
  'DYLD_LIBRARY_PATH',
  'PATH',
  'HOME',
] as const;

/** Bounds of a file. */
export const BOUNDS = {
  fileBytes: 256 * 1024,
  actions: 256,
  args: 128,
  env: 128,
  timeoutMs: 300_000,
} as const;

/** Together, each reading the event as it is by then; nobody waits for them, and they decide nothing. */
export const ORDER = { start: 'together', sees: 'rewritten', afterBlock: 'go on', decides: false } as const;

/** Names in other agents' words, in lower case without `_` and `-`, of hookctl's own tools. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash', 'runshellcommand', 'runterminalcommand', 'runinterminal', 'executecommand'],
  powershell: ['powershell'],
  read: ['read', 'view'],
  list: ['list', 'ls'],
  delete: ['delete'],
  glob: ['glob'],
  grep: ['grep', 'searchfilecontent'],
  write: ['write', 'writefile', 'create', 'writetofile', 'applypatch'],
  edit: ['edit', 'multiedit', 'replace', 'editfile', 'replaceinfile'],
  notebook: ['notebook', 'notebookedit'],
  fetch: ['fetch', 'webfetch'],
  search: ['search', 'websearch'],
  task: ['task', 'agent', 'invokeagent', 'spawnagent'],
  todo: ['todo', 'todowrite'],
  skill: ['skill'],
  question: ['question', 'askuserquestion'],
  plan: ['plan', 'exitplanmode'],
};

/** hookctl's own name for a tool, where it has one. */
export function canonicalTool(name: string): string | undefined {
  const folded = name.toLowerCase().replace(/[_-]/g, '');
  return Object.entries(TOOLS).find(([, names]) => names.includes(folded))?.[0];
}

export const spec = {
  id: 'prx',
  title: 'PRX',
  vendor: { page: 'https://docs.openprx.dev/prx/tools/hooks', read: '2026-03-21' },
  config: {
    names: ['hooks.json', 'plugin.toml'],
    endings: [],
    shared: ['hooks.json'],
    schema: 'prx',
    judges: 'all',
    beside: { folder: 'plugins', name: 'plugin.toml' },
    json: true,
  },
  rows: LINES.map(rowOf),
  tools: {},
  payload: [
    { from: 'stdin' },
    { from: 'file variable', name: 'ZERO_HOOK_PAYLOAD_FILE' },
    { from: 'variable', name: 'ZERO_HOOK_PAYLOAD' },
  ],
  signs: [{ has: ['event', 'payload'], values: { event: EVENTS.flatMap(spellings) } }],
  defaults: { timeoutMs: 30_000, graceMs: 5_000 },
  extras: {},
  observes: true,
} as const satisfies Spec;

function spellings(name: string): string[] {
  return [...new Set([name, name.replaceAll('_', '-'), name.toUpperCase(), name.toUpperCase().replaceAll('_', '-')])];
}

/** Nothing can be told to PRX: it throws stdout away. A guard of another author blocks, and that is told as lost. */
function rowOf([native, canonical]: Line): Row {
  return {
    native,
    canonical,
    phase: 'after',
    matches: 'nothing',
    can: NOTHING_TAKEN,
    exit2: 'failure',
    synthetic: 'warning',
  };
}
