/**
 * Events that come to the server: published at once, their hooks started in this process.
 */
import type { EmbeddedBus } from '../bus/embedded';
import type { Generation } from '../config/generation';
import { MAX_EMIT_DEPTH } from '../core/depth';
import type { Event, Hook } from '../core/model';
import type { Selection } from '../core/plan';
import { plan } from '../core/plan';
import { rowOf } from '../dialects';
import type { World } from '../dialects/dialect';
import { prx } from '../dialects/prx';
import { readEnvelope } from '../dialects/prx/envelope';
import { eventOf, type Given, givenTo } from '../dialects/prx/event';
import { topicOf } from '../dialects/prx/spec';
import { carryOut, startedOf } from '../emission/carry';
import type { Emission } from '../emission/emission';
import { hookLines, type LogLine } from '../emission/log';
import type { NatsLink } from '../engines/nats';
import type { Exec } from '../runner/exec';
import { Refusal } from './refusal';
import type { Status } from './status';

export type EmitterDoors = {
  /** What is in force now. */
  readonly current: () => Promise<Pick<Generation, 'loaded'>>;
  readonly bus: EmbeddedBus;
  readonly nats: NatsLink | undefined;
  /** Says who this process is on the bus. */
  readonly origin: string;
  readonly exec: Exec;
  readonly status: Status;
  readonly cwd: string;
  readonly env: World['env'];
  readonly programs: World['programs'];
  readonly selectionFor: (hooks: readonly Hook[], event: Event) => Promise<Selection>;
  /** `tool_call[0]` → its id. */
  readonly ids: () => ReadonlyMap<string, string>;
  readonly log: (line: LogLine) => void;
  readonly newId: () => string;
};

/** What a client is told of its event. */
export type Accepted = {
  readonly event: string;
  readonly topic: string;
  readonly hooks: number;
  readonly dropped?: 'depth';
};

export class Emitter {
  /** Emissions whose hooks have not all ended. */
  readonly running = new Set<Promise<unknown>>();

  constructor(private readonly doors: EmitterDoors) {}

  /** Takes one event; answers before any of its hooks has ended. */
  async emit(body: Uint8Array, depth: number, publishOnly: boolean): Promise<Accepted> {
    const { current, status, env, programs } = this.doors;
    const now = new Date().toISOString();
    const { event, given } = this.read(body, now);
    const told = { event: given.event, topic: topicOf(given.event) };
    if (depth > MAX_EMIT_DEPTH) {
      status.dropped += 1;
      this.doors.log({ kind: 'drop', event: given.event, session_id: given.session, reason: 'depth', depth });
      return { ...told, hooks: 0, dropped: 'depth' };
    }
    const hooks = publishOnly ? [] : (await current()).loaded.hooks;
    const world: World = { depth: depth + 1, test: false, waits: true, env, programs, now };
    const selection = await this.doors.selectionFor(hooks, event);
    const row = rowOf(prx, { name: event.name });
    const emission: Emission = {
      event,
      native: given.event,
      session: given.session,
      row,
      world,
      plan: plan(hooks, event, selection),
    };
    this.start(emission);
    const bus = this.publish(given, depth);
    status.emitted += 1;
    const started = startedOf(emission);
    const bytes = Buffer.byteLength(given.text);
    this.doors.log({
      kind: 'event',
      event: given.event,
      session_id: given.session,
      topic: told.topic,
      bytes,
      depth,
      hooks: started,
      bus,
    });
    return { ...told, hooks: started };
  }

  /** An event from elsewhere: told to subscribers, and starts nothing. */
  relay(subject: string, data: Uint8Array): void {
    const envelope = readEnvelope(data, { session: '', timestamp: '', what: 'the message' });
    const isOurs = !('refused' in envelope) && topicOf(envelope.event) === subject;
    if (isOurs && data.length <= MAX_RELAYED)
      this.doors.bus.publish(subject, new TextDecoder().decode(data).replace(/[\r\n]+/g, ' '));
    else this.doors.status.dropped += 1;
  }

  private read(body: Uint8Array, now: string): { readonly event: Event; readonly given: Given } {
    const envelope = readEnvelope(body, { session: '', timestamp: now, what: 'the body' });
    if ('refused' in envelope) throw new Refusal(422, envelope.refused);
    if (envelope.lacks.length > 0) throw new Refusal(422, envelope.lacks.join('; '));
    const event = eventOf(envelope, this.doors.cwd);
    const given = givenTo(event, now);
    if (!('text' in given)) throw new Refusal(413, given.why);
    return { event, given };
  }

  private start(emission: Emission): void {
    const { exec, status, log, ids } = this.doors;
    if (emission.plan.groups.length === 0) return;
    const known = ids();
    const run = carryOut(emission, exec, (record, logs) => {
      const id = known.get(record.hook);
      const { hook, ...rest } = record;
      const told = id === undefined ? record : { hook, id, ...rest };
      status.record(told);
      for (const line of hookLines(emission.session, told, logs)) log(line);
    }).finally(() => this.running.delete(run));
    this.running.add(run);
  }

  /** Subscribers here, and the bus that others share. What is not connected is not kept for later. */
  private publish({ event, text }: Given, depth: number): 'none' | 'published' | 'down' {
    const { bus, nats, status, origin, newId } = this.doors;
    bus.publish(topicOf(event), text);
    if (nats === undefined) return 'published';
    const header = { 'Hookctl-Id': newId(), 'Hookctl-Origin': origin, 'Hookctl-Depth': String(depth) };
    if (nats.publish(topicOf(event), new TextEncoder().encode(text), header)) return 'published';
    status.dropped += 1;
    return 'down';
  }
}

const MAX_RELAYED = 65_536;
