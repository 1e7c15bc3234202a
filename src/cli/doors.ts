/**
 * What the core is handed: engines, each loaded only when it is used.
 */

import { splitConfigVariable } from '../config/find';
import type { LoadDoors } from '../config/load';
import type { Event, Hook } from '../core/model';
import { cheap, type Pattern, type PatternFault, parsePattern, searchJs, searchV8 } from '../core/pattern';
import { type Selection, searchesOf } from '../core/plan';
import { authorOf, subjects } from '../dialects';
import type { Doc } from '../dialects/dialect';
import type { Io } from '../io';

export const NO_CONFIG = 'no CONFIG was named and $HOOKCTL_CONFIG is not set; say which agent file, as in "agent.yaml"';

/** The configs named on the command line, else those of `$HOOKCTL_CONFIG`. */
export function configNames(named: readonly string[], io: Io): readonly string[] {
  return named.length > 0 ? named : splitConfigVariable(io.env['HOOKCTL_CONFIG'] ?? '');
}

/** What loading configs needs. */
export function loadDoors(io: Io): LoadDoors {
  return {
    disk: io.disk,
    yaml: async () => (await import('../engines/yaml')).parseYaml,
    toml: async () => (await import('../engines/toml')).parseToml,
    matcherFault,
  };
}

/** What planning needs. A pattern that V8 might be slow on, for the texts at hand, is searched in linear time. */
export async function selectionFor(hooks: readonly Hook[], event: Event): Promise<Selection> {
  const searches = searchesOf(hooks, event, subjects);
  const parsed = new Map(searches.map(([pattern]) => [pattern, parsePattern(pattern)]));
  const costly = searches.some(([source, text]) => !isCheap(parsed.get(source), text));
  const linear = costly ? (await import('../engines/regex')).linearSearch : undefined;
  const search = (source: string, text: string) => {
    const pattern = parsed.get(source);
    // In doubt the hook runs.
    if (pattern?.kind !== 'pattern') return searchJs(source, text) ?? true;
    if (isCheap(pattern, text)) return searchV8(pattern, text);
    if (linear === undefined) throw new Error('a costly pattern was not foreseen');
    return linear(pattern.emit)(text);
  };
  return { search, subjects, rule: (rule, hook, one) => authorOf(hook.author).rule?.(rule, hook, one) ?? true };
}

function isCheap(pattern: Pattern | PatternFault | undefined, text: string): boolean {
  return pattern?.kind !== 'pattern' || cheap(pattern, text.length);
}

const matcherFault: Doc['matcherFault'] = (pattern) => {
  const parsed = parsePattern(pattern);
  if (parsed.kind === 'pattern') return undefined;
  return parsed.hint === undefined ? { why: parsed.why } : { why: parsed.why, hint: parsed.hint };
};
