/**
 * `hookctl install AGENT` and `hookctl uninstall AGENT`: the rows of the command line; `installing.ts` does it.
 */
import type { Command } from './command';
import type { Option } from './options';
import { COLOR_OPTION } from './run-options';

const SHARED: readonly Option[] = [
  { name: 'project', help: "the project's own settings, which its people share (default)" },
  { name: 'local', help: "the project's settings of this machine alone" },
  { name: 'user', help: "the user's settings, for all projects" },
  { name: 'file', value: 'FILE', help: 'the file to write into, where the agent has no fixed one (kiro-agent)' },
  { name: 'yes', short: 'y', help: 'write without asking' },
  { name: 'dry-run', help: 'show the change, write nothing' },
  COLOR_OPTION,
];

export const install: Command = {
  name: 'install',
  summary: "write calls of hookctl into an agent's own settings",
  description:
    "Writes a call of hookctl into the agent's own settings for every event that the hooks of CONFIG are for. Keeps everything else and its layout, keeps a backup, shows the change and asks. Installed calls are brought up to date. Ends with a test: a deny through the very command lines that were written.",
  argument: 'AGENT [CONFIG...]',
  words: ['claude', 'kiro', 'kiro-agent'],
  options: SHARED,
  help: `
Examples:
  hookctl install claude                      agent.yaml of this folder, for everybody who works on the project
  hookctl install claude ~/guards/agent.yaml --user
  hookctl install claude --dry-run
  hookctl install kiro                        hooks of version v1: .kiro/hooks/hookctl.json
  hookctl install kiro-agent --file .kiro/agents/dev.json

AGENT is claude, kiro (hooks of version v1) or kiro-agent (an agent file of Kiro CLI). CONFIG is an agent file or a folder with one; without it $HOOKCTL_CONFIG, else agent.yaml of this folder.

Exit codes: 0 fine, 1 nothing was written (errors, a refusal, a test that failed), 2 bad usage, 3 hookctl itself failed.`,
  async act(options, io) {
    const { installing } = await import('./installing');
    return installing(options, io);
  },
};

export const uninstall: Command = {
  name: 'uninstall',
  summary: "take out of an agent's settings what install has written",
  description:
    'Takes out of the agent\'s own settings exactly what "hookctl install" has put in. Shows the change and asks.',
  argument: 'AGENT',
  words: ['claude', 'kiro', 'kiro-agent'],
  options: SHARED,
  help: `
Examples:
  hookctl uninstall claude
  hookctl uninstall claude --user --yes
  hookctl uninstall kiro-agent --file .kiro/agents/dev.json

Exit codes: 0 fine, also where nothing was installed, 1 nothing was written, 2 bad usage, 3 hookctl itself failed.`,
  async act(options, io) {
    const { uninstalling } = await import('./installing');
    return uninstalling(options, io);
  },
};
