/**
 * hooks.json → hooks. Any error makes the whole file invalid: half a file in force surprises more than none.
 */
import type { Code, Finding } from '../../core/finding';
import { rawOf } from '../../core/json';
import type { Hook } from '../../core/model';
import { resolvePath } from '../../core/path';
import { entryOf, type Tree, type TreeEntry } from '../../core/tree';
import type { ConfigRead, Doc, WrittenHook } from '../dialect';
import { type Action, limitOf, readAction, readFlag, readTimeout, type Slip, wrongType } from './action';
import { readPlugin } from './plugin';
import { BOUNDS, canonicalOf, EVENTS, MINIMAL_PATH, normalised, ORDER, spec } from './spec';

/** What a launch needs, as it is kept in `Hook.written`. */
export type Launch = {
  readonly kind: 'action';
  /** PRX's name of the event. */
  readonly event: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly ms: number;
  readonly stdin: boolean;
};

const TOP_KEYS = ['hooks', 'timeout_ms', 'enabled', '$schema'];
/** Keys of hooks in other JSON files that have an event "error" too. */
const FOREIGN_KEYS = ['matcher', 'onError', 'timeout', 'name', 'wasm'];

/** Is it surely PRX's: JSON, and under "hooks" one of its events with a list of objects that have a command themselves? */
export function claims(tree: Tree, file: string): boolean {
  const hooks = entryOf(tree, 'hooks')?.value;
  if (hooks?.kind !== 'map' || !file.endsWith('.json')) return false;
  const lists = hooks.entries.filter(({ value }) => value.kind === 'list' && value.items.some(isAction));
  const own = lists.filter(({ key }) => canonicalOf(key) !== undefined);
  if (own.length === 0) return false;
  return own.some(({ key }) => key !== 'error') || !lists.some(({ value }) => isForeign(value));
}

function isAction({ value }: { readonly value: Tree }): boolean {
  return entryOf(value, 'command') !== undefined && entryOf(value, 'hooks') === undefined;
}

function isForeign(list: Tree): boolean {
  return (
    list.kind === 'list' &&
    list.items.some(({ value }) => FOREIGN_KEYS.some((key) => entryOf(value, key) !== undefined))
  );
}

/** Reads the hooks of a hooks.json, or of a plugin's manifest. */
export function readConfig(doc: Doc): ConfigRead {
  if (doc.file.endsWith('.toml')) return readPlugin(doc);
  const read = readFile(doc.tree);
  const findings = [...formFaults(doc), ...read.slips.map((slip) => findingOf(slip, doc))];
  const written = read.actions.map((one) => writtenHook(one, doc));
  return { hooks: written.map(({ hook }) => hook), written, more: [], switches: {}, findings };
}

/** Of two plugins of one name the second is left out. */
export function join(read: readonly ConfigRead[]): readonly (readonly Hook[])[] {
  const owners = new Map<string, string>();
  return read.map(({ hooks }) =>
    hooks.map((hook) => {
      if (!hook.label.startsWith('plugin:')) return hook;
      const owner = owners.get(hook.label) ?? hook.at.file;
      owners.set(hook.label, owner);
      return owner === hook.at.file ? hook : { ...hook, off: `a plugin of that name stands in ${owner}` };
    }),
  );
}

/** An action at its place. */
export type Placed = {
  /** PRX's name, as it is spelt in the file, and hookctl's. */
  readonly event: string;
  readonly key: string;
  readonly canonical: string;
  /** In the list of its event. */
  readonly index: number;
  readonly action: Action;
  readonly tree: Tree;
  readonly ms: number;
  readonly off?: string;
};

/** The actions of a file in order, and what is wrong with it. */
export function readFile(tree: Tree): { readonly actions: readonly Placed[]; readonly slips: readonly Slip[] } {
  if (tree.kind !== 'map') return { actions: [], slips: [wrongType(tree, '', 'the file', 'a mapping')] };
  const top = readTop(tree);
  const hooks = entryOf(tree, 'hooks');
  if (hooks === undefined) return { actions: [], slips: top.slips };
  if (hooks.value.kind !== 'map')
    return { actions: [], slips: [...top.slips, wrongType(hooks.value, 'hooks', '"hooks"', 'a mapping')] };
  const lists = hooks.value.entries.map((entry) => readList(entry, top));
  const actions = lists.flatMap((one) => one.actions);
  const count = lists.reduce((sum, one) => sum + one.count, 0);
  const many: Slip[] =
    count > BOUNDS.actions
      ? [
          {
            code: 'HK072',
            args: { what: `${count} actions`, most: String(BOUNDS.actions) },
            span: hooks.keySpan,
            field: 'hooks',
          },
        ]
      : [];
  return {
    actions,
    slips: [...top.slips, ...twins(hooks.value.entries), ...lists.flatMap((one) => one.slips), ...many],
  };
}

type Top = { readonly ms?: number; readonly enabled: boolean; readonly slips: readonly Slip[] };

