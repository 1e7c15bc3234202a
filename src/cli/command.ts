/**
 * What every command but `run` is: a row of the command line, and a function from options to an exit code.
 */

import { clean } from '../core/text';
import { EXIT } from '../exit';
import type { Io } from '../io';
import type { ColorWhen } from './colors';
import { lastValue, type Option, type ParsedOptions, parseOptions } from './options';
import { COLOR_OPTION } from './run-options';

export type Command = {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Its positional argument as the help shows it. */
  readonly argument: string;
  readonly options: readonly Option[];
  /** What the argument may be, where it is no file. */
  readonly words?: readonly string[];
  /** Examples and exit codes, below the options. */
  readonly help: string;
  readonly act: (options: ParsedOptions, io: Io) => Promise<number>;
};

/** Calls a command with the words behind its name. Bad usage is told with the way to the help. */
export async function callCommand(command: Command, words: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(words, command.options);
  const [problem] = options.problems;
  return problem === undefined ? command.act(options, io) : badUsage(command.name, problem, io);
}

export function badUsage(name: string, problem: string, io: Io): number {
  io.write('stderr', `hookctl ${name}: ${clean(problem)}\nTry "hookctl ${name} --help".\n`);
  return EXIT.usage;
}

/** `--color` as written. */
export function colorWhen(options: ParsedOptions): ColorWhen {
  const said = lastValue(options, COLOR_OPTION.name);
  return said === 'always' || said === 'never' ? said : 'auto';
}
