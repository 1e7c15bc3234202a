/**
 * What came of test cases, in every format.
 */
import type { TraceEntry } from '../core/model';
import { clean, inline } from '../core/text';
import type { Coverage } from '../suite/coverage';
import type { CaseResult, Data, Mismatch } from '../suite/model';
import type { Paint } from './paint';
import { attribute, escaped, workflowData, workflowProperty } from './report';

export type SuiteReport = {
  readonly results: readonly CaseResult[];
  readonly coverage?: Coverage;
  /** Wall time of all. */
  readonly ms: number;
};

const MARKS = { passed: '✓', failed: '✗', error: '✗', skipped: '-' } as const;

/** One line a case, below a failed one its differences and its trace; then the summary. */
export function suitesText({ results, coverage, ms }: SuiteReport, paint: Paint): string {
  const suites = [...new Set(results.map(({ suite }) => suite))];
  const blocks = suites.map((suite) => {
    const own = results.filter((result) => result.suite === suite);
    return [paint.bold(inline(suite)), ...own.flatMap((result) => caseLines(result, paint))].join('\n');
  });
  const parts = [...blocks, ...(coverage === undefined ? [] : [coverageText(coverage)]), summaryLine(results, ms)];
  return `${parts.join('\n\n')}\n`;
}

/** The lines of one case. */
export function caseLines(result: CaseResult, paint: Paint): string[] {
  const { status, name, ms } = result;
  const style = status === 'passed' ? paint.green : status === 'skipped' ? paint.dim : paint.red;
  const time = status === 'skipped' ? '' : paint.dim(` (${ms} ms)`);
  const head = `  ${style(MARKS[status])} ${inline(name)}${time}`;
  const failures = (result.failures ?? []).map((failure) => paint.yellow(`      ! ${inline(failure)}`));
  if (status === 'passed' || status === 'skipped') return [head, ...failures];
  return [head, ...detailLines(result, paint).map((line) => `      ${line}`)];
}

function detailLines(result: CaseResult, paint: Paint): string[] {
  const { at, mismatches, trace } = result;
  return [
    paint.dim(`${inline(at.file)}:${at.line}:${at.column}`),
    ...(result.status === 'error' ? clean(result.why).split('\n') : []),
    ...mismatches.flatMap((one) => mismatchLines(one, paint)),
    ...(trace.length === 0 ? [] : ['hooks:', ...trace.flatMap((entry) => `  ${traceLine(entry)}`.split('\n'))]),
  ];
}

function mismatchLines({ what, expected, actual }: Mismatch, paint: Paint): string[] {
  const [wanted, got] = [shown(expected), actual === undefined ? 'nothing' : shown(actual)];
  if (!wanted.includes('\n') && !got.includes('\n')) {
    return [`${what}:`, paint.green(`  expected ${wanted}`), paint.red(`  but got  ${got}`)];
  }
  const diff = lineDiff(wanted.split('\n'), got.split('\n'));
  return [
    `${what}: ${paint.green('- expected')}, ${paint.red('+ got')}`,
    ...diff.map(
      (line) => `  ${line.startsWith('-') ? paint.green(line) : line.startsWith('+') ? paint.red(line) : line}`,
    ),
  ];
}

function shown(data: Data): string {
  return clean(typeof data === 'string' ? JSON.stringify(data) : JSON.stringify(data, null, 2));
}

/** Lines alike at both ends, `-` and `+` between them. */
function lineDiff(before: readonly string[], after: readonly string[]): string[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail))
    tail += 1;
  return [
    ...before.slice(0, head).map((line) => `  ${line}`),
    ...before.slice(head, before.length - tail).map((line) => `- ${line}`),
    ...after.slice(head, after.length - tail).map((line) => `+ ${line}`),
    ...before.slice(before.length - tail).map((line) => `  ${line}`),
  ];
}

/** `no-force-push (agent.yaml:3): deny: no (12 ms)`, below it what it wrote to stderr. */
export function traceLine({ hook, at, skipped, outcome, why, ms, stderr }: TraceEntry): string {
  if (skipped !== undefined) return clean(`${inline(hook)} (${inline(at)}) skipped: ${inline(skipped)}`);
  const reason = why === undefined ? '' : `: ${inline(why)}`;
  const said =
    stderr === undefined || stderr.text.trim() === '' ? '' : `\n${stderr.text.trimEnd().replace(/^/gm, '      | ')}`;
  return clean(`${inline(hook)} (${inline(at)}): ${outcome}${reason} (${ms} ms)${said}`);
}

