/**
 * Entry of `hookctl emit`, which an agent calls at every event: it goes straight to what it does.
 */
import { emitWords } from './cli/emitting';
import { type Io, realIo } from './io';

export { emitting } from './cli/emitting';

/** Runs the command line, whose first word is `emit`, and resolves with its exit code. Never rejects. */
export async function main(io: Io = realIo()): Promise<number> {
  const [, ...words] = io.argv;
  if (words.some((word) => word === '--help' || word === '-h')) return (await import('./main')).main(io);
  return emitWords(words, io);
}
