/**
 * The program: `run` at once, everything else through the command line of `cli/`. The only catch-all.
 */
import { Run } from './cli/run';
import { EXIT } from './exit';
import { type Io, realIo } from './io';

/** Runs the command line and resolves with its exit code. Never rejects. */
export async function main(io: Io = realIo()): Promise<number> {
  const [command, ...argv] = io.argv;
  if (command !== 'run' || wantsHelp(argv)) return others(io);
  const run = new Run(io, argv);
  return answered(run);
}

/** Every way to fail ends in an answer. Events of streams and timers throw outside of any promise. */
async function answered(run: Run): Promise<number> {
  const crashed = new Promise<number>((resolve) => {
    for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(kind, (error: unknown) => resolve(run.crash(error)));
    }
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
