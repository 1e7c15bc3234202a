/**
 * Options as a table, and the one small parser that reads them.
 */
import { didYouMean } from '../core/nearest';

export type Option = {
  readonly name: string;
  /** One letter behind one dash that stands for it. */
  readonly short?: string;
  /** What stands for its value in the help; absent: a switch. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly help: string;
};

export type ParsedOptions = {
  /** Every value given, in order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly switches: ReadonlySet<string>;
  /** What is no option. */
  readonly rest: readonly string[];
  /** What is wrong with the command line, each a sentence. */
  readonly problems: readonly string[];
};

/** Reads `--name value`, `--name=value` and `--name`; `--` ends the options. It reads on after a mistake, so that nothing known gets lost. */
export function parseOptions(argv: readonly string[], table: readonly Option[]): ParsedOptions {
  const values = new Map<string, string[]>();
  const switches = new Set<string>();
  const rest: string[] = [];
  const problems: string[] = [];
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') {
      rest.push(...words.splice(0));
    } else if (word === '-' || !word.startsWith('-')) {
      rest.push(word);
    } else {
      const [name, inline] = splitOption(word);
      const option = table.find((one) => `--${one.name}` === name || `-${one.short}` === name);
      if (option === undefined) problems.push(unknownOption(name, table));
      else if (option.value === undefined) readSwitch(option, inline, switches, problems);
      else readValue(option, inline ?? takeValue(words), values, problems);
    }
  }
  return { values, switches, rest, problems };
}

/** The last value given: a later one replaces an earlier one. */
export function lastValue({ values }: ParsedOptions, name: string): string | undefined {
  return values.get(name)?.at(-1);
}

function splitOption(word: string): [name: string, value: string | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

/** The next word, unless it is an option itself: then the value was forgotten. */
function takeValue(words: string[]): string | undefined {
  return words[0] === undefined || words[0].startsWith('--') ? undefined : words.shift();
}

function readSwitch(option: Option, inline: string | undefined, switches: Set<string>, problems: string[]): void {
  if (inline === undefined) switches.add(option.name);
  else problems.push(`--${option.name} takes no value`);
}

function readValue(option: Option, value: string | undefined, values: Map<string, string[]>, problems: string[]): void {
  if (value === undefined || value === '') problems.push(`--${option.name} needs a value (${option.value})`);
  else if (option.choices !== undefined && !option.choices.includes(value))
    problems.push(badChoice(option, value, option.choices));
  else values.set(option.name, [...(values.get(option.name) ?? []), value]);
}

function badChoice(option: Option, value: string, choices: readonly string[]): string {
  return `--${option.name} cannot be "${value}"${didYouMean(value, choices)} (allowed: ${choices.join(', ')})`;
}

function unknownOption(name: string, table: readonly Option[]): string {
  const flags = table.map((one) => `--${one.name}`);
  return `unknown option ${name}${didYouMean(name, flags)}`;
}
