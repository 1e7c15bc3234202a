/**
 * The door to `unbash`: a shell text in, its simple commands out.
 */
import { type Command, forEachChild, parse, type SyntaxNode, type Word, type WordPart } from 'unbash';
import { type ShellCommand, type ShellWord, wordValue } from '../core/shell';

/** The simple commands of a text in the order written, those of branches, functions and substitutions included. What cannot be parsed has none. */
export function shellCommands(text: string): readonly ShellCommand[] {
  const script = parse(text);
  if (script.errors !== undefined && script.errors.length > 0) return [];
  const found: ShellCommand[] = [];
  const defined = new Set<string>();
  const visit = (node: SyntaxNode, depth: number) => {
    if (node.type === 'Function') defined.add(node.name.text);
    if (node.type === 'Command') found.push(commandOf(node, depth, text));
    if (node.type === 'Command') for (const name of aliasesIn(node)) defined.add(name);
    if (node.type === 'For' || node.type === 'Select') found.push(setting([node.name.text], depth));
    const deeper = node.type === 'Subshell' || node.type === 'CommandExpansion' || node.type === 'Function';
    forEachChild(node, (child) => visit(child, depth + (deeper ? 1 : 0)));
  };
  visit(script, 0);
  return found.filter(({ words }) => !defined.has(literal(words[0])));
}

function commandOf(command: Command, depth: number, text: string): ShellCommand {
  const { name, args, redirects } = command;
  const plain = args.flatMap((one) => (one.type === 'Word' ? one : []));
  const words = [...(name === undefined ? [] : [name]), ...plain].map((word) => wordOf(word, text));
  const set = [...command.prefix, ...args].flatMap((one) => {
    if (one.type !== 'Assignment' || one.name === undefined) return [];
    const isKnown = one.value?.type === 'Word' && one.append !== true && one.index === undefined;
    return [{ name: one.name, value: isKnown ? wordOf(one.value, text) : undefined }];
  });
  const read = READERS.has(name?.text ?? '')
    ? setting(
        plain.map((word) => word.value),
        depth,
      ).assigns
    : [];
  return { words, assigns: [...set, ...read], depth, redirected: redirects.length > 0 };
}

/** What sets the variables that it names. */
const READERS: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray', 'getopts', 'unset']);

function setting(names: readonly string[], depth: number): ShellCommand {
  return { words: [], assigns: names.map((name) => ({ name, value: undefined })), depth, redirected: false };
}

function aliasesIn({ name, args }: Command): string[] {
  return name?.text === 'alias' ? args.flatMap((one) => (one.type === 'Assignment' && one.name ? [one.name] : [])) : [];
}

function wordOf(word: Word, source: string): ShellWord {
  const text = word.parts === undefined ? [{ text: word.value }] : word.parts.flatMap((part) => pieces(part, source));
  const home = source.startsWith('~/', word.pos);
  return { start: word.pos, end: word.end, text: home ? fromHome(text) : text };
}

function fromHome([first, ...rest]: ShellWord['text']): ShellWord['text'] {
  const literal = first !== undefined && first !== 'unknown' && 'text' in first ? [{ text: first.text.slice(1) }] : [];
  return [{ variable: 'HOME' }, ...literal, ...rest];
}

/** Literal texts and variables; anything else is only known when it runs. */
function pieces(part: WordPart, source: string): ShellWord['text'] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ text: part.value }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap((inner) => pieces(inner, source));
    case 'SimpleExpansion':
      return [{ variable: source.slice(part.pos + 1, part.end) }];
    case 'ParameterExpansion':
      return part.operation === undefined && part.prefix === undefined && part.index === undefined
        ? [{ variable: part.parameter }]
        : ['unknown'];
    default:
      return ['unknown'];
  }
}

function literal(word: ShellWord | undefined): string {
  return word === undefined ? '' : (wordValue(word, {}) ?? '');
}
