/**
 * `--format X[=FILE]`, repeated: one result, written in several shapes.
 */

import type { Disk } from '../config/find';
import { type Finding, severityOf } from '../core/finding';
import { didYouMean } from '../core/nearest';
import { resolvePath, shownFrom } from '../core/path';
import { EXIT } from '../exit';
import type { Io } from '../io';
import { reportJson } from '../render/report';
import type { Option } from './options';
import type { Named } from './reads';

export const FORMAT_OPTION: Option = {
  name: 'format',
  value: 'FORMAT[=FILE]',
  help: 'text (default) or json, on stdout or into a file; may be repeated',
};

export type Output = { readonly format: string; readonly file?: string };

/** The outputs asked for, `otherwise` on stdout where none is; or what is wrong with them. */
export function readOutputs(
  written: readonly string[],
  known: readonly string[],
  option = 'format',
): readonly Output[] | { readonly problem: string } {
  const outputs = written.map((one): Output => {
    const at = one.indexOf('=');
    return at < 0 ? { format: one } : { format: one.slice(0, at), file: one.slice(at + 1) };
  });
  const strange = outputs.find(({ format }) => !known.includes(format));
  if (strange !== undefined) return { problem: unknownFormat(option, strange.format, known) };
  if (outputs.some(({ file }) => file === ''))
    return { problem: `--${option} ${option.toUpperCase()}=FILE needs a file name behind the "="` };
  if (outputs.filter(({ file }) => file === undefined).length > 1) {
    return {
      problem: `only one --${option} can go to stdout; give the others a file, as in --${option} json=out.json`,
    };
  }
  const files = outputs.flatMap(({ file }) => file ?? []);
  if (new Set(files).size < files.length) return { problem: ONE_FILE };
  return outputs.length > 0 ? outputs : known.slice(0, 1).map((format) => ({ format }));
}

/** What is read before outputs are written. `files`: absolute paths besides those that configs and suites lead to. */
export type Reading = Partial<Named> & { readonly files?: readonly string[]; readonly disk?: Disk };

/** An output that would overwrite what is read, by whatever name; or two that would overwrite one another; or undefined. */
export async function overwriting(
  outputs: readonly Output[],
  { configs = [], suites = [], files = [], disk }: Reading,
  io: Io,
  option = 'format',
): Promise<string | undefined> {
  const written = outputs.flatMap(({ format, file }) => {
    const identity = file === undefined ? undefined : io.identityOf(resolvePath(io.cwd, file));
    return identity === undefined ? [] : [{ as: `--${option} ${format}=${file}`, identity }];
  });
  if (written.length === 0) return undefined;
  if (new Set(written.map(({ identity }) => identity)).size < written.length) return ONE_FILE;
  const { filesOf } = await import('./reads');
  const read = new Map([[io.stdinIdentity(), 'the file on stdin']]);
  for (const path of [...files, ...(await filesOf({ configs, suites }, disk ?? io.disk, io))])
    read.set(io.identityOf(path), shownFrom(io.cwd, path));
  const clash = written.find(({ identity }) => read.has(identity));
  return clash && `${clash.as} would overwrite a file that is read: ${read.get(clash.identity)}`;
}

const ONE_FILE = 'two formats cannot go into one file';

/** Where configs have errors, what reads JSON gets them so: `{"version":1,"findings":[…],"summary":{…}}`. People have read them on stderr. */
export function refusedConfigs(findings: readonly Finding[], outputs: readonly Output[], io: Io): number {
  const files = [...new Set(findings.map(({ at }) => at.file))];
  const report = reportJson({ findings, files, fails: (finding) => severityOf(finding) === 'error' });
  const asked = outputs.filter(({ format }) => format === 'json');
  const lost = writeOutputs(asked, () => report, io);
  return lost.length > 0 ? EXIT.own : EXIT.findings;
}

/** Writes each output; the problems, one a line. */
export function writeOutputs(
  outputs: readonly Output[],
  render: (format: string) => string,
  io: Io,
): readonly string[] {
  return outputs.flatMap(({ format, file }) => {
    const lost = file === undefined ? io.write('stdout', render(format)) : io.writeFile(file, render(format));
    return lost === undefined ? [] : [`cannot write ${file ?? 'stdout'}: ${lost}`];
  });
}

function unknownFormat(option: string, format: string, known: readonly string[]): string {
  return `unknown ${option} "${format}"${didYouMean(format, known)} (allowed: ${known.join(', ')})`;
}
