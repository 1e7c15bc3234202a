/**
 * Searching with patterns that were read before (`pattern.ts`): what is left to do at run time.
 */

/** More single steps than these are not taken on V8. */
export const MAX_STEPS = 1_000_000;

/**
 * A pattern, ready to be searched: `emit` for both engines, and how many UTF-16 units of text V8 may be given. Without `emit` it is
 * beyond `parsePattern`'s syntax.
 */
export type Compiled = { readonly source: string; readonly emit?: string; readonly cheapTo?: number };

/** Searches with V8, which can take as long as `cost` says. */
export function searchV8({ emit }: { readonly emit: string }, text: string): boolean {
  // V8 also tries to start between the halves of a surrogate pair, where \B holds but no character starts.
  return new RegExp(`(?=[^]|$)(?:${emit})`, 'u').test(wellFormed(text));
}

/**
 * Searches a pattern beyond `parsePattern`'s syntax, look-ahead for one. Undefined where it is not provably cheap for the text:
 * each unbounded repeat may try every length, and a back-reference anything.
 */
export function searchJs(source: string, text: string): boolean | undefined {
  const repeats = source.match(/[*+]|\{\d+,\}/g)?.length ?? 0;
  const steps = (text.length + 1) ** (repeats + 1) * source.length;
  return steps > MAX_STEPS || /\\[1-9k]/.test(source) ? undefined : new RegExp(source).test(text);
}

/** The text as both engines get it: half a surrogate pair is U+FFFD, as it is when the text is written as UTF-8. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}
