/**
 * What a matcher means for names of tools, beyond whether it can be read: can it ever match, and does it match too much?
 */
import { nearest } from './nearest';
import { type Pattern, parsePattern, type Range, type Tree } from './pattern';
import { searchV8 } from './search';
import { CANONICAL_TOOLS, KINDRED_TOOLS, OTHER_TOOLS } from './tools';

/** Every character that names of tools are made of: `Bash`, `run_shell_command`, `mcp__server__tool`, `@server/tool`, `a.b:c-d`. */
const NAME_RANGES: readonly Range[] = [...'-./0:A_a@'].map((first): Range => {
  const last = { '0': '9', A: 'Z', a: 'z' }[first] ?? first;
  return [first.charCodeAt(0), last.charCodeAt(0)];
});

/** The first row whose pattern fits the source says why nothing matches. */
const WHY: readonly (readonly [source: RegExp, why: string, hint: string])[] = [
  [/^\/.*\/[a-z]*$/s, 'the slashes are part of it', 'leave them out'],
  [/\(.*[ *:]/s, "it is searched in the tool's name alone, not in its arguments", 'look at the arguments in the hook'],
  [/,/, 'no name of a tool has a comma', "for several names write '^(a|b)$'"],
  [/\s/, 'no name of a tool has a space', "for several names write '^(a|b)$'"],
  [/^!/, 'no name of a tool has a "!"', 'name the tools that are meant'],
];
const OTHERWISE = [/^/, 'no name of a tool looks so', 'names are made of letters, digits and - _ . : / @'] as const;

/** `Bash(git *)`, as Claude Code writes permissions: a pattern too, but for `Bashgit`. */
const PERMISSION_RULE = /^\w+\([^|)]*[ *:][^|)]*\)$/;

/** Why no name of a tool can match a pattern, and what to write; undefined where one can, or where it is no pattern. */
export function whyNever(source: string): { readonly why: string; readonly hint: string } | undefined {
  const pattern = parsePattern(source);
  if (pattern.kind !== 'pattern' || (canMatch(pattern) && !PERMISSION_RULE.test(source))) return undefined;
  const [, why, hint] = WHY.find(([shape]) => shape.test(source)) ?? OTHERWISE;
  return { why, hint };
}

/** The known names that a pattern finds though it means a shorter one, and the pattern that means no more; or undefined. */
export function surprises(
  source: string,
): { readonly names: readonly string[]; readonly anchored: string } | undefined {
  const pattern = parsePattern(source);
  const words = source.split('|');
  if (pattern.kind === 'pattern' && words.length > 1 && words.includes('') && /^[\w|^$]+$/.test(source))
    return { names: ['every other name'], anchored: anchoredOf(words.filter((word) => word !== '').map(bare)) };
  const [, stem] = /^([A-Za-z]\w*:?)\*$/.exec(source) ?? [];
  if (pattern.kind === 'pattern' && stem !== undefined)
    return { names: [`names that have "${stem.slice(0, -1)}" in them`], anchored: `^${stem}` };
  if (pattern.kind !== 'pattern' || !words.every((word) => /^\^?\w+\$?$/.test(word))) return undefined;
  const meant = words.map(bare);
  const names = KINDRED_TOOLS.filter((name) => !meant.includes(name) && searchV8(pattern, name));
  const kin = names.filter((name) => meant.some((word) => KINDRED_TOOLS.includes(word) && name.includes(word)));
  return kin.length === 0 ? undefined : { names: kin, anchored: anchoredOf(meant) };
}

function bare(word: string): string {
  return word.replace(/^\^|\$$/g, '');
}

function anchoredOf(words: readonly string[]): string {
  return words.length === 1 ? `^${words[0]}$` : `^(${words.join('|')})$`;
}

/** A name in a pattern that is nearly one of those, and finds none of them; and that one. Or undefined. */
export function misspelt(
  source: string,
  names: readonly string[] = TOOLS,
): { readonly name: string; readonly meant: string } | undefined {
  for (const name of source
    .replace(/^\^|\$$/g, '')
    .replace(/^\((?:\?:)?(.*)\)$/, '$1')
    .split('|')) {
    const pattern = parsePattern(name);
    if (!/^\w+$/.test(name) || pattern.kind !== 'pattern' || names.some((one) => searchV8(pattern, one))) continue;
    const meant = nearest(name, names, 1);
    if (meant !== undefined) return { name, meant };
  }
  return undefined;
}

const TOOLS: readonly string[] = [...CANONICAL_TOOLS, ...KINDRED_TOOLS, ...OTHER_TOOLS];

/** Where a match may stand: has a character been read before, and has the end of the name been asserted? */
type State = { readonly read: boolean; readonly ended: boolean };

/** A search may begin anywhere in the name. */
const BEGINNINGS: readonly State[] = [
  { read: false, ended: false },
  { read: true, ended: false },
];

function canMatch({ tree }: Pattern): boolean {
  return after(tree, BEGINNINGS).length > 0;
}

/** The states in which a part can leave the match, from those in which it finds it. */
function after(tree: Tree, before: readonly State[]): readonly State[] {
  switch (tree.kind) {
    case 'set':
      return isOfNames(tree.ranges)
        ? distinct(before.filter((one) => !one.ended).map(() => ({ read: true, ended: false })))
        : [];
    case 'anchor':
      if (tree.text === '^') return before.filter((one) => !one.read);
      return tree.text === '$' ? distinct(before.map(({ read }) => ({ read, ended: true }))) : before;
    case 'group':
      return after(tree.body, before);
    case 'sequence':
      return tree.parts.reduce((states, part) => after(part, states), before);
    case 'choice':
      return distinct(tree.branches.flatMap((branch) => after(branch, before)));
    case 'repeat':
      return afterRepeat(tree, before);
  }
}

/** There are four states: a third time adds nothing that two have not. */
function afterRepeat(
  { body, min, max }: Extract<Tree, { kind: 'repeat' }>,
  before: readonly State[],
): readonly State[] {
  const once = max > 0 ? after(body, before) : [];
  const twice = max > 1 ? after(body, once) : [];
  if (min === 0) return distinct([...before, ...once, ...twice]);
  return min === 1 ? distinct([...once, ...twice]) : twice;
}

function isOfNames(ranges: readonly Range[]): boolean {
  return ranges.some(([low, high]) => NAME_RANGES.some(([first, last]) => low <= last && first <= high));
}

function distinct(states: readonly State[]): readonly State[] {
  return [...new Map(states.map((one) => [`${one.read} ${one.ended}`, one])).values()];
}
