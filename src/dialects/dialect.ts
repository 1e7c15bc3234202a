/**
 * The interface that every room has. A room is one format: its data in `spec.ts`, its few functions in the order of the flow.
 */
import type { Finding } from '../core/finding';
import type { Said } from '../core/fold';
import type { Block, Event, Hook, Job, Outcome, Raw, Reply, Result, Row, Subject, Verdict } from '../core/model';
import type { RuleResult } from '../core/plan';
import type { Tree, TreeSpan } from '../core/tree';

/** What is known of a format, as data. */
export type Spec = {
  readonly id: string;
  readonly title: string;
  /** The vendor's page and the day on which it was read. */
  readonly vendor?: { readonly page: string; readonly read: string };
  /** Where its configs lie. Absent: the room has callers only. */
  readonly config?: ConfigSpec;
  readonly rows: readonly Row[];
  /** Canonical tool name → the room's own names, the one that is told first. */
  readonly tools: Readonly<Record<string, readonly string[]>>;
  /** Where a caller's payload comes from, tried in this order. */
  readonly payload: readonly PayloadSource[];
  /** One fitting sign recognises a payload. */
  readonly signs: readonly Sign[];
  readonly defaults: { readonly timeoutMs: number; readonly graceMs: number };
  /** How its hooks say what a failure does: the key, and it with the value that blocks and that only warns; `plain`: that value alone. */
  readonly failing?: { readonly key: string; readonly block: string; readonly warn: string; readonly plain: string };
  /** How several values of a field that only this room can express become one. */
  readonly extras: Readonly<Record<string, 'first' | 'last' | 'lines' | 'any' | 'union' | 'deciding'>>;
  /** Its hooks are observers: they decide nothing, and an invalid config of it is no open door. Nobody reads the verdict. */
  readonly observes?: boolean;
  /** What the end of its own hooks means, by its own event names, where a table says all of it. */
  readonly endings?: Readonly<Record<string, Ending>>;
  /** What can be said about an event that no row names. Default: nothing, it is observed. */
  readonly otherwise?: Omit<Row, 'native' | 'canonical'>;
};

/**
 * What the end of a hook means on one event of its format. `exit2` and `other` (any other code but 0): a block, a failure, or `told`:
 * the agent is told of it.
 */
export type Ending = {
  /** What stdout is at exit 0, where it is no decision. */
  readonly stdout: 'context' | 'dropped';
  /** Whose JSON on stdout counts: a decision about what is about to happen, or the wish to go on. */
  readonly reads?: 'permission' | 'block';
  readonly exit2: Block | 'failure' | 'told';
  readonly other: Block | 'failure' | 'told';
};

export type ConfigSpec = {
  /**
   * Names that stand for the config in a folder: a whole name, an ending that begins with a dot, or the end of a path that begins with
   * a slash, where `*` is any part of a segment. Of two rooms the one whose name says more has the file.
   */
  readonly names: readonly string[];
  /** Endings that any other file of the format may have. */
  readonly endings: readonly string[];
  /** Patterns of documents that are configs where their front matter has "hooks". */
  readonly documents?: readonly string[];
  /** Name of its JSON Schema. */
  readonly schema: string;
  /** Keys of a hook whose values the room judges itself: what the schema says of their type is not reported. `all`: the schema is for editors alone. */
  readonly judges: readonly string[] | 'all';
  /** Of its names those that other agents use too: what stands in the file tells. */
  readonly shared?: readonly string[];
  /** Further configs: `<folder>/<any>/<name>` beside each of its own. A bad one is left out and stops nothing. */
  readonly beside?: { readonly folder: string; readonly name: string };
  /** Its files are JSON, whatever they are called. */
  readonly json?: true;
  /** Rooms of one family share names: what stands in a file decides between them. */
  readonly family?: string;
  /** A folder of that name stands for the folder in it. */
  readonly within?: Readonly<Record<string, string>>;
  /** The key of a hook's timeout, and what it counts in. */
  readonly timeout?: { readonly key: string; readonly unit: 'ms' | 's' };
  /** The agent does not follow links to its configs. */
  readonly skipsLinks?: true;
};

export type PayloadSource =
  | { readonly from: 'stdin'; readonly silenceMs?: number }
  | { readonly from: 'variable' | 'file variable'; readonly name: string };

/** Keys that a payload has and lacks at its top level, values that a key must have one of, and variables that must not be set. */
export type Sign = {
  readonly has: readonly string[];
  /** One of these at least. */
  readonly any?: readonly string[];
  readonly lacksEnv?: readonly string[];
  readonly lacks?: readonly string[];
  readonly values?: Readonly<Record<string, readonly string[]>>;
};

/** A parsed config file. */
export type Doc = {
  /** As shown to people. */
  readonly file: string;
  /** Absolute folder of the file. */
  readonly root: string;
  readonly tree: Tree;
  /** Bytes of the file; whether it begins with a byte order mark. */
  readonly size: number;
  readonly hasBom: boolean;
  /** Line and column of an offset, 1-based. */
  readonly position: (offset: number) => { readonly line: number; readonly column: number };
  /** The place of a span, for a finding. */
  readonly place: (span: TreeSpan) => Finding['at'];
  /** Why a pattern cannot be a matcher, or undefined. */
  readonly matcherFault: (pattern: string) => { readonly why: string; readonly hint?: string } | undefined;
};

/** A hook beside what its author wrote, for checks: texts, and where in the file they stand. */
export type WrittenHook = {
  readonly hook: Hook;
  readonly span: TreeSpan;
  readonly matcher?: WrittenText;
  /** A shell text. */
  readonly command?: WrittenText;
  /** The path of a WebAssembly module that is run as a command, or of a component. */
  readonly module?: WrittenText & { readonly kind: 'command' | 'component' };
  /** What it says of its own failure; absent where it says nothing. */
  readonly onFailure?: WrittenText;
  /** A program that is started without a shell. */
  readonly launch?: WrittenLaunch;
};

