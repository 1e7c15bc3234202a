/**
 * Which action of hooks.json is which: ids and times, found again when the file was edited by hand.
 */

/** An action as it stands in the file. `digest` is that of its content, `enabled` aside. */
export type Content = { readonly event: string; readonly index: number; readonly digest: string };

export type Entry = {
  readonly id: string;
  readonly event: string;
  readonly sha256: string;
  readonly created_at: string;
  readonly updated_at: string;
};

/** `hooks.state.json`: in the order of the file. `next` is the number of the next id, which is never used again. */
export type State = { readonly version: 1; readonly next: number; readonly hooks: readonly Entry[] };

export const NO_STATE: State = { version: 1, next: 1, hooks: [] };

/** Reads the text of a state file; undefined where it is broken. */
export function readState(text: string): State | undefined {
  try {
    const data: unknown = JSON.parse(text);
    return isState(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

function isState(data: unknown): data is State {
  if (typeof data !== 'object' || data === null) return false;
  const { version, next, hooks } = data as Partial<Record<keyof State, unknown>>;
  return (
    version === 1 && Number.isSafeInteger(next) && Number(next) >= 1 && Array.isArray(hooks) && hooks.every(isEntry)
  );
}

function isEntry(entry: unknown): entry is Entry {
  if (typeof entry !== 'object' || entry === null) return false;
  const keys = ['id', 'event', 'sha256', 'created_at', 'updated_at'] as const;
  const said = entry as Partial<Record<(typeof keys)[number], unknown>>;
  return keys.every((key) => typeof said[key] === 'string') && /^hook_\d{2,}$/.test(String(said.id));
}

/**
 * The state for what stands in the file now: the same content first, then the same place (edited by hand, so updated `now`),
 * else a new id. Entries without an action are dropped. `now` is UTC to the second.
 */
export function identify(state: State, contents: readonly Content[], now: string): State {
  const left = new Map(state.hooks.map((entry) => [entry.id, entry]));
  const take = (entry: Entry | undefined): Entry | undefined => {
    if (entry !== undefined) left.delete(entry.id);
    return entry;
  };
  const same = contents.map(({ event, digest }) =>
    take([...left.values()].find((entry) => entry.event === event && entry.sha256 === digest)),
  );
  const places = placesIn(state.hooks);
  const found = contents.map((content, index) => {
    if (same[index] !== undefined) return same[index];
    const there = take([...left.values()].find((entry) => isAt(places, entry, content)));
    return there === undefined ? undefined : { ...there, sha256: content.digest, updated_at: now };
  });
  let { next } = state;
  const hooks = contents.map(({ event, digest }, index): Entry => {
    const known = found[index];
    if (known !== undefined) return known;
    const id = idOf(next);
    next += 1;
    return { id, event, sha256: digest, created_at: now, updated_at: now };
  });
  return { version: 1, next, hooks };
}

/** `hook_01` … `hook_99`, `hook_100`. */
export function idOf(number: number): string {
  return `hook_${String(number).padStart(2, '0')}`;
}

/** The index of each entry among those of its event. */
function placesIn(entries: readonly Entry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  return new Map(
    entries.map(({ id, event }) => {
      const index = counts.get(event) ?? 0;
      counts.set(event, index + 1);
      return [id, index];
    }),
  );
}

function isAt(places: ReadonlyMap<string, number>, entry: Entry, { event, index }: Content): boolean {
  return entry.event === event && places.get(entry.id) === index;
}
