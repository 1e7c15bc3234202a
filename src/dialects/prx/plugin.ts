/**
 * plugin.toml: the manifest of a WebAssembly plugin.
 */

import type { Code, Finding, Severity } from '../../core/finding';
import { rawOf } from '../../core/json';
import type { Hook } from '../../core/model';
import { lookUp } from '../../core/table';
import { matchesTopic } from '../../core/topic';
import { dataOf, entryOf, type Tree, type TreeSpan } from '../../core/tree';
import type { ConfigRead, Doc, WrittenHook } from '../dialect';
import { BOUNDS, canonicalOf, EVENTS, ORDER, spec, topicOf } from './spec';

/** What is kept of a plugin in `Hook.written`. */
export type PluginLaunch = {
  readonly kind: 'plugin';
  readonly name: string;
  readonly version: string;
  /** Relative to the manifest's folder. */
  readonly wasm: string;
  readonly ms: number;
  readonly memoryMb: number;
  readonly config: Readonly<Record<string, string>>;
};

const GRANTED = ['log', 'config'];
const UNENFORCED = ['max_fuel', 'pool_size', 'max_http_requests_per_call', 'max_kv_storage_mb'];
const KEYS: Readonly<Record<string, readonly string[]>> = {
  plugin: ['name', 'version', 'description', 'author', 'license', 'api_version', 'wasm'],
  resources: ['max_memory_mb', 'max_execution_time_ms', ...UNENFORCED],
};
const TABLES = ['plugin', 'capabilities', 'resources', 'permissions', 'config'];
const DEFAULT_WASM = 'plugin.wasm';
const DEFAULT_MEMORY_MB = 64;

/** Reads a manifest: one hook an event that one of its patterns matches. */
export function readPlugin(doc: Doc): ConfigRead {
  const findings: Finding[] = [];
  const tell = (code: Code, span: TreeSpan, args: Finding['args'], severity?: Severity, allowed?: readonly string[]) =>
    findings.push({
      code,
      at: doc.place(span),
      args,
      ...(severity === undefined ? {} : { severity }),
      ...(allowed === undefined ? {} : { allowed }),
    });
  const reading: Reading = { doc, tell };
  checkKeys(reading);
  const { module, ...plugin } = pluginTable(reading);
  const patterns = patternsIn(reading);
  checkPermissions(reading);
  checkLimits(reading);
  const resources = entryOf(doc.tree, 'resources')?.value;
  const launch: PluginLaunch = {
    kind: 'plugin',
    ...plugin,
    ms: wholeNumber(resources, 'max_execution_time_ms', BOUNDS.timeoutMs, reading) ?? spec.defaults.timeoutMs,
    memoryMb: wholeNumber(resources, 'max_memory_mb', 4_096, reading) ?? DEFAULT_MEMORY_MB,
    config: configTable(reading),
  };
  const hooks = EVENTS.filter((event) => patterns.some((pattern) => matches(pattern, event))).map((event) =>
    hookOf(event, launch, doc),
  );
  const written = hooks.slice(0, 1).map((hook): WrittenHook => ({ hook, span: doc.tree.span, module }));
  return { hooks, written, more: [], switches: {}, findings };
}

type Reading = {
  readonly doc: Doc;
  readonly tell: (
    code: Code,
    span: TreeSpan,
    args: Finding['args'],
    severity?: Severity,
    allowed?: readonly string[],
  ) => void;
};

function checkKeys({ doc, tell }: Reading): void {
  if (doc.tree.kind !== 'map') return;
  for (const { key, keySpan, value } of doc.tree.entries) {
    if (!TABLES.includes(key)) tell('HK006', keySpan, { key, where: 'the manifest', hint: '' }, 'warning', TABLES);
    const allowed = lookUp(KEYS, key);
    if (allowed === undefined || value.kind !== 'map') continue;
    for (const inner of value.entries) {
      if (!allowed.includes(inner.key))
        tell('HK006', inner.keySpan, { key: inner.key, where: `[${key}]`, hint: '' }, 'warning', allowed);
    }
  }
}

type Plugin = Pick<PluginLaunch, 'name' | 'version' | 'wasm'> & Pick<Required<WrittenHook>, 'module'>;

