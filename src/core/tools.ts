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

/** Tools of agents without a room of their own, as they are sent. */
export const OTHER_TOOLS: readonly string[] = (
  'run_shell_command run_terminal_command run_terminal_cmd run_in_terminal execute_command local_shell shell exec_command view ' +
  'search_file_content write_file create write_to_file apply_patch replace edit_file replace_in_file str_replace_editor multi_edit ' +
  'notebook_edit web_fetch web_search agent invoke_agent spawn_agent todo_write todo_read task_output tasks edits list_directory ' +
  'read_many_files save_memory glob_file_search codebase_search grep_search file_search read_file delete_file list_dir update_plan'
).split(' ');

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
