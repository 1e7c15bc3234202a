/** What is written in files and streams, generated from the JSON Schemas beside it: `npm run types`. */
export type AgentFile = AgentFileSchema.AgentFile;
export declare namespace AgentFileSchema {
export type Hooks = {
  preToolCall?: Chain;
  preGeneration?: Chain;
  permissionRequest?: Chain;
  taskStart?: Chain;
  postToolCall?: Chain;
  postGeneration?: Chain;
  subagentStop?: Chain;
  taskEnd?: Chain;
  sessionStart?: Chain;
  subagentStart?: Chain;
  instructionsLoaded?: Chain;
  fileCreated?: Chain;
  fileSaved?: Chain;
  fileDeleted?: Chain;
  manual?: Chain;
  permissionDenied?: Chain;
  sessionEnd?: Chain;
  preCompact?: Chain;
  postCompact?: Chain;
  notification?: Chain;
  error?: Chain;
  modelRequest?: Chain;
  modelResponse?: Chain;
  turnStart?: Chain;
  turnEnd?: Chain;
  [k: string]: Chain | undefined;
} | null;
/**
 * This interface was referenced by `undefined`'s JSON-Schema definition
 * via the `patternProperty` "^[a-z][a-z0-9-]*:.+$".
 */
export type Chain = Hook[] | null;

/**
 * An agent file. hookctl reads its hooks and two switches; every other key belongs to the agent.
 */
export interface AgentFile {
  /**
   * Show one line on stderr for each hook that ran.
   */
  displayHooks?: boolean;
  /**
   * The agent's own switch: run tools without asking. hookctl only shows it.
   */
  yolo?: boolean;
  hooks?: Hooks;
  [k: string]: unknown;
}
/**
 * One hook. Exactly one of command and wasm.
 */
export interface Hook {
  /**
   * Shown in traces and reports.
   */
  name?: string;
  /**
   * For people.
   */
  description?: string;
  /**
   * A regular expression searched in the tool's name. Absent, empty or *: every tool. Only for tool events.
   */
  matcher?: string;
  /**
   * Run by /bin/sh -c. Reads the event on stdin.
   */
  command?: string;
  /**
   * In place of command: a WebAssembly module (WASI preview 1, a command), relative to the agent file's folder. It gets the event, and none of your rights.
   */
  wasm?: string;
  /**
   * What a failure of the hook does: fail blocks, warn goes on with a warning, ignore goes on.
   */
  onError?: 'fail' | 'warn' | 'ignore';
  /**
   * A positive number with the unit ms, s or m, at most 24 hours.
   */
  timeout?: string;
  /**
   * Added to the environment. MM_* and HOOKCTL_* are reserved.
   */
  env?: {
    [k: string]: string;
  };
  /**
   * false: listed as skipped.
   */
  enabled?: boolean;
}
}

export type ClaudeHooks = ClaudeHooksSchema.ClaudeHooks;
export declare namespace ClaudeHooksSchema {
/**
 * The hooks of Claude Code: settings.json, a plugin's hooks.json, front matter. Every other key is left alone.
 */
export interface ClaudeHooks {
  /**
   * Event name to matcher groups.
   */
  hooks?:
    | {
        [k: string]: Group[];
      }
    | string
    | unknown[];
  /**
   * true: none of the hooks of the given files runs.
   */
  disableAllHooks?: boolean;
  /**
   * An http handler runs only if its URL matches one of these.
   */
  allowedHttpHookUrls?: string[];
  /**
   * Limits allowedEnvVars further.
   */
  httpHookAllowedEnvVars?: string[];
  [k: string]: unknown;
}
/**
 * Handlers for what a matcher finds.
 */
export interface Group {
  /**
   * Absent, empty or *: everything. Letters, digits, _ - space , |: exact names. Anything else: a regular expression, searched.
   */
  matcher?: string;
  /**
   * They start together.
   */
  hooks: Handler[];
  [k: string]: unknown;
}
/**
 * One handler. What it needs depends on its type.
 */
export interface Handler {
  /**
   * command, http, prompt, agent or mcp_tool.
   */
  type: string;
  /**
   * One permission rule, a second filter: Tool or Tool(spec). Only on tool events.
   */
  if?: string;
  /**
   * Seconds, decimals allowed.
   */
  timeout?: number;
  /**
   * Shown by Claude Code while it runs.
   */
  statusMessage?: string;
  /**
   * Honoured by Claude Code in skills only.
   */
  once?: boolean;
  /**
   * block: a failure blocks where the event can be blocked.
   */
  onFailure?: 'continue' | 'block';
  /**
   * Run by sh -c; with args the executable.
   */
  command?: string;
  /**
   * Their presence means no shell.
   */
  args?: string[];
  /**
   * Of the command.
   */
  shell?: 'bash' | 'powershell';
  /**
   * Started and not waited for: it decides nothing.
   */
  async?: boolean;
  /**
   * As async.
   */
  asyncRewake?: boolean;
  /**
   * Of an http handler.
   */
  url?: string;
  /**
   * Of an http handler; $VAR is replaced for names in allowedEnvVars.
   */
  headers?: {
    [k: string]: string;
  };
  /**
   * Names that headers may use.
   */
  allowedEnvVars?: string[];
  /**
   * Of an mcp_tool handler.
   */
  server?: string;
  /**
   * Of an mcp_tool handler.
   */
  tool?: string;
  /**
   * Of an mcp_tool handler.
   */
  input?: {
    [k: string]: unknown;
  };
  /**
   * Of a prompt or agent handler.
   */
  prompt?: string;
  /**
   * Of a prompt or agent handler.
   */
  model?: string;
  [k: string]: unknown;
}
}

