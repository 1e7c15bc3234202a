/**
 * The command line: wires every command and its help.
 */
import { Command, CommanderError, Option as Flag } from 'commander';
import { version } from '../../package.json';
import { nearest } from '../core/nearest';
import { EXIT } from '../exit';
import type { Io } from '../io';
import type { Option } from './options';
import { Run } from './run';
import { RUN_OPTIONS } from './run-options';

const RUN_EXAMPLES = `
Examples:
  echo '{"event":"preToolCall","tool":{"name":"bash","input":{"command":"ls"}}}' | hookctl run agent.yaml
  hookctl run agent.yaml team.agent.yaml --trace < event.json
  hookctl run agent.yaml --as exit --deadline 25s < event.json

CONFIG is an agent file or a folder with one; DIALECT:PATH forces a format. Without it $HOOKCTL_CONFIG is taken.

Exit codes:
  0    go on (an allow, a question, a rewrite and added context too: read stdout)
  2    denied, stopped or deferred; also when hookctl itself failed where that must block
  129, 130, 143   ended by SIGHUP, SIGINT, SIGTERM`;

const EXAMPLES = `
Examples:
  hookctl run agent.yaml < event.json     judge one event
  hookctl run --help                      its options and exit codes

Exit codes: 0 fine, 1 findings, 2 bad usage, 3 hookctl itself failed; those of "run" are its own.`;

/** Runs any command and resolves with the exit code. */
export async function commandLine(io: Io): Promise<number> {
  const program = programFor(io);
  try {
    await program.command.parseAsync([...io.argv], { from: 'user' });
    return program.code();
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
    throw error;
  }
}

function programFor(io: Io): { readonly command: Command; readonly code: () => number } {
  let code: number = EXIT.fine;
  const program = new Command('hookctl')
    .description('The hook engine for coding agents: runs guard hooks and prints one decision')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .configureOutput({ writeOut: (text) => io.write('stdout', text), writeErr: (text) => io.write('stderr', text) })
    .showSuggestionAfterError(false)
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .argument('[command]')
    .allowExcessArguments()
    .action((word: string | undefined) => {
      code = word === undefined ? withoutCommand(program) : unknownCommand(word, program, io);
    });
  const run = program
    .command('run')
    .summary('read one event on stdin, run its hooks, print the verdict')
    .description('Reads one event on stdin, runs its chain of hooks, prints the verdict as one line of JSON.')
    .argument('[CONFIG...]')
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', RUN_EXAMPLES)
    .action(async () => {
      code = await new Run(io, io.argv.slice(io.argv.indexOf('run') + 1)).answer();
    });
  for (const option of RUN_OPTIONS) run.addOption(flagOf(option));
  return { command: program, code: () => code };
}

/** The table's entry as commander shows it in the help. */
function flagOf({ name, value, choices, help }: Option): Flag {
  const flag = new Flag(value === undefined ? `--${name}` : `--${name} <${value}>`, help);
  return choices === undefined ? flag : flag.choices([...choices]);
}

function withoutCommand(program: Command): number {
  program.outputHelp({ error: true });
  return EXIT.usage;
}

function unknownCommand(word: string, program: Command, io: Io): number {
  const names = program.commands.map((command) => command.name());
  const meant = nearest(word, names);
  io.write(
    'stderr',
    `hookctl: unknown command "${word}"${meant === undefined ? '' : `; did you mean "${meant}"?`}\nTry "hookctl --help".\n`,
  );
  return EXIT.usage;
}
