/**
 * The hooks of one event, kept so that those which a tool's name rules out need not even be read.
 */
import type { Hook, Test } from '../core/model';
import { exactWords } from '../core/pattern';
import type { Compiled } from '../core/search';

/** A hook with the patterns of its tests. */
export type KeptHook = { readonly hook: Hook; readonly patterns: readonly Compiled[] };

/** What tells which hooks to look at. Numbers count the hooks, in the order of the plan. */
export type Index = {
  readonly authors: readonly string[];
  readonly count: number;
  /** Hooks that are looked at whatever the tool. */
  readonly always: readonly number[];
  /** Tool's name → hooks that no other name can select. */
  readonly words: Readonly<Record<string, readonly number[]>>;
};

/** The index of the hooks of one event. */
export function indexOf(hooks: readonly Hook[]): Index {
  const always: number[] = [];
  const words = new Map<string, number[]>();
  for (const [at, hook] of hooks.entries()) {
    const names = hook.group === hooks[at - 1]?.group ? namesFor(hook) : undefined;
    if (names === undefined) always.push(at);
    for (const name of new Set(names)) {
      const others = words.get(name);
      if (others === undefined) words.set(name, [at]);
      else others.push(at);
    }
  }
  const authors = [...new Set(hooks.map(({ author }) => author))];
  return { authors, count: hooks.length, always, words: Object.fromEntries(words) };
}

/**
 * The names of tools that its first test can hold for, or undefined where that cannot be told. A test behind it may say something to
 * people, but is not reached. (The first hook of a group is always looked at: where groups end stays the same.)
 */
function namesFor({ tests: [first] }: Hook): readonly string[] | undefined {
  if (first === undefined || (first.kind !== 'names' && first.kind !== 'regex') || first.of !== 'tool')
    return undefined;
  return first.kind === 'names' ? first.any : wordsOf(first);
}

function wordsOf({ any }: Extract<Test, { readonly kind: 'names' | 'glob' | 'regex' }>): readonly string[] | undefined {
  const words = any.map(exactWords);
  return words.every((one) => one !== undefined) ? words.flat() : undefined;
}
