/**
 * A script or a program that is not there: an interpreter ends as if it had been run, often with the code of a block.
 */
const PHRASES = /No such file|can't open|cannot open|Cannot find module/i;

/** Does a line of stderr say that something is missing, and name a word of the command? An honest message may have the words alone. */
export function saysMissing(line: string, command: string): boolean {
  const words = command.split(/[\s"']+/).filter((word) => word.length > 3);
  return PHRASES.test(line) && words.some((word) => line.includes(word.slice(word.lastIndexOf('/') + 1)));
}
