/**
 * Puts one more hook into an agent file, and leaves every other character as it is.
 */
import { isSame } from '../core/edit';
import { dataOf, entryOf, type Tree, type TreeSpan } from '../core/tree';

/** An agent file. `tree` is absent where it holds nothing. */
export type AgentText = {
  readonly text: string;
  readonly tree: Tree | undefined;
  readonly comments: readonly TreeSpan[];
};

/** A hook, and its lines as a mapping in YAML. */
export type NewHook = { readonly data: Readonly<Record<string, unknown>>; readonly lines: readonly string[] };

/**
 * The text with the hook behind those of its event; or undefined, where that cannot be done or would change something else, such as
 * what an alias stands for. `parse` gives the tree of a text, or undefined.
 */
export function withHook(
  file: AgentText,
  event: string,
  hook: NewHook,
  parse: (text: string) => Tree | undefined,
): string | undefined {
  const wanted = intended(file.tree, event, hook.data);
  if (wanted === undefined) return undefined;
  const texts = file.tree === undefined ? [atEnd(file, event, hook)] : placed(file, file.tree, event, hook);
  return texts.find((text) => {
    const tree = parse(text);
    return tree !== undefined && isSame(tree, wanted);
  });
}

/** What the file would say; undefined where it has something else in that place. */
function intended(tree: Tree | undefined, event: string, hook: unknown): unknown {
  const hooks = entryOf(tree, 'hooks')?.value;
  const chain = entryOf(hooks, event)?.value;
  if ((tree !== undefined && tree.kind !== 'map') || !isEmptyOr('map', hooks) || !isEmptyOr('list', chain))
    return undefined;
  const [all, own] = [tree, hooks].map((node) => (node?.kind === 'map' ? (dataOf(node) as object) : {}));
  const before = chain?.kind === 'list' ? (dataOf(chain) as unknown[]) : [];
  return { ...all, hooks: { ...own, [event]: [...before, hook] } };
}

function isEmptyOr(kind: Tree['kind'], node: Tree | undefined): boolean {
  return node === undefined || node.kind === kind || (node.kind === 'scalar' && node.value === null);
}

/** Columns that one thing stands further right than what it belongs to. */
type Style = { readonly keys: number; readonly dash: number; readonly item: number; readonly eol: string };

