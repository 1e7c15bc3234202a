/**
 * Checks beyond the schema: what a config means, and whether what it names is there.
 */
import { distinct, type Finding } from '../core/finding';
import { roomOf } from '../dialects';
import type { WrittenHook } from '../dialects/dialect';
import type { CheckDoors, CheckedFile } from './doors';
import { abilitiesOf, abilitiesOfModule } from './guards';
import { launchFindings } from './launches';
import { type ModuleRead, readModule } from './modules';
import { placesIn } from './positions';
import { authorRow, duplicateFindings, type Known, orderFindings, ruleFindings } from './rules';
import { readScripts } from './scripts';

export type { CheckDoors, CheckedFile } from './doors';

export type Checked = {
  readonly findings: readonly Finding[];
  readonly known: readonly Known[];
  /** Scripts of the shell that hooks run: absolute path → text. */
  readonly scripts: ReadonlyMap<string, string>;
};

/** The findings of one file. Without `doors` nothing is looked for on the disk. */
export function checkFile(file: CheckedFile, doors: CheckDoors | undefined): Checked {
  const scripts = new Map<string, string>();
  const looked = file.config.written.map((written) => look(written, file, doors));
  for (const one of looked) for (const [path, text] of one.scripts) scripts.set(path, text);
  const known = looked.flatMap((one) => one.known ?? []);
  const events = [...new Set(known.map((one) => one.written.hook.event))];
  const chains = events.map((event) => known.filter((one) => one.written.hook.event === event));
  const findings = [
    ...(file.config.advice ?? []),
    ...looked.flatMap((one) => one.findings),
    ...known.flatMap(ruleFindings),
    ...chains.flatMap(orderFindings),
  ];
  return { findings: distinct(findings), known, scripts };
}

/** The findings of all files together. */
export function checkTogether(checked: readonly Checked[]): Finding[] {
  return duplicateFindings(checked.flatMap((one) => one.known));
}

type Looked = {
  readonly findings: readonly Finding[];
  readonly known?: Known;
  readonly scripts: ReadonlyMap<string, string>;
};

function look(written: WrittenHook, { doc, text }: CheckedFile, doors: CheckDoors | undefined): Looked {
  const { command } = written;
  const looks = doors !== undefined && written.hook.off === undefined;
  const read =
    looks && command !== undefined
      ? readScripts(written, doors.shell(command.text), doors)
      : { findings: [], scripts: new Map<string, string>() };
  const placed = command === undefined ? () => written.span : placesIn(text, command);
  const module: ModuleRead = looks ? readModule(written, doors) : { findings: [] };
  const findings = [
    ...read.findings.map(({ start, end, ...finding }): Finding => ({ ...finding, at: doc.place(placed(start, end)) })),
    ...module.findings.map((one): Finding => ({ ...one, at: doc.place(written.module?.span ?? written.span) })),
  ];
  if (doors !== undefined) findings.push(...launchFindings(written, doc, doors));
  const row = authorRow(written);
  if (row === undefined) return { findings, scripts: read.scripts };
  const can =
    module.text === undefined
      ? abilitiesOf(command?.text ?? '', [...read.scripts.values()])
      : abilitiesOfModule(module.text);
  const seen = { ...can, texts: [command?.text ?? '', ...read.scripts.values()] };
  const advice =
    written.hook.off === undefined ? (roomOf(written.hook.author)?.author?.advise?.(written, seen) ?? []) : [];
  const at = doc.place(command?.span ?? written.span);
  findings.push(...advice.map((one): Finding => ({ ...one, at })));
  return { findings, known: { written, row, can, doc }, scripts: read.scripts };
}
