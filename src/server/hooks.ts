/**
 * The hooks of hooks.json as the API shows and edits them.
 */
import { createHash } from 'node:crypto';
import { parseFile } from '../config/parse';
import { type Finding, severityOf } from '../core/finding';
import { didYouMean } from '../core/nearest';
import { decode } from '../core/text';
import { dataOf, entryOf, type Tree, type TreeEntry } from '../core/tree';
import { ACTION_KEYS, readAction, type Slip } from '../dialects/prx/action';
import { type Placed, readFile } from '../dialects/prx/config';
import { BOUNDS, canonicalOf, EVENTS, normalised } from '../dialects/prx/spec';
import { renderFindingLine, sentenceOf } from '../render/findings';
import { type Lock, lock, type Unwritten } from '../whole-file';
import { has, withItem, withMember, without, withValue } from './edit';
import { type Content, type Entry, identify, idOf, NO_STATE, readState, type State } from './identity';
import { Refusal } from './refusal';
import { isSame, readNow, rewrite } from './store';

/** A hook as the API gives it. */
export type ApiHook = {
  readonly id: string;
  readonly event: string;
  readonly action: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
  readonly created_at: string;
  readonly updated_at: string;
};

/** What a client sent: checked. `action` as written. */
export type Sent = {
  readonly event: string;
  readonly action: Readonly<Record<string, unknown>>;
  readonly enabled?: boolean;
};

export type StoreDoors = {
  /** Absolute path of hooks.json. */
  readonly path: string;
  /** As people see it. */
  readonly shown: string;
  readonly now: () => Date;
  readonly warn: (message: string) => void;
};

const LOCK_MS = 2_000;
const NEW_FILE = '{\n  "hooks": {}\n}\n';
const SENT_KEYS = ['event', 'action', 'enabled'];
const IGNORED_KEYS = ['id', 'created_at', 'updated_at'];

/** What stands in hooks.json: its text, and its actions with their identity. */
type Standing = { readonly text: string; readonly placed: readonly Placed[]; readonly state: State };