/** How the file is written already. */
function styleOf(text: string, tree: Tree | undefined): Style {
  const found: { keys?: number; dash?: number; item?: number } = {};
  const visit = (node: Tree, column: number): void => {
    if (node.kind === 'scalar' || isFlow(node, text)) return;
    if (node.kind === 'list') {
      for (const { start, value } of node.items) {
        const gap = text.slice(start, value.span.start);
        if (value.kind === 'map' && /^- +$/.test(gap)) found.item ??= gap.length;
        visit(value, columnOf(text, value.span.start));
      }
      return;
    }
    for (const { keySpan, value } of node.entries) {
      const own = columnOf(text, keySpan.start);
      if (own > column) found.keys ??= own - column;
      const [first] = value.kind === 'list' && !isFlow(value, text) ? value.items : [];
      if (first !== undefined) found.dash ??= columnOf(text, first.start) - own;
      visit(value, own);
    }
  };
  if (tree !== undefined) visit(tree, 0);
  const { keys = 2, dash = 2, item = 2 } = found;
  return { keys, dash: Math.max(0, dash), item: Math.max(2, item), eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

/** Lines of a block, the first one in column 0: keys, each below the one before, and at last the hook in a list. */
function block(keys: readonly string[], hook: NewHook, style: Style): string[] {
  const [key, ...rest] = keys;
  if (key === undefined) {
    const [first = '', ...more] = hook.lines;
    return [`-${' '.repeat(style.item - 1)}${first}`, ...more.map((line) => ' '.repeat(style.item) + line)];
  }
  const indent = rest.length === 0 ? style.dash : style.keys;
  return [`${key}:`, ...indented(block(rest, hook, style), indent)];
}

/** The same in braces, without those around it. */
function flow(keys: readonly string[], hook: NewHook): string {
  const value = keys.slice(1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), [hook.data]);
  const [key] = keys;
  const written = (data: unknown) => JSON.stringify(data, null, 1).replace(/\n */g, ' ');
  return key === undefined ? written(hook.data) : `${key}: ${written(value)}`;
}

function indented(lines: readonly string[], columns: number): string[] {
  return lines.map((line) => ' '.repeat(columns) + line);
}

function atEnd({ text }: AgentText, event: string, hook: NewHook): string {
  const style = styleOf(text, undefined);
  const gap = text === '' || text.endsWith('\n') ? '' : style.eol;
  return `${text}${gap}${block(['hooks', event], hook, style).join(style.eol)}${style.eol}`;
}

/** The texts to try, the best one first. */
function placed(file: AgentText, tree: Tree, event: string, hook: NewHook): string[] {
  const hooks = entryOf(tree, 'hooks');
  const chain = entryOf(hooks?.value, event);
  if (chain !== undefined && hooks !== undefined)
    return childrenOf(chain.value).length > 0
      ? behindLast(file, chain.value, [], columnOf(file.text, chain.keySpan.start), hook)
      : inEmpty(file, hooks.value, chain, [], hook);
  if (hooks !== undefined)
    return childrenOf(hooks.value).length > 0
      ? behindLast(file, hooks.value, [event], -1, hook)
      : inEmpty(file, tree, hooks, [event], hook);
  if (childrenOf(tree).length > 0) return behindLast(file, tree, ['hooks', event], -1, hook);
  const { start, end } = tree.span;
  const { eol } = styleOf(file.text, tree);
  const lines = block(['hooks', event], hook, styleOf(file.text, tree)).join(eol);
  return [file.text.slice(0, start) + lines + file.text.slice(end)];
}

/** Behind the last child of a list or a mapping. `outer`: the column of the key that it belongs to. */
function behindLast(file: AgentText, parent: Tree, keys: readonly string[], outer: number, hook: NewHook): string[] {
  const { text } = file;
  const last = childrenOf(parent).at(-1) ?? parent.span;
  if (isFlow(parent, text)) {
    const line = lineStart(text, last.start);
    const isOwnLine = text.slice(line, last.start).trim() === '';
    const gap = isOwnLine ? `${styleOf(text, undefined).eol}${text.slice(line, last.start)}` : ' ';
    return [`${text.slice(0, last.end)},${gap}${flow(keys, hook)}${text.slice(last.end)}`];
  }
  const column = columnOf(text, last.start);
  const style = styleOf(text, file.tree);
  const lines = indented(block(keys, hook, style), column);
  return placesBehind(file, last.end, Math.max(column, outer + 1)).map((at) => withLines(text, at, lines, style.eol));
}

/** In the place of nothing, or of a list or a mapping that is empty. */
function inEmpty(
  file: AgentText,
  parent: Tree,
  { keySpan, value }: { readonly keySpan: TreeSpan; readonly value: Tree },
  keys: readonly string[],
  hook: NewHook,
): string[] {
  const { text } = file;
  const { start, end } = value.span;
  const [before, behind] = [text.slice(0, start), text.slice(end)];
  if (isFlow(parent, text)) {
    const inner = flow(keys, hook);
    return [
      `${before}${start === keySpan.end ? ': ' : ''}${keys.length === 0 ? `[${inner}]` : `{ ${inner} }`}${behind}`,
    ];
  }
  const style = styleOf(text, file.tree);
  const column = columnOf(text, keySpan.start) + (keys.length === 0 ? style.dash : style.keys);
  const lines = indented(block(keys, hook, style), column);
  const bare = start === end ? text : before.replace(/[ \t]+$/, '') + behind;
  const cut = text.length - bare.length;
  const at = lineEnd(text, end) - cut;
  return [withLines(bare, at, lines, style.eol)];
}

/** Ends of lines behind a value: below comments that are indented so far, else below blank lines, which may belong to it. */
function placesBehind({ text, comments }: AgentText, end: number, column: number): number[] {
  const starts = new Set(comments.map(({ start }) => start));
  const own = lineEnd(text, end);
  let [at, below, isBlank] = [own, own, true];
  for (let next = own; next < text.length; next = lineEnd(text, next)) {
    const line = text.slice(next, lineEnd(text, next));
    const indent = line.length - line.trimStart().length;
    if (line.trim() === '') below = isBlank ? lineEnd(text, next) : below;
    else if (starts.has(next + indent) && indent >= column) at = lineEnd(text, next);
    else break;
    isBlank = isBlank && line.trim() === '';
  }
  return [at, below];
}

function withLines(text: string, at: number, lines: readonly string[], eol: string): string {
  const [before, behind, written] = [text.slice(0, at), text.slice(at), lines.join(eol)];
  return before.endsWith('\n') ? `${before}${written}${eol}${behind}` : `${before}${eol}${written}${behind}`;
}

function childrenOf(node: Tree): TreeSpan[] {
  if (node.kind === 'list') return node.items.map(({ start, value }) => ({ start, end: value.span.end }));
  if (node.kind === 'scalar') return [];
  return node.entries.map(({ keySpan, value }) => ({
    start: keySpan.start,
    end: Math.max(keySpan.end, value.span.end),
  }));
}

function isFlow({ span }: Tree, text: string): boolean {
  return '{['.includes(text[span.start] ?? '_');
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Behind the line break of the line of an offset. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}
