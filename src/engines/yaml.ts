/**
 * The door to `yaml`: text in, a tree with places out.
 */
import {
  type Alias,
  CST,
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  parseAllDocuments,
  visit,
  type YAMLError,
  type YAMLSeq,
} from 'yaml';
import type { Parsed, Tree, TreeFault, TreeItem, TreeSpan } from '../core/tree';
import { INDENTATION, syntaxWords } from '../core/yaml-words';

/** A config that aliases blow up beyond this is refused. */
const MAX_NODES = 200_000;

/** Parses one YAML 1.2 document. Offsets are UTF-16 units of `text`. */
export function parseYaml(text: string): Parsed {
  return { ...parsed(text), comments: () => commentsIn(text), commas: () => commasIn(text) };
}

function parsed(text: string): Pick<Parsed, 'tree' | 'faults'> {
  const documents = parseAllDocuments(text, { keepSourceTokens: true, prettyErrors: false, logLevel: 'silent' });
  if (!Array.isArray(documents)) return { faults: [emptyFault()] };
  const [first, second] = documents;
  if (first === undefined) return { faults: [emptyFault()] };
  const faults = faultsOf(first, text);
  if (second !== undefined) faults.push(secondFault(second));
  if (faults.length > 0) return { faults };
  const builder: Builder = { targets: targetsIn(first), text, faults: [], path: [], nodes: 0 };
  const tree = isNothing(first.contents) ? undefined : treeOf(first.contents, builder);
  if (builder.faults.length > 0) return { faults: builder.faults };
  return tree === undefined ? { faults: [emptyFault()] } : { tree, faults: [] };
}

/** What looks like a comment within a value is none. */
function commentsIn(text: string): TreeSpan[] {
  const comments: TreeSpan[] = [];
  for (const { token, at } of signsIn(text))
    if (token.startsWith('#')) comments.push({ start: at, end: at + token.trimEnd().length });
  return comments;
}

function commasIn(text: string): number[] {
  return signsIn(text).flatMap(({ token, at }) => (token === ',' ? [at] : []));
}

/** All that is written between the scalars. */
function signsIn(text: string): { readonly token: string; readonly at: number }[] {
  const signs: { token: string; at: number }[] = [];
  let [at, isScalar] = [0, false];
  for (const token of new Lexer().lex(text)) {
    if (token === SCALAR) isScalar = true;
    if (CONTROLS.includes(token)) continue;
    if (!isScalar) signs.push({ token, at });
    at += token.length;
    isScalar = false;
  }
  return signs;
}

/** Tokens of the lexer that stand for no characters of the text; the first one: a scalar follows. */
const SCALAR = CST.SCALAR;
const CONTROLS: readonly string[] = [SCALAR, CST.DOCUMENT, CST.FLOW_END];

type Builder = {
  readonly targets: ReadonlyMap<Alias, Node | undefined>;
  readonly text: string;
  readonly faults: TreeFault[];
  /** Aliases being followed. */
  readonly path: Node[];
  nodes: number;
};

