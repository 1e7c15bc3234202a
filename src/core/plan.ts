/**
 * From the hooks of all configs and one event to a plan: who runs, in which group and order, who is skipped and why.
 */
import type { Event, Group, Hook, Plan, Step, Test } from './model';

/** What selection needs from outside the core. */
export type Selection = {
  /** Is the pattern found in the text? It never hangs. */
  readonly search: (pattern: string, text: string) => boolean;
  /** The names of the event's tool that a hook of this author is tried on. */
  readonly toolNames: (author: string, event: Event) => readonly string[];
  /** Does a condition hold that only the author's room understands? */
  readonly rule: (author: string, rule: string, event: Event) => boolean;
};

/** The plan of one event. Hooks of other events are not in it. */
export function plan(hooks: readonly Hook[], event: Event, selection: Selection): Plan {
  const own = hooks.filter((hook) => hook.event === event.name);
  const steps = own.toSorted((a, b) => a.phase - b.phase).map((hook) => step(hook, event, selection));
  return { groups: grouped(steps) };
}

/** The patterns that planning this event would search, so that an engine for the costly ones can be loaded before. */
export function patternsOf(hooks: readonly Hook[], event: Event): readonly string[] {
  const tests = hooks.filter((hook) => hook.event === event.name).flatMap((hook) => hook.tests);
  return tests.flatMap((test) => (test.kind === 'regex' ? [...test.any, ...(test.not ?? [])] : []));
}

function step(hook: Hook, event: Event, selection: Selection): Step {
  if (hook.off !== undefined) return { hook, matched: false, skipped: hook.off };
  const missed = hook.tests.find((test) => !holds(test, hook, event, selection));
  return missed === undefined
    ? { hook, matched: true }
    : { hook, matched: false, skipped: missedBecause(missed, event) };
}

/** A test of something that the event does not have holds: in doubt the hook runs. */
function holds(test: Test, hook: Hook, event: Event, selection: Selection): boolean {
  if (test.kind === 'rule') return selection.rule(hook.author, test.rule, event);
  const subjects = subjectsOf(test.of, hook, event, selection);
  if (subjects.length === 0) return true;
  const hit = (pattern: string) => subjects.some((subject) => hits(test.kind, pattern, subject, selection));
  return test.any.some(hit) && !(test.not ?? []).some(hit);
}

function subjectsOf(of: 'tool' | 'path' | 'value', hook: Hook, event: Event, selection: Selection): readonly string[] {
  if (of === 'tool') return event.tool === undefined ? [] : selection.toolNames(hook.author, event);
  return of === 'path' && event.file !== undefined ? [event.file.path] : [];
}

function hits(kind: 'names' | 'glob' | 'regex', pattern: string, subject: string, selection: Selection): boolean {
  if (kind === 'regex') return selection.search(pattern, subject);
  return pattern === subject;
}

function missedBecause(test: Test, event: Event): string {
  if (test.kind === 'rule') return `the rule ${test.rule} does not hold`;
  const subject = event.tool?.name ?? event.file?.path ?? event.name;
  return `the matcher ${test.any.join(' ')} does not match ${subject}`;
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
