/**
 * From the tree of a valid suite to its cases: tables unrolled, what the suite says for all of them filled in.
 */
import type { Finding, FindingPlace } from '../core/finding';
import { dataOf, entryOf, type Tree, type TreeSpan } from '../core/tree';
import { patternOf } from './compare';
import type { Case, Data, Fields } from './model';

/** What a case says of the event itself. */
/** What a row of a table may begin with, and what may stand behind that. */
const ROW_FIELDS = [
  'event',
  'session',
  'tool',
  'prompt',
  'response',
  'file',
  'task',
  'payload',
  'env',
  'files',
  'expect',
];
const BELOW: Readonly<Record<string, readonly string[]>> = {
  tool: ['name', 'canonical', 'input', 'output', 'success'],
  file: ['path'],
  task: ['name', 'spec', 'success'],
  expect: [
    'action',
    'reason',
    'response',
    'context',
    'prompt',
    'input',
    'warnings',
    'exit',
    'reply',
    'ran',
    'skipped',
    'error',
  ],
};
const EVENT_FIELDS = ['event', 'session', 'tool', 'prompt', 'response', 'file', 'task'];

export type SuiteRead = { readonly cases: readonly Case[]; readonly findings: readonly Finding[] };

/** The cases in order. A row that names no place in the case, a case without an event and a name that stands twice are findings. */
export function readSuite(tree: Tree, place: (span: TreeSpan) => FindingPlace): SuiteRead {
  const whole = fieldsOf(dataOf(tree) as Data);
  const list = entryOf(tree, 'cases')?.value;
  const items = list?.kind === 'list' ? list.items : [];
  const read = items.map(({ value }) => readCase(whole, value, place));
  const cases = read.flatMap((one) => one.cases);
  const twice = cases.filter((one, index) => cases.findIndex(({ name }) => name === one.name) < index);
  const findings = twice.map(({ at, name }): Finding => ({ code: 'HK039', at, args: { name } }));
  return { cases, findings: [...read.flatMap((one) => one.findings), ...findings] };
}

function readCase(whole: Fields, tree: Tree, place: (span: TreeSpan) => FindingPlace): SuiteRead {
  const written = fieldsOf(dataOf(tree) as Data);
  const named = entryOf(tree, 'name')?.value ?? tree;
  const each = entryOf(tree, 'each')?.value;
  const rows =
    each?.kind === 'list'
      ? each.items.map((item) => ({ row: fieldsOf(dataOf(item.value) as Data), tree: item.value }))
      : [];
  const unrolled =
    rows.length === 0
      ? [{ fields: written, at: place(named.span), row: {} }]
      : rows.map(({ row, tree: own }) => ({ fields: withRow(written, row), at: place(own.span), row }));
  const cases = unrolled.map(({ fields, at, row }) => caseOf(whole, fields, at, row));
  const findings = cases.flatMap(({ payload, at, name }): Finding[] =>
    typeof payload === 'string' || payload['event'] !== undefined || written['payload'] !== undefined
      ? []
      : [{ code: 'HK040', at, args: { name } }],
  );
  return {
    cases,
    findings: [...rows.flatMap((one) => rowFindings(one.tree, place)), ...findings, ...cases.flatMap(caseFindings)],
  };
}

/** A path that leads nowhere would change nothing, and the case would pass for another one. */
function rowFindings(row: Tree, place: (span: TreeSpan) => FindingPlace): Finding[] {
  if (row.kind !== 'map') return [];
  return row.entries.flatMap(({ key, keySpan }): Finding[] => {
    const [first = '', second = ''] = key.split('.');
    const args = (wrong: string) => ({ key: wrong, where: 'a row of "each"', hint: '' });
    if (!ROW_FIELDS.includes(first))
      return [{ code: 'HK006', at: place(keySpan), args: args(first), allowed: ROW_FIELDS }];
    const allowed = BELOW[first];
    if (allowed === undefined || (second === '' && first !== 'expect') || allowed.includes(second)) return [];
    return [{ code: 'HK006', at: place(keySpan), args: args(second), allowed }];
  });
}

function caseFindings({ name, at, configs, expect }: Case): Finding[] {
  const without: Finding[] = configs.length > 0 ? [] : [{ code: 'HK042', at, args: { name } }];
  return [...without, ...textsIn(expect).flatMap((pattern) => patternFinding(pattern, at))];
}

function patternFinding(pattern: string, at: FindingPlace): Finding[] {
  try {
    patternOf(pattern);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*: /s, '') : '';
    return [{ code: 'HK041', at, args: { pattern, why } }];
  }
}

function textsIn(data: Data): string[] {
  if (typeof data === 'string') return [data];
  if (typeof data !== 'object' || data === null) return [];
  return Object.values(data).flatMap(textsIn);
}

function caseOf(whole: Fields, own: Fields, at: FindingPlace, row: Fields): Case {
  const suffix = Object.entries(row).map(
    ([path, value]) =>
      `${path}: ${typeof value === 'string' && !/[\x00-\x1f\x7f]/.test(value) ? value : JSON.stringify(value)}`,
  );
  const name = textOf(own['name']) ?? '';
  const as = textOf(own['as']);
  return {
    name: suffix.length === 0 ? name : `${name} (${suffix.join(', ')})`,
    tags: listOf(own['tags']),
    at,
    configs: listOf(own['config'] ?? whole['config']),
    ...(as === undefined ? {} : { as }),
    payload: payloadOf(own),
    env: { ...textsOf(whole['env']), ...textsOf(own['env']) },
    files: { ...textsOf(whole['files']), ...textsOf(own['files']) },
    setup: [whole['setup'], own['setup']].flatMap((one) => textOf(one) ?? []),
    expect: fieldsOf(own['expect']),
  };
}

function payloadOf(own: Fields): string | Fields {
  const { payload } = own;
  if (typeof payload === 'string') return payload;
  if (payload !== undefined) return fieldsOf(payload);
  return Object.fromEntries(
    EVENT_FIELDS.flatMap((key): [string, Data][] => (own[key] === undefined ? [] : [[key, own[key] ?? null]])),
  );
}

/** The case with the row's values at their paths, `tool.input.command` for one. */
function withRow(fields: Fields, row: Fields): Fields {
  return Object.entries(row).reduce((result, [path, value]) => put(result, path.split('.'), value), fields);
}

function put(fields: Fields, [step = '', ...rest]: readonly string[], value: Data): Fields {
  return { ...fields, [step]: rest.length === 0 ? value : put(fieldsOf(fields[step]), rest, value) };
}

function fieldsOf(data: Data | undefined): Fields {
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Fields) : {};
}

function textsOf(data: Data | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(fieldsOf(data)).map(([key, value]) => [key, String(value)]));
}

function textOf(data: Data | undefined): string | undefined {
  return typeof data === 'string' ? data : undefined;
}

/** A text stands for a list of one. */
function listOf(data: Data | undefined): readonly string[] {
  if (typeof data === 'string') return [data];
  return Array.isArray(data) ? data.map(String) : [];
}
