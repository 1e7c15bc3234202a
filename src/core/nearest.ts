/**
 * "Did you mean": the candidate that a misspelt word most likely stands for.
 */

/**
 * The nearest candidate, or undefined where none is near: case, `-` and `_` do not count, and at most `limit` edits (default:
 * one for three letters) are near.
 */
export function nearest(word: string, candidates: readonly string[], limit?: number): string | undefined {
  if (word.length > 64) return undefined;
  const folded = fold(word);
  let best: string | undefined;
  let least = (limit ?? Math.max(1, Math.floor(folded.length / 3))) + 1;
  for (const candidate of candidates) {
    const distance = edits(folded, fold(candidate), least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** The only candidate that begins with a word of four letters or more. */
function begunBy(word: string, candidates: readonly string[]): string | undefined {
  const folded = fold(word);
  const begun = candidates.filter((candidate) => fold(candidate).startsWith(folded));
  return folded.length >= 4 && begun.length === 1 ? begun[0] : undefined;
}

/** `; did you mean "x"?`, or nothing where no candidate is near, nor is the only one that begins so. */
export function didYouMean(word: string, candidates: readonly string[], limit?: number): string {
  const meant = nearest(word, candidates, limit) ?? begunBy(word, candidates);
  return meant === undefined ? '' : `; did you mean "${meant}"?`;
}

function fold(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, '');
}

/** Edits between two words: insertion, deletion, replacement, or a swap of neighbours. Stops counting at `limit`. */
function edits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next.push(
        Math.min(
          at(last, column) + 1,
          at(next, column - 1) + 1,
          at(last, column - 1) + (same ? 0 : 1),
          swapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
