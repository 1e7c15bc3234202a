/**
 * What the core is handed: engines, each loaded only when it is used.
 */

import type { LoadDoors } from '../config/load';
import type { Event, Hook } from '../core/model';
import { cheap, type Pattern, parsePattern, searchV8 } from '../core/pattern';
import { patternsOf, type Selection } from '../core/plan';
import { authorOf, toolNames } from '../dialects';
import type { Doc } from '../dialects/dialect';
import type { Io } from '../io';

/** What loading configs needs. */
export function loadDoors(io: Io): LoadDoors {
  return { disk: io.disk, yaml: async () => (await import('../engines/yaml')).parseYaml, matcherFault };
}

/** What planning needs. A pattern that V8 might be slow on, for the names at hand, is searched in linear time. */
export async function selectionFor(hooks: readonly Hook[], event: Event): Promise<Selection> {
  const parsed = new Map(patternsOf(hooks, event).map((source) => [source, parsePattern(source)]));
  const patterns = [...parsed.values()].filter((one): one is Pattern => one.kind === 'pattern');
  const longest = Math.max(0, ...subjects(event).map((text) => text.length));
  const costly = patterns.some((pattern) => !cheap(pattern, longest));
  const linear = costly ? (await import('../engines/regex')).linearSearch : undefined;
  const search = (source: string, text: string) => {
    const pattern = parsed.get(source);
    if (pattern?.kind !== 'pattern') return true;
    if (cheap(pattern, text.length)) return searchV8(pattern, text);
    return linear === undefined || linear(pattern.emit)(text);
  };
  return { search, toolNames, rule: (author, rule, one) => authorOf(author).rule?.(rule, one) ?? true };
}

function subjects(event: Event): string[] {
  return [event.tool?.name ?? '', event.tool?.canonical ?? '', event.file?.path ?? ''];
}

const matcherFault: Doc['matcherFault'] = (pattern) => {
  const parsed = parsePattern(pattern);
  if (parsed.kind === 'pattern') return undefined;
  return parsed.hint === undefined ? { why: parsed.why } : { why: parsed.why, hint: parsed.hint };
};
