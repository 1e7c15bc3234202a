/**
 * From the tree of a valid suite, its tables unrolled, to its cases: what the suite says for all of them filled in.
 */
import type { Finding, FindingPlace } from '../core/finding';
import { dataOf, entryOf, type Tree, type TreeEntry, type TreeSpan } from '../core/tree';
import { variableFault } from '../core/variable';
import { patternFault, searchedIn } from './compare';
import type { Case, Data, Fields, Payload } from './model';
import { isExact } from './number';
import type { Unrolled } from './rows';

/** What a case says of the event itself. */
const EVENT_FIELDS = ['event', 'session', 'tool', 'prompt', 'response', 'file', 'task'];

export type SuiteRead = { readonly cases: readonly Case[]; readonly findings: readonly Finding[] };

type Place = (span: TreeSpan) => FindingPlace;

/** The cases in order. What a schema cannot say is found here: keys that exclude one another, what is missing or stands twice. */
export function readSuite(suite: Tree, unrolled: readonly Unrolled[], text: string, place: Place): SuiteRead {
  const whole = fieldsOf(dataOf(suite) as Data);
  const cases = unrolled.map((one) => caseOf(suite, whole, one, place));
  const names = new Set<string>();
  const twice = cases.filter(({ name }) => names.size === names.add(name).size);
  return {
    cases,
    findings: [
      ...[suite, ...unrolled.map(({ tree }) => tree)].flatMap((tree) => variableFindings(tree, place)),
      ...unrolled.flatMap((one) => excludedFindings(one, place)),
      ...unrolled.flatMap(({ tree, over }) =>
        [tree, ...over.map(({ value }) => value)].flatMap((one) => numberFindings(one, text, place)),
      ),
      ...unrolled.flatMap(({ tree }) => patternFindings(entryOf(tree, 'expect')?.value, place)),
      ...cases.flatMap(caseFindings),
      ...twice.map(({ at, name }): Finding => ({ code: 'HK039', at, args: { name } })),
    ],
  };
}

/** Variables that no process can be given: every hook would fail. */
function variableFindings(tree: Tree, place: Place): Finding[] {
  return keysOf(entryOf(tree, 'env')?.value).flatMap(({ key, keySpan, value }): Finding[] => {
    const fault = variableFault(key);
    if (fault !== undefined) return [{ code: 'HK014', at: place(keySpan), args: { name: `"${key}"`, ...fault } }];
    const isNul = key.includes('\0') || String(dataOf(value)).includes('\0');
    return isNul ? [{ code: 'HK019', at: place(keySpan), args: { where: 'a variable' } }] : [];
  });
}

/** The key of one of them would be dropped without a word. Where one of the two stands in a row, that is the place. */
function excludedFindings({ tree, row }: Unrolled, place: Place): Finding[] {
  const expect = entryOf(tree, 'expect')?.value;
  const [payload, error] = [entryOf(tree, 'payload'), entryOf(expect, 'error')];
  const isOfRow = ({ start }: TreeSpan) => row !== undefined && row.span.start <= start && start < row.span.end;
  const told = (dropped: TreeEntry, by: TreeEntry): Finding => {
    const span = isOfRow(by.keySpan) && !isOfRow(dropped.keySpan) ? by.keySpan : dropped.keySpan;
    return { code: 'HK043', at: place(span), args: { key: dropped.key, other: by.key } };
  };
  return [
    ...(payload
      ? keysOf(tree)
          .filter(({ key }) => EVENT_FIELDS.includes(key))
          .map((one) => told(one, payload))
      : []),
    ...(error
      ? keysOf(expect)
          .filter(({ key }) => key !== 'error')
          .map((one) => told(one, error))
      : []),
  ];
}

function keysOf(tree: Tree | undefined) {
  return tree?.kind === 'map' ? tree.entries : [];
}

/** Numbers that a payload could not hold as they are written. */
function numberFindings(tree: Tree, text: string, place: Place): Finding[] {
  if (tree.kind === 'map') return tree.entries.flatMap(({ value }) => numberFindings(value, text, place));
  if (tree.kind === 'list') return tree.items.flatMap(({ value }) => numberFindings(value, text, place));
  if (typeof tree.value !== 'number') return [];
  const written = text.slice(tree.span.start, tree.span.end);
  if (isExact(tree.value, written)) return [];
  return [{ code: 'HK045', at: place(tree.span), args: { written, read: String(tree.value) } }];
}

function caseFindings({ name, at, configs, payload }: Case): Finding[] {
  const isEmpty = payload.kind === 'fields' && Object.keys(payload.fields).length === 0;
  return [
    ...(isEmpty ? [{ code: 'HK040' as const, at, args: { name } }] : []),
    ...(configs.length > 0 ? [] : [{ code: 'HK042' as const, at, args: { name } }]),
  ];
}

/** Texts between slashes that are no pattern. */
function patternFindings(tree: Tree | undefined, place: Place): Finding[] {
  const texts = keysOf(tree).flatMap(({ key, value }) => searchedIn(key, value));
  return texts.flatMap((text): Finding[] => {
    const pattern = String(dataOf(text));
    const why = patternFault(pattern);
    return why === undefined ? [] : [{ code: 'HK041', at: place(text.span), args: { pattern, why } }];
  });
}

function caseOf(suite: Tree, whole: Fields, { tree, row, over }: Unrolled, place: Place): Case {
  const own = fieldsOf(dataOf(tree) as Data);
  const name = textOf(own['name']) ?? '';
  const suffix =
    row?.kind === 'map' ? row.entries.map(({ key, value }) => `${key}: ${shown(dataOf(value) as Data)}`) : [];
  const as = textOf(own['as']);
  const span = (key: string) =>
    (entryOf(tree, key) ?? entryOf(suite, key) ?? entryOf(tree, 'name'))?.value.span ?? tree.span;
  return {
    name: suffix.length === 0 ? name : `${name} (${suffix.join(', ')})`,
    tags: listOf(own['tags']),
    at: place((row ?? entryOf(tree, 'name')?.value ?? tree).span),
    spans: { as: span('as'), config: span('config'), event: span('event'), payload: span('payload') },
    configs: listOf(own['config'] ?? whole['config']),
    ...(as === undefined ? {} : { as }),
    payload: payloadOf(own, over),
    env: { ...textsOf(whole['env']), ...textsOf(own['env']) },
    files: { ...textsOf(whole['files']), ...textsOf(own['files']) },
    setup: [whole['setup'], own['setup']].flatMap((one) => textOf(one) ?? []),
    expect: fieldsOf(own['expect']),
  };
}

/** A value of a row within the name of its case. */
function shown(value: Data): string {
  return typeof value === 'string' && !/[\x00-\x1f\x7f]/.test(value) ? value : JSON.stringify(value);
}

function payloadOf(own: Fields, over: Unrolled['over']): Payload {
  const { payload } = own;
  if (typeof payload === 'string') {
    return {
      kind: 'file',
      path: payload,
      over: over.map(({ path, value }) => ({ path, value: dataOf(value) as Data })),
    };
  }
  if (payload !== undefined) return { kind: 'fields', fields: fieldsOf(payload) };
  const fields = EVENT_FIELDS.flatMap((key): [string, Data][] =>
    own[key] === undefined ? [] : [[key, own[key] ?? null]],
  );
  return { kind: 'fields', fields: Object.fromEntries(fields) };
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
