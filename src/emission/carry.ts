/**
 * Carries an emission out: observers all at once, hooks of other authors in their groups; nobody decides anything.
 */
import type { Group, Step, Visit } from '../core/model';
import { logsIn } from '../core/sandbox';
import { roomOf } from '../dialects';
import { runChain } from '../runner/chain';
import type { Exec } from '../runner/exec';
import type { Emission } from './emission';
import type { PluginLog } from './log';
import { type HookRecord, recordOf } from './record';

/** Told of each hook, and of what a plugin logged, as soon as it has ended, in the order in which they end. */
export type OnRecord = (record: HookRecord, logs: readonly PluginLog[]) => void;

/** Resolves when every hook has ended, with one record a hook in the order configured. Never rejects because of a hook. */
export async function carryOut(
  emission: Emission,
  exec: Exec,
  tell: OnRecord = () => {},
): Promise<readonly HookRecord[]> {
  const { plan, native } = emission;
  const observed = plan.groups.filter(isObserving);
  const others = plan.groups.filter((group) => !isObserving(group));
  const chains = [...observed.flatMap(oneByOne), ...(others.length === 0 ? [] : [others])];
  const records = new Map<Step, HookRecord>();
  await Promise.all(
    chains.map(async (groups) => {
      for (const visit of await visitsOf(emission, groups, exec)) {
        const record = recordOf(visit, native);
        records.set(visit.step, record);
        tell(record, visit.run === undefined ? [] : logsIn(visit.run.result));
      }
    }),
  );
  return plan.groups.flatMap(({ steps }) => steps).flatMap((step) => records.get(step) ?? []);
}

/** Hooks of an event that will be started. */
export function startedOf({ plan }: Pick<Emission, 'plan'>): number {
  return plan.groups.flatMap(({ steps }) => steps).filter(({ matched }) => matched).length;
}

function isObserving({ steps }: Group): boolean {
  const author = steps[0]?.hook.author;
  return author !== undefined && roomOf(author)?.spec.observes === true;
}

/** Each observer a chain of its own, so that its end is told when it comes. */
function oneByOne(group: Group): (readonly Group[])[] {
  return group.steps.map((step) => [{ ...group, steps: [step] }]);
}

async function visitsOf(
  { event, row, world }: Emission,
  groups: readonly Group[],
  exec: Exec,
): Promise<readonly Visit[]> {
  const doors = { exec, world: { ...world, waits: true }, deadline: undefined };
  return (await runChain({ groups }, event, row, doors)).visits;
}
