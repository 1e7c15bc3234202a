/**
 * Mends a file where a finding says how, and leaves every other character as it is.
 */
import type { Finding, Fix } from '../core/finding';

/** The text with every fix that does not touch another one. */
export function fixed(text: string, findings: readonly Finding[]): string {
  const changes = findings
    .flatMap(({ fix }) => (fix === undefined ? [] : [changeOf(text, fix)]))
    .sort((a, b) => a.start - b.start);
  let [result, done] = ['', 0];
  for (const { start, end, text: put } of changes) {
    if (start < done) continue;
    result += text.slice(done, start) + put;
    done = end;
  }
  return result + text.slice(done);
}

type Change = { readonly start: number; readonly end: number; readonly text: string };

function changeOf(text: string, fix: Fix): Change {
  const { start, end } = fix;
  const written = text.slice(start, end);
  if (fix.how === 'replace') {
    const quote = /^["']/.exec(written)?.[0] ?? '';
    return { start, end, text: `${quote}${fix.text}${quote}` };
  }
  return fix.how === 'remove' ? removal(text, start, end) : { start, end, text: `"${written}"` };
}

/** Whole lines where nothing else stands on them; behind other text, what stands there and the blanks before it. */
function removal(text: string, start: number, end: number): Change {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const nextLine = text.indexOf('\n', end);
  const lineEnd = nextLine < 0 ? text.length : nextLine + 1;
  const [before, behind] = [text.slice(line, start), text.slice(end, lineEnd)];
  if (behind.trim() !== '') return { start, end: start, text: '' };
  if (before.trim() === '') return { start: line, end: lineEnd, text: '' };
  return before.trim() === '-' || /[{,[]\s*$/.test(before)
    ? { start, end: start, text: '' }
    : { start: line + before.trimEnd().length, end, text: '' };
}
