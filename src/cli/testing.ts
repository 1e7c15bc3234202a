/**
 * What `hookctl test` does: tells dry runs from suites, runs them, reports.
 */
import { isSuite } from '../config/suite';
import type { Io } from '../io';
import { badUsage } from './command';
import { dryRun } from './dry-run';
import type { ParsedOptions } from './options';
import { runSuites } from './suites';

const DRY_ONLY = ['event', 'payload', 'as', 'plan', 'write-payload'];
const SUITE_ONLY = ['name', 'tag', 'config', 'bail', 'jobs', 'update', 'coverage', 'min-coverage'];

/** Runs the command and resolves with the exit code. */
export async function testing(options: ParsedOptions, io: Io): Promise<number> {
  const dry = options.rest.length > 0 && options.rest.every((name) => isDry(name, io));
  const strange = (dry ? SUITE_ONLY : DRY_ONLY).find((name) => options.values.has(name) || options.switches.has(name));
  if (strange !== undefined) {
    const why = dry ? 'is for suites (*.hooktest.yaml)' : 'is for a dry run; name a config such as agent.yaml';
    return badUsage('test', `--${strange} ${why}`, io);
  }
  return dry ? dryRun(options, io) : runSuites(options, io);
}

/** Neither a suite, nor a folder or pattern, in which suites are looked for. */
function isDry(name: string, io: Io): boolean {
  return (
    !isSuite(name) &&
    !/[*?[{]/.test(name) &&
    io.disk.kindOf(name.startsWith('/') ? name : `${io.cwd}/${name}`) !== 'folder'
  );
}
