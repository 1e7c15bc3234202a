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
  const blocks = file.tree === undefined ? [] : blocksIn(file.tree, file.place);
  const comments = suppressionsIn(file);
  const silences: Silences = (comment, finding) =>
    finding.code === comment.code && linesOf(finding, comment.at.file, blocks).includes(comment.line);
  const heeded = comments.filter(({ fault }) => fault === undefined);
  const left = findings.filter((finding) => isRefused(finding) || !heeded.some((one) => silences(one, finding)));
  return [...left, ...comments.flatMap((one) => commentFinding(one, findings, isRefused, silences))];
}

type Silences = (comment: Suppression, finding: Finding) => boolean;

function commentFinding(
  comment: Suppression,
  findings: readonly Finding[],
  isRefused: (finding: Finding) => boolean,
  silences: Silences,
): Finding[] {
  const { at, code, fault } = comment;
  if (fault !== undefined) return [{ code: 'HK035', at, args: { why: fault } }];
  const meant = findings.filter((finding) => silences(comment, finding));
  if (meant.length === 0) return [{ code: 'HK034', at, args: { code }, fix: { ...comment.span, how: 'uncomment' } }];
  const why = `${code} cannot be ignored here: "hookctl run" refuses the file for it`;
  return meant.some(isRefused) ? [{ code: 'HK035', at, args: { why } }] : [];
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

function linesOf({ at }: Finding, file: string, blocks: readonly Block[]): number[] {
  if (at.file !== file || !('line' in at)) return [];
  const { line } = at;
  return [line, ...blocks.flatMap(({ first, last }) => (first <= line && line <= last ? [first] : []))];
}

function suppressionsIn({ text, place, comments }: Commented): Suppression[] {
  const spans = comments();
  const lone = new Set(spans.filter((span) => isAlone(span, text)).map(({ start }) => lineOf(place, start)));
  return spans.flatMap((span): Suppression[] => {
    const [, code, reason = ''] = COMMENT.exec(text.slice(span.start, span.end)) ?? [];
    if (code === undefined) return [];
    let line = lineOf(place, span.start);
    while (lone.has(line)) line += 1;
    return [{ code, line, at: place(span), span, fault: faultOf(code, reason) }];
  });
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