/** Reads and edits hooks.json. Whatever is refused is thrown as a `Refusal`. */
export class Hooks {
  private state: State | undefined;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private readonly doors: StoreDoors) {}

  /** The hooks of a valid file, in its order; the last good ones where it is not. */
  list(): readonly ApiHook[] {
    const bytes = readNow(this.doors.path);
    if (this.listed !== undefined && isSame(this.listed, bytes)) return this.good;
    this.listed = bytes;
    const standing = this.standing(bytes);
    if ('why' in standing) return this.good;
    this.good = shown(standing);
    this.keep(standing.state);
    return this.good;
  }

  private good: readonly ApiHook[] = [];
  /** The bytes that `good` was last read from, or could not be read from. */
  private listed: Uint8Array | undefined;

  /** The id of each action: `tool_call[0]` → `hook_03`. */
  ids(): ReadonlyMap<string, string> {
    return new Map(placesOf(this.list()));
  }

  add(sent: Sent): Promise<ApiHook> {
    return this.edit((standing) => {
      if (standing.placed.length >= BOUNDS.actions)
        throw new Refusal(409, `there are ${BOUNDS.actions} actions already`);
      const now = this.now();
      const id = idOf(standing.state.next);
      const entry: Entry = { id, event: sent.event, sha256: '', created_at: now, updated_at: now };
      return {
        text: appended(standing.text, sent.event, written(sent, undefined)),
        id,
        lists: (lists) => lists.push(sent.event, entry),
        next: 1,
      };
    }).then(({ hook }) => found(hook));
  }

  replace(id: string, sent: Sent): Promise<ApiHook> {
    return this.edit((standing) => {
      const { placed, entry, path } = located(standing, id);
      const action = written(sent, placed.action.enabled);
      const updated = { ...entry, event: sent.event, updated_at: this.now() };
      const isSame = placed.event === sent.event;
      const text = isSame
        ? withValue(standing.text, path, action)
        : appended(without(standing.text, path), sent.event, action);
      const lists = (all: Lists) => (isSame ? all.put(entry, updated) : all.move(entry, updated));
      return { text, id, lists };
    }).then(({ hook }) => found(hook));
  }

  remove(id: string): Promise<void> {
    return this.edit((standing) => {
      const { entry, path } = located(standing, id);
      return { text: without(standing.text, path), id, lists: (lists) => lists.drop(entry) };
    }).then(() => undefined);
  }

  toggle(id: string): Promise<ApiHook> {
    return this.edit((standing) => {
      const { placed, entry, path } = located(standing, id);
      const own = [...path, 'enabled'];
      const isOff = placed.action.enabled === false;
      const bare = has(standing.text, own) ? without(standing.text, own) : standing.text;
      const text = isOff ? bare : withMember(bare, path, 'enabled', false);
      return { text, id, lists: (lists) => lists.put(entry, { ...entry, updated_at: this.now() }) };
    }).then(({ hook }) => found(hook));
  }

  /** One edit after the other, of the file as it is then; `change` may be asked again where somebody else was quicker. */
  private edit(change: (standing: Standing) => Change): Promise<{ readonly hook: ApiHook | undefined }> {
    const next = this.queue.then(() => this.editNow(change));
    this.queue = next.catch(() => undefined);
    return next;
  }

  private async editNow(change: (standing: Standing) => Change): Promise<{ readonly hook: ApiHook | undefined }> {
    const taken = await lock(`${this.doors.path}.lock`, LOCK_MS);
    if ('why' in taken) throw refusalOf(taken);
    try {
      return this.write(taken, change);
    } finally {
      taken.release();
    }
  }

  private write(_lock: Lock, change: (standing: Standing) => Change): { readonly hook: ApiHook | undefined } {
    let after: { readonly change: Change; readonly standing: Standing } | undefined;
    const done = rewrite(this.doors.path, (bytes) => {
      const before = this.standing(bytes);
      if ('why' in before) throw new Refusal(409, before.why);
      const made = change(before);
      after = { change: made, standing: this.after(before, made) };
      return made.text;
    });
    if (typeof done !== 'string') throw refusalOf(done);
    if (after === undefined) throw new Error('an edit that made nothing');
    const { standing } = after;
    this.keep(standing.state);
    this.good = shown(standing);
    this.listed = new TextEncoder().encode(standing.text);
    const { id } = after.change;
    return { hook: this.good.find((hook) => hook.id === id) };
  }

  /** What stands there after a change. */
  private after(before: Standing, { text, lists, next = 0 }: Change): Standing {
    const placed = placedIn(text, this.doors.shown);
    if ('why' in placed) throw new Error(`an edit that broke the file: ${placed.why}`);
    const all = new Lists(before.state.hooks);
    lists(all);
    const counts = new Map<string, number>();
    const hooks = placed.placed.map((one): Entry => {
      const index = counts.get(one.event) ?? 0;
      counts.set(one.event, index + 1);
      const entry = all.at(one.event, index);
      if (entry === undefined) throw new Error(`no identity for ${one.event}[${index}]`);
      return { ...entry, event: one.event, sha256: digestOf(one.tree) };
    });
    return { text, placed: placed.placed, state: { version: 1, next: before.state.next + next, hooks } };
  }

  private standing(bytes: Uint8Array | undefined): Standing | { readonly why: string } {
    const text = bytes === undefined ? NEW_FILE : decode(bytes);
    const read = placedIn(text, this.doors.shown, bytes);
    if ('why' in read) return read;
    const state = identify(this.known(), read.placed.map(contentOf), this.now());
    return { text, placed: read.placed, state };
  }

  private known(): State {
    if (this.state !== undefined) return this.state;
    const bytes = readNow(this.statePath());
    const state = bytes === undefined ? NO_STATE : readState(decode(bytes));
    if (state === undefined) this.doors.warn(`${this.statePath()} is broken; ids start anew`);
    return state ?? NO_STATE;
  }

  /** Written where it changed. Ids that cannot be kept are told, and stop nothing. */
  private keep(state: State): void {
    const text = `${JSON.stringify(state, null, 2)}\n`;
    const isSame = this.state !== undefined && JSON.stringify(this.state) === JSON.stringify(state);
    this.state = state;
    if (isSame || (state.hooks.length === 0 && state.next === 1)) return;
    const done = rewrite(this.statePath(), (before) =>
      before !== undefined && decode(before) === text ? undefined : text,
    );
    if (typeof done !== 'string') this.doors.warn(done.why);
  }

  private statePath(): string {
    return this.doors.path.replace(/(?:\.json)?$/, '.state.json');
  }

  private now(): string {
    return `${this.doors.now().toISOString().slice(0, 19)}Z`;
  }
}

