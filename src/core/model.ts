/**
 * The vocabulary: every value that travels along the flow, from a written hook to a reply.
 *
 * All of them are plain data. They can be printed, saved and compared; nothing here has behaviour.
 */

/** One valid JSON value as it was written. It is never parsed into a number; a rewrite splices the text. */
export type Raw = { readonly text: string };

/** The members of a JSON object in the order written. (A list and no map: it prints, and `__proto__` is a key like any other.) */
export type Fields = readonly (readonly [key: string, value: Raw])[];

/** Where something stands. `file` is the path as shown to people; line and column are 1-based, columns count characters. */
export type Place = { readonly file: string; readonly line: number; readonly column: number };

/** What a hook can decide. Having no opinion is the absence of an action. */
export type Action = 'allow' | 'deny' | 'ask' | 'defer' | 'stop';

/** The actions that end a chain. */
export type Block = 'deny' | 'stop';

/** What an answer can carry besides an action: the two rewrites and the added text. */
export type Carried = 'input' | 'prompt' | 'context';

/** How the hooks of one group run. Four independent facts. */
export type Order = {
  readonly start: 'together' | 'in turn';
  readonly sees: 'original' | 'rewritten';
  readonly afterBlock: 'end' | 'go on';
  readonly decides: boolean;
};

/**
 * What a test is tried on. `path`: the absolute path of the event's file. `place`: that path below the event's folder. `value`:
 * what the author's room makes of an event that is neither.
 */
export type Subject = 'tool' | 'path' | 'place' | 'value';

/** One condition of a hook. All tests of a hook must hold; within `any` one hit is enough, and no `not` may hit. */
export type Test =
  | {
      readonly kind: 'names' | 'glob' | 'regex';
      readonly of: Subject;
      readonly any: readonly string[];
      readonly not?: readonly string[];
    }
  | { readonly kind: 'rule'; readonly rule: string }
  /** One of them is enough. */
  | { readonly kind: 'either'; readonly tests: readonly Test[] }
  /** All of them, within an `either`. */
  | { readonly kind: 'all'; readonly tests: readonly Test[] };

/** What a failure of a hook does. `block` blocks where the event's row lets a synthetic block land, elsewhere it warns. */
export type OnFailure = 'block' | 'warn' | 'ignore';

/** One hook as the engine uses it: defaults applied, checked, ready to be planned. */
export type Hook = {
  /** Id of the room whose format it was written in. */
  readonly author: string;
  readonly at: Place;
  /** Its name, or what stands for one. */
  readonly label: string;
  /** Canonical event name, or `<room>:<Name>` of an event that only one agent has. */
  readonly event: string;
  readonly tests: readonly Test[];
  /** Why it never runs, where it never runs. */
  readonly off?: string;
  /** Neighbours of one group run as `order` says; hooks of different files may share one. */
  readonly group: string;
  readonly order: Order;
  /** Coarse position in the chain: lower phases first, written order within. */
  readonly phase: number;
  readonly onFailure: OnFailure;
  /** Absolute folder that the hook's paths are relative to. */
  readonly root: string;
  /** What only the author's room understands: its own launch data, as JSON. */
  readonly written: Raw;
};

/** What happened in the agent, whoever told it. */
export type Event = {
  /** Canonical name, or `<room>:<Name>`. */
  readonly name: string;
  /** Absolute folder. */
  readonly cwd: string;
  readonly session?: string;
  readonly tool?: {
    readonly name: string;
    /** hookctl's own name for another agent's tool. */
    readonly canonical?: string;
    /** Every name under which guards may know it, where that is more than `canonical`: one tool there may be several here. */
    readonly kin?: readonly string[];
    readonly input?: Raw;
    readonly output?: Raw;
    readonly success?: boolean;
  };
  readonly prompt?: Raw;
  readonly response?: Raw;
  readonly file?: { readonly path: string };
  readonly task?: { readonly name: string; readonly spec?: string; readonly success?: boolean };
  /** Every other top-level field. */
  readonly rest: Fields;
  /** What people should know of the payload, though it can be judged. */
  readonly warnings?: readonly string[];
  /** The rewrite so far; `tool.input` or `prompt` hold its value already. */
  readonly rewritten?: 'input' | 'prompt';
  readonly from: {
    /** Id of the caller's room, and the event's name there. */
    readonly room: string;
    readonly event: string;
    /** What a hook of the caller's own format reads as long as nothing was rewritten. */
    readonly bytes?: Uint8Array;
    /** Those bytes are a native event. */
    readonly native?: true;
  };
};

