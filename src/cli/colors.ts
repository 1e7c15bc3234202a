/**
 * Colour for people: on a terminal, unless they say otherwise.
 */
import { createColors } from 'picocolors';
import type { Io } from '../io';

export type Colors = ReturnType<typeof createColors>;
export type ColorWhen = 'auto' | 'always' | 'never';

/** `--color` first, then `FORCE_COLOR` and `NO_COLOR` (not empty), then whether the stream is a terminal. */
export async function colorsFor(when: ColorWhen, stream: 'stdout' | 'stderr', io: Io): Promise<Colors> {
  return createColors(await wanted(when, stream, io));
}

async function wanted(when: ColorWhen, stream: 'stdout' | 'stderr', io: Io): Promise<boolean> {
  if (when !== 'auto') return when === 'always';
  const { FORCE_COLOR: force = '', NO_COLOR: none = '', TERM: term } = io.env;
  if (none !== '') return false;
  if (force !== '') return force !== '0' && force !== 'false';
  return term !== 'dumb' && (await io.isTerminal(stream));
}