type Change = {
  readonly text: string;
  readonly id: string;
  readonly lists: (lists: Lists) => void;
  /** Ids that were used up. */
  readonly next?: number;
};

/** Entries by event, each event's in the order of its list. */
class Lists {
  private readonly lists = new Map<string, Entry[]>();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) this.push(entry.event, entry);
  }

  push(event: string, entry: Entry): void {
    this.lists.set(event, [...(this.lists.get(event) ?? []), entry]);
  }

  put(old: Entry, now: Entry): void {
    this.lists.set(
      old.event,
      (this.lists.get(old.event) ?? []).map((one) => (one.id === old.id ? now : one)),
    );
  }

  drop(old: Entry): void {
    this.lists.set(
      old.event,
      (this.lists.get(old.event) ?? []).filter((one) => one.id !== old.id),
    );
  }

  move(old: Entry, now: Entry): void {
    this.drop(old);
    this.push(now.event, now);
  }

  at(event: string, index: number): Entry | undefined {
    return this.lists.get(event)?.[index];
  }
}

function refusalOf({ kind, why }: Unwritten): Refusal {
  return new Refusal(kind === 'busy' ? 409 : 500, why);
}

function found(hook: ApiHook | undefined): ApiHook {
  if (hook === undefined) throw new Error('a hook that was just written is not there');
  return hook;
}

function located({ placed, state }: Standing, id: string): { placed: Placed; entry: Entry; path: (string | number)[] } {
  const at = state.hooks.findIndex((entry) => entry.id === id);
  const [one, entry] = [placed[at], state.hooks[at]];
  if (one === undefined || entry === undefined) throw new Refusal(404, `Hook '${id}' not found`);
  return { placed: one, entry, path: ['hooks', one.key, one.index] };
}

/** The text with an action at the end of an event's list; the list, and "hooks", are made where they are missing. */
function appended(text: string, event: string, action: unknown): string {
  const whole = has(text, ['hooks']) ? text : withMember(text, [], 'hooks', {});
  const key = keyOf(whole, event);
  if (key !== undefined) return withItem(whole, ['hooks', key], action);
  return withItem(withMember(whole, ['hooks'], event, []), ['hooks', event], action);
}

/** As the file spells the event. */
function keyOf(text: string, event: string): string | undefined {
  const tree = parseFile('hooks.json', new TextEncoder().encode(text), 'json').tree;
  const hooks = entryOf(tree, 'hooks')?.value;
  return hooks?.kind === 'map' ? hooks.entries.find(({ key }) => normalised(key) === event)?.key : undefined;
}

/** What is written for an action: only what the client gave, and that it is off. */
function written({ action, enabled }: Sent, before: boolean | undefined): unknown {
  return (enabled ?? before ?? true) ? action : { ...action, enabled: false };
}

function placedIn(
  text: string,
  shownAs: string,
  bytes: Uint8Array = new TextEncoder().encode(text),
): { readonly placed: readonly Placed[] } | { readonly why: string } {
  const { tree, faults, place } = parseFile(shownAs, bytes, 'json');
  const line = (code: Finding['code'], span: Slip['span'], args: Finding['args'], allowed?: readonly string[]) =>
    renderFindingLine({ code, at: place(span), args, ...(allowed === undefined ? {} : { allowed }) });
  const [fault] = faults;
  if (fault !== undefined) return { why: line('HK002', fault.span, { why: fault.why, hint: fault.hint ?? '' }) };
  if (tree === undefined) return { why: `${shownAs} is empty` };
  if (bytes[0] === 0xef) return { why: `${shownAs} begins with a byte order mark` };
  const { actions, slips } = readFile(tree);
  const error = slips.find((slip) => severityOf(slip) === 'error');
  return error === undefined ? { placed: actions } : { why: line(error.code, error.span, error.args, error.allowed) };
}

