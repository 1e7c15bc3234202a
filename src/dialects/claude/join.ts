/**
 * What the settings files say together: which hooks are off, where http hooks may go, what runs once.
 */
import { fieldsOf, rawOf, stringIn } from '../../core/json';
import type { Hook, Raw } from '../../core/model';
import { nameOf } from '../../core/path';
import { dataOf, entryOf, type Tree } from '../../core/tree';
import type { ConfigRead, Doc } from '../dialect';
import type { Launch } from './config';

/** Of one settings file. `strength`: the strongest file that has a switch decides on it. */
type Switchboard = {
  readonly strength: number;
  readonly disableAllHooks?: boolean;
  readonly allowManagedHooksOnly?: boolean;
  readonly allowedHttpHookUrls?: readonly string[];
  readonly httpHookAllowedEnvVars?: readonly string[];
};

const MANAGED = 3;
const SWITCHES = ['disableAllHooks', 'allowManagedHooksOnly'];
const LISTS = ['allowedHttpHookUrls', 'httpHookAllowedEnvVars'];

/** The switches of a file, for `join`. */
export function switchesOf(doc: Doc): Raw {
  const value = (key: string) => {
    const entry = entryOf(doc.tree, key);
    return entry === undefined ? undefined : switchIn(entry.value, key);
  };
  const said = [...SWITCHES, ...LISTS].map((key) => [key, value(key)]);
  return rawOf({ strength: strengthOf(doc), ...Object.fromEntries(said) });
}

function switchIn(tree: Tree, key: string): unknown {
  const data = dataOf(tree);
  if (SWITCHES.includes(key)) return typeof data === 'boolean' ? data : undefined;
  return Array.isArray(data) ? data.filter((one) => typeof one === 'string') : undefined;
}

/** Managed settings over local ones over those of the project and the user. */
function strengthOf({ root, file }: Doc): number {
  if (nameOf(file) === 'managed-settings.json' || nameOf(root) === 'managed-settings.d') return MANAGED;
  return nameOf(file) === 'settings.local.json' ? 2 : 1;
}

/** The hooks of each file in order, as all files together leave them. Identical handlers run once; if one of them blocks by its failure, it does. */
export function join(read: readonly ConfigRead[]): readonly (readonly Hook[])[] {
  const boards = read.map(({ own }): Switchboard => (own === undefined ? { strength: 0 } : JSON.parse(own.text)));
  const urls = joined(boards, 'allowedHttpHookUrls');
  const names = joined(boards, 'httpHookAllowedEnvVars');
  const seen = new Map<string, Hook>();
  const blocking = new Set(read.flatMap(({ hooks }) => hooks.filter((hook) => hook.onFailure === 'block').map(keyOf)));
  return read.map(({ hooks }, index) => {
    const off = whyOff(boards[index]?.strength ?? 0, boards);
    return hooks.map((hook) => {
      if (off !== undefined) return { ...hook, off };
      const key = keyOf(hook);
      const first = seen.get(key);
      if (first !== undefined) return { ...hook, off: `the same as ${first.at.file}:${first.at.line}` };
      seen.set(key, hook);
      return limited(blocking.has(key) ? { ...hook, onFailure: 'block' } : hook, urls, names);
    });
  });
}

function keyOf({ event, tests, written }: Hook): string {
  return JSON.stringify([event, tests, written.text]);
}

/** Managed hooks stay on unless a managed file says otherwise. */
function whyOff(strength: number, boards: readonly Switchboard[]): string | undefined {
  const managed = boards.filter((board) => board.strength === MANAGED);
  const heard = strength === MANAGED ? managed : boards;
  const [strongest] = heard
    .filter((board) => board.disableAllHooks !== undefined)
    .toSorted((a, b) => b.strength - a.strength);
  if (strongest?.disableAllHooks === true) return 'disableAllHooks';
  const only = managed.some((board) => board.allowManagedHooksOnly === true);
  return only && strength !== MANAGED ? 'allowManagedHooksOnly' : undefined;
}

/** The lists of all files that have one; undefined where none has. */
function joined(
  boards: readonly Switchboard[],
  key: 'allowedHttpHookUrls' | 'httpHookAllowedEnvVars',
): readonly string[] | undefined {
  const lists = boards.flatMap((board) => (board[key] === undefined ? [] : [board[key]]));
  return lists.length === 0 ? undefined : lists.flat();
}

function limited(hook: Hook, urls: readonly string[] | undefined, names: readonly string[] | undefined): Hook {
  const type = fieldsOf(hook.written).find(([key]) => key === 'type')?.[1];
  if ((urls === undefined && names === undefined) || type === undefined || stringIn(type) !== 'http') return hook;
  const launch: Launch = JSON.parse(hook.written.text);
  const allowed = urls?.some((glob) => matchesUrl(glob, launch.url ?? '')) ?? true;
  const { allowedEnvVars = [] } = launch;
  const own = names === undefined ? allowedEnvVars : allowedEnvVars.filter((name) => names.includes(name));
  return { ...hook, written: rawOf({ ...launch, allowedEnvVars: own, ...(allowed ? {} : { forbidden: true }) }) };
}

/** `*` stands for any text; the case of the host does not count. */
export function matchesUrl(glob: string, url: string): boolean {
  const [first = '', ...rest] = withoutCase(glob).split('*');
  const text = withoutCase(url);
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

function withoutCase(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/?#]*/i, (origin) => origin.toLowerCase());
}
