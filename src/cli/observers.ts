/**
 * The observers of one run, or of many. What hands them over is loaded with the first.
 */
import type { Plan } from '../core/model';
import type { Room, World } from '../dialects/dialect';
import type { Supervisor } from '../emission/hand';
import type { Io } from '../io';
import { type ChainDoors, isObserving } from '../runner/chain';

export class Observers {
  private supervisor: Supervisor | undefined;

  constructor(private readonly io: Io) {}

  /** What takes those of a plan; undefined where it has none. */
  async handOver({ groups }: Plan, room: Room, world: World): Promise<ChainDoors['handOver']> {
    if (!groups.some(isObserving)) return undefined;
    const { supervisorOf, handOverTo } = await import('./observing');
    this.supervisor ??= supervisorOf(this.io);
    return handOverTo(this.supervisor, room, world, this.io);
  }

  /** Resolves when all have been handed over, or says why that was impossible. Nothing may follow. */
  async done(): Promise<string | undefined> {
    return this.supervisor?.done();
  }
}