export type Decision = DecisionSchema.Decision;
export declare namespace DecisionSchema {
/**
 * What a hook answers on stdout: one JSON object, or nothing at all.
 */
export interface Decision {
  /**
   * What shall happen. Absent: no opinion.
   */
  action?: 'allow' | 'deny' | 'ask' | 'defer' | 'stop';
  /**
   * Text for the model.
   */
  reason?: string | null;
  /**
   * Text for the user, with the action stop.
   */
  response?: string | null;
  /**
   * Text added after the prompt or the tool's output.
   */
  context?: string | null;
  /**
   * Replaces the tool's arguments, the whole object.
   */
  input?: {
    [k: string]: unknown;
  };
  /**
   * Replaces the prompt, an empty one too.
   */
  prompt?: string | null;
  /**
   * Ignored: a verdict of hookctl is a valid answer.
   */
  event?: {
    [k: string]: unknown;
  };
  /**
   * Ignored: a verdict of hookctl is a valid answer.
   */
  source?: {
    [k: string]: unknown;
  };
  /**
   * Ignored: a verdict of hookctl is a valid answer.
   */
  warnings?: {
    [k: string]: unknown;
  };
  /**
   * Ignored: a verdict of hookctl is a valid answer.
   */
  trace?: {
    [k: string]: unknown;
  };
}
}