/** Alias → the last node before it that has its anchor. (`alias.resolve` walks the document for each.) */
function targetsIn(document: Document.Parsed): ReadonlyMap<Alias, Node | undefined> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node | undefined>();
  visit(document, {
    Alias: (_, alias) => {
      targets.set(alias, anchors.get(alias.source));
    },
    Value: (_, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

function treeOf(node: unknown, builder: Builder): Tree {
  builder.nodes += 1;
  if (builder.nodes === MAX_NODES)
    builder.faults.push({
      code: 'alias',
      why: `the file holds more than ${MAX_NODES} values, its aliases followed`,
      span: NOWHERE,
    });
  if (builder.nodes >= MAX_NODES) return { kind: 'scalar', span: NOWHERE, value: null };
  if (isAlias(node)) return aliased(node, builder);
  const span = inked(spanOf(node), builder.text);
  if (isMap(node)) return { kind: 'map', span, entries: node.items.map((pair) => entryOf(pair, builder)) };
  if (isSeq(node)) return { kind: 'list', span, items: itemsOf(node, builder) };
  return { kind: 'scalar', span, value: isScalar(node) ? plain(node.value) : null };
}

/** What the alias stands for, at the place of the alias. */
function aliased(alias: Alias, builder: Builder): Tree {
  const span = spanOf(alias);
  const target = builder.targets.get(alias);
  if (target === undefined || builder.path.includes(target)) {
    const why =
      target === undefined
        ? `the alias *${alias.source} has no anchor`
        : `the alias *${alias.source} stands inside of its own anchor`;
    builder.faults.push({ code: 'alias', why, span, ...(target === undefined ? { hint: QUOTE_IT } : {}) });
    return { kind: 'scalar', span, value: null };
  }
  builder.path.push(target);
  const tree = treeOf(target, builder);
  builder.path.pop();
  return { ...tree, span };
}

function entryOf(pair: Pair, builder: Builder) {
  const key = treeOf(pair.key, builder);
  const value = pair.value === null ? nothingAt(key.span.end) : treeOf(pair.value, builder);
  return {
    key: key.kind === 'scalar' ? String(key.value) : builder.text.slice(key.span.start, key.span.end),
    keySpan: key.span,
    value,
  };
}

function itemsOf(list: YAMLSeq, builder: Builder): TreeItem[] {
  const token = list.srcToken;
  return list.items.map((item, index) => {
    const value = treeOf(item, builder);
    const dash =
      token?.type === 'block-seq' ? token.items[index]?.start.find((one) => one.type === 'seq-item-ind') : undefined;
    return { start: dash?.offset ?? value.span.start, value };
  });
}

function plain(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? null : String(value);
}

function spanOf(node: unknown): TreeSpan {
  const range = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range : undefined;
  return range ? { start: range[0], end: range[1] } : NOWHERE;
}

const QUOTE_IT = 'YAML reads a leading * as an alias; put the text in quotes: "*"';
const NOWHERE: TreeSpan = { start: 0, end: 0 };

function nothingAt(offset: number): Tree {
  return { kind: 'scalar', span: { start: offset, end: offset }, value: null };
}

function isNothing(contents: unknown): boolean {
  return contents === null || (isScalar(contents) && contents.value === null && contents.source === '');
}

function emptyFault(): TreeFault {
  return { code: 'empty', why: 'the file is empty', span: NOWHERE };
}

function secondFault(document: Document): TreeFault {
  const start = document.range?.[0] ?? 0;
  return { code: 'more documents', why: 'a second document', span: { start, end: start } };
}

/** A mistake of syntax mostly draws others after it: the first is told. A tag that means nothing is one too. */
function faultsOf({ errors, warnings }: Document.Parsed, text: string): TreeFault[] {
  const all = [...errors, ...warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED')];
  const first = all.find(({ code }) => !TOLD_EACH.includes(code));
  const told = all.filter((error) => error === first || TOLD_EACH.includes(error.code));
  return told.map((error) => indentationFault(error, all, text) ?? faultOf(error, text));
}

const TOLD_EACH: readonly YAMLError['code'][] = ['DUPLICATE_KEY', 'BAD_ALIAS'];

/** A key that is indented deeper than its neighbours continues the value above it: two errors at that value. */
function indentationFault(error: YAMLError, all: readonly YAMLError[], text: string): TreeFault | undefined {
  const [start] = error.pos;
  const both = ['BLOCK_AS_IMPLICIT_KEY', 'MULTILINE_IMPLICIT_KEY'].map((code) =>
    all.find((one) => one.code === code && one.pos[0] === start),
  );
  const [end] = both.includes(error) ? (both[1]?.pos.slice(1) ?? []) : [];
  if (both[0] === undefined || end === undefined) return undefined;
  const line = text.lastIndexOf('\n', end - 1) + 1;
  const indent = /^ */.exec(text.slice(line, end))?.[0].length ?? 0;
  return { code: 'syntax', ...INDENTATION, span: { start: line + indent, end } };
}

function faultOf(error: YAMLError, text: string): TreeFault {
  const span = { start: error.pos[0], end: error.pos[1] };
  const written = text.slice(span.start, span.end);
  if (error.code === 'DUPLICATE_KEY') {
    const key = keyAt(text, span.start);
    return {
      code: 'duplicate key',
      why: key.replace(/^(["'])(.*)\1$/, '$2'),
      span: { start: span.start, end: span.start + key.length },
    };
  }
  if (error.code === 'BAD_ALIAS' && written.startsWith('*')) {
    return { code: 'alias', why: `${written.split('\n')[0]} is an alias without an anchor`, hint: QUOTE_IT, span };
  }
  if (/call stack/.test(error.message)) return { code: 'syntax', why: 'the nesting is too deep', span: NOWHERE };
  return { code: 'syntax', ...syntaxWords(error.code, error.message), span: behindBlanks(span, text) };
}

/** Without the line breaks and blanks that a block ends with. */
function inked({ start, end }: TreeSpan, text: string): TreeSpan {
  let last = end;
  while (last > start + 1 && ' \n\r'.includes(text[last - 1] ?? '_')) last -= 1;
  return { start, end: Math.max(last, Math.min(end, start)) };
}

/** Without the blanks that it begins with. */
function behindBlanks(span: TreeSpan, text: string): TreeSpan {
  const blanks = /^ */.exec(text.slice(span.start, span.start + 1_000))?.[0].length ?? 0;
  const start = span.start + blanks;
  return { start, end: Math.max(span.end, start + 1) };
}

/** The key that begins at an offset, as written. */
function keyAt(text: string, start: number): string {
  const [key = ''] = /^"(?:[^"\\\n]|\\.)*"|^'[^'\n]*'|^[^:\n]*/.exec(text.slice(start)) ?? [];
  return key.trim();
}

/** The lines of a mapping, in block style. */
export function yamlLines(fields: Readonly<Record<string, unknown>>): string[] {
  return new Document(fields).toString({ lineWidth: 0 }).trimEnd().split('\n');
}

/** A hook of an agent file, with comments to stand before it. */
export type PrintedHook = {
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
};

/** An agent file of the hooks, with a comment at its head. */
export function agentYaml(hooks: readonly PrintedHook[], head: string): string {
  const document = new Document({ hooks: {} });
  document.commentBefore = head.replace(/^/gm, ' ');
  const events = document.get('hooks');
  if (hooks.length > 0 && isMap(events)) events.flow = false;
  for (const { event, fields, notes } of hooks) {
    if (!document.hasIn(['hooks', event])) document.setIn(['hooks', event], document.createNode([]));
    const node = document.createNode(fields);
    if (notes.length > 0) node.commentBefore = notes.map((note) => ` ${note}`).join('\n');
    document.addIn(['hooks', event], node);
    const chain = document.getIn(['hooks', event]);
    if (isSeq(chain)) chain.flow = false;
  }
  return document.toString({ lineWidth: 0 });
}
