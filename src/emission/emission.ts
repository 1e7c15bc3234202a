/**
 * What is handed to a supervisor: an event and the hooks of its plan, as data that travels on a line.
 */
import type { Event, Plan, Row } from '../core/model';
import { decode } from '../core/text';
import type { World } from '../dialects/dialect';

export type Emission = {
  readonly event: Event;
  /** What PRX calls the event. */
  readonly native: string;
  readonly session: string;
  /** The caller's, of this event. */
  readonly row: Row;
  readonly world: World;
  readonly plan: Plan;
  /** Where the run log is; absent: none is kept. */
  readonly log?: string;
};

/** One line, with a line feed. The event's bytes are UTF-8. */
export function encodeEmission({ event, world, ...others }: Emission): string {
  const { bytes, ...from } = event.from;
  // The supervisor has the same environment.
  const rest = { ...others, world: { ...world, env: {} } };
  const text = bytes === undefined ? {} : { text: decode(bytes) };
  return `${JSON.stringify({ ...rest, event: { ...event, from: { ...from, ...text } } })}\n`;
}

/** Of a line that `encodeEmission` wrote. `env`: the environment that hooks inherit. */
export function decodeEmission(line: string, env: World['env']): Emission {
  const emission = JSON.parse(line) as Emission & { readonly event: { readonly from: { readonly text?: string } } };
  const { text, ...from } = emission.event.from;
  const bytes = text === undefined ? {} : { bytes: new TextEncoder().encode(text) };
  return { ...emission, world: { ...emission.world, env }, event: { ...emission.event, from: { ...from, ...bytes } } };
}
