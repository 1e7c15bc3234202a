/**
 * A test suite: read, parsed, validated.
 */
import { type Finding, hasError } from '../core/finding';
import type { Case } from '../suite/model';
import { readSuite } from '../suite/read';
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
export type SuiteFile = { readonly findings: readonly Finding[]; readonly cases?: readonly Case[] } & Partial<
  Pick<ParsedFile, 'text' | 'place' | 'tree'>
>;

/** Reads, parses and validates a suite. */
export async function readSuiteFile(path: string, shown: string, doors: LoadDoors): Promise<SuiteFile> {
  const bytes = doors.disk.read(path);
  if (!(bytes instanceof Uint8Array)) {
    return { findings: [{ code: 'HK001', at: { file: shown }, args: { path: shown, why: bytes.why } }] };
  }
  const parsed = parseFile(shown, bytes, shown.endsWith('.json') ? undefined : await doors.yaml());
  const { tree, place, text } = parsed;
  if (tree === undefined) return { text, place, findings: parsed.faults.map((fault) => faultFinding(fault, place)) };
  const valid = validateBy(validators.suite, tree, [], place);
  if (hasError(valid.findings)) return { text, place, tree, findings: inOrder(valid.findings) };
  const { cases, findings } = readSuite(tree, place);
  return { text, place, tree, findings: inOrder(findings), ...(hasError(findings) ? {} : { cases }) };
}
