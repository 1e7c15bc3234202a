/**
 * Calls of hookctl in the text of an agent's own config: put in, found, taken out.
 */
import { type JsonSource, withItem, without } from '../core/json-edit';
import { dataOf, nodeAt, type Tree, type TreePath } from '../core/tree';

/** A comment of the shell at the end of every command that `install` writes: what `uninstall` knows them by. */
export const MARK = '# hookctl install';

export type Wanted = { readonly list: readonly string[]; readonly item: unknown };

type Parse = (text: string) => Tree;

/** The text with exactly the wanted calls: those that were put in before go. The same text where nothing is to do. Throws where a list cannot be made. */
export function installed(text: string, wanted: readonly Wanted[], parse: Parse): string {
  const tree = parse(text);
  const before = callsIn(tree).map((path) => ({ list: path.slice(0, -1), item: dataOf(nodeAt(tree, path) ?? tree) }));
  if (isSame(before, wanted)) return text;
  return wanted.reduce(
    (result, { list, item }) => withItem({ text: result, tree: parse(result) }, list, item),
    uninstalled(text, parse).at(-1) ?? text,
  );
}

/**
 * The texts without the calls: as little as possible taken out first, then also the lists and objects that are empty then. None
 * where there is no call.
 */
export function uninstalled(text: string, parse: Parse): string[] {
  const paths = callsIn(parse(text));
  if (paths.length === 0) return [];
  const bare = paths.toReversed().reduce((result, path) => without(sourceOf(result, parse), path), text);
  const lists = [...new Map(paths.map((path) => [JSON.stringify(path.slice(0, -1)), path.slice(0, -1)])).values()];
  const pruned = lists.reduce((result, list) => withoutEmpty(result, list, parse), bare);
  return [bare, pruned];
}

/** The items of lists that hold the mark and nothing else that could be called: a group, or a handler beside others in its group. */
function callsIn(tree: Tree, path: TreePath = []): TreePath[] {
  if (tree.kind === 'map') return tree.entries.flatMap(({ key, value }) => callsIn(value, [...path, key]));
  if (tree.kind === 'scalar') return [];
  return tree.items.flatMap(({ value }, index) => {
    const marked = commandsIn(value).map((command) => command.includes(MARK));
    if (marked.length > 0 && marked.every((one) => one)) return [[...path, index]];
    return callsIn(value, [...path, index]);
  });
}

/** Every text below a key `command`. */
function commandsIn(tree: Tree): string[] {
  if (tree.kind === 'list') return tree.items.flatMap(({ value }) => commandsIn(value));
  if (tree.kind === 'scalar') return [];
  return tree.entries.flatMap(({ key, value }) => {
    if (key === 'command' && value.kind === 'scalar') return [String(value.value)];
    return commandsIn(value);
  });
}

/** Without the list at the path, and what stands around it, as far as it is empty. */
function withoutEmpty(text: string, path: TreePath, parse: Parse): string {
  const source = sourceOf(text, parse);
  const node = nodeAt(source.tree, path);
  if (path.length === 0 || node === undefined || !isEmpty(node)) return text;
  return withoutEmpty(without(source, path), path.slice(0, -1), parse);
}

function isEmpty(node: Tree): boolean {
  return (node.kind === 'list' && node.items.length === 0) || (node.kind === 'map' && node.entries.length === 0);
}

function sourceOf(text: string, parse: Parse): JsonSource {
  return { text, tree: parse(text) };
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
