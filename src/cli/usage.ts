/**
 * Why a run cannot even begin.
 */
import type { Io } from '../io';
import { configNames, NO_CONFIG } from './doors';
import type { Refusal } from './refusal';

/** A hook may call hookctl, whose hook calls it again, so many times. */
export const MAX_DEPTH = 8;

/** What is wrong with the command line. */
export function usageProblem(configs: readonly string[], problems: readonly string[], io: Io): Refusal | undefined {
  const [first] = [...problems, ...(configNames(configs, io).length === 0 ? [NO_CONFIG] : [])];
  if (first === undefined) return undefined;
  return { why: `bad usage: ${first}`, words: `hookctl run: ${first}\nTry "hookctl run --help".`, usage: true };
}

/** A hook that calls hookctl again is one level deeper. What only observes answers nobody, and is no circle that must be refused. */
export function depthProblem({ env }: Io, observes = false): Refusal | undefined {
  const depth = env['HOOKCTL_DEPTH'] ?? '';
  if (!/^\d{0,9}$/.test(depth)) return { why: `HOOKCTL_DEPTH is "${depth}", but must be a whole number` };
  if (Number(depth) < MAX_DEPTH || observes) return undefined;
  return { why: `hookctl was called from hooks ${Number(depth)} levels deep; a hook seems to call itself without end` };
}
