/**
 * A test suite, as far as its schema says what is wrong.
 */
import type { Finding } from '../core/finding';
import type { LoadDoors } from './load';
import { validators } from './more-validators.generated';
import { faultFinding, type ParsedFile, parseFile } from './parse';
import { validateBy } from './validate';

const SUITE = /\.hooktest\.(?:ya?ml|json)$/;

/** Is it a suite by its name? */
export function isSuite(path: string): boolean {
  return SUITE.test(path);
}

export type SuiteRead = { readonly findings: readonly Finding[] } & Partial<
  Pick<ParsedFile, 'text' | 'place' | 'tree'>
>;

/** Reads, parses and validates a suite. */
export async function readSuiteFile(path: string, shown: string, doors: LoadDoors): Promise<SuiteRead> {
  const bytes = doors.disk.read(path);
  if (!(bytes instanceof Uint8Array)) {
    return { findings: [{ code: 'HK001', at: { file: shown }, args: { path: shown, why: bytes.why } }] };
  }
  const parsed = parseFile(shown, bytes, await doors.yaml());
  const { tree, place, text } = parsed;
  if (tree === undefined) return { text, place, findings: parsed.faults.map((fault) => faultFinding(fault, place)) };
  return { text, place, ...validateBy(validators.suite, tree, [], place) };
}