function readTop(tree: Extract<Tree, { kind: 'map' }>): Top {
  const unknown = tree.entries.flatMap(({ key, keySpan }): Slip[] =>
    TOP_KEYS.includes(key)
      ? []
      : [
          {
            code: 'HK006',
            severity: 'warning',
            args: { key, where: 'the file', hint: '' },
            allowed: TOP_KEYS,
            span: keySpan,
            field: key,
          },
        ],
  );
  const [limit, flag] = [entryOf(tree, 'timeout_ms'), entryOf(tree, 'enabled')];
  const ms = limit === undefined ? { slips: [] } : readTimeout(limit.value, 'timeout_ms');
  const enabled = flag === undefined ? { slips: [] } : readFlag(flag.value, 'enabled', '"enabled"');
  return {
    ...(ms.value === undefined ? {} : { ms: ms.value }),
    enabled: enabled.value ?? true,
    slips: [...unknown, ...ms.slips, ...enabled.slips],
  };
}

/** Two keys that mean one event. */
function twins(entries: readonly TreeEntry[]): Slip[] {
  const names = entries.map(({ key }) => normalised(key));
  return entries.flatMap(({ key, keySpan }, index): Slip[] =>
    names.indexOf(normalised(key)) < index
      ? [{ code: 'HK003', args: { key }, span: keySpan, field: `hooks.${key}` }]
      : [],
  );
}

type List = { readonly actions: readonly Placed[]; readonly slips: readonly Slip[]; readonly count: number };

function readList({ key, keySpan, value }: TreeEntry, top: Top): List {
  const field = `hooks.${key}`;
  const canonical = canonicalOf(key);
  const unknown: Slip[] =
    canonical === undefined
      ? [{ code: 'HK007', args: { event: key, hint: '' }, allowed: EVENTS, span: keySpan, field }]
      : [];
  if (value.kind !== 'list') {
    return { actions: [], slips: [...unknown, wrongType(value, field, `"${key}"`, 'a list')], count: 0 };
  }
  const read = value.items.map((item, index) => ({ ...readAction(item.value, `${field}[${index}]`), item, index }));
  const actions = read.flatMap(({ action, item, index }): Placed[] => {
    if (action === undefined || canonical === undefined) return [];
    const off = top.enabled && action.enabled !== false ? {} : { off: 'disabled' };
    return [
      { event: normalised(key), key, canonical, index, action, tree: item.value, ms: limitOf(action, top.ms), ...off },
    ];
  });
  return { actions, slips: [...unknown, ...read.flatMap(({ slips }) => slips)], count: value.items.length };
}

/** What the grammar of hooks.json does not have although the reader of files lets it pass. */
function formFaults({ size, hasBom, place }: Doc): Finding[] {
  const at = place({ start: 0, end: 1 });
  const large: Finding[] =
    size > BOUNDS.fileBytes
      ? [{ code: 'HK072', at, args: { what: `${size} bytes`, most: String(BOUNDS.fileBytes) } }]
      : [];
  if (!hasBom) return large;
  return [
    ...large,
    {
      code: 'HK002',
      at,
      args: { why: 'the file begins with a byte order mark', hint: 'save it as UTF-8 without one' },
    },
  ];
}

export function findingOf({ code, severity, args, allowed, span }: Slip, { place }: Doc): Finding {
  return {
    code: code as Code,
    at: place(span),
    args,
    ...(severity === undefined ? {} : { severity }),
    ...(allowed === undefined ? {} : { allowed }),
  };
}

function writtenHook(placed: Placed, doc: Doc): WrittenHook {
  const { action, tree } = placed;
  const { command, args = [], cwd, stdinJson } = action;
  const span = (key: string) => entryOf(tree, key)?.value.span ?? tree.span;
  const at = cwd?.startsWith('/') === true ? cwd : `${doc.root}/${cwd ?? ''}`;
  return {
    hook: hookOf(placed, doc),
    span: tree.span,
    launch: {
      program: { text: programOf(command, doc.root), span: span('command') },
      written: command,
      path: MINIMAL_PATH,
      args,
      ...(cwd === undefined ? {} : { cwd: { text: cwd, path: at, span: span('cwd') } }),
      stdin: stdinJson === undefined ? 'unsaid' : 'said',
    },
  };
}

/** With a slash it is a path from the workspace; a bare name is looked for on the minimal PATH. */
export function programOf(command: string, root: string): string {
  return command.includes('/') ? resolvePath(root, command) : command;
}

function hookOf({ event, canonical, index, action, tree, ms, off }: Placed, doc: Doc): Hook {
  const { command, args = [], env = {}, cwd, stdinJson = false } = action;
  const launch: Launch = {
    kind: 'action',
    event,
    command,
    args,
    env,
    ...(cwd === undefined ? {} : { cwd }),
    ms,
    stdin: stdinJson,
  };
  return {
    author: spec.id,
    at: { file: doc.file, ...doc.position(tree.span.start) },
    label: `${event}[${index}]`,
    event: canonical,
    tests: [{ kind: 'rule', rule: 'fits' }],
    ...(off === undefined ? {} : { off }),
    group: `${spec.id} ${doc.root}/${doc.file}`,
    order: ORDER,
    phase: 0,
    onFailure: 'ignore',
    root: doc.root,
    written: rawOf(launch),
  };
}