export type WrittenLaunch = {
  /** An absolute path, or a name that is looked for in `path`. */
  readonly program: WrittenText;
  /** As its author wrote it. */
  readonly written: string;
  readonly path: string;
  readonly args: readonly string[];
  /** Where it is written: its absolute path. */
  readonly cwd?: WrittenText & { readonly path: string };
  /** Does the author say whether it reads stdin? */
  readonly stdin: 'said' | 'unsaid';
};

export type WrittenText = { readonly text: string; readonly span: TreeSpan };

/** What checks have seen of a hook: its command, the scripts that it runs, and what they can do as far as their text tells. */
export type Seen = { readonly texts: readonly string[]; readonly exitsWith2: boolean; readonly blocks: boolean };

/** A finding at a hook's command. */
export type Advice = Pick<Finding, 'code' | 'args'>;

/** What a config file says. */
export type ConfigRead = {
  readonly hooks: readonly Hook[];
  readonly written: readonly WrittenHook[];
  /** Further files that it names. */
  readonly more: readonly string[];
  readonly switches: Switches;
  /** What only this room's `join` understands. */
  readonly own?: Raw;
  /** What `run` repeats on every event, or on that of `args.event`; with an error it refuses the file. */
  readonly findings: readonly Finding[];
  /** What only `validate` says. */
  readonly advice?: readonly Finding[];
};

/** What a config says about a run as a whole. */
export type Switches = { readonly displayHooks?: boolean; readonly yolo?: boolean };

/** What a reader of events is told besides the payload. */
export type Hint = {
  /** Of `--event`. */
  readonly event?: string;
  /** hookctl's own folder, absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Every canonical or room-prefixed event name that is known. */
  readonly events: readonly string[];
  /** ISO 8601, UTC, milliseconds. */
  readonly now: string;
};

/** A payload that cannot be judged; `event` where it is known all the same. */
export type Refused = { readonly refused: string; readonly event?: string };

/** What a launch depends on besides the hook and the event. */
export type World = {
  readonly depth: number;
  readonly test: boolean;
  /** Are observers waited for? */
  readonly waits?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** ISO 8601, UTC, milliseconds. */
  readonly now: string;
  readonly programs: Programs;
};

/** What hookctl starts of its own. */
export type Programs = {
  /** The Node that runs hookctl, absolute. */
  readonly node: string;
  /** The folder of hookctl's bundles, absolute. */
  readonly bundles: string;
};

/** The side of a room that faces whoever calls hookctl. */
export interface Caller {
  readonly spec: Spec;
  readEvent(bytes: Uint8Array, hint: Hint): Event | Refused;
  /** What a caller of this format would send of a native event, for samples. Default: the native event. */
  payload?(event: Event): Raw;
  /** `event` is undefined where it could not be read. */
  writeReply(verdict: Verdict, event: Event | undefined): Reply;
}

/** The side that faces the hooks written in the format. */
export interface Author {
  /** Is a parsed file one of this room's, whatever it is called? Default: its name tells. */
  claims?(tree: Tree, file: string): boolean;
  readConfig(doc: Doc): ConfigRead;
  /** What one of its hooks does not say as its author means it. Default: nothing. */
  advise?(written: WrittenHook, seen: Seen): readonly Advice[];
  /** Rules across files (switches, twins): the hooks of each file, in the same order. Default: as they were read. */
  join?(read: readonly ConfigRead[]): readonly (readonly Hook[])[];
  /** What this room's hooks are tried on; undefined where the event has nothing of the kind. Default: `dialects/index.ts`. */
  subjects?(of: Subject, event: Event): readonly string[] | undefined;
  /** A condition that is no pattern. Default: it holds. */
  rule?(rule: string, hook: Hook, event: Event): RuleResult;
  job(hook: Hook, event: Event, world: World): Job;
  /** `row` is the caller's, of this event. */
  readOutcome(result: Result, hook: Hook, event: Event, row: Row): Outcome;
  /** What a group that started together says as one. Default: the core's `mergeGroup`. */
  merge?(said: readonly Said[], event: Event): Said;
}

/** A file of the agent into which calls of hookctl are put, below the project or the user's home. */
export type WiredFile = { readonly below: 'project' | 'home'; readonly path: string };

/** A call of hookctl on one event of the agent. */
export type WiredCall = {
  readonly row: Row;
  /** A shell text. */
  readonly command: string;
  readonly timeoutMs: number;
};

/** How hookctl is put into the agent's own config. */
export interface Wiring {
  /** What the agent is called on the command line. Default: the id of the room. */
  readonly agent?: string;
  /** By the option that names it; the first one is meant where none is named. Empty: the user has to name the file. */
  readonly files: Readonly<Record<string, WiredFile>>;
  /** The folder of the project in a shell text of the agent, so that a file can be shared. */
  readonly projectVariable?: string;
  /** What a new file holds besides the calls. Absent: there must be a file. */
  readonly skeleton?: unknown;
  /** Does exit 2 of the call block this event, so that a call that cannot be started blocks? */
  readonly exit2Blocks: (row: Row) => boolean;
  /** The list, as a path of keys, and the item in it. */
  readonly item: (call: WiredCall) => { readonly list: readonly string[]; readonly item: unknown };
}

/** A room: a format with callers, hooks, or both. */
export interface Room extends Caller {
  readonly author?: Author;
  readonly wiring?: Wiring;
}
