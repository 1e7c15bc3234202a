/**
 * The door to `diff`: what changed in a text, for people.
 */
import { formatPatch, type StructuredPatchHunk, structuredPatch } from 'diff';

/** The search for the least change takes the square of its lines: longer texts are compared in pieces. */
const PIECE_LINES = 500;
/** How far apart two lines are looked for that are the same. */
const NEAR_LINES = 20;

/** A unified diff with three lines of context; its head names the file once. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const hunks: StructuredPatchHunk[] = [];
  let [oldLines, newLines] = [0, 0];
  for (const piece of piecesOf(linesOf(before), linesOf(after))) {
    const patch = structuredPatch('', '', piece.before.join(''), piece.after.join(''), '', '', { context: 3 });
    for (const hunk of patch.hunks)
      hunks.push({ ...hunk, oldStart: hunk.oldStart + oldLines, newStart: hunk.newStart + newLines });
    oldLines += piece.before.length;
    newLines += piece.after.length;
  }
  const names = { oldFileName: file, newFileName: file, oldHeader: '', newHeader: '' };
  return formatPatch({ ...names, hunks }).replace(/^Index: .*\n=+\n/, '');
}

type Piece = { readonly before: readonly string[]; readonly after: readonly string[] };

/** Each ends where both go on with the same line, if there is such a place. */
function piecesOf(before: readonly string[], after: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let from = { before: 0, after: 0 };
  let [old, now] = [0, 0];
  while (old < before.length && now < after.length) {
    const isSame = before[old] === after[now];
    const lines = old - from.before;
    if (lines >= (isSame ? PIECE_LINES : 2 * PIECE_LINES)) {
      pieces.push({ before: before.slice(from.before, old), after: after.slice(from.after, now) });
      from = { before: old, after: now };
    }
    [old, now] = isSame ? [old + 1, now + 1] : nextSame(before, after, old, now);
  }
  return [...pieces, { before: before.slice(from.before), after: after.slice(from.after) }];
}

/** The nearest places behind these with the same line; behind both lines where there is none. */
function nextSame(before: readonly string[], after: readonly string[], old: number, now: number): [number, number] {
  for (let apart = 1; apart <= NEAR_LINES; apart += 1)
    for (let skipped = 0; skipped <= apart; skipped += 1) {
      const [nextOld, nextNow] = [old + skipped, now + apart - skipped];
      if (nextOld < before.length && before[nextOld] === after[nextNow]) return [nextOld, nextNow];
    }
  return [old + 1, now + 1];
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
