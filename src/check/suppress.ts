/**
 * `# hookctl-ignore HK028 reason`: silences a finding on its own line, or on the line below where it stands alone.
 */
import { CATALOGUE, type Finding, isOwn, severityOf } from '../core/finding';
import { didYouMean } from '../core/nearest';
import type { TreeSpan } from '../core/tree';
import type { Doc } from '../dialects/dialect';

const COMMENT = /(?:^|\s)(#\s*hookctl-ignore\b[ \t]*(\S*)[ \t]*(.*))$/;
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

/** What is left of the findings of a file, and what is wrong with its comments. `isRefused`: the findings for which `run` refuses the file. */
export function suppressed(
  findings: readonly Finding[],
  text: string,
  place: Doc['place'],
  isRefused: (finding: Finding) => boolean,
): Finding[] {
  if (!text.includes('hookctl-ignore')) return [...findings];
  const comments = commentsIn(text, place);
  const heeded = comments.filter(({ fault }) => fault === undefined);
  const left = findings.filter((finding) => isRefused(finding) || !heeded.some((one) => silences(one, finding)));
  return [...left, ...comments.flatMap((one) => commentFinding(one, findings, isRefused))];
}

function commentFinding(
  comment: Suppression,
  findings: readonly Finding[],
  isRefused: (finding: Finding) => boolean,
): Finding[] {
  const { at, code, fault } = comment;
  if (fault !== undefined) return [{ code: 'HK035', at, args: { why: fault } }];
  const meant = findings.filter((finding) => silences(comment, finding));
  if (meant.length === 0) return [{ code: 'HK034', at, args: { code }, fix: { ...comment.span, how: 'remove' } }];
  const why = `${code} cannot be ignored here: "hookctl run" refuses the file for it`;
  return meant.some(isRefused) ? [{ code: 'HK035', at, args: { why } }] : [];
}

function silences({ code, line, at }: Suppression, finding: Finding): boolean {
  const here = finding.at.file === at.file && 'line' in finding.at && finding.at.line === line;
  return here && finding.code === code;
}

function commentsIn(text: string, place: Doc['place']): Suppression[] {
  let offset = 0;
  return text.split('\n').flatMap((line, index): Suppression[] => {
    const start = offset;
    offset += line.length + 1;
    const [, comment, code = '', reason = ''] = COMMENT.exec(line.replace(/\r$/, '')) ?? [];
    if (comment === undefined) return [];
    const from = line.indexOf(comment);
    const alone = line.slice(0, from).trim() === '';
    const span = { start: start + from, end: start + from + comment.length };
    return [{ code, line: index + (alone ? 2 : 1), at: place(span), span, fault: faultOf(code, reason) }];
  });
}

function faultOf(code: string, reason: string): string | undefined {
  if (code === '') return 'the comment does not say which finding it means';
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
