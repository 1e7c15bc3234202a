/**
 * `hookctl trigger`: hooks that a user starts, and hooks on tasks, where no agent calls them.
 */
import { EXIT } from '../exit';
import type { Command } from './command';
import type { Option } from './options';
import { COLOR_OPTION } from './run-options';

const EVENTS = ['manual', 'taskStart', 'taskEnd'];

export const TRIGGER_OPTIONS: readonly Option[] = [
  { name: 'event', value: 'EVENT', choices: EVENTS, help: 'what has happened (default manual)' },
  { name: 'task', value: 'NAME', help: 'taskStart, taskEnd: the name of the task' },
  { name: 'spec', value: 'FILE', help: 'taskStart, taskEnd: the file that the task stands in' },
  { name: 'failed', help: 'taskEnd: the task was not done (default: it was)' },
  { name: 'root', value: 'DIR', help: 'the cwd of the event (default: the current folder)' },
  COLOR_OPTION,
];

export const trigger: Command = {
  name: 'trigger',
  summary: 'start a manual hook by its name, or the hooks on a task',
  description:
    'Starts the manual hooks of one name; with --event taskStart or taskEnd the hooks on a task. Prints the verdict as one line of JSON.',
  argument: 'NAME [CONFIG...]',
  options: TRIGGER_OPTIONS,
  help: `
Examples:
  hookctl trigger "Release notes" .kiro
  hookctl trigger --event taskStart --task "1.2 Add login" .kiro agent.yaml
  hookctl trigger --event taskEnd --task "1.2 Add login" --failed .kiro

NAME is the hook's name. With --event taskStart or taskEnd there is none: everything that is no option is a CONFIG.
CONFIG is as for "run". Without it $HOOKCTL_CONFIG is taken.

Exit codes: 0 fine, 1 denied, or a hook failed, or a config has errors, 2 bad usage, 3 hookctl itself failed.`,
  async act(options, io) {
    const { triggering } = await import('./triggering');
    return triggering(options, io).catch((error: unknown) => {
      io.write(
        'stderr',
        `hookctl trigger: internal error: ${error instanceof Error ? error.message : String(error)}\n`,
      );
      return EXIT.own;
    });
  },
};
