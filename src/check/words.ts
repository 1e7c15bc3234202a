/**
 * Reads the words of a command: options, what they take, and what is left.
 */

import { nameOf } from '../core/path';
import { type ShellCommand, type ShellWord, wordValue } from '../core/shell';
import { lookUp } from '../core/table';
import { type Interpreter, WRAPPERS } from './programs';

/** Name → value; undefined where only the running shell knows it. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables as the commands leave them: one that is surely set, once, to something known, is known. */
export function withAssigned(variables: Variables, commands: readonly ShellCommand[]): Variables {
  const result: Record<string, string | undefined> = { ...variables };
  const seen = new Set<string>();
  for (const { assigns, sure } of commands)
    for (const { name, value } of assigns) {
      result[name] = seen.has(name) || value === undefined || !sure ? undefined : wordValue(value, result);
      seen.add(name);
    }
  return result;
}

/** What is run in the end: `exec`, `env A=1`, `timeout 5` and the like run what comes behind them. Empty where that cannot be told. */
export function withoutWrappers(words: readonly ShellWord[], variables: Variables): readonly ShellWord[] {
  const [first] = words;
  const wrapper = first === undefined ? undefined : lookUp(WRAPPERS, nameOf(wordValue(first, variables) ?? ''));
  if (wrapper === undefined) return words;
  const { rest, options } = operandsOf(words.slice(1), wrapper.valued, variables);
  if (options.some((option) => isAmong(option, wrapper.opaque ?? []))) return [];
  let at = wrapper.operands ?? 0;
  while (wrapper.assigns && /^\w+=/.test(startOf(rest[at]))) at += 1;
  return withoutWrappers(rest.slice(at), variables);
}

/** The script that an interpreter is given, the words behind its own; undefined where there is none. */
export function scriptOf(
  interpreter: Interpreter,
  words: readonly ShellWord[],
  variables: Variables,
): ShellWord | undefined {
  const value = (word: ShellWord | undefined) => (word === undefined ? undefined : wordValue(word, variables));
  if (interpreter.command !== undefined && value(words[0]) !== interpreter.command) return undefined;
  const behind = interpreter.command === undefined ? words : words.slice(1);
  const { rest, options } = operandsOf(behind, interpreter.valued, variables);
  if (options.some((option) => isAmong(option, interpreter.inline))) return undefined;
  const moded = interpreter.modes?.includes(value(rest[0]) ?? '') === true;
  const script = moded ? operandsOf(rest.slice(1), interpreter.valued, variables).rest[0] : rest[0];
  const path = value(script);
  if (path === '-' || (path !== undefined && isElsewhere(path))) return undefined;
  return interpreter.named && path !== undefined && !/[./]/.test(path) ? undefined : script;
}

/** The words from the first on that is no option, and the options before them. */
export function operandsOf(
  words: readonly ShellWord[],
  valued: readonly string[],
  variables: Variables,
): { readonly rest: readonly ShellWord[]; readonly options: readonly string[] } {
  const options: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const value = word === undefined ? undefined : wordValue(word, variables);
    if (value === '--') return { rest: words.slice(at + 1), options };
    if (value === undefined || !/^[-+]./.test(value)) return { rest: words.slice(at), options };
    options.push(value);
    if (takesNext(value, valued)) at += 1;
  }
  return { rest: [], options };
}

/** `-o`, and `-euo`: the last letter of a bundle may take the next word, if no letter before it takes what follows. */
function takesNext(option: string, valued: readonly string[]): boolean {
  if (valued.includes(option)) return true;
  const [, sign = '', letters = ''] = /^([-+])([a-z]{2,})$/i.exec(option) ?? [];
  const takes = [...letters].findIndex((letter) => valued.includes(sign + letter));
  return takes >= 0 && takes === letters.length - 1;
}

/** Is it one of the options, as `-ec` holds `-c`, `-C/tmp` is `-C`, and `--chdir=/tmp` is `--chdir`? */
function isAmong(option: string, known: readonly string[]): boolean {
  return known.some((one) => {
    if (option === one || option.startsWith(`${one}=`)) return true;
    return (
      one.length === 2 && /^-[a-z]/i.test(option) && option.split('=')[0]?.slice(1).includes(one.slice(1)) === true
    );
  });
}

/** A module that is fetched: `https://…`, `npm:…`. */
function isElsewhere(path: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test(path);
}

/** What a word begins with, as far as it is known. */
function startOf(word: ShellWord | undefined): string {
  const [first] = word?.text ?? [];
  return first !== undefined && first !== 'unknown' && 'text' in first ? first.text : '';
}
