/**
 * What `hookctl test` does: tells dry runs from suites, runs them, reports.
 */
import { isSuite } from '../config/suite';
import { nearest } from '../core/nearest';
import { resolvePath } from '../core/path';
import type { Io } from '../io';
import { badUsage } from './command';
import { dryRun } from './dry-run';
import type { ParsedOptions } from './options';
import { runSuites } from './suites';
import { isPattern } from './validate-files';

const DRY_ONLY = ['event', 'payload', 'as', 'plan', 'write-payload'];
const SUITE_ONLY = ['name', 'tag', 'config', 'bail', 'jobs', 'update', 'coverage', 'min-coverage'];

/** Runs the command and resolves with the exit code. */
export async function testing(options: ParsedOptions, io: Io): Promise<number> {
  const configs = options.rest.filter((name) => isDry(name, io));
  const [suite] = options.rest.filter((name) => !configs.includes(name));
  const dry = configs.length > 0;
  if (dry && suite !== undefined) return badUsage('test', mixed(configs[0] ?? '', suite), io);
  const strange = (dry ? SUITE_ONLY : DRY_ONLY).find((name) => options.values.has(name) || options.switches.has(name));
  if (strange !== undefined) {
    const why = dry ? 'is for suites (*.hooktest.yaml)' : 'is for a dry run; name a config such as agent.yaml';
    return badUsage('test', `--${strange} ${why}`, io);
  }
  return dry ? dryRun(options, io) : runSuites(options, io);
}

/** Neither a suite, nor a folder or pattern, in which suites are looked for. */
function isDry(name: string, io: Io): boolean {
  if (isSuite(name)) return false;
  const kind = io.disk.kindOf(resolvePath(io.cwd, name));
  return kind !== 'folder' && !isPattern(name, kind);
}

function mixed(config: string, suite: string): string {
  const [, stem = '', word = '', ending = ''] = /^(.*\.)([^./]+)(\.(?:ya?ml|json))$/.exec(config) ?? [];
  const meant = nearest(word, ['hooktest'], 3);
  const hint = meant === undefined ? 'run it by itself for a dry run' : `did you mean ${stem}${meant}${ending}?`;
  return `${config} is no suite (*.hooktest.yaml), and beside ${suite} it would not be used; ${hint}`;
}
