/**
 * What reading configs is handed: the disk, and engines that are loaded only when they are used.
 */
import type { LoadDoors } from '../config/load';
import { parsePattern } from '../core/pattern';
import type { Doc } from '../dialects/dialect';
import type { Io } from '../io';

/** What loading configs needs. */
export function loadDoors({ disk }: Pick<Io, 'disk'>): LoadDoors {
  return {
    disk,
    yaml: async () => (await import('../engines/yaml')).parseYaml,
    toml: async () => (await import('../engines/toml')).parseToml,
    matcherFault,
  };
}

const matcherFault: Doc['matcherFault'] = (pattern) => {
  const parsed = parsePattern(pattern);
  if (parsed.kind === 'pattern') return undefined;
  return parsed.hint === undefined ? { why: parsed.why } : { why: parsed.why, hint: parsed.hint };
};