function summaryLine(results: readonly CaseResult[], ms: number): string {
  const { passed, failed, errors, skipped } = countsOf(results);
  const failing = results.filter((one) => one.status === 'passed' && one.failures !== undefined).length;
  const doubt = failing === 0 ? '' : ` (in ${failing} of them a hook failed: expect "failed: []", or the failure)`;
  const parts = [
    `${passed} passed${doubt}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(errors > 0 ? [`${errors} ${errors === 1 ? 'error' : 'errors'}`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return `${parts.join(', ')} (${ms} ms)`;
}

export function countsOf(results: readonly CaseResult[]) {
  const count = (status: CaseResult['status']) => results.filter((result) => result.status === status).length;
  return { passed: count('passed'), failed: count('failed'), errors: count('error'), skipped: count('skipped') };
}

/** `{"version":1,"cases":[…],"coverage":{…},"summary":{"passed":N,"failed":N,"errors":N,"skipped":N,"ms":N}}`. */
export function suitesJson({ results, coverage, ms }: SuiteReport): string {
  const cases = results.map((result) => {
    const { suite, name, status, at, mismatches, trace } = result;
    return {
      suite,
      name,
      status,
      line: at.line,
      column: at.column,
      ms: result.ms,
      ...(result.status === 'error' ? { why: result.why } : {}),
      ...(mismatches.length === 0 ? {} : { mismatches }),
      ...(result.failures === undefined ? {} : { failures: result.failures }),
      trace,
    };
  });
  return `${JSON.stringify({ version: 1, cases, coverage, summary: { ...countsOf(results), ms } }, null, 2)}\n`;
}

/** JUnit: a test suite a file, a test case a case. */
export function suitesJunit({ results, ms }: SuiteReport, paint: Paint): string {
  const suites = [...new Set(results.map(({ suite }) => suite))].map((suite) => {
    const own = results.filter((result) => result.suite === suite);
    return `  <testsuite name="${attribute(suite)}" ${junitCounts(own)}>\n${own.map((one) => junitCase(one, paint)).join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${junitCounts(results)} time="${ms / 1000}">\n${suites.join('')}</testsuites>\n`;
}

function junitCase(result: CaseResult, paint: Paint): string {
  const { suite, name, status, ms } = result;
  const head = `    <testcase classname="${attribute(suite)}" name="${attribute(name)}" time="${ms / 1000}"`;
  if (status === 'passed') return `${head}/>\n`;
  if (status === 'skipped') return `${head}>\n      <skipped/>\n    </testcase>\n`;
  const tag = status === 'failed' ? 'failure' : 'error';
  const body = escaped(detailLines(result, paint).join('\n'));
  return `${head}>\n      <${tag} message="${attribute(messageOf(result))}">${body}</${tag}>\n    </testcase>\n`;
}

function junitCounts(results: readonly CaseResult[]): string {
  const { failed, errors, skipped } = countsOf(results);
  return `tests="${results.length}" failures="${failed}" errors="${errors}" skipped="${skipped}"`;
}

/** Workflow commands of GitHub Actions: an error a case that failed, a warning a case that passed although a hook failed. */
export function suitesGithub({ results }: SuiteReport, fileFrom: (shown: string) => string): string {
  return results
    .flatMap((result) => {
      const { at, name, status, failures = [] } = result;
      const place = `file=${workflowProperty(fileFrom(at.file))},line=${at.line},col=${at.column}`;
      const told = (level: string, message: string) =>
        `::${level} ${place},title=${workflowProperty(name)}::${workflowData(message)}\n`;
      if (status === 'failed' || status === 'error') return [told('error', messageOf(result))];
      return failures.length === 0 ? [] : [told('warning', failures.join('\n'))];
    })
    .join('');
}

function messageOf(result: CaseResult): string {
  if (result.status === 'error') return clean(result.why);
  return result.mismatches
    .map(
      ({ what, expected, actual }) =>
        `${what}: expected ${shown(expected)}, but got ${actual === undefined ? 'nothing' : shown(actual)}`,
    )
    .join('\n');
}

function coverageText({ hooks, percent }: Coverage): string {
  const rows = hooks.map(({ hook, at, ran, seen, never }) =>
    [
      hook,
      at,
      ran === 0
        ? 'never ran'
        : `ran ${ran}×: ${Object.entries(seen)
            .map(([word, count]) => `${count} ${word}`)
            .join(', ')}`,
      never.length === 0 || ran === 0 ? '' : `never: ${never.join(', ')}`,
    ].map(clean),
  );
  const widths = rows.reduce<number[]>(
    (most, cells) => cells.map((cell, n) => Math.max(cell.length, most[n] ?? 0)),
    [],
  );
  const lines = rows.map(
    (cells) =>
      `  ${cells
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd()}`,
  );
  return [`coverage: ${percent === undefined ? 'there are no hooks' : `${percent} % of the hooks ran`}`, ...lines].join(
    '\n',
  );
}
