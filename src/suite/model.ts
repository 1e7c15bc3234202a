/**
 * A test suite as the runner uses it, and what came of it.
 */
import type { FindingPlace } from '../core/finding';
import type { TraceEntry } from '../core/model';
import type { TreeSpan } from '../core/tree';

/** Plain data as YAML and JSON have it. */
export type Data = string | number | boolean | null | readonly Data[] | { readonly [key: string]: Data };
export type Fields = { readonly [key: string]: Data };

export type Case = {
  readonly name: string;
  readonly tags: readonly string[];
  /** Of its name, for messages. */
  readonly at: FindingPlace;
  /** As written in the suite, relative to it. */
  readonly configs: readonly string[];
  readonly as?: string;
  /** Where in the suite it says so, or its name where it does not. */
  readonly spans: Readonly<Record<'as' | 'config' | 'event' | 'payload', TreeSpan>>;
  readonly payload: Payload;
  readonly env: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly setup: readonly string[];
  readonly expect: Fields;
};

/** A file relative to the suite, and values that come at paths in it; or the payload itself. */
export type Payload =
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly over: readonly { readonly path: readonly string[]; readonly value: Data }[];
    }
  | { readonly kind: 'fields'; readonly fields: Fields };

/** What was observed of one event, in the words of `expect`. */
export type Observed = {
  readonly action: string;
  readonly reason?: string;
  readonly response?: string;
  readonly context?: string;
  readonly prompt?: string;
  readonly input?: Data;
  readonly warnings: readonly string[];
  readonly exit: number;
  readonly reply: Data;
  readonly ran: readonly string[];
  readonly skipped: readonly string[];
  /** Names of the hooks that failed, whatever that came to. */
  readonly failed: readonly string[];
};

/** One expectation that does not hold. */
export type Mismatch = { readonly what: string; readonly expected: Data; readonly actual: Data | undefined };

export type CaseResult = {
  readonly suite: string;
  readonly name: string;
  readonly at: FindingPlace;
  readonly ms: number;
  readonly mismatches: readonly Mismatch[];
  readonly trace: readonly TraceEntry[];
  /** Hooks that failed where nothing is expected of that: `guard: exit 127`. The case may have passed for the wrong reason. */
  readonly failures?: readonly string[];
} & ({ readonly status: 'passed' | 'failed' | 'skipped' } | { readonly status: 'error'; readonly why: string });
