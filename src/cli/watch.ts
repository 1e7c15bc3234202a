/**
 * `hookctl watch`: hooks on files, where no agent calls them.
 */
import { EXIT } from '../exit';
import type { Command } from './command';
import type { Option } from './options';
import { COLOR_OPTION } from './run-options';

export const WATCH_OPTIONS: readonly Option[] = [
  {
    name: 'root',
    value: 'DIR',
    help: 'the folder to watch, which is also the cwd of the events (default: the current one)',
  },
  {
    name: 'debounce',
    value: 'DURATION',
    help: 'how long a file must be left alone before its hooks run (default 200ms)',
  },
  COLOR_OPTION,
];

export const watch: Command = {
  name: 'watch',
  summary: 'run the hooks on files that are made, saved and deleted',
  description:
    'Watches a folder and runs the hooks of fileCreated, fileSaved and fileDeleted; one line of JSON a run, until Ctrl-C.',
  argument: '[CONFIG...]',
  options: WATCH_OPTIONS,
  help: `
Examples:
  hookctl watch .kiro
  hookctl watch agent.yaml .kiro/hooks --root packages/app
  hookctl watch agent.yaml --debounce 1s | jq -r .path

What git ignores is not watched. A rename is a deletion and a new file, an editor's atomic save is one save. What a hook writes into
the file that it was called for does not call it again; one that is called more than 8 times in 10 s for one file is paused.
Configs are read again when they change; one with errors leaves the last good one in force.

A line: {"event":"fileSaved","path":"src/a.ts","ran":["format"],"context":"...","warnings":["..."],"ms":12}

CONFIG is as for "run". Without it $HOOKCTL_CONFIG is taken.

Exit codes: 0 ended by Ctrl-C or SIGTERM, 1 a config has errors, 2 bad usage, 3 hookctl itself failed.`,
  async act(options, io) {
    const { watching } = await import('./watching');
    return watching(options, io).catch((error: unknown) => {
      io.write('stderr', `hookctl watch: internal error: ${error instanceof Error ? error.message : String(error)}\n`);
      return EXIT.own;
    });
  },
};
