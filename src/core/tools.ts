/**
 * hookctl's own names of tools. Each room maps its names to these, so that one guard works under all agents.
 */
export const CANONICAL_TOOLS = [
  'bash',
  'powershell',
  'read',
  'write',
  'edit',
  'delete',
  'list',
  'glob',
  'grep',
  'fetch',
  'search',
  'task',
  'todo',
  'notebook',
  'skill',
  'question',
  'plan',
] as const;

export type CanonicalTool = (typeof CANONICAL_TOOLS)[number];

export function isCanonicalTool(name: string): name is CanonicalTool {
  return CANONICAL_TOOLS.some((tool) => tool === name);
}

/** Names as Claude Code sends them, of which one is part of another: a pattern that names the short one finds the long one too. */
export const KINDRED_TOOLS: readonly string[] = [
  'Bash',
  'BashOutput',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'Read',
  'NotebookRead',
  'Write',
  'TodoWrite',
  'Task',
  'TaskOutput',
  'TaskStop',
  'TaskCreate',
  'Search',
  'WebSearch',
  'ToolSearch',
  'Fetch',
  'WebFetch',
];
