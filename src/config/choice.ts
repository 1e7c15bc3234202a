/**
 * Which of an event's hooks are looked at.
 */
import type { Event } from '../core/model';
import { subjects } from '../dialects';
import type { Index } from './sections';

/** The numbers of the hooks that the event may concern, in order; every hook where `all` are wanted. */
export function chosen({ authors, count, always, words }: Index, event: Event, all: boolean): readonly number[] {
  const names = all ? undefined : toolNames(authors, event);
  if (names === undefined) return Array.from({ length: count }, (_, at) => at);
  const selected = [...names].flatMap((name) => (Object.hasOwn(words, name) ? (words[name] ?? []) : []));
  return [...new Set([...always, ...selected])].sort((a, b) => a - b);
}

/** What a matcher of any of these authors is tried on; undefined where the event has no tool. */
function toolNames(authors: readonly string[], event: Event): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const author of authors) {
    const own = subjects(author, 'tool', event);
    if (own === undefined) return undefined;
    for (const name of own) names.add(name).add(name.toWellFormed());
  }
  return names;
}
