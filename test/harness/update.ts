/**
 * Rewrites the expectations of a case in its file. Everything else in the file stays as it is, byte for byte.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { Composer, CST, type Document, isMap, isNode, Parser, parseAllDocuments, type Scalar, stringify } from 'yaml';
import type { Case, Expected } from './cases';
import { fulfils, type Seen } from './run';

/** Writes what was seen into the case's file, except where the expectation holds. Returns the case as it then stands there. */
export function updateCase(one: Case, seen: Seen): Case {
  const expected = accepted(one.expected, seen);
  const before = readFileSync(one.path, 'utf8');
  const after = replaceExpected(before, one.index, expected);
  if (after !== before) writeFileSync(one.path, after);
  return { ...one, expected };
}

/** The text of a case file with other expectations in its `index`-th case. Throws if they would not be read back. */
export function replaceExpected(text: string, index: number, expected: Expected): string {
  const updated = ENTRIES.reduce((current, key) => replaceValue(current, index, key, expected[key]), text);
  const readBack: unknown = parseAllDocuments(updated)[index]?.toJS();
  const lost = ENTRIES.find((key) => !holds(readBack, key, expected[key]));
  if (lost !== undefined) throw new Error(`case ${index + 1}: \`${lost}\` cannot be written here; edit it by hand`);
  return updated;
}

const ENTRIES = ['stdout', 'stderr', 'exit'] as const satisfies readonly (keyof Expected)[];

function accepted(expected: Expected, seen: Seen): Expected {
  return {
    stdout: fulfils(expected.stdout, seen.stdout) ? expected.stdout : seen.stdout,
    stderr: fulfils(expected.stderr, seen.stderr) ? expected.stderr : seen.stderr,
    exit: seen.exit,
  };
}

function replaceValue(text: string, index: number, key: string, value: string | number): string {
  const tokens = [...new Parser().parse(text)];
  const document = [...new Composer({ keepSourceTokens: true }).compose(tokens)][index];
  if (document === undefined) throw new Error(`there is no case ${index + 1}`);
  if (holds(document.toJS(), key, value)) return text;
  if (!document.has(key)) return insertEntry(text, document, key, value);
  const token = tokenOf(document, key);
  if (token === undefined) return text;
  const type = styleOf(value);
  // Quotes on one line, as in a key: folded ones lose blanks.
  CST.setScalarValue(token, String(value), { afterKey: true, implicitKey: type === 'QUOTE_DOUBLE', type });
  return tokens.map((one) => CST.stringify(one)).join('');
}

/** The token of a scalar; undefined for anything else, which stays for the check at the end to report. */
function tokenOf(document: Document, key: string): CST.Token | undefined {
  const node: unknown = document.get(key, true);
  return isNode(node) ? node.srcToken : undefined;
}

/** Adds the entry behind the last one. An absent `stderr` that is to be empty is right as it is. */
function insertEntry(text: string, document: Document, key: string, value: string | number): string {
  if (key === 'stderr' && value === '') return text;
  const end = isMap(document.contents) ? document.contents.range?.[1] : undefined;
  if (end === undefined) return text;
  const [before, behind] = [text.slice(0, end), text.slice(end)];
  const type = styleOf(value);
  const entry = stringify({ [key]: value }, { lineWidth: 0, ...(type === 'QUOTE_DOUBLE' ? QUOTED : {}) });
  return `${before}${before.endsWith('\n') ? '' : '\n'}${entry}${behind.replace(/^\n/, '')}`;
}

const QUOTED = { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' } as const;

function holds(written: unknown, key: string, value: string | number): boolean {
  const found: unknown = new Map(Object.entries(written ?? {})).get(key);
  return found === value || (key === 'stderr' && found === undefined && value === '');
}

/** Lines as a block, but quoted where a block would lose or hide a character, or has nothing that shows its indentation. */
function styleOf(value: string | number): Scalar.Type {
  if (typeof value === 'number') return 'PLAIN';
  if (/[^\n\x20-\x7e\xa0-\u2027\u202a-\ufefe\uff00-\ufffd]|^[ \n]+$/.test(value)) return 'QUOTE_DOUBLE';
  return value.includes('\n') ? 'BLOCK_LITERAL' : 'QUOTE_SINGLE';
}
