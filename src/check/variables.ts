/**
 * Variables of hookctl and of agents that a command misspells: they are empty.
 */
import { nearest } from '../core/nearest';
import type { ShellCommand, ShellWord } from '../core/shell';
import type { CommandFinding } from './scripts';

/** Names that hookctl keeps for itself: what else is called so is never set. */
const RESERVED = /^MM_/;
/** How far a name may be from the one that is meant. */
const SLIPS = 2;

/** `given`: what a hook of this format finds in its environment. `env`: what else is set. */
export function variableFindings(
  commands: readonly ShellCommand[],
  given: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): CommandFinding[] {
  const assigned = new Set(commands.flatMap(({ assigns }) => assigns.map(({ name }) => name)));
  const isKnown = (name: string) => given.includes(name) || assigned.has(name) || Object.hasOwn(env, name);
  return commands.flatMap(({ words, assigns, writes }) =>
    [...words, ...assigns.flatMap(({ value }) => value ?? []), ...writes].flatMap((word) =>
      namesIn(word)
        .filter((name) => !isKnown(name))
        .flatMap((name) => findingOf(name, word, given)),
    ),
  );
}

function namesIn({ text }: ShellWord): readonly string[] {
  return text.flatMap((piece) => (piece !== 'unknown' && 'variable' in piece ? piece.variable : []));
}

function findingOf(name: string, { start, end }: ShellWord, given: readonly string[]): CommandFinding[] {
  const meant = name.length > 2 * SLIPS ? nearest(name, given, SLIPS) : undefined;
  if (meant === undefined && !RESERVED.test(name)) return [];
  const own = given.filter((one) => RESERVED.test(one));
  const hint = meant === undefined ? `those that are: ${own.join(', ')}` : `did you mean $${meant}?`;
  return [{ code: 'HK049', args: { name, hint }, start, end }];
}
