/**
 * The findings of a run of `validate`, in every format.
 */
import { type Entry, entryOf, type Finding, type Severity, severityOf } from '../core/finding';
import { clean } from '../core/text';
import { helpOf, placeText, renderFinding, sentenceOf, suggestionOf } from './findings';
import type { Paint } from './paint';

export type Report = {
  readonly findings: readonly Finding[];
  /** Every file that was looked at, as shown. */
  readonly files: readonly string[];
  /** Does the exit code count it? */
  readonly fails: (finding: Finding) => boolean;
};

/** Findings in full, then `2 errors, 1 warning in 3 files`. */
export function reportText({ findings, files }: Report, paint: Paint): string {
  const blocks = findings.map((finding) => `${painted(renderFinding(finding), severityOf(finding), paint)}\n\n`);
  return `${blocks.join('')}${summaryLine(findings, files)}\n`;
}

/** `{"version":1,"findings":[…],"summary":{"files":N,"errors":N,"warnings":N,"infos":N}}`; lines and columns from 1, columns in characters, ends exclusive. */
export function reportJson({ findings, files }: Report): string {
  const counts = countsOf(findings);
  const summary = { files: files.length, errors: counts.error, warnings: counts.warning, infos: counts.info };
  return `${JSON.stringify({ version: 1, findings: findings.map(findingJson), summary }, null, 2)}\n`;
}

export function findingJson(finding: Finding): Readonly<Record<string, unknown>> {
  const { at, code, allowed } = finding;
  const { source: _, caret: __, ...place } = { source: '', caret: 0, ...at };
  const [help, suggestion] = [helpOf(finding), suggestionOf(finding)];
  return {
    code,
    severity: severityOf(finding),
    message: sentenceOf(finding),
    ...place,
    ...(help === undefined ? {} : { help }),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(allowed === undefined ? {} : { allowed }),
    ...(finding.fix === undefined ? {} : { fixable: true }),
  };
}

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const satisfies Record<Severity, string>;

/** SARIF 2.1.0 (OASIS), one run; regions count characters. */
export function reportSarif({ findings }: Report, version: string): string {
  const codes = [...new Set(findings.map(({ code }) => code))].sort();
  const rules = codes.map((code) => {
    const entry: Entry = entryOf(code);
    const { title, severity } = entry;
    return { id: code, shortDescription: { text: title }, defaultConfiguration: { level: LEVELS[severity] } };
  });
  const driver = { name: 'hookctl', version, informationUri: 'https://www.npmjs.com/package/hookctl', rules };
  const results = findings.map((finding) => ({
    ruleId: finding.code,
    ruleIndex: codes.indexOf(finding.code),
    level: LEVELS[severityOf(finding)],
    message: { text: withHelp(finding) },
    locations: [{ physicalLocation: physicalLocation(finding.at) }],
  }));
  const run = { tool: { driver }, columnKind: 'unicodeCodePoints', results };
  const schema = 'https://json.schemastore.org/sarif-2.1.0.json';
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

function physicalLocation(at: Finding['at']): unknown {
  const artifactLocation = { uri: at.file.split('/').map(encodeURIComponent).join('/') };
  if (!('line' in at)) return { artifactLocation };
  const { line: startLine, column: startColumn, endLine, endColumn } = at;
  return { artifactLocation, region: { startLine, startColumn, endLine, endColumn } };
}

/** JUnit: a test case a finding; one that passes for a file without findings that count. */
export function reportJunit(report: Report): string {
  const { findings, files, fails } = report;
  const failed = findings.filter(fails);
  const others = findings.filter((finding) => !fails(finding));
  const clean = files.filter((file) => !failed.some(({ at }) => at.file === file));
  const cases = [
    ...failed.map((finding) => {
      const name = attribute(`${placeText(finding.at)} ${finding.code}`);
      const [message, body] = [attribute(withHelp(finding)), escaped(renderFinding(finding))];
      return `    <testcase classname="hookctl.validate" name="${name}">\n      <failure type="${finding.code}" message="${message}">${body}</failure>\n    </testcase>`;
    }),
    ...clean.map((file) => {
      const told = others.filter(({ at }) => at.file === file).map(renderFinding);
      const body =
        told.length === 0 ? '/>' : `>\n      <system-out>${escaped(told.join('\n'))}</system-out>\n    </testcase>`;
      return `    <testcase classname="hookctl.validate" name="${attribute(file)}"${body}`;
    }),
  ];
  const counts = `tests="${cases.length}" failures="${failed.length}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="hookctl validate" ${counts}>\n${cases.map((one) => `${one}\n`).join('')}  </testsuite>\n</testsuites>\n`;
}

const COMMANDS = { error: 'error', warning: 'warning', info: 'notice' } as const satisfies Record<Severity, string>;

/** Workflow commands of GitHub Actions, one a finding. `fileFrom`: the path from the repository's root. */
export function reportGithub({ findings }: Report, fileFrom: (shown: string) => string): string {
  return findings
    .map((finding) => {
      const { at } = finding;
      const place = 'line' in at ? { line: at.line, endLine: at.endLine, col: at.column, endColumn: at.endColumn } : {};
      const properties = Object.entries({ file: fileFrom(at.file), ...place, title: finding.code });
      const list = properties.map(([key, value]) => `${key}=${workflowProperty(String(value))}`).join(',');
      return `::${COMMANDS[severityOf(finding)]} ${list}::${workflowData(withHelp(finding))}\n`;
    })
    .join('');
}

function withHelp(finding: Finding): string {
  const help = helpOf(finding);
  return help === undefined ? sentenceOf(finding) : `${sentenceOf(finding)}\n${help}`;
}

function summaryLine(findings: readonly Finding[], files: readonly string[]): string {
  const counts = countsOf(findings);
  const parts = [
    ...(counts.error > 0 ? [many(counts.error, 'error')] : []),
    ...(counts.warning > 0 ? [many(counts.warning, 'warning')] : []),
    ...(counts.info > 0 ? [`${counts.info} info`] : []),
  ];
  return `${parts.length === 0 ? 'no findings' : parts.join(', ')} in ${many(files.length, 'file')}`;
}

export function countsOf(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const finding of findings) counts[severityOf(finding)] += 1;
  return counts;
}

function many(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

/** The first line bold, the severity in it in its colour, the rest dim but for the caret. */
function painted(text: string, severity: Severity, paint: Paint): string {
  const [head = '', ...rest] = text.split('\n');
  const style = severity === 'error' ? paint.red : severity === 'warning' ? paint.yellow : paint.dim;
  const mark = `: ${severity}: `;
  return [paint.bold(head.replace(mark, `: ${style(severity)}: `)), ...rest].join('\n');
}

export function attribute(text: string): string {
  return escaped(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;');
}

/** XML 1.0 has no control characters, not even as references. */
export function escaped(text: string): string {
  return clean(text)
    .replace(/[\ufffe\uffff\p{Surrogate}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

export function workflowData(text: string): string {
  return clean(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

export function workflowProperty(text: string): string {
  return workflowData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
