/**
 * `hookctl convert --to mm FILE`: the row of the command line; `converting.ts` does it.
 */
import type { Command } from './command';
import { COLOR_OPTION } from './run-options';

export const convert: Command = {
  name: 'convert',
  summary: "print another agent's hooks as agent YAML",
  description:
    'Prints the agent YAML that means the same as the hooks of FILE, whatever format it has. What cannot be said there is a warning, and a comment in the YAML. The commands stay as they are: those that read or answer in the words of their own agent are told. (Such hooks run unchanged where FILE itself is given to "hookctl run".)',
  argument: 'FILE...',
  options: [
    { name: 'to', value: 'DIALECT', choices: ['mm'], help: 'the format to print (mm: agent YAML)' },
    COLOR_OPTION,
  ],
  help: `
Examples:
  hookctl convert --to mm .claude/settings.json > agent.yaml
  hookctl convert --to mm claude:hooks.json

Exit codes: 0 fine, 1 a file has errors, or a hook could not be converted, 2 bad usage, 3 hookctl itself failed.`,
  async act(options, io) {
    const { converting } = await import('./installing');
    return converting(options, io);
  },
};
