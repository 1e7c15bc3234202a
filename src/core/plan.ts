/**
 * From the hooks of all configs and one event to a plan: who runs, in which group and order, who is skipped and why.
 */
import { globPattern } from './glob';
import type { Event, Group, Hook, Plan, Step, Subject, Test } from './model';

export type { Subject };

/** What selection needs from outside the core. */
export type Selection = {
  /** Is the pattern found in the text? It never hangs. */
  readonly search: (pattern: string, text: string) => boolean;
  /** What a hook of this author is tried on; undefined where the event has nothing of the kind. */
  readonly subjects: (author: string, of: Subject, event: Event) => readonly string[] | undefined;
  /** A condition that only the author's room understands. */
  readonly rule: (rule: string, hook: Hook, event: Event) => RuleResult;
};

/** Whether a rule holds; or why the hook is skipped, and what people should know of that. */
export type RuleResult = true | { readonly skipped: string; readonly warning?: string };

/** The plan of one event. Hooks of other events are not in it. */
export function plan(hooks: readonly Hook[], event: Event, selection: Selection): Plan {
  const own = hooks.filter((hook) => hook.event === event.name);
  const steps = own.toSorted((a, b) => a.phase - b.phase).map((hook) => step(hook, event, selection));
  return { groups: grouped(steps) };
}

/** Every pattern that planning this event would search, with the texts, so that an engine for costly ones can be loaded before. */
export function searchesOf(
  hooks: readonly Hook[],
  event: Event,
  subjects: Selection['subjects'],
): [pattern: string, text: string][] {
  const own = hooks.filter((hook) => hook.event === event.name);
  return own.flatMap((hook) =>
    hook.tests.flatMap(flat).flatMap((test): [string, string][] => {
      if (test.kind === 'rule' || test.kind === 'either' || test.kind === 'all') return [];
      const texts = subjects(hook.author, test.of, event) ?? [];
      return patternsIn(test).flatMap((pattern) => texts.map((text): [string, string] => [pattern, text]));
    }),
  );
}

/** Every pattern that a test may search, as it is searched. */
export function patternsIn(test: Test): readonly string[] {
  return flat(test).flatMap((one) => {
    if (one.kind !== 'regex' && one.kind !== 'glob') return [];
    return [...one.any, ...(one.not ?? [])].map((pattern) => searched(one, pattern));
  });
}

function flat(test: Test): readonly Test[] {
  return test.kind === 'either' || test.kind === 'all' ? test.tests.flatMap(flat) : [test];
}

type Worded = Extract<Test, { readonly of: Subject }>;

/** What is searched for a pattern as written. Rooms refuse a glob that is none. */
function searched({ kind, of }: Worded, pattern: string): string {
  if (kind !== 'glob') return pattern;
  const found = globPattern(pattern, of === 'tool' || of === 'value' ? 'name' : 'path');
  if (typeof found !== 'string') throw new Error(`the glob ${pattern} cannot be used: ${found.fault}`);
  return found;
}

function step(hook: Hook, event: Event, selection: Selection): Step {
  if (hook.off !== undefined) return { hook, matched: false, skipped: hook.off };
  const result = checkAll(hook.tests, hook, event, selection);
  return result === true ? { hook, matched: true } : { hook, matched: false, ...result };
}

function checkAll(tests: readonly Test[], hook: Hook, event: Event, selection: Selection): RuleResult {
  for (const test of tests) {
    const result = check(test, hook, event, selection);
    if (result !== true) return result;
  }
  return true;
}

/** A test of something that the event does not have holds: in doubt the hook runs. */
function check(test: Test, hook: Hook, event: Event, selection: Selection): RuleResult {
  if (test.kind === 'rule') return selection.rule(test.rule, hook, event);
  if (test.kind === 'either') return checkEither(test.tests, hook, event, selection);
  if (test.kind === 'all') return checkAll(test.tests, hook, event, selection);
  const subjects = selection.subjects(hook.author, test.of, event);
  if (subjects === undefined) return true;
  const hit = (pattern: string) => subjects.some((subject) => hits(test, pattern, subject, selection));
  if (test.any.some(hit) && !(test.not ?? []).some(hit)) return true;
  return { skipped: `the matcher ${test.any.join(' ')} does not match ${subjects[0] ?? event.name}` };
}

function checkEither(tests: readonly Test[], hook: Hook, event: Event, selection: Selection): RuleResult {
  const results = tests.map((test) => check(test, hook, event, selection));
  return results.includes(true)
    ? true
    : (results.find((result) => result !== true) ?? { skipped: 'its matcher names nothing' });
}

function hits(test: Worded, pattern: string, subject: string, selection: Selection): boolean {
  return test.kind === 'names' ? pattern === subject : selection.search(searched(test, pattern), subject);
}

/** Neighbours of one group id form a group. */
function grouped(steps: readonly Step[]): Group[] {
  const groups: { id: string; order: Hook['order']; steps: Step[] }[] = [];
  for (const one of steps) {
    const last = groups.at(-1);
    if (last?.id === one.hook.group) last.steps.push(one);
    else groups.push({ id: one.hook.group, order: one.hook.order, steps: [one] });
  }
  return groups;
}
