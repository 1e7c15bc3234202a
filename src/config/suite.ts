/**
 * A test suite: read, parsed, validated, and whether what it names is there.
 */
import { distinct, type Finding, hasError } from '../core/finding';
import { folderOf, resolvePath } from '../core/path';
import type { Tree } from '../core/tree';
import { isOwnEvent, knownEvents, ROOM_IDS } from '../dialects';
import type { Case } from '../suite/model';
import { readSuite } from '../suite/read';
import { straysIn, type Unrolled, unroll, withCases } from '../suite/rows';
import { findConfigs } from './find';
import { inOrder, type LoadDoors } from './load';
import { validators } from './more-validators.generated';
import { faultFinding, type ParsedFile, parseFile } from './parse';
import { validateBy } from './validate';

const SUITE = /\.hooktest\.(?:ya?ml|json)$/;

/** Is it a suite by its name? */
export function isSuite(path: string): boolean {
  return SUITE.test(path);
}

/** `cases` are there where nothing is wrong. */
export type SuiteFile = {
  readonly findings: readonly Finding[];
  readonly cases?: readonly Case[];
  /** As it is written; absent where it could not be read. */
  readonly parsed?: ParsedFile;
};

/** Reads, parses and validates a suite. */
export async function readSuiteFile(path: string, shown: string, doors: LoadDoors): Promise<SuiteFile> {
  const bytes = doors.disk.read(path);
  if (!(bytes instanceof Uint8Array)) {
    return { findings: [{ code: 'HK001', at: { file: shown }, args: { path: shown, why: bytes.why } }] };
  }
  const parsed = parseFile(shown, bytes, shown.endsWith('.json') ? 'json' : await doors.yaml());
  const { tree, place, text } = parsed;
  if (tree === undefined) return { parsed, findings: parsed.faults.map((fault) => faultFinding(fault, place)) };
  const told = (findings: readonly Finding[]) => ({ parsed, findings: inOrder(distinct(findings)) });
  const written = validateBy(validators.suite, tree, [], place);
  if (hasError(written.findings)) return told(written.findings);
  const { cases: unrolled, findings: stray } = unroll(tree, place);
  const valid = validateBy(validators.suite, withCases(tree, unrolled), [], place);
  if (hasError([...stray, ...valid.findings])) return told([...stray, ...valid.findings]);
  const { cases, findings } = readSuite(tree, unrolled, text, place);
  const named = cases.flatMap((one, index) => missingFindings(one, unrolled[index], path, parsed, doors));
  const all = [...findings, ...named];
  return { ...told(all), ...(hasError(all) ? {} : { cases }) };
}

/** What a case names and is not there: its caller, its event, its configs, its payload, a path in that. */
function missingFindings(
  one: Case,
  unrolled: Unrolled | undefined,
  path: string,
  { place }: ParsedFile,
  { disk }: LoadDoors,
): Finding[] {
  const folder = folderOf(path);
  const events = knownEvents();
  const at = (key: keyof Case['spans']) => place(one.spans[key]);
  const callers = ['auto', ...ROOM_IDS];
  const findings: Finding[] = [];
  if (one.as !== undefined && !callers.includes(one.as))
    findings.push({ code: 'HK009', at: at('as'), args: { where: '"as"', got: `"${one.as}"` }, allowed: callers });
  const event = one.payload.kind === 'fields' ? one.payload.fields['event'] : undefined;
  if (typeof event === 'string' && !events.includes(event) && !isOwnEvent(event))
    findings.push({ code: 'HK007', at: at('event'), args: { event }, allowed: events });
  for (const { args } of findConfigs(one.configs, folder, disk).findings)
    findings.push({ code: 'HK047', at: at('config'), args: { path: args['path'] ?? '', why: args['why'] ?? '' } });
  if (one.payload.kind === 'file') findings.push(...payloadFindings(one.payload.path, folder, at('payload'), disk));
  const payload = one.payload.kind === 'file' ? treeOf(resolvePath(folder, one.payload.path), disk) : undefined;
  if (payload !== undefined)
    for (const { step, ...stray } of straysIn(payload, unrolled?.over ?? []))
      findings.push({ ...stray, at: place(step.keySpan) });
  return findings;
}

function payloadFindings(path: string, folder: string, at: Finding['at'], disk: LoadDoors['disk']): Finding[] {
  const bytes = disk.read(resolvePath(folder, path));
  return bytes instanceof Uint8Array ? [] : [{ code: 'HK047', at, args: { path, why: bytes.why } }];
}

function treeOf(path: string, disk: LoadDoors['disk']): Tree | undefined {
  const bytes = disk.read(path);
  return bytes instanceof Uint8Array ? parseFile('payload.json', bytes, 'json').tree : undefined;
}