/** What to do for one hook and one event, as data, so that it can be shown without being done. */
export type Job = ProcessJob | HttpJob | WasmJob | ComponentJob | SayJob | CannotJob;

export type ProcessJob = {
  readonly kind: 'process';
  /** Command lines to try in this order; the next one is taken only if a program is missing. */
  readonly argv: readonly (readonly string[])[];
  /** Folders to try in this order. */
  readonly cwd: readonly string[];
  readonly env: {
    readonly from: 'all' | 'none';
    readonly drop: readonly string[];
    readonly set: Readonly<Record<string, string>>;
  };
  readonly stdin: 'closed' | 'event bytes' | Raw;
  /** A newline after what stdin says. */
  readonly newline: boolean;
  /** A private file with this content, and the variable that names it. */
  readonly payloadFile?: { readonly variable: string; readonly content: Raw };
  readonly ms: number | 'none';
  readonly graceMs: number;
  /** Is its end awaited? */
  readonly wait: boolean;
  /** It has a fourth descriptor, on which it says what came of it; that is the `report` of its result. */
  readonly reports?: true;
  /** With links followed, its folder must be this one or below it. */
  readonly within?: string;
  /** So many bytes of each stream are kept; more is counted and is no failure. Absent: the caps of `runner/exec.ts`. */
  readonly keep?: number;
};

export type HttpJob = {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Raw;
  readonly ms: number;
};

/** A WebAssembly module that is run as a command: same streams, same exit code, none of the user's rights. */
export type WasmJob = {
  readonly kind: 'wasm';
  /** Absolute path. */
  readonly module: string;
  readonly stdin: 'event bytes' | Raw;
  /** A newline after what stdin says. */
  readonly newline: boolean;
  readonly ms: number;
  readonly graceMs: number;
};

/** A WebAssembly component whose `on-event` is called. It says `ok`, or `err` with a message, and decides nothing. */
export type ComponentJob = {
  readonly kind: 'component';
  /** Absolute path of a file that is no link. */
  readonly component: string;
  readonly event: string;
  readonly payload: Raw;
  /** What its `config` import holds. */
  readonly config: Readonly<Record<string, string>>;
  /** At most, of each memory, in MiB of 2^20 bytes. */
  readonly memoryMiB: number;
  /** So many bytes of what it prints are kept, of each stream; more is counted and is no failure. */
  readonly keep: number;
  readonly ms: number;
  readonly graceMs: number;
};

/** A prompt for the agent: no process. */
export type SayJob = { readonly kind: 'say'; readonly context: string };

/** Selected, and impossible here: a failure, never silence. */
export type CannotJob = { readonly kind: 'cannot'; readonly why: string };

/** What came of a job, uninterpreted. `out` and `err` are the bytes read, at most the caps of `runner/exec.ts`. */
export type Result =
  | ({ readonly kind: 'ended'; readonly exit: number } & Streams)
  | { readonly kind: 'answered'; readonly status: number; readonly body: Uint8Array }
  | { readonly kind: 'said'; readonly context: string }
  /** Started, and not waited for. */
  | { readonly kind: 'started' }
  | ({
      /** `failed`: started, and broken in a way that is no exit code and no signal. */
      readonly kind: 'killed' | 'timeout' | 'not started' | 'too large' | 'failed';
      /** In words: `killed by SIGSEGV`, `timed out after 5s`, `trap: unreachable`. */
      readonly why: string;
      readonly signal?: string;
    } & Streams);

/** What was kept of stdout and stderr; `totals` counts the bytes read, where more may have come than was kept. */
type Streams = {
  readonly out: Uint8Array;
  readonly err: Uint8Array;
  readonly totals?: { readonly out: number; readonly err: number };
  /** What came over the fourth descriptor. */
  readonly report?: Uint8Array;
};

/** Replaces, or is merged into, one field of the event. */
export type Rewrite = { readonly field: 'input' | 'prompt'; readonly how: 'replace' | 'merge'; readonly value: Raw };

