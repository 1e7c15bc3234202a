/**
 * What other agents call the native events: for "did you mean" alone, no payload is read by these.
 */
const FOREIGN: Readonly<Record<string, string>> = {
  AfterTool: 'postToolCall',
  BeforeTool: 'preToolCall',
  PermissionRequest: 'permissionRequest',
  PostToolUse: 'postToolCall',
  PreToolUse: 'preToolCall',
  SessionEnd: 'sessionEnd',
  SessionStart: 'sessionStart',
  Stop: 'postGeneration',
  SubagentStop: 'subagentStop',
  UserPromptSubmit: 'preGeneration',
  agentSpawn: 'sessionStart',
  agentStop: 'postGeneration',
  beforeShellExecution: 'preToolCall',
  beforeSubmitPrompt: 'preGeneration',
  promptSubmit: 'preGeneration',
  stop: 'postGeneration',
};

/** hookctl's name for another agent's event, or undefined. */
export function canonicalEvent(name: string): string | undefined {
  return Object.entries(FOREIGN).find(([foreign]) => foreign.toLowerCase() === name.toLowerCase())?.[1];
}
