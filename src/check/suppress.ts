/**
 * `# hookctl-ignore HK028 reason`: silences a finding on its own line, or on the line below where it stands alone. What is found
 * inside of a value of several lines counts for the line on which the value begins, too. Several that stand alone count for the same line.
 */
import { CATALOGUE, type Finding, isOwn, severityOf } from '../core/finding';
import { didYouMean } from '../core/nearest';
import type { Tree, TreeSpan } from '../core/tree';
import type { Doc } from '../dialects/dialect';

const SIGN = 'hookctl-ignore';
const COMMENT = /^#\s*hookctl-ignore\b[ \t]*(\S*)[ \t]*(.*)$/;
const OF_SHELLCHECK = /^SC\d{4}$/;
/** Nobody may silence what tells of silencing. */
const OWN = ['HK034', 'HK035'];

type Suppression = {
  readonly code: string;
  /** The line that it silences, 1-based. */
  readonly line: number;
  readonly at: Finding['at'];
  readonly span: TreeSpan;
  /** Why it silences nothing. */
  readonly fault: string | undefined;
};

/** A file as it is written. `tree` is absent where it has mistakes. */
export type Commented = {
  readonly text: string;
  readonly place: Doc['place'];
  readonly comments: () => readonly TreeSpan[];
  readonly tree?: Tree;
};

/** What is left of the findings of a file, and what is wrong with its comments. `isRefused`: the findings for which `run` refuses the file. */
export function suppressed(
  findings: readonly Finding[],
  file: Commented,
  isRefused: (finding: Finding) => boolean,
): Finding[] {
  if (!file.text.includes(SIGN)) return [...findings];
  const comments = suppressionsIn(file);
  const heeded = comments.filter(({ fault }) => fault === undefined);
  const [name] = comments.map(({ at }) => at.file);
  const linesOf = linesIn(name, file.tree === undefined ? [] : blocksIn(file.tree, file.place));
  const keys = new Map(findings.map((finding) => [finding, linesOf(finding).map((line) => keyOf(finding.code, line))]));
  const silencing = new Set(heeded.map(({ code, line }) => keyOf(code, line)));
  const isSilenced = (finding: Finding) => keys.get(finding)?.some((key) => silencing.has(key)) ?? false;
  const found = new Set([...keys.values()].flat());
  const refused = new Set(findings.filter(isRefused).flatMap((finding) => keys.get(finding) ?? []));
  const left = findings.filter((finding) => isRefused(finding) || !isSilenced(finding));
  return [...left, ...comments.flatMap((one) => commentFinding(one, found, refused))];
}

/** What a comment and a finding share where the one silences the other. */
function keyOf(code: string, line: number): string {
  return `${code} ${line}`;
}

/** `found`, `refused`: the keys of all findings, and of those for which the file is refused. */
function commentFinding(comment: Suppression, found: ReadonlySet<string>, refused: ReadonlySet<string>): Finding[] {
  const { at, code, line, fault } = comment;
  if (fault !== undefined) return [{ code: 'HK035', at, args: { why: fault } }];
  const key = keyOf(code, line);
  if (!found.has(key)) return [{ code: 'HK034', at, args: { code }, fix: { ...comment.span, how: 'uncomment' } }];
  const why = `${code} cannot be ignored here: "hookctl run" refuses the file for it`;
  return refused.has(key) ? [{ code: 'HK035', at, args: { why } }] : [];
}

/** Lines of a value, both 1-based and inclusive. */
type Block = { readonly first: number; readonly last: number };

/** The values that are written on several lines. */
function blocksIn(tree: Tree, place: Doc['place']): Block[] {
  if (tree.kind === 'map') return tree.entries.flatMap(({ value }) => blocksIn(value, place));
  if (tree.kind === 'list') return tree.items.flatMap(({ value }) => blocksIn(value, place));
  const at = place(tree.span);
  return 'line' in at && at.endLine > at.line ? [{ first: at.line, last: at.endLine }] : [];
}

/** The lines of a file on which a finding may be silenced: its own, and the first one of the value that it stands in. */
function linesIn(file: string | undefined, blocks: readonly Block[]): (finding: Finding) => number[] {
  const starts = new Map<number, number[]>();
  // Aliases repeat blocks. No two begin on one line.
  for (const [first, last] of new Map(blocks.map((block) => [block.first, block.last])))
    for (let line = first; line <= last; line += 1) {
      const known = starts.get(line) ?? [];
      if (!known.includes(first)) starts.set(line, [...known, first]);
    }
  return ({ at }) => (at.file === file && 'line' in at ? [at.line, ...(starts.get(at.line) ?? [])] : []);
}

function suppressionsIn({ text, place, comments }: Commented): Suppression[] {
  const spans = comments();
  const below = linesBelow(spans.filter((span) => isAlone(span, text)).map(({ start }) => lineOf(place, start)));
  return spans.flatMap((span): Suppression[] => {
    const [, code, reason = ''] = COMMENT.exec(text.slice(span.start, span.end)) ?? [];
    if (code === undefined) return [];
    const own = lineOf(place, span.start);
    return [{ code, line: below.get(own) ?? own, at: place(span), span, fault: faultOf(code, reason) }];
  });
}

/** Line of a comment that stands alone → the first one below it that is no such line. The lines come in order. */
function linesBelow(lone: readonly number[]): ReadonlyMap<number, number> {
  const below = new Map<number, number>();
  for (const line of lone.toReversed()) below.set(line, below.get(line + 1) ?? line + 1);
  return below;
}

function isAlone({ start }: TreeSpan, text: string): boolean {
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === '';
}

function lineOf(place: Doc['place'], offset: number): number {
  const at = place({ start: offset, end: offset });
  return 'line' in at ? at.line : 0;
}

function faultOf(code: string, reason: string): string | undefined {
  if (code === '') return 'the comment does not say which finding it means';
  if (code.includes(',') || reason.includes(SIGN)) return 'a comment is for one finding; write a line for each';
  if (OWN.includes(code)) return `${code} cannot be ignored`;
  if (!isOwn(code) && !OF_SHELLCHECK.test(code))
    return `there is no finding "${code}"${didYouMean(code, Object.keys(CATALOGUE), 1)}`;
  return reason.trim() === '' ? `the comment does not say why ${code} is right here` : undefined;
}

/** Findings for which `run` refuses a config: errors of reading it. */
export function refusing(findings: readonly Finding[]): (finding: Finding) => boolean {
  const refused = new Set(findings.filter((finding) => severityOf(finding) === 'error'));
  return (finding) => refused.has(finding);
}
