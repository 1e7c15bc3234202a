/**
 * The simple commands of a shell text: what is named, and where it stands.
 */

export type ShellCommand = {
  /** The program first. */
  readonly words: readonly ShellWord[];
  /** Variables that it sets; a value that is absent is not known. Without words that is all it does. */
  readonly assigns: readonly { readonly name: string; readonly value: ShellWord | undefined }[];
  /** How many subshells, substitutions and functions stand around it: a `cd` in there is over outside. */
  readonly depth: number;
  /** Does it run whenever the subshell or function around it runs? A branch, a loop, what stands behind `&&` or `||` may not. */
  readonly sure: boolean;
  readonly redirected: boolean;
  /** Files that its output goes to. */
  readonly writes: readonly ShellWord[];
};

/** `fault`: why no shell can read the text, and where; then there are no commands. */
export type ShellText = {
  readonly commands: readonly ShellCommand[];
  readonly fault?: { readonly why: string; readonly start: number };
};

/** Offsets into the text. `unknown`: only the running shell knows. */
export type ShellWord = {
  readonly start: number;
  readonly end: number;
  readonly text: readonly ({ readonly text: string } | { readonly variable: string } | 'unknown')[];
};

/** What a word is when it runs, with the variables known, or undefined where that cannot be told. */
export function wordValue(
  word: ShellWord,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  let value = '';
  for (const piece of word.text) {
    const part = piece === 'unknown' ? undefined : 'text' in piece ? piece.text : variables[piece.variable];
    if (part === undefined) return undefined;
    value += part;
  }
  return value;
}
