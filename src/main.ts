/**
 * The program: `run` at once, everything else through the command line of `cli/`. The only catch-all.
 */
import { Run } from './cli/run';
import { COLOR_OPTION } from './cli/run-options';
import { EXIT } from './exit';
import { type Io, realIo } from './io';

/** Runs the command line and resolves with its exit code. Never rejects. */
export async function main(io: Io = realIo()): Promise<number> {
  const argv = argumentsOfRun(io.argv);
  return argv === undefined || wantsHelp(argv) ? others(io) : answered(new Run(io, argv));
}

/** What `run` is given, or undefined where another command is called. Options that every command takes may stand before it. */
function argumentsOfRun(words: readonly string[]): readonly string[] | undefined {
  const [first = '', ...rest] = words;
  if (first === 'run') return rest;
  const taken = first === `--${COLOR_OPTION.name}` ? 2 : first.startsWith(`--${COLOR_OPTION.name}=`) ? 1 : 0;
  const behind = taken === 0 ? undefined : argumentsOfRun(words.slice(taken));
  return behind === undefined ? undefined : [...words.slice(0, taken), ...behind];
}

/** Every way to fail ends in an answer. Events of streams and timers throw outside of any promise. */
async function answered(run: Run): Promise<number> {
  const crashed = new Promise<number>((resolve) => {
    for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(kind, (error: unknown) => resolve(run.crash(error)));
    }
    process.once('beforeExit', () => resolve(run.crash(new Error('nothing is left to wait for'))));
  });
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
    io.write('stderr', `hookctl: internal error: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT.own;
  }
}

function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h');
}
