/**
 * What a run needs of its configs, and how that is kept in the cache.
 *
 * An entry is one line of JSON and then bytes: the very bytes of the files, in the order of the looks, and a section for each event.
 * Only hooks that the event at hand may concern are ever parsed.
 */
import type { Switches } from '../dialects/dialect';
import type { Look } from './looks';
import type { Index, KeptHook } from './sections';

/** A line for people; with `event` on that event alone. */
export type ConfigWarning = { readonly event?: string; readonly text: string };

export type Prepared = {
  readonly switches: Switches;
  readonly warnings: readonly ConfigWarning[];
  /** Of each invalid file of observers, why its hooks are not started; a warning too. */
  readonly unstarted: readonly string[];
  /** The events that have hooks. */
  readonly events: readonly string[];
  readonly section: (event: string) => Section | undefined;
};

/** The hooks of one event. `at` throws where what was kept is odd. */
export type Section = { readonly index: Index; readonly at: (number: number) => KeptHook };

/** What was named, and where: an entry is of no use for anything else. */
export type Asked = { readonly names: readonly string[]; readonly cwd: string };

/** `looks`: all that it depends on. */
export type Kept = { readonly prepared: Prepared; readonly looks: readonly Look[] };

type Head = {
  readonly asked: Asked;
  readonly switches: Switches;
  readonly warnings: readonly ConfigWarning[];
  readonly unstarted: readonly string[];
  /** `read` has the file's length. */
  readonly looks: readonly { readonly ask: Look['ask']; readonly path: string; readonly answer: unknown }[];
  readonly events: readonly (readonly [event: string, length: number])[];
};

/** How a section begins: the index, and the length of each hook behind it. */
type SectionHead = { readonly index: Index; readonly lengths: readonly number[] };

/** A name for the entry; two of them may share it. FNV-1a, twice 32 bits. */
export function entryName({ names, cwd }: Asked): string {
  const text = JSON.stringify([cwd, ...names]);
  return [0x811c9dc5, 0x9747b28c].map((seed) => hash(text, seed).toString(16).padStart(8, '0')).join('');
}

/** The entry, or undefined where something cannot be kept. */
export function encodeEntry(asked: Asked, { prepared, looks }: Kept): Uint8Array | undefined {
  const files = looks.flatMap(({ answer }) => (answer instanceof Uint8Array ? [answer] : []));
  const sections = prepared.events.map((event) => encodeSection(prepared.section(event)));
  const head: Head = {
    asked,
    switches: prepared.switches,
    warnings: prepared.warnings,
    unstarted: prepared.unstarted,
    looks: looks.map(({ ask, path, answer }) => ({
      ask,
      path,
      answer: answer instanceof Uint8Array ? answer.length : answer,
    })),
    events: prepared.events.map((event, index) => [event, sections[index]?.length ?? 0]),
  };
  if (looks.some(({ ask, answer }) => ask === 'read' && !(answer instanceof Uint8Array))) return undefined;
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...files, ...sections]);
}

/** What the entry keeps for what was asked; undefined where it is of something else, or anything in it is odd. */
export function decodeEntry(asked: Asked, entry: Uint8Array): Kept | undefined {
  try {
    return decoded(asked, Buffer.from(entry.buffer, entry.byteOffset, entry.byteLength));
  } catch {
    return undefined;
  }
}

function decoded(asked: Asked, entry: Buffer): Kept | undefined {
  const start = entry.indexOf(0x0a) + 1;
  const head = JSON.parse(entry.toString('utf8', 0, start)) as Head;
  if (JSON.stringify(head.asked) !== JSON.stringify(asked)) return undefined;
  const reader = new Reader(entry, start);
  const looks = head.looks.map(({ ask, path, answer }) => ({
    ask,
    path,
    answer: ask === 'read' ? reader.take(answer) : answer,
  })) as Look[];
  const sections = new Map(head.events.map(([event, length]) => [event, reader.take(length)]));
  if (!reader.isAtEnd()) return undefined;
  const prepared: Prepared = {
    switches: head.switches,
    warnings: head.warnings,
    unstarted: head.unstarted,
    events: [...sections.keys()],
    section: remembered((event) => sectionOf(sections.get(event))),
  };
  return { prepared, looks };
}

/** Each section is read once: a stream asks again and again. */
function remembered(of: Prepared['section']): Prepared['section'] {
  const known = new Map<string, Section>();
  return (event) => {
    const section = known.get(event) ?? of(event);
    if (section !== undefined) known.set(event, section);
    return section;
  };
}

function encodeSection(section: Section | undefined): Buffer {
  if (section === undefined) throw new Error('an event without hooks');
  const hooks = Array.from({ length: section.index.count }, (_, at) => Buffer.from(JSON.stringify(section.at(at))));
  const head: SectionHead = { index: section.index, lengths: hooks.map(({ length }) => length) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...hooks]);
}

/** Throws for what is no section. Of the hooks none is read yet. */
function sectionOf(bytes: Buffer | undefined): Section | undefined {
  if (bytes === undefined) return undefined;
  const start = bytes.indexOf(0x0a) + 1;
  const { index, lengths } = JSON.parse(bytes.toString('utf8', 0, start)) as SectionHead;
  const reader = new Reader(bytes, start);
  const hooks = lengths.map((length) => reader.take(length));
  if (!reader.isAtEnd() || hooks.length !== index.count) throw new Error('the cache is odd');
  const known = new Map<number, KeptHook>();
  const at = (number: number) => {
    const hook = known.get(number) ?? hookIn(hooks[number]);
    known.set(number, hook);
    return hook;
  };
  return { index, at };
}

function hookIn(bytes: Buffer | undefined): KeptHook {
  const { hook, patterns } = JSON.parse(bytes?.toString() ?? '') as KeptHook;
  if (typeof hook !== 'object' || hook === null || !Array.isArray(patterns)) throw new Error('the cache is odd');
  return { hook, patterns };
}

class Reader {
  constructor(
    private readonly bytes: Buffer,
    private at: number,
  ) {}

  /** Throws where there is not that much. */
  take(length: unknown): Buffer {
    const end = typeof length === 'number' && length >= 0 ? this.at + length : Number.NaN;
    if (!(end <= this.bytes.length)) throw new Error('too short');
    const taken = this.bytes.subarray(this.at, end);
    this.at = end;
    return taken;
  }

  isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }
}

function hash(text: string, seed: number): number {
  let value = seed;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
