/**
 * The program: `run` at once, everything else through the command line of `cli/`. The only catch-all.
 */
import { Run } from './cli/run';
import { RUN_OPTIONS, type RunArguments, readRunOptions } from './cli/run-options';
import { EXIT } from './exit';
import { type Io, realIo } from './io';

/** Runs the command line and resolves with its exit code. Never rejects. */
export async function main(io: Io = realIo()): Promise<number> {
  const argv = argumentsOfRun(io.argv);
  if (argv === undefined || (await wantsHelp(argv, io))) return others(io);
  return answered(await runOf(readRunOptions(argv), io), io);
}

/** A run of one event, or of many. */
type Answering = { readonly answer: () => Promise<number>; readonly crash: (error: unknown) => Promise<number> };

async function runOf(words: RunArguments, io: Io): Promise<Answering> {
  if (words.options.stream === undefined) return new Run(io, words);
  const { Stream } = await import('./cli/stream');
  return new Stream(io, words, words.options.stream, await io.streams());
}

/** What `run` is given, or undefined where another command is called. Options may stand before the command too. */
function argumentsOfRun(words: readonly string[]): readonly string[] | undefined {
  const at = words.findIndex((word, index) => !word.startsWith('-') && !isValued(words[index - 1]));
  return words[at] === 'run' ? words.toSpliced(at, 1) : undefined;
}

/** Every way to fail ends in an answer. Events of streams and timers throw outside of any promise. */
async function answered(run: Answering, io: Io): Promise<number> {
  const crashed = new Promise<number>((resolve) => io.onCrash((error) => resolve(run.crash(error))));
  try {
    return await Promise.race([run.answer(), crashed]);
  } catch (error) {
    return run.crash(error);
  }
}

async function others(io: Io): Promise<number> {
  try {
    const { commandLine } = await import('./cli/index');
    return await commandLine(io);
  } catch (error) {
    return crashed(error, io);
  }
}

function crashed(error: unknown, io: Io): number {
  const why = error instanceof Error ? error.message : String(error);
  const known = error instanceof Error && error.name === 'UserError';
  io.write('stderr', `hookctl: ${known ? '' : 'internal error: '}${why}\n`);
  return EXIT.own;
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

function isValued(word: string | undefined): boolean {
  return RUN_OPTIONS.some(({ name, value }) => value !== undefined && word === `--${name}`);
}

/** Help is no answer: an agent whose words happen to hold "-h" gets none. A person sits at a terminal, or asks for nothing else. */
async function wantsHelp(argv: readonly string[], io: Io): Promise<boolean> {
  const asks = argv.some(isHelp);
  return asks && (argv.length === 1 || (await io.isTerminal('stdin')));
}