export type Event = EventSchema.Event;
export declare namespace EventSchema {
/**
 * What hookctl run reads on stdin, and what a hook reads: one JSON object. Fields beyond these are kept.
 */
export type Event =
  | PreToolCall
  | PreGeneration
  | PermissionRequest
  | TaskStart
  | PostToolCall
  | PostGeneration
  | SubagentStop
  | TaskEnd
  | SessionStart
  | SubagentStart
  | InstructionsLoaded
  | FileCreated
  | FileSaved
  | FileDeleted
  | Manual
  | PermissionDenied
  | SessionEnd
  | PreCompact
  | PostCompact
  | Notification
  | Error
  | ModelRequest
  | ModelResponse
  | TurnStart
  | TurnEnd;
/**
 * Absolute folder in which the agent works; hooks run in it.
 */
export type Cwd = string | null;
/**
 * The agent's name for the session.
 */
export type Session = string | null;
/**
 * What the user asks.
 */
export type Prompt = string | null;
/**
 * What the model answered.
 */
export type Response = string | null;

/**
 * A tool is about to run.
 */
export interface PreToolCall {
  /**
   * The name of the event.
   */
  event: 'preToolCall';
  cwd?: Cwd;
  session?: Session;
  tool: Call;
  [k: string]: unknown;
}
/**
 * The tool, and what it is called with.
 */
export interface Call {
  /**
   * As the agent calls it; matchers are tried on it.
   */
  name: string;
  /**
   * hookctl's own name for the tool, where the agent's is another; matchers are tried on both.
   */
  canonical?: string | null;
  /**
   * The tool's arguments.
   */
  input: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * A prompt is about to go to the model.
 */
export interface PreGeneration {
  /**
   * The name of the event.
   */
  event: 'preGeneration';
  cwd?: Cwd;
  session?: Session;
  prompt?: Prompt;
  [k: string]: unknown;
}
/**
 * The agent is about to ask its user.
 */
export interface PermissionRequest {
  /**
   * The name of the event.
   */
  event: 'permissionRequest';
  cwd?: Cwd;
  session?: Session;
  tool: Call;
  [k: string]: unknown;
}
/**
 * A task of a plan starts.
 */
export interface TaskStart {
  /**
   * The name of the event.
   */
  event: 'taskStart';
  cwd?: Cwd;
  session?: Session;
  task?: Task;
  [k: string]: unknown;
}
/**
 * The task of a plan.
 */
export interface Task {
  /**
   * The task's name.
   */
  name: string;
  /**
   * The file that describes it.
   */
  spec?: string;
  /**
   * Whether it was done, once it has ended.
   */
  success?: boolean;
  [k: string]: unknown;
}
/**
 * A tool has run.
 */
export interface PostToolCall {
  /**
   * The name of the event.
   */
  event: 'postToolCall';
  cwd?: Cwd;
  session?: Session;
  tool: Result;
  [k: string]: unknown;
}
/**
 * The tool, and what it is called with.
 */
export interface Result {
  /**
   * As the agent calls it; matchers are tried on it.
   */
  name: string;
  /**
   * hookctl's own name for the tool, where the agent's is another; matchers are tried on both.
   */
  canonical?: string | null;
  /**
   * The tool's arguments.
   */
  input?: {
    [k: string]: unknown;
  };
  /**
   * What the tool gave back, of any type.
   */
  output?: {
    [k: string]: unknown;
  };
  /**
   * Whether the tool did its work.
   */
  success?: boolean;
  [k: string]: unknown;
}
/**
 * The answer is complete.
 */
export interface PostGeneration {
  /**
   * The name of the event.
   */
  event: 'postGeneration';
  cwd?: Cwd;
  session?: Session;
  prompt?: Prompt;
  response?: Response;
  [k: string]: unknown;
}
/**
 * A sub-agent's answer is complete.
 */
export interface SubagentStop {
  /**
   * The name of the event.
   */
  event: 'subagentStop';
  cwd?: Cwd;
  session?: Session;
  response?: Response;
  [k: string]: unknown;
}
/**
 * A task of a plan has ended.
 */
export interface TaskEnd {
  /**
   * The name of the event.
   */
  event: 'taskEnd';
  cwd?: Cwd;
  session?: Session;
  task?: Task;
  [k: string]: unknown;
}
/**
 * A session starts.
 */
export interface SessionStart {
  /**
   * The name of the event.
   */
  event: 'sessionStart';
  cwd?: Cwd;
  session?: Session;
  [k: string]: unknown;
}
/**
 * A sub-agent starts.
 */
export interface SubagentStart {
  /**
   * The name of the event.
   */
  event: 'subagentStart';
  cwd?: Cwd;
  session?: Session;
  [k: string]: unknown;
}
/**
 * Instructions were read into the context.
 */
export interface InstructionsLoaded {
  /**
   * The name of the event.
   */
  event: 'instructionsLoaded';
  cwd?: Cwd;
  session?: Session;
  [k: string]: unknown;
}
/**
 * A file was made.
 */
export interface FileCreated {
  /**
   * The name of the event.
   */
  event: 'fileCreated';
  cwd?: Cwd;
  session?: Session;
  file?: File;
  [k: string]: unknown;
}
/**
 * The file that changed.
 */
export interface File {
  /**
   * Absolute path.
   */
  path: string;
  [k: string]: unknown;
}
/**
 * A file was saved.
 */
export interface FileSaved {
  /**
   * The name of the event.
   */
  event: 'fileSaved';
  cwd?: Cwd;
  session?: Session;
  file?: File;
  [k: string]: unknown;
}
/**
 * A file was deleted.
 */
export interface FileDeleted {
  /**
   * The name of the event.
   */
  event: 'fileDeleted';
  cwd?: Cwd;
  session?: Session;
  file?: File;
  [k: string]: unknown;
}
/**
 * The user starts the hook.
 */
export interface Manual {
  /**
   * The name of the event.
   */
  event: 'manual';
  cwd?: Cwd;
  session?: Session;
  [k: string]: unknown;
}
/**
 * A tool call was refused.
 */
export interface PermissionDenied {
  /**
   * The name of the event.
   */
  event: 'permissionDenied';
  cwd?: Cwd;
  session?: Session;
  tool: Result;
  [k: string]: unknown;
}
/**
 * A session ends.
 */
export interface SessionEnd {
  /**
   * The name of the event.
   */
  event: 'sessionEnd';
  cwd?: Cwd;
  session?: Session;
  [k: string]: unknown;
}
/**
 * The conversation is about to be compacted.
 */
export interface PreCompact {
  /**
   * The name of the event.
   */
  event: 'preCompact';
  cwd?: Cwd;
  session?: Session;
  [k: string]: unknown;
}
/**
 * The conversation was compacted.
 */
export interface PostCompact {
  /**
   * The name of the event.
   */
  event: 'postCompact';
  cwd?: Cwd;
  session?: Session;
  [k: string]: unknown;
}
/**
 * The agent tells its user something.
 */
export interface Notification {
  /**
   * The name of the event.
   */
  event: 'notification';
  cwd?: Cwd;
  session?: Session;
  [k: string]: unknown;
}
/**
 * Something went wrong.
 */
export interface Error {
  /**
   * The name of the event.
   */
  event: 'error';
  cwd?: Cwd;
  session?: Session;
  [k: string]: unknown;
}
/**
 * A request goes to the model.
 */
export interface ModelRequest {
  /**
   * The name of the event.
   */
  event: 'modelRequest';
  cwd?: Cwd;
  session?: Session;
  [k: string]: unknown;
}
/**
 * The model has answered.
 */
export interface ModelResponse {
  /**
   * The name of the event.
   */
  event: 'modelResponse';
  cwd?: Cwd;
  session?: Session;
  [k: string]: unknown;
}
/**
 * A turn starts.
 */
export interface TurnStart {
  /**
   * The name of the event.
   */
  event: 'turnStart';
  cwd?: Cwd;
  session?: Session;
  [k: string]: unknown;
}
/**
 * A turn has ended.
 */
export interface TurnEnd {
  /**
   * The name of the event.
   */
  event: 'turnEnd';
  cwd?: Cwd;
  session?: Session;
  [k: string]: unknown;
}
}

export type KiroAgentHooks = KiroAgentHooksSchema.KiroAgentHooks;
export declare namespace KiroAgentHooksSchema {
/**
 * The hooks of an agent file of Amazon Q CLI and Kiro CLI 1 and 2. Every other key is left alone.
 */
export interface KiroAgentHooks {
  /**
   * Trigger to entries: agentSpawn, userPromptSubmit, preToolUse, postToolUse, stop.
   */
  hooks?:
    | {
        [k: string]: Entry[] | {};
      }
    | unknown[]
    | null;
  [k: string]: unknown;
}
/**
 * One hook. It needs a command.
 */
export interface Entry {
  /**
   * Run by bash -c, or by /bin/sh -c where there is no bash.
   */
  command?: string;
  /**
   * A tool's name, @builtin, @server, or a glob over the whole name. Only on preToolUse and postToolUse.
   */
  matcher?: string;
  /**
   * Milliseconds, at least 1. Default 30000.
   */
  timeout_ms?: number;
  /**
   * Bytes of stdout, or of stderr at any exit code but 0. Default 10240.
   */
  max_output_size?: number;
  /**
   * Read, and not done: the hook runs each time.
   */
  cache_ttl_seconds?: number;
  /**
   * Read, and not done: the hook runs at once.
   */
  only_when_turn_complete?: boolean;
  /**
   * For people.
   */
  name?: string;
  /**
   * For people.
   */
  description?: string;
  /**
   * There is command alone.
   */
  type?: string;
  [k: string]: unknown;
}
}

export type KiroHookFile = KiroHookFileSchema.KiroHookFile;
export declare namespace KiroHookFileSchema {
/**
 * A .kiro.hook file of the Kiro IDE before 1.0: one hook.
 */
export interface KiroHookFile {
  /**
   * What the hook is called.
   */
  name: string;
  /**
   * A text.
   */
  version: string;
  /**
   * For people.
   */
  description?: string;
  /**
   * false: never run. Default true.
   */
  enabled?: boolean;
  /**
   * The trigger, and what it is tried on.
   */
  when: {
    /**
     * promptSubmit, agentStop, preToolUse, postToolUse, fileCreated, fileEdited, fileDeleted, preTaskExecution, postTaskExecution or userTriggered.
     */
    type: string;
    /**
     * Globs below the workspace; without a slash they are tried on the name alone; a leading ! excludes. Only on file triggers.
     */
    patterns?: string[] | null;
    /**
     * Names, categories (read, write, shell, web, spec) and groups (@builtin, @mcp). Only on tool triggers.
     */
    toolTypes?: string[] | null;
    [k: string]: unknown;
  };
  /**
   * What is done.
   */
  then: {
    /**
     * runCommand or askAgent.
     */
    type: string;
    /**
     * Run by /bin/sh -c. Needed for runCommand.
     */
    command?: string;
    /**
     * Told to the agent. Needed for askAgent.
     */
    prompt?: string;
    /**
     * Seconds; 0 is no limit. Default 60.
     */
    timeout?: number;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
}

export type KiroHooks = KiroHooksSchema.KiroHooks;
export declare namespace KiroHooksSchema {
/**
 * Hooks of version v1: .kiro/hooks/*.json of the Kiro IDE from 1.0 and of Kiro CLI 3. In an agent file the list stands without a version.
 */
export interface KiroHooks {
  /**
   * The text v1.
   */
  version?: string;
  /**
   * At least one.
   *
   * @minItems 1
   */
  hooks: Hook[];
  [k: string]: unknown;
}
/**
 * One hook. It needs a trigger.
 */
export interface Hook {
  /**
   * What the hook is called. Needed.
   */
  name?: string;
  /**
   * For people.
   */
  description?: string;
  /**
   * SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PostToolUse, Stop, PostFileCreate, PostFileSave, PostFileDelete, PreTaskExec, PostTaskExec or Manual.
   */
  trigger?: string;
  /**
   * A name, a category, a group, a list of them with |, or a regular expression found in the tool's name or the file's path.
   */
  matcher?: string;
  /**
   * What is done: a command is run, or a prompt told to the agent.
   */
  action: {
    /**
     * command or agent.
     */
    type: string;
    /**
     * Run by /bin/sh -c. Needed for command.
     */
    command?: string;
    /**
     * Told to the agent. Needed for agent.
     */
    prompt?: string;
    [k: string]: unknown;
  };
  /**
   * Whole seconds; 0 is no limit. Default 60.
   */
  timeout?: number;
  /**
   * false: never run. Default true.
   */
  enabled?: boolean;
  /**
   * Asked before a command on Stop. hookctl cannot ask: it skips the hook, unless the event has the answer.
   */
  confirm?: {
    /**
     * What the user is asked.
     */
    question: string;
    /**
     * The answers.
     *
     * @minItems 1
     */
    options: {
      /**
       * What the event says.
       */
      id: string;
      /**
       * What the user reads.
       */
      label: string;
      /**
       * Whether the hook runs then.
       */
      run: boolean;
      [k: string]: unknown;
    }[];
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
}

export type PrxEvent = PrxEventSchema.PrxEvent;
export declare namespace PrxEventSchema {
/**
 * An event of PRX: what emit reads, and what hooks, files and subscribers get. hookctl fills in a timestamp and a session that are left out.
 */
export type PrxEvent =
  AgentStart | AgentEnd | LlmRequest | LlmResponse | ToolCallStart | ToolCall | TurnComplete | Error;
/**
 * ISO 8601 date, time and zone. Default: now.
 */
export type Timestamp = string;
/**
 * Id of the session. Default: --session, else HOOKCTL_SESSION, else ZERO_HOOK_SESSION, else empty.
 */
export type Session = string;

/**
 * A turn of the agent loop starts.
 */
export interface AgentStart {
  /**
   * The event. Case does not count, nor - for _.
   */
  event: 'agent_start';
  timestamp?: Timestamp;
  session_id?: Session;
  /**
   * A turn of the agent loop starts. More fields are kept.
   */
  payload: {
    /**
     * Name of the agent.
     */
    agent: string;
    /**
     * Its session.
     */
    session: string;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * That turn ends.
 */
export interface AgentEnd {
  /**
   * The event. Case does not count, nor - for _.
   */
  event: 'agent_end';
  timestamp?: Timestamp;
  session_id?: Session;
  /**
   * That turn ends. More fields are kept.
   */
  payload: {
    /**
     * Did it end well?
     */
    success: boolean;
    /**
     * Messages in the conversation.
     */
    messages_count: number;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * Before a request to the provider.
 */
export interface LlmRequest {
  /**
   * The event. Case does not count, nor - for _.
   */
  event: 'llm_request';
  timestamp?: Timestamp;
  session_id?: Session;
  /**
   * Before a request to the provider. More fields are kept.
   */
  payload: {
    /**
     * The provider that is asked.
     */
    provider: string;
    /**
     * The model that is asked.
     */
    model: string;
    /**
     * Messages in the conversation.
     */
    messages_count: number;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * After its answer.
 */
export interface LlmResponse {
  /**
   * The event. Case does not count, nor - for _.
   */
  event: 'llm_response';
  timestamp?: Timestamp;
  session_id?: Session;
  /**
   * After its answer. More fields are kept.
   */
  payload: {
    /**
     * The provider that is asked.
     */
    provider: string;
    /**
     * The model that is asked.
     */
    model: string;
    /**
     * Milliseconds between request and answer.
     */
    duration_ms: number;
    /**
     * Did it end well?
     */
    success: boolean;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * Before a tool runs.
 */
export interface ToolCallStart {
  /**
   * The event. Case does not count, nor - for _.
   */
  event: 'tool_call_start';
  timestamp?: Timestamp;
  session_id?: Session;
  /**
   * Before a tool runs. More fields are kept.
   */
  payload: {
    /**
     * Name of the tool.
     */
    tool: string;
    /**
     * Its arguments.
     */
    arguments: {};
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * After a tool ran.
 */
export interface ToolCall {
  /**
   * The event. Case does not count, nor - for _.
   */
  event: 'tool_call';
  timestamp?: Timestamp;
  session_id?: Session;
  /**
   * After a tool ran. More fields are kept.
   */
  payload: {
    /**
     * Name of the tool.
     */
    tool: string;
    /**
     * Did it end well?
     */
    success: boolean;
    /**
     * What it gave.
     */
    output: string;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * All tools of the turn have answered.
 */
export interface TurnComplete {
  /**
   * The event. Case does not count, nor - for _.
   */
  event: 'turn_complete';
  timestamp?: Timestamp;
  session_id?: Session;
  /**
   * All tools of the turn have answered. More fields are kept.
   */
  payload?: {
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
/**
 * Anything went wrong.
 */
export interface Error {
  /**
   * The event. Case does not count, nor - for _.
   */
  event: 'error';
  timestamp?: Timestamp;
  session_id?: Session;
  /**
   * Anything went wrong. More fields are kept.
   */
  payload: {
    /**
     * Where it went wrong.
     */
    component: string;
    /**
     * What went wrong.
     */
    message: string;
    [k: string]: unknown;
  };
  [k: string]: unknown;
}
}

export type PrxPlugin = PrxPluginSchema.PrxPlugin;
export declare namespace PrxPluginSchema {
/**
 * plugin.toml: the manifest of a WebAssembly plugin of PRX.
 */
export interface PrxPlugin {
  /**
   * What the plugin is.
   */
  plugin: {
    /**
     * Its name; of two plugins of one name the second is left out.
     */
    name: string;
    /**
     * Its version.
     */
    version: string;
    /**
     * For people.
     */
    description?: string;
    /**
     * For people.
     */
    author?: string;
    /**
     * For people.
     */
    license?: string;
    /**
     * Read, not checked.
     */
    api_version?: string;
    /**
     * The WebAssembly module, below the folder of the manifest.
     */
    wasm?: string;
    [k: string]: unknown;
  };
  /**
   * What the plugin does; hookctl runs those of the type hook.
   */
  capabilities?: {
    /**
     * hook: it is told of events.
     */
    type: string;
    /**
     * For people.
     */
    name?: string;
    /**
     * Patterns of events: a name, a topic, a prefix that ends in .*, or *; or tables with such a pattern.
     */
    events?: (string | {})[];
    /**
     * One pattern.
     */
    trigger?: string;
    [k: string]: unknown;
  }[];
  /**
   * Limits of a run.
   */
  resources?: {
    /**
     * MiB.
     */
    max_memory_mb?: number;
    /**
     * Milliseconds.
     */
    max_execution_time_ms?: number;
    /**
     * Read, not enforced.
     */
    max_fuel?: number;
    /**
     * Read, not enforced.
     */
    pool_size?: number;
    /**
     * Read, not enforced.
     */
    max_http_requests_per_call?: number;
    /**
     * Read, not enforced.
     */
    max_kv_storage_mb?: number;
    [k: string]: unknown;
  };
  /**
   * What the plugin asks for; log and config are granted.
   */
  permissions?: {
    /**
     * Without these it is left out.
     */
    required?: string[];
    /**
     * It runs without these.
     */
    optional?: string[];
    [k: string]: unknown;
  };
  /**
   * What the plugin can read.
   */
  config?: {
    [k: string]: string;
  };
  [k: string]: unknown;
}
}

export type PrxHooks = PrxHooksSchema.PrxHooks;
export declare namespace PrxHooksSchema {
/**
 * hooks.json of PRX: programs that are told of events and decide nothing. An unknown key is a warning.
 */
export interface PrxHooks {
  /**
   * For editors; ignored.
   */
  $schema?: string;
  hooks?: Hooks;
  /**
   * Limit of the actions that have none of their own.
   */
  timeout_ms?: number | null;
  /**
   * false: no action of the file is started.
   */
  enabled?: boolean;
  [k: string]: unknown;
}
/**
 * Event to the actions that are started for it, all at once.
 */
export interface Hooks {
  /**
   * Actions on agent_start.
   */
  agent_start?: Action[];
  /**
   * Actions on agent_end.
   */
  agent_end?: Action[];
  /**
   * Actions on llm_request.
   */
  llm_request?: Action[];
  /**
   * Actions on llm_response.
   */
  llm_response?: Action[];
  /**
   * Actions on tool_call_start.
   */
  tool_call_start?: Action[];
  /**
   * Actions on tool_call.
   */
  tool_call?: Action[];
  /**
   * Actions on turn_complete.
   */
  turn_complete?: Action[];
  /**
   * Actions on error.
   */
  error?: Action[];
}
/**
 * One program that is started for an event, without a shell.
 */
export interface Action {
  /**
   * An absolute path, a path from the folder of hooks.json, or a bare name that is looked for in /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin. No character that only a shell understands.
   */
  command: string;
  /**
   * Handed to the program as they are.
   *
   * @maxItems 128
   */
  args?: string[];
  /**
   * Variables added to the few that hookctl sets. LD_PRELOAD, LD_LIBRARY_PATH, DYLD_INSERT_LIBRARIES, DYLD_LIBRARY_PATH, PATH, HOME and names that begin with HOOKCTL_ are left out.
   */
  env?: {
    [k: string]: string;
  };
  /**
   * Where the program is started: relative to the folder of hooks.json and within it, or absolute without a step up. Default: the folder of hooks.json.
   */
  cwd?: string | null;
  /**
   * Milliseconds until SIGTERM; SIGKILL follows 5 s later. Default: the file's, else 30000.
   */
  timeout_ms?: number | null;
  /**
   * true: the event and a line feed come on stdin. Default: stdin is empty.
   */
  stdin_json?: boolean;
  /**
   * false: never started. hookctl's own key: PRX ignores it.
   */
  enabled?: boolean;
  [k: string]: unknown;
}
}

export type Suite = SuiteSchema.Suite;
export declare namespace SuiteSchema {
/**
 * A shell command that is run in that folder before the hooks.
 */
export type Setup = string;

/**
 * A test suite for hooks, *.hooktest.yaml.
 */
export interface Suite {
  /**
   * The configs under test, relative to the suite.
   */
  config?: string | string[];
  env?: Env;
  files?: Files;
  setup?: Setup;
  /**
   * What is tried, in this order.
   *
   * @minItems 1
   */
  cases: Case[];
}
/**
 * Variables added for the hooks.
 */
export interface Env {
  [k: string]: string;
}
/**
 * Path to content: laid out in the fresh folder that is the event's cwd.
 */
export interface Files {
  [k: string]: string;
}
/**
 * One event, and what is expected of it.
 */
export interface Case {
  /**
   * What is tried; unique in the suite.
   */
  name: string;
  /**
   * For --tag.
   */
  tags?: string[];
  /**
   * The dialect in which the event is read and answered.
   */
  as?: string;
  /**
   * The event's name.
   */
  event?: string;
  /**
   * The tool of the event.
   */
  tool?: {
    /**
     * As the agent calls it.
     */
    name?: string;
    /**
     * hookctl's own name for it.
     */
    canonical?: string;
    /**
     * The tool's arguments.
     */
    input?: {
      [k: string]: unknown;
    };
    /**
     * What the tool gave back, of any type.
     */
    output?: {
      [k: string]: unknown;
    };
    /**
     * Whether it did its work.
     */
    success?: boolean;
  };
  /**
   * The prompt of the event.
   */
  prompt?: string;
  /**
   * The model's answer.
   */
  response?: string;
  /**
   * The file of the event.
   */
  file?: {
    /**
     * Absolute path.
     */
    path?: string;
  };
  /**
   * The task of the event.
   */
  task?: {
    /**
     * The task's name.
     */
    name?: string;
    /**
     * The file that describes it.
     */
    spec?: string;
    /**
     * Whether it was done.
     */
    success?: boolean;
  };
  /**
   * The session of the event.
   */
  session?: string;
  /**
   * The whole event instead: a file next to the suite, or the object itself.
   */
  payload?: string | {};
  /**
   * Instead of the suite's.
   */
  config?: string | string[];
  env?: Env;
  files?: Files;
  setup?: Setup;
  /**
   * One case a row: path in the case to value. The name of the case gets the row.
   *
   * @minItems 1
   */
  each?: {
    [k: string]: unknown;
  }[];
  expect: Expect;
}
/**
 * What must hold; at least one of these. A text is exact, /…/ is searched.
 */
export interface Expect {
  /**
   * none: no opinion.
   */
  action?: 'none' | 'allow' | 'deny' | 'ask' | 'defer' | 'stop';
  /**
   * Exact, or /…/. null: there is none.
   */
  reason?: string | null;
  /**
   * Exact, or /…/. null: there is none.
   */
  response?: string | null;
  /**
   * Exact, or /…/. null: there is none.
   */
  context?: string | null;
  /**
   * The new prompt: exact, or /…/. null: there is none.
   */
  prompt?: string | null;
  /**
   * The new arguments, whole; or a part of them below contains. null: they are left alone.
   */
  input?: {
    [k: string]: unknown;
  } | null;
  /**
   * Each exact, or /…/.
   */
  warnings?: string[];
  /**
   * What hookctl run would exit with.
   */
  exit?: number;
  /**
   * A part of the caller's answer. null: it is empty.
   */
  reply?: {
    [k: string]: unknown;
  } | null;
  /**
   * Names of the hooks that ran, the exact list.
   */
  ran?: string[];
  /**
   * Names of the hooks that were skipped, the exact list.
   */
  skipped?: string[];
  /**
   * Names of the hooks that failed, the exact list. Without it a failure is only told.
   */
  failed?: string[];
  /**
   * The config must be refused: exact, or /…/.
   */
  error?: string;
}
}

export type Verdict = VerdictSchema.Verdict;
export declare namespace VerdictSchema {
/**
 * What hookctl run prints on stdout: one JSON object on one line.
 */
export interface Verdict {
  /**
   * The name of the event; absent where it could not be read.
   */
  event?: string;
  /**
   * What shall happen. Absent: no opinion.
   */
  action?: 'allow' | 'deny' | 'ask' | 'defer' | 'stop';
  /**
   * Text for the model.
   */
  reason?: string;
  /**
   * Text for the user, with the action stop.
   */
  response?: string;
  /**
   * Text added after the prompt or the tool's output.
   */
  context?: string;
  /**
   * Replaces the tool's arguments, the whole object.
   */
  input?: {
    [k: string]: unknown;
  };
  /**
   * Replaces the prompt, an empty one too.
   */
  prompt?: string;
  /**
   * Who decided.
   */
  source?: {
    /**
     * Its name, or its command.
     */
    hook?: string;
    /**
     * File and line of the hook.
     */
    at?: string;
    /**
     * decision: its answer; exit: exit 2; failure: it failed under onError: fail; hookctl: hookctl itself failed.
     */
    kind: 'decision' | 'exit' | 'failure' | 'hookctl';
  };
  /**
   * What people should know.
   */
  warnings?: string[];
  /**
   * With --trace: one entry for each hook of the event, then what the caller cannot be told.
   */
  trace?: (Entry | Loss)[];
}
/**
 * One hook: run, or skipped and why.
 */
export interface Entry {
  /**
   * Its name, or its command.
   */
  hook: string;
  /**
   * File and line.
   */
  at: string;
  /**
   * Whether it was selected.
   */
  matched: boolean;
  /**
   * Why it was not run.
   */
  skipped?: string;
  /**
   * failed, no opinion, or what it said.
   */
  outcome?: string;
  /**
   * The failure, the reason or the warnings.
   */
  why?: string;
  /**
   * Where it ended by itself.
   */
  exit?: number;
  /**
   * Where a signal ended it.
   */
  signal?: string;
  /**
   * Wall time in milliseconds.
   */
  ms?: number;
  /**
   * Bytes that it was offered.
   */
  stdin?: number;
  /**
   * How many bytes there were, and the beginning of the text.
   */
  stdout?: {
    /**
     * All that was written.
     */
    bytes: number;
    /**
     * Its beginning, without terminal escapes.
     */
    text: string;
  };
  /**
   * How many bytes there were, and the beginning of the text.
   */
  stderr?: {
    /**
     * All that was written.
     */
    bytes: number;
    /**
     * Its beginning, without terminal escapes.
     */
    text: string;
  };
}
/**
 * What the caller cannot be told.
 */
export interface Loss {
  /**
   * In words.
   */
  loss: string;
}
}
