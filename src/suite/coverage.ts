/**
 * What suites have seen of the hooks of their configs.
 */
import { placeOf } from '../core/fold';
import type { Hook, Visit } from '../core/model';

export type HookCoverage = {
  readonly hook: string;
  readonly at: string;
  readonly event: string;
  /** How often it ran. */
  readonly ran: number;
  /** How often each was seen: an action, `none`, `failed`, and `context` or `rewrite` without an action. */
  readonly seen: Readonly<Record<string, number>>;
  /** What it can come to and was never seen: `an opinion`, `no opinion`, `a failure`. */
  readonly never: readonly string[];
};

export type Coverage = {
  readonly hooks: readonly HookCoverage[];
  /** Hooks that ran at least once, of those that are not off; a whole number, rounded down. Absent where there are no hooks. */
  readonly percent?: number;
};

const SEEN = ['an opinion', 'no opinion', 'a failure'] as const;

/** Coverage of the hooks by all that was visited. */
export function coverageOf(hooks: readonly Hook[], visits: readonly Visit[]): Coverage {
  const active = hooks.filter((hook) => hook.off === undefined);
  const byPlace = new Map(active.map((hook) => [keyOf(hook), hook]));
  const covered = [...byPlace.values()].map((hook): HookCoverage => {
    const own = visits.filter(({ step, run }) => run !== undefined && keyOf(step.hook) === keyOf(hook));
    const seen = new Set(own.map(seenOf));
    const words = own.map(wordOf);
    const counts = Object.fromEntries(
      [...new Set(words)].sort().map((word) => [word, words.filter((one) => one === word).length]),
    );
    return {
      hook: hook.label,
      at: placeOf(hook),
      event: hook.event,
      ran: own.length,
      seen: counts,
      never: SEEN.filter((one) => !seen.has(one)),
    };
  });
  const ran = covered.filter((one) => one.ran > 0).length;
  return covered.length === 0 ? { hooks: [] } : { hooks: covered, percent: Math.floor((100 * ran) / covered.length) };
}

/** Events may share a list by an anchor. */
function keyOf({ at, event }: Hook): string {
  return `${event} ${at.file}:${at.line}:${at.column}`;
}

function seenOf({ run }: Visit): (typeof SEEN)[number] {
  const outcome = run?.read;
  if (outcome?.kind === 'failure') return 'a failure';
  const silent = outcome?.action === undefined && outcome?.rewrite === undefined && outcome?.context === undefined;
  return silent ? 'no opinion' : 'an opinion';
}

function wordOf({ run }: Visit): string {
  const outcome = run?.read;
  if (outcome === undefined || outcome.kind === 'failure') return 'failed';
  return (
    outcome.action ?? (outcome.rewrite !== undefined ? 'rewrite' : outcome.context !== undefined ? 'context' : 'none')
  );
}
