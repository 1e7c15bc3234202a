/**
 * Case files: found, parsed, checked. Every slip in one is an error, so that a typo never makes a case pass.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** One case, checked, defaults applied. Its texts still hold their placeholders. */
export type Case = {
  /** Absolute path of the case file, and the 0-based position of the case in it. */
  readonly path: string;
  readonly index: number;
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Added to the clean environment; null removes. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly command: Command;
  readonly stdin: Stdin;
  readonly expected: Expected;
  /** Upper bound of the wall time. */
  readonly seconds: number;
  /** Files of pids that must be dead, or alive, after the run. */
  readonly gone?: string;
  readonly left?: string;
  /** Files to compare after the run; null: there is none. */
  readonly after: Readonly<Record<string, string | null>>;
};

/** The program with arguments, or a `/bin/sh` script that calls it as `$HOOKCTL`. */
export type Command =
  | { readonly kind: 'argv'; readonly argv: readonly string[] }
  | { readonly kind: 'run'; readonly script: string };

/** `text` with placeholders, or bytes as they are. */
export type Stdin =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer };

/** The two texts are exact, or `/…/flags` that is searched. */
export type Expected = { readonly stdout: string; readonly stderr: string; readonly exit: number };

/** `missing: 'fill'` takes a case without `stdout` and `exit`, which an update then adds. */
export type Options = { readonly missing?: 'error' | 'fill' };

/** The absolute paths of `<folder>/<topic>/<name>.yaml`, sorted. Throws for a YAML file anywhere else, which would never run. */
export function findCaseFiles(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.ya?ml$/i.test(path));
  const astray = found.find((path) => path.split(sep).length !== 2 || !path.endsWith('.yaml'));
  if (astray !== undefined) throw new Error(`${astray}: a case file is <topic>/<name>.yaml`);
  return found.sort().map((path) => join(folder, path));
}

/** `<topic>/<name>` of a case file. */
export function titleOf(path: string): string {
  return `${basename(dirname(path))}/${basename(path, '.yaml')}`;
}

/** The cases of a file, in order. Throws for the first thing that is wrong with any of them. */
export function readCases(path: string, options: Options = {}): Case[] {
  const cases = parseAllDocuments(readFileSync(path, 'utf8')).map((document, index) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw new Error(`${place(path, index)}: ${problem.message}`);
    return toCase(document.toJS(), path, index, options);
  });
  const twin = cases.find((one, index) => cases.findIndex((other) => other.name === one.name) < index);
  if (twin !== undefined) throw new Error(`${place(path, twin.index)}: there is another case named "${twin.name}"`);
  return cases;
}

/** The pattern of an expectation that is written `/…/flags`; undefined for an exact text. */
export function patternOf(expectation: string): RegExp | undefined {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(expectation) ?? [];
  return source === undefined ? undefined : new RegExp(source, flags);
}

const KEYS = new Set(
  'name files env argv run stdin stdinBase64 stdinFile stdout stderr exit seconds gone left after'.split(' '),
);
const DEFAULT_SECONDS = 20;

type Written = Readonly<Record<string, unknown>>;

function toCase(value: unknown, path: string, index: number, { missing = 'error' }: Options): Case {
  return located(place(path, index), () => {
    const written = toWritten(value);
    const [gone, left] = [optional(written, 'gone', text), optional(written, 'left', text)];
    return {
      path,
      index,
      name: required(written, 'name', filledText),
      files: optional(written, 'files', texts) ?? {},
      env: optional(written, 'env', textsOrNulls) ?? {},
      command: toCommand(written),
      stdin: toStdin(written, path),
      expected: toExpected(missing === 'fill' ? { stdout: '', exit: 0, ...written } : written),
      seconds: optional(written, 'seconds', positive) ?? DEFAULT_SECONDS,
      ...(gone === undefined ? {} : { gone }),
      ...(left === undefined ? {} : { left }),
      after: optional(written, 'after', textsOrNulls) ?? {},
    };
  });
}

function toWritten(value: unknown): Written {
  if (!isMapping(value)) throw new Error('a case is a mapping');
  const unknown = Object.keys(value).find((key) => !KEYS.has(key));
  if (unknown !== undefined) throw new Error(`unknown key "${unknown}"`);
  return value;
}

function toCommand(written: Written): Command {
  exclusive(written, ['argv', 'run']);
  const script = optional(written, 'run', filledText);
  return script === undefined ? { kind: 'argv', argv: required(written, 'argv', list) } : { kind: 'run', script };
}

function toStdin(written: Written, path: string): Stdin {
  exclusive(written, ['stdin', 'stdinBase64', 'stdinFile']);
  const base64 = optional(written, 'stdinBase64', base64Text);
  if (base64 !== undefined) return { kind: 'bytes', bytes: Buffer.from(base64, 'base64') };
  const file = optional(written, 'stdinFile', filledText);
  if (file !== undefined) return { kind: 'bytes', bytes: readFileSync(resolve(dirname(path), file)) };
  return { kind: 'text', text: optional(written, 'stdin', text) ?? '' };
}

function toExpected(written: Written): Expected {
  return {
    stdout: required(written, 'stdout', expectation),
    stderr: optional(written, 'stderr', expectation) ?? '',
    exit: required(written, 'exit', exitCode),
  };
}

function required<T>(written: Written, key: string, read: (value: unknown) => T): T {
  if (!Object.hasOwn(written, key)) throw new Error(`no \`${key}\``);
  return located(key, () => read(written[key]));
}

function optional<T>(written: Written, key: string, read: (value: unknown) => T): T | undefined {
  return Object.hasOwn(written, key) ? required(written, key, read) : undefined;
}

function exclusive(written: Written, keys: readonly string[]): void {
  const given = keys.filter((key) => Object.hasOwn(written, key));
  if (given.length > 1) throw new Error(`${given.join(' and ')} exclude each other`);
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error('must be a text (quote it)');
  return value;
}

function filledText(value: unknown): string {
  if (text(value) === '') throw new Error('must not be empty');
  return text(value);
}

function base64Text(value: unknown): string {
  const packed = text(value).replace(/\s/g, '');
  if (!/^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/.test(packed)) throw new Error('must be base64');
  return packed;
}

/** Also compiles it, so that a pattern that cannot be is found here. */
function expectation(value: unknown): string {
  patternOf(text(value));
  return text(value);
}

function exitCode(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 255) {
    throw new Error('must be a number from 0 to 255');
  }
  return value;
}

function positive(value: unknown): number {
  if (typeof value !== 'number' || !(value > 0)) throw new Error('must be a number above 0');
  return value;
}

function list(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw new Error('must be a list of texts');
  return value.map(text);
}

function texts(value: unknown): Readonly<Record<string, string>> {
  return mapValues(value, text);
}

function textsOrNulls(value: unknown): Readonly<Record<string, string | null>> {
  return mapValues(value, (one) => (one === null ? null : text(one)));
}

function mapValues<T>(value: unknown, read: (value: unknown) => T): Readonly<Record<string, T>> {
  if (!isMapping(value)) throw new Error('must be a mapping');
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, located(key, () => read(one))]));
}

function isMapping(value: unknown): value is Written {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Says where what is thrown within happened. */
function located<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new Error(`${where}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

function place(path: string, index: number): string {
  return `${relative(process.cwd(), path)}, case ${index + 1}`;
}