/** What one hook said. */
export type Outcome = {
  readonly kind: 'decision' | 'exit' | 'failure' | 'none';
  /** Why it failed, where it did: `exit 1: boom`. */
  readonly failure?: string;
  readonly action?: Action;
  readonly reason?: string;
  readonly response?: string;
  readonly context?: string;
  readonly rewrite?: Rewrite;
  /** Fields that only one room can express. */
  readonly extras?: Fields;
  readonly warnings: readonly string[];
};

/** Who decided. `at` is `file:line`. */
export type Source = {
  readonly hook?: string;
  readonly at?: string;
  readonly kind: 'decision' | 'exit' | 'failure' | 'hookctl';
};

/** The chain's aggregate. */
export type Verdict = {
  readonly action?: Action;
  readonly reason?: string;
  readonly response?: string;
  readonly context?: string;
  readonly rewrite?: Rewrite;
  /** Whose rewrite it is. */
  readonly rewriter?: { readonly hook: string; readonly at: string };
  readonly source?: Source;
  readonly extras?: Fields;
  readonly warnings: readonly string[];
  /** The reasons of the asks that a defer outweighs: for a caller that may not honour the defer. */
  readonly asked?: string;
  /** What the caller cannot be told. */
  readonly losses: readonly string[];
  /** Where hookctl itself failed: what to mend, for people. */
  readonly own?: string;
  /** That was bad usage. */
  readonly usage?: true;
  readonly trace?: readonly (TraceEntry | { readonly loss: string })[];
  /** One line a hook run, for people, where the configuration asks for them. */
  readonly display?: readonly string[];
};

/** What became of one hook of the plan: skipped, or run. `read` is its outcome before its `onFailure` counted. */
export type Visit = {
  readonly step: Step;
  readonly run?: {
    readonly job: Job;
    readonly result: Result;
    /** Wall time. */
    readonly ms: number;
    /** Bytes offered on stdin. */
    readonly stdin: number;
    readonly read: Outcome;
  };
};

/** One hook of the event in the trace: run, or skipped and why. Sizes in bytes, texts cut. */
export type TraceEntry = {
  readonly hook: string;
  readonly at: string;
  readonly matched: boolean;
  readonly skipped?: string;
  /** `failed`, `no opinion`, or what it said: `deny`, `input rewritten`, `context (178 chars)`, joined by a comma. */
  readonly outcome?: string;
  readonly why?: string;
  readonly exit?: number;
  readonly signal?: string;
  readonly ms?: number;
  readonly stdin?: number;
  readonly stdout?: Excerpt;
  readonly stderr?: Excerpt;
};

export type Excerpt = { readonly bytes: number; readonly text: string };

/** What the calling agent gets: bytes for its two streams, and the exit code. */
export type Reply = { readonly stdout: string; readonly stderr: string; readonly exit: number };

/**
 * Can a caller be told this?
 *
 * `yes`, `no`; `with allow`: only together with an allow; an action: that action is told instead;
 * `nothing`: silence is right (the caller then asks its user, or ends anyway).
 */
export type Can = 'yes' | 'no' | 'nothing' | 'with allow' | Action;

/** One event of a room: its names, and what can be said about it there. */
export type Row = {
  /** The room's own name, and hookctl's. */
  readonly native: string;
  readonly canonical: string;
  /** `before` the fact a block drops every rewrite and context; `after` it context stays. */
  readonly phase: 'before' | 'after';
  /** What a matcher is tried on. */
  readonly matches: 'tool' | 'path' | 'value' | 'nothing';
  readonly can: Readonly<Record<Action | Carried, Can>>;
  /** What exit 2 of a hook means. `deny if said`: only with a deny object on stdout, else a failure. */
  readonly exit2: Block | 'deny if said' | 'failure';
  /** What hookctl's own failure becomes, and that of a hook under `block`. */
  readonly synthetic: Block | 'warning';
  /** What can be told, and the agent may not act on: why. */
  readonly unsure?: Readonly<Partial<Record<Action | Carried, string>>>;
  /** What a failure of a hook under `block` becomes, where that is something else. */
  readonly failed?: Block | 'warning';
};

/** Hooks that run as one step of the chain. */
export type Group = { readonly id: string; readonly order: Order; readonly steps: readonly Step[] };

/** A hook of the event, selected or not. */
export type Step = {
  readonly hook: Hook;
  readonly matched: boolean;
  /** Why it is not run. */
  readonly skipped?: string;
  /** What people should know of that. */
  readonly warning?: string;
};

/** Everything that was decided before anything runs. */
export type Plan = { readonly groups: readonly Group[] };
