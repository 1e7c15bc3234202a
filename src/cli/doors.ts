/**
 * What the core is handed: engines, each loaded only when it is used.
 */

import { splitConfigVariable } from '../config/find';
import type { Event, Hook } from '../core/model';
import { type Selection, searchesOf } from '../core/plan';
import { type Compiled, searchJs, searchV8 } from '../core/search';
import { authorOf, subjects } from '../dialects';
import type { Io } from '../io';

export const NO_CONFIG = 'no CONFIG was named and $HOOKCTL_CONFIG is not set; say which agent file, as in "agent.yaml"';

/** The configs named on the command line, else those of `$HOOKCTL_CONFIG`. */
export function configNames(named: readonly string[], io: Io): readonly string[] {
  return named.length > 0 ? named : splitConfigVariable(io.env['HOOKCTL_CONFIG'] ?? '');
}

/** What planning needs. A pattern that V8 might be slow on, for the texts at hand, is searched in linear time. `known`: patterns that were read before. */
export async function selectionFor(
  hooks: readonly Hook[],
  event: Event,
  known: readonly Compiled[] = [],
): Promise<Selection> {
  const searches = searchesOf(hooks, event, subjects);
  const patterns = await compiled(searches, known);
  const isCostly = ([source, text]: readonly [string, string]) =>
    text.length > (patterns.get(source)?.cheapTo ?? Infinity);
  const linear = searches.some(isCostly) ? (await import('../engines/regex')).linearSearch : undefined;
  const search = (source: string, text: string) => {
    const emit = patterns.get(source)?.emit;
    // In doubt the hook runs.
    if (emit === undefined) return searchJs(source, text) ?? true;
    if (!isCostly([source, text])) return searchV8({ emit }, text);
    if (linear === undefined) throw new Error('a costly pattern was not foreseen');
    return linear(emit)(text);
  };
  return { search, subjects, rule: (rule, hook, one) => authorOf(hook.author).rule?.(rule, hook, one) ?? true };
}

/** Those that are not known yet are read. */
async function compiled(
  searches: readonly (readonly [source: string, text: string])[],
  known: readonly Compiled[],
): Promise<ReadonlyMap<string, Compiled>> {
  const patterns = new Map(known.map((one) => [one.source, one]));
  const missing = searches.map(([source]) => source).filter((source) => !patterns.has(source));
  if (missing.length === 0) return patterns;
  const { compile } = await import('../core/pattern');
  for (const source of missing) patterns.set(source, patterns.get(source) ?? compile(source));
  return patterns;
}
