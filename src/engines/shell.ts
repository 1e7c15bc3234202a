/**
 * The door to `unbash`: a shell text in, its simple commands out.
 */
import {
  type Command,
  forEachChild,
  parse,
  type SyntaxNode,
  type TestUnaryExpression,
  type Word,
  type WordPart,
} from 'unbash';
import { type ShellCommand, type ShellText, type ShellWord, wordValue } from '../core/shell';

/** The simple commands of a text in the order written, those of branches, functions and substitutions included. */
export function readShell(text: string): ShellText {
  const script = parse(text);
  const [fault] = script.errors ?? [];
  if (fault !== undefined) return { commands: [], fault: { why: fault.message, start: fault.pos } };
  const found: ShellCommand[] = [];
  const defined = new Set<string>();
  const visit = (node: SyntaxNode, at: Place) => {
    if (node.type === 'Function') defined.add(node.name.text);
    if (node.type === 'Command') found.push(commandOf(node, at, text));
    if (node.type === 'Command') for (const name of aliasesIn(node)) defined.add(name);
    if (node.type === 'For' || node.type === 'Select') found.push(setting([node.name.text], at));
    if (node.type === 'Redirected') found.push({ ...setting([], at), writes: targetsOf(node.redirects, text) });
    if (node.type === 'TestUnary') found.push(testOf(node, at, text));
    const inside = SUBSHELLS.has(node.type) ? { depth: at.depth + 1, sure: true } : at;
    const unsure = unsureParts(node);
    forEachChild(node, (child) =>
      visit(child, unsure === 'all' || unsure.has(child) ? { ...inside, sure: false } : inside),
    );
  };
  visit(script, { depth: 0, sure: true });
  return { commands: found.filter(({ words }) => !defined.has(literal(words[0]))) };
}

type Place = Pick<ShellCommand, 'depth' | 'sure'>;

/** Each part of a pipeline has a shell of its own. */
const SUBSHELLS: ReadonlySet<string> = new Set(['Subshell', 'CommandExpansion', 'Function', 'Pipeline']);
const NONE: ReadonlySet<SyntaxNode> = new Set();

/** The children that may not run though the node does. */
function unsureParts(node: SyntaxNode): 'all' | ReadonlySet<SyntaxNode> {
  switch (node.type) {
    case 'AndOr':
      return new Set(node.commands.slice(1));
    case 'If':
      return new Set([node.then, ...node.elif, ...(node.else === undefined ? [] : [node.else])]);
    case 'While':
    case 'For':
    case 'Select':
    case 'ArithmeticFor':
      return new Set([node.body]);
    case 'Case':
      return 'all';
    default:
      return NONE;
  }
}

/** `[[ -f FILE ]]`, as the command `[[` would have it. */
function testOf({ pos, end, operator, operand }: TestUnaryExpression, at: Place, text: string): ShellCommand {
  const word = (value: string): ShellWord => ({ start: pos, end, text: [{ text: value }] });
  return { ...setting([], at), words: [word('[['), word(operator), wordOf(operand, text)] };
}

/** Files that are made, or written into. */
function targetsOf(redirects: Command['redirects'], text: string): readonly ShellWord[] {
  return redirects.flatMap((one) =>
    one.type === 'Redirect' && one.target !== undefined && one.operator.includes('>') ? wordOf(one.target, text) : [],
  );
}

function commandOf(command: Command, at: Place, text: string): ShellCommand {
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
        at,
      ).assigns
    : [];
  const writes = targetsOf(redirects, text);
  return { ...at, words, assigns: [...set, ...read], redirected: redirects.length > 0, writes };
}

/** What sets the variables that it names. */
const READERS: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray', 'getopts', 'unset']);

function setting(names: readonly string[], at: Place): ShellCommand {
  return {
    ...at,
    words: [],
    assigns: names.map((name) => ({ name, value: undefined })),
    redirected: false,
    writes: [],
  };
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