function pluginTable({ doc, tell }: Reading): Plugin {
  const table = entryOf(doc.tree, 'plugin');
  const where = table?.value.span ?? doc.tree.span;
  const needed = (key: string): string => {
    const entry = entryOf(table?.value, key);
    const said = textOf(entry?.value);
    if (entry === undefined) tell('HK037', where, { where: '[plugin]', key });
    else if (said === undefined)
      tell('HK008', entry.value.span, { where: `"${key}"`, got: 'no text', wanted: 'text', hint: '' });
    else if (said === '') tell('HK038', entry.value.span, { where: `"${key}"` });
    return said ?? '';
  };
  const entry = entryOf(table?.value, 'wasm');
  const wasm = textOf(entry?.value) ?? DEFAULT_WASM;
  if (wasm.startsWith('/') || wasm.split('/').includes('..'))
    tell('HK077', entry?.value.span ?? where, { module: wasm, why: "it must stand below the manifest's folder" });
  const module = { text: wasm, span: entry?.value.span ?? where, kind: 'component' as const };
  return { name: needed('name'), version: needed('version'), wasm, module };
}

/** Patterns of all blocks of the type `hook`. */
function patternsIn({ doc, tell }: Reading): string[] {
  const list = entryOf(doc.tree, 'capabilities')?.value;
  const blocks = list?.kind === 'list' ? list.items.map((item) => item.value) : [];
  return blocks.flatMap((block) => {
    const type = textOf(entryOf(block, 'type')?.value);
    if (type === undefined) tell('HK037', block.span, { where: 'a capability', key: 'type' });
    if (type !== 'hook') return [];
    return eventsOf(block).flatMap(({ pattern, span }) => {
      if (!EVENTS.some((event) => matches(pattern, event))) {
        tell('HK078', span, { pattern }, undefined, EVENTS);
        return [];
      }
      return [pattern];
    });
  });
}

function eventsOf(block: Tree): { readonly pattern: string; readonly span: TreeSpan }[] {
  const trigger = entryOf(block, 'trigger')?.value;
  const list = entryOf(block, 'events')?.value;
  const values = [
    ...(trigger === undefined ? [] : [trigger]),
    ...(list?.kind === 'list' ? list.items.map(({ value }) => entryOf(value, 'pattern')?.value ?? value) : []),
  ];
  return values.flatMap((value) => {
    const pattern = textOf(value);
    return pattern === undefined ? [] : [{ pattern, span: value.span }];
  });
}

/** The newer name of the program for an event of plugins. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  agent_stop: 'agent_end',
  'prx.lifecycle.agent_stop': 'prx.lifecycle.agent_end',
};

/** Tried on the bare name and on the topic. */
function matches(written: string, event: string): boolean {
  const pattern = lookUp(OTHER_NAMES, written) ?? written;
  return matchesTopic(pattern, event) || matchesTopic(pattern, topicOf(event));
}

function checkPermissions({ doc, tell }: Reading): void {
  const list = entryOf(entryOf(doc.tree, 'permissions')?.value, 'required')?.value;
  for (const { value } of list?.kind === 'list' ? list.items : []) {
    const name = textOf(value);
    if (name !== undefined && !GRANTED.includes(name)) tell('HK079', value.span, { name });
  }
}

/** Read, and kept by nobody. */
function checkLimits({ doc, tell }: Reading): void {
  const table = entryOf(doc.tree, 'resources')?.value;
  for (const key of UNENFORCED) {
    const entry = entryOf(table, key);
    if (entry !== undefined) tell('HK091', entry.keySpan, { key });
  }
}

function wholeNumber(table: Tree | undefined, key: string, most: number, { tell }: Reading): number | undefined {
  const value = entryOf(table, key)?.value;
  if (value === undefined) return undefined;
  const number = value.kind === 'scalar' ? value.value : undefined;
  if (typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= most) return number;
  const args = {
    where: `"${key}"`,
    got: String(number ?? value.kind),
    wanted: `a whole number, 1 to ${most}`,
    hint: '',
  };
  tell('HK008', value.span, args);
  return undefined;
}

function configTable({ doc, tell }: Reading): Record<string, string> {
  const table = entryOf(doc.tree, 'config')?.value;
  const config: [string, string][] = [];
  for (const { key, value } of table?.kind === 'map' ? table.entries : []) {
    const said = textOf(value);
    if (said === undefined)
      tell('HK008', value.span, { where: `"${key}"`, got: JSON.stringify(dataOf(value)), wanted: 'text', hint: '' });
    else config.push([key, said]);
  }
  return Object.fromEntries(config);
}

function hookOf(event: string, launch: PluginLaunch, doc: Doc): Hook {
  return {
    author: spec.id,
    at: { file: doc.file, ...doc.position(0) },
    label: `plugin:${launch.name}`,
    event: canonicalOf(event) ?? event,
    tests: [{ kind: 'rule', rule: 'fits' }],
    group: `${spec.id} ${doc.root}`,
    order: ORDER,
    phase: 0,
    onFailure: 'ignore',
    root: doc.root,
    written: rawOf(launch),
  };
}

function textOf(tree: Tree | undefined): string | undefined {
  return tree?.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : undefined;
}