function contentOf({ event, index, tree }: Placed): Content {
  return { event, index, digest: digestOf(tree) };
}

/** Of the content, whether it is on or off. */
function digestOf(tree: Tree): string {
  const entries = tree.kind === 'map' ? tree.entries.filter(({ key }) => key !== 'enabled') : [];
  const data = entries.map(({ key, value }) => [key, dataOf(value)]);
  return createHash('sha256').update(JSON.stringify(data)).digest('hex');
}

function shown({ placed, state }: Standing): ApiHook[] {
  return placed.flatMap(({ event, action, ms, off }, index) => {
    const entry = state.hooks[index];
    if (entry === undefined) return [];
    const { command, args = [], env, cwd, stdinJson = false } = action;
    const told = {
      command,
      args,
      timeout_ms: ms,
      stdin_json: stdinJson,
      ...(env === undefined ? {} : { env }),
      ...(cwd === undefined ? {} : { cwd }),
    };
    const { id, created_at, updated_at } = entry;
    return [{ id, event, action: told, enabled: off === undefined, created_at, updated_at }];
  });
}

function placesOf(hooks: readonly ApiHook[]): [place: string, id: string][] {
  const counts = new Map<string, number>();
  return hooks.map(({ event, id }) => {
    const index = counts.get(event) ?? 0;
    counts.set(event, index + 1);
    return [`${event}[${index}]`, id];
  });
}

/** Checks what a client sent: right JSON with wrong content is 422, with the field. */
export function readSent(tree: Tree): Sent {
  if (tree.kind !== 'map') throw new Refusal(422, 'the body must be an object with "event" and "action"');
  for (const { key } of tree.entries) {
    if (![...SENT_KEYS, ...IGNORED_KEYS].includes(key))
      throw new Refusal(422, `${key}: unknown key${didYouMean(key, SENT_KEYS)} (there is ${SENT_KEYS.join(', ')})`);
  }
  const [event, action, enabled] = [entryOf(tree, 'event'), entryOf(tree, 'action'), entryOf(tree, 'enabled')];
  const name = readEventName(event);
  if (action === undefined) throw new Refusal(422, 'action: missing');
  checkAction(action.value);
  const flag = enabled === undefined ? undefined : dataOf(enabled.value);
  if (flag !== undefined && typeof flag !== 'boolean') throw new Refusal(422, 'enabled: must be true or false');
  const data = dataOf(action.value) as Readonly<Record<string, unknown>>;
  return { event: name, action: data, ...(flag === undefined ? {} : { enabled: flag }) };
}

function readEventName(entry: TreeEntry | undefined): string {
  if (entry === undefined) throw new Refusal(422, 'event: missing');
  const said = dataOf(entry.value);
  if (typeof said !== 'string') throw new Refusal(422, 'event: must be a string');
  if (canonicalOf(said) !== undefined) return normalised(said);
  throw new Refusal(422, `event: unknown event "${said}"${didYouMean(said, EVENTS)} (there is ${EVENTS.join(', ')})`);
}

/** Over HTTP a variable that may not be set is no warning: the caller is there to be told. */
function checkAction(tree: Tree): void {
  const { slips } = readAction(tree, 'action');
  const wrong = slips.find((slip) => severityOf(slip) === 'error' || slip.code === 'HK006' || slip.code === 'HK014');
  const enabled = entryOf(tree, 'enabled');
  if (wrong === undefined && enabled === undefined) return;
  if (wrong === undefined)
    throw new Refusal(422, `action.enabled: unknown key; "enabled" stands beside "action" (there is ${keys()})`);
  const { field, code, args, allowed } = wrong;
  const sentence = sentenceOf({ code, at: { file: '' }, args, ...(allowed === undefined ? {} : { allowed }) });
  throw new Refusal(422, `${field}: ${sentence}`);
}

function keys(): string {
  return ACTION_KEYS.filter((key) => key !== 'enabled').join(', ');
}
