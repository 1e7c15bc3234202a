/**
 * The command line: wires every command and its help.
 */

import { Command as Commander, CommanderError, Option as Flag } from 'commander';
import { version } from '../../package.json';
import { didYouMean } from '../core/nearest';
import { lookUp } from '../core/table';
import { clean } from '../core/text';
import { EXIT } from '../exit';
import type { Io } from '../io';
import { type Command, callCommand } from './command';
import { completionCommand } from './completion';
import { convert } from './convert';
import { emit } from './emit';
import { explain } from './explain';
import { init } from './init';
import { install, uninstall } from './install';
import { list } from './list';
import { listen } from './listen';
import type { Option } from './options';
import { COLOR_OPTION, RUN_OPTIONS } from './run-options';
import { schema } from './schema';
import { serve } from './serve';
import { test } from './test';
import { trigger } from './trigger';
import { validate } from './validate';
import { watch } from './watch';

const RUN_EXAMPLES = `
Examples:
  echo '{"event":"preToolCall","tool":{"name":"bash","input":{"command":"ls"}}}' | hookctl run agent.yaml
  hookctl run agent.yaml team.agent.yaml --trace < event.json
  hookctl run agent.yaml --as exit --deadline 25s < event.json

CONFIG is an agent file or a folder with one; DIALECT:PATH forces a format. Without it $HOOKCTL_CONFIG is taken.

Exit codes:
  0    go on (an allow, a question, a rewrite and added context too: read stdout)
  2    denied, stopped or deferred; also when hookctl itself failed where that must block
  128 and more   ended by a signal: 130 by SIGINT, 143 by SIGTERM`;

const EXAMPLES = `
Examples:
  hookctl run agent.yaml < event.json       judge one event
  hookctl explain agent.yaml < event.json   what would run, and why
  hookctl list agent.yaml                   what is configured
  hookctl test agent.yaml                   dry-run its hooks, or run suites
  hookctl validate                          check all configs, for CI
  hookctl watch .kiro                       run hooks on files as they change
  hookctl init                              a first guard, with its suite
  hookctl install claude                    let Claude Code call hookctl
  hookctl run --help                        its options and exit codes

Exit codes: 0 fine, 1 findings, 2 bad usage, 3 hookctl itself failed; those of "run" are its own.`;

/** `run` never gets here but for its help: `main.ts` calls it. */
const run: Command = {
  name: 'run',
  summary: 'read one event on stdin, run its hooks, print the verdict',
  description: 'Reads one event on stdin, runs its chain of hooks, prints the verdict as one line of JSON.',
  argument: '[CONFIG...]',
  options: RUN_OPTIONS,
  help: RUN_EXAMPLES,
  act: async () => EXIT.own,
};

const COMMANDS: readonly Command[] = [
  run,
  test,
  validate,
  list,
  explain,
  emit,
  listen,
  serve,
  init,
  install,
  uninstall,
  convert,
  watch,
  trigger,
  schema,
  completionCommand(() => COMMANDS),
];

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

function programFor(io: Io): { readonly command: Commander; readonly code: () => number } {
  let code: number = EXIT.fine;
  const program = new Commander('hookctl')
    .description('The hook engine for coding agents: runs guard hooks and prints one decision')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .configureOutput({ writeOut: (text) => io.write('stdout', text), writeErr: (text) => io.write('stderr', text) })
    .addHelpText('after', EXAMPLES)
    .usage('[options] COMMAND')
    .configureHelp({
      visibleArguments: () => [],
      subcommandTerm: (command) => `${command.name()} ${argumentOf(command.name())}`,
    })
    .enablePositionalOptions()
    .exitOverride()
    .argument('[command]')
    .allowExcessArguments()
    .action((word: string | undefined) => {
      if (word === 'help') program.outputHelp();
      else code = word === undefined ? withoutCommand(program) : unknownCommand(word, program, io);
    });
  program.addOption(flagOf(COLOR_OPTION));
  for (const command of COMMANDS) {
    addCommand(program, command, async (words) => {
      const color = program.getOptionValue(COLOR_OPTION.name);
      const before = typeof color === 'string' ? [`--${COLOR_OPTION.name}=${color}`] : [];
      code = await callCommand(command, [...before, ...words], io);
    });
  }
  return { command: program, code: () => code };
}

function argumentOf(name: string): string {
  return COMMANDS.find((command) => command.name === name)?.argument ?? '';
}

/** Commander shows the help; what stands behind the name is read by the one parser of options. */
function addCommand(program: Commander, command: Command, act: (words: readonly string[]) => Promise<void>): void {
  const sub = program
    .command(command.name)
    .summary(command.summary)
    .description(command.description)
    .usage(`[options] ${command.argument}`)
    .argument('[words...]')
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', command.help)
    .allowUnknownOption()
    .passThroughOptions()
    .configureHelp({ visibleArguments: () => [], visibleOptions: () => [...command.options.map(flagOf), HELP_FLAG] })
    .action((words: readonly string[]) => act(words));
  sub.exitOverride();
}

const HELP_FLAG = new Flag('-h, --help', 'show help');

/** The table's entry as commander shows it in the help. */
function flagOf({ name, short, value, choices, help }: Option): Flag {
  const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
  const flag = new Flag(value === undefined ? names : `${names} <${value}>`, help);
  return choices === undefined ? flag : flag.choices([...choices]);
}

function withoutCommand(program: Commander): number {
  program.outputHelp({ error: true });
  return EXIT.usage;
}

/** What other tools of this kind call a command of ours. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  check: 'validate',
  lint: 'validate',
  exec: 'run',
  ls: 'list',
  show: 'list',
  why: 'explain',
};

function meantCommand(word: string, program: Commander): string {
  const other = lookUp(OTHER_WORDS, word) ?? (/\.(?:ya?ml|json)$/.test(word) ? `run ${word}` : undefined);
  if (other !== undefined) return `; did you mean "hookctl ${other}"?`;
  return didYouMean(
    word,
    program.commands.map((command) => command.name()),
  );
}

function unknownCommand(word: string, program: Commander, io: Io): number {
  io.write(
    'stderr',
    `hookctl: unknown command "${clean(word)}"${clean(meantCommand(word, program))}\nTry "hookctl --help".\n`,
  );
  return EXIT.usage;
}
