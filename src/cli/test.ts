/**
 * `hookctl test`: dry runs and test suites.
 */
import { ROOM_IDS } from '../dialects';
import type { Command } from './command';
import type { Option } from './options';
import { COLOR_OPTION } from './run-options';

export const REPORTERS = ['text', 'json', 'junit', 'github'] as const;

export const TEST_OPTIONS: readonly Option[] = [
  {
    name: 'reporter',
    value: 'REPORTER[=FILE]',
    help: `${REPORTERS.join(', ')}; on stdout, or into a file; may be repeated (default text)`,
  },
  { name: 'event', value: 'NAME', help: 'dry run: only this event' },
  { name: 'payload', value: 'FILE', help: 'dry run: this event in place of samples; - for stdin' },
  {
    name: 'as',
    value: 'DIALECT',
    choices: ['auto', ...ROOM_IDS],
    help: 'dry run: the caller that the payload is from, and whose answer is shown (default auto)',
  },
  { name: 'http', help: 'post http hooks too; otherwise they are shown as skipped' },
  { name: 'plan', help: 'dry run: show what would run; run nothing' },
  { name: 'write-payload', help: 'dry run: print the sample events, one a line; run nothing' },
  {
    name: 'name',
    value: 'REGEX',
    short: 't',
    help: 'suites: only cases whose name matches; may be repeated: one of them',
  },
  { name: 'tag', value: 'TAG', help: 'suites: only cases with this tag; may be repeated: all of them' },
  { name: 'config', value: 'FILE', help: "suites: test this config in place of the suite's; may be repeated" },
  { name: 'bail', help: 'suites: stop at the first case that fails' },
  { name: 'jobs', value: 'N', help: 'suites: so many cases at once (default 4); output stays in order' },
  { name: 'update', help: 'suites: write what was observed where it was expected otherwise' },
  { name: 'coverage', help: 'suites: which hooks never ran, and what was never seen of them' },
  { name: 'min-coverage', value: 'N', help: 'suites: fail when fewer than N percent of the hooks ran' },
  COLOR_OPTION,
];

export const test: Command = {
  name: 'test',
  summary: 'dry-run hooks with sample events, or run test suites',
  description:
    'With a config: runs its hooks with sample events and shows what each decides. With suites (*.hooktest.yaml): runs their cases.',
  argument: '[FILE...]',
  options: TEST_OPTIONS,
  help: `
Examples:
  hookctl test agent.yaml
  hookctl test agent.yaml --event preToolCall --write-payload > event.json
  hookctl test agent.yaml --payload event.json
  hookctl test guards.hooktest.yaml --coverage
  hookctl test -t 'force' --reporter text --reporter junit=out.xml

FILE is a config or a suite, a folder or a pattern. Without it: every **/*.hooktest.yaml that git does not ignore.
Hooks are really run, with HOOKCTL_TEST=1 and a fresh folder as cwd; tools are not.

Exit codes: 0 fine, also when a hook denied; 1 a hook or a case failed, or too little coverage; 2 bad usage, a faulty
suite or config; 3 hookctl itself failed; 130 ended by SIGINT.`,
  async act(options, io) {
    const { testing } = await import('./testing');
    return testing(options, io);
  },
};
