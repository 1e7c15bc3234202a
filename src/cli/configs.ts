/**
 * The configs of runs: from the cache or the last event where those are fresh, else from the disk.
 */
import { chosen } from '../config/choice';
import { splitDialect } from '../config/find';
import { holds } from '../config/looks';
import { decodeEntry, encodeEntry, entryName, type Kept, type Prepared } from '../config/prepared';
import type { Event, Hook } from '../core/model';
import { folderOf, resolvePath } from '../core/path';
import type { Compiled } from '../core/search';
import type { Io } from '../io';
import type { Refusal } from './refusal';

/** What the configs say about one event: hooks that it may concern, and the patterns of their tests. */
export type EventConfigs = Pick<Prepared, 'switches' | 'warnings' | 'unstarted'> & {
  readonly hooks: readonly Hook[];
  readonly patterns: readonly Compiled[];
};

type State = Kept | (Refusal & Pick<Kept, 'looks'>);

/** Configs that are asked for again and again. Each time the disk is looked at; what is broken is refused until it is mended. */
export class Configs {
  private state: State | undefined;

  /** `cached`: may the user's cache be used? */
  constructor(
    private readonly names: readonly string[],
    private readonly io: Io,
    private readonly cached: boolean,
  ) {}

  /** What they say about an event now, or why they cannot be used. `all`: also hooks that the tool's name rules out. */
  async for(event: Event, all: boolean): Promise<EventConfigs | Refusal> {
    const kept = this.freshest();
    try {
      if (kept !== undefined) {
        const said = saidOf(kept, event, all);
        this.state = kept;
        return said;
      }
    } catch {
      // What was kept is odd: as good as nothing.
    }
    this.state = await this.read();
    return saidOf(this.state, event, all);
  }

  private freshest(): State | undefined {
    if (this.state !== undefined) return isFresh(this.state, this.io) ? this.state : undefined;
    const kept = this.cached ? this.fromCache() : undefined;
    return kept !== undefined && isFresh(kept, this.io) ? kept : undefined;
  }

  private fromCache(): Kept | undefined {
    const entry = this.io.cache.read(entryName(this.asked()));
    const kept = entry === undefined ? undefined : decodeEntry(this.asked(), entry);
    return kept !== undefined && this.mayBeKept(kept) ? kept : undefined;
  }

  private async read(): Promise<State> {
    const { prepare } = await import('./prepare');
    const state = await prepare(this.names, this.io);
    if (this.cached && 'prepared' in state && this.mayBeKept(state)) {
      const entry = encodeEntry(this.asked(), state);
      if (entry !== undefined) this.io.cache.write(entryName(this.asked()), entry);
    }
    return state;
  }

  /**
   * Who cannot change what was named, or what stands beside it, must not be able to replace it by a cache: an entry that this user
   * made up says nothing of the files that it should depend on.
   */
  private mayBeKept({ looks }: Kept): boolean {
    const { cwd, disk, cache } = this.io;
    const named = this.names.map((name) => resolvePath(cwd, splitDialect(name)[1]));
    const beside = named.filter((path) => disk.kindOf(path) === 'file').map(folderOf);
    const read = looks.flatMap(({ ask, path }) => (ask === 'read' ? [path] : []));
    return [...new Set([...named, ...beside, ...read])].every((path) => cache.covers(path));
  }

  private asked() {
    return { names: this.names, cwd: this.io.cwd };
  }
}

function isFresh({ looks }: Pick<Kept, 'looks'>, { disk }: Io): boolean {
  return looks.every((look) => holds(look, disk));
}

/** Throws where what was kept is odd. */
function saidOf(state: State, event: Event, all: boolean): EventConfigs | Refusal {
  if (!('prepared' in state)) return state;
  const { section: sectionOf, switches, warnings, unstarted } = state.prepared;
  const section = sectionOf(event.name);
  const kept = section === undefined ? [] : chosen(section.index, event, all).map(section.at);
  return {
    hooks: kept.map(({ hook }) => hook),
    patterns: kept.flatMap(({ patterns }) => patterns),
    switches,
    warnings,
    unstarted,
  };
}
