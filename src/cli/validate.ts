/**
 * `hookctl validate`: a linter for hooks.
 */
import type { Command } from './command';
import type { Option } from './options';
import { COLOR_OPTION } from './run-options';

export const VALIDATE_FORMATS = ['text', 'json', 'sarif', 'junit', 'github'] as const;

export const VALIDATE_OPTIONS: readonly Option[] = [
  {
    name: 'format',
    value: 'FORMAT[=FILE]',
    help: `${VALIDATE_FORMATS.join(', ')}; on stdout, or into a file; may be repeated (default: text, in GitHub Actions github too)`,
  },
  { name: 'strict', help: 'warnings fail too' },
  { name: 'max-warnings', value: 'N', help: 'fail when there are more warnings' },
  { name: 'quiet', help: 'show nothing but what fails' },
  { name: 'fix', help: 'mend what can be mended without a doubt, and show the change' },
  { name: 'dry-run', help: 'with --fix: show the change, write nothing' },
  { name: 'stdin-path', value: 'PATH', help: 'what "-" stands for, in messages and for the format' },
  { name: 'no-scripts', help: 'do not look for scripts and programs' },
  { name: 'no-shellcheck', help: 'do not call shellcheck' },
  COLOR_OPTION,
];

export const validate: Command = {
  name: 'validate',
  summary: 'check configs, for CI',
  description:
    'Checks agent files and test suites: what hookctl refuses, and what it would run but nobody can have meant.',
  argument: '[FILE...]',
  options: VALIDATE_OPTIONS,
  help: `
Examples:
  hookctl validate
  hookctl validate agent.yaml 'teams/**/*.agent.yaml' --strict
  hookctl validate --format text --format sarif=hooks.sarif
  hookctl validate --fix --dry-run
  hookctl validate - --stdin-path agent.yaml < agent.yaml
  hookctl explain HK028

FILE is an agent file, a suite (*.hooktest.yaml), a folder, a pattern, or - for stdin. Without it: every **/agent.yaml,
**/*.agent.yaml and **/*.hooktest.yaml (.yml and .json too), but not those that git ignores.

A comment silences a warning on its line, or on the line below: # hookctl-ignore HK028 why it is right here

Exit codes: 0 fine, 1 findings, 2 bad usage, 3 hookctl itself failed.`,
  async act(options, io) {
    const { validating } = await import('./validating');
    return validating(options, io);
  },
};
