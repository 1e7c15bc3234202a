/**
 * What `hookctl emit` does: reads events, publishes them, hands their hooks to a supervisor.
 */
import { type Generation, Generations, warningsOf } from '../config/generation';
import { MAX_EMIT_DEPTH } from '../core/depth';
import { hasError } from '../core/finding';
import type { Event } from '../core/model';
import { plan } from '../core/plan';
import { clean, isBlank } from '../core/text';
import { knownEvents, roomOf, rowOf } from '../dialects';
import { prx } from '../dialects/prx';
import { readEnvelope } from '../dialects/prx/envelope';
import { eventOf, type Given, givenTo } from '../dialects/prx/event';
import { topicOf } from '../dialects/prx/spec';
import { carryOut, startedOf } from '../emission/carry';
import type { Emission } from '../emission/emission';
import type { Supervisor } from '../emission/hand';
import { appendLog, hookLines, type LogLine } from '../emission/log';
import { bounded } from '../emission/slots';
import { EXIT, SIGNAL_EXIT } from '../exit';
import type { Io } from '../io';
import { renderFinding } from '../render/findings';
import { createExec, type Exec } from '../runner/exec';
import { badUsage, callCommand } from './command';
import { selectionFor } from './doors';
import { emit } from './emit';
import { type EmitSettings, readEmitSettings } from './emit-settings';
import { loadDoors } from './load-doors';
import { supervisorOf } from './observing';
import type { ParsedOptions } from './options';
import { openPublisher, type Publisher } from './publishing';
import { worldOf } from './world';

/** Of stdin, an event or a line. */
const MAX_TEXT_BYTES = 1024 * 1024;
const GRACE_MS = 2_000;

/** Runs the command with the words behind its name. Never rejects. */
export function emitWords(words: readonly string[], io: Io): Promise<number> {
  return callCommand({ ...emit, act: emitting }, words, io).catch((error: unknown) => {
    io.write('stderr', `hookctl emit: internal error: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT.own;
  });
}

/** Runs the command and resolves with the exit code. */
export async function emitting(options: ParsedOptions, io: Io): Promise<number> {
  const settings = readEmitSettings(options, io);
  if ('problem' in settings) return badUsage('emit', settings.problem, io);
  if (settings.depth > MAX_EMIT_DEPTH) return dropped(settings, io);
  const emitter = new Emitter(settings, io);
  const missing = await emitter.open();
  if (missing !== undefined) return badUsage('emit', missing, io);
  const accepted = settings.stream ? await emitter.stream() : await emitter.one();
  await emitter.close();
  return accepted;
}

/** Without a word but in the log. */
function dropped({ log, depth, event }: EmitSettings, io: Io): number {
  const line: LogLine = { kind: 'drop', ...(event === undefined ? {} : { event }), reason: 'depth', depth };
  if (log !== undefined) logged(log, line, io);
  return EXIT.fine;
}

function logged(path: string, line: LogLine, io: Io): void {
  const lost = appendLog(path, line);
  if (lost !== undefined) io.write('stderr', `hookctl emit: warning: ${lost}\n`);
}

/** What stdin, or a line of it, comes to. `ignored`: PRX has no such event. */
type Read =
  | { readonly kind: 'event'; readonly event: Event; readonly given: Given }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'ignored'; readonly why: string };

class Emitter {
  private readonly supervisor: Supervisor;
  private readonly inner: Exec;
  private readonly exec: Exec;
  private readonly generations: Generations;
  private publisher: Publisher | undefined;
  private interrupted: number | undefined;
  private hasLoggedLoss = false;
  private toldFaults: Generation['faults'] | undefined;

  constructor(
    private readonly settings: EmitSettings,
    private readonly io: Io,
  ) {
    this.supervisor = supervisorOf(io);
    this.inner = createExec(io.env, io.uid);
    this.exec = bounded(this.inner);
    const doors = { ...loadDoors(io), partial: true, beside: settings.plugins };
    this.generations = new Generations(settings.configs, io.cwd, doors);
  }

  /** Or what is wrong with the command line. */
  async open(): Promise<string | undefined> {
    const { settings, io } = this;
    const { loaded } = await this.generations.current();
    const lost = loaded.findings.find(({ code, at }) => (code === 'HK001' || code === 'HK016') && !('line' in at));
    if (lost !== undefined) return renderFinding(lost).replace(/ \[HK\d+\](?:\n[\s\S]*)?$/, '');
    if (settings.wait) {
      io.onSignal((signal) => {
        this.interrupted = SIGNAL_EXIT[signal];
        void this.inner.endAll(GRACE_MS);
      });
    }
    this.publisher = await openPublisher(settings, loaded.files, io);
    return undefined;
  }

  async one(): Promise<number> {
    const read = await this.io.readStdin(MAX_TEXT_BYTES, undefined);
    if (read.kind !== 'bytes') return this.refused(stdinProblem(read.kind, 'why' in read ? read.why : ''));
    return this.emit(read.bytes, 'the event on stdin');
  }

  async stream(): Promise<number> {
    let code: number = EXIT.fine;
    let number = 0;
    for await (const line of this.io.lines(MAX_TEXT_BYTES)) {
      number += 1;
      if (this.interrupted !== undefined) break;
      if (line !== 'too long' && isBlank(line)) continue;
      const what = `line ${number} of stdin`;
      const one = line === 'too long' ? this.refused(`${what} is longer than 1 MiB`) : await this.emit(line, what);
      if (one !== EXIT.fine) code = one;
    }
    return this.interrupted ?? code;
  }

  async close(): Promise<void> {
    const lost = await this.supervisor.done();
    if (lost !== undefined) this.warn(lost);
    await this.publisher?.close();
  }

  /** Configs, event, hooks, bus, in this order; each once. */
  private async emit(bytes: Uint8Array, what: string): Promise<number> {
    const generation = await this.generations.current();
    const invalid = this.told(generation);
    const world = { ...worldOf(this.io), depth: this.settings.depth + 1 };
    const read = this.read(bytes, what, world.now);
    if (read.kind === 'refused') return this.refused(read.why);
    if (read.kind === 'ignored') {
      this.log({ kind: 'drop', reason: 'no-prx-event', depth: this.settings.depth });
      return EXIT.fine;
    }
    const { event, given } = read;
    const hooks = this.settings.server === undefined ? generation.loaded.hooks : [];
    const { log } = this.settings;
    const emission: Emission = {
      event,
      native: given.event,
      session: given.session,
      row: rowOf(prx, { name: event.name }),
      world,
      plan: plan(hooks, event, await selectionFor(hooks, event)),
      ...(log === undefined ? {} : { log }),
    };
    const waited = this.start(emission);
    const bus = await this.publish(given);
    const line = { event: given.event, session_id: given.session, topic: topicOf(given.event) };
    const bytesOf = new TextEncoder().encode(given.text).length;
    this.log({
      kind: 'event',
      ...line,
      bytes: bytesOf,
      depth: this.settings.depth,
      hooks: startedOf(emission),
      bus: bus.state,
    });
    await waited;
    if (bus.refused !== undefined) return this.refused(bus.refused);
    return this.interrupted ?? (invalid ? EXIT.findings : EXIT.fine);
  }

  /** Findings are told when a state is new; an invalid one counts at every event. */
  private told(generation: Generation): boolean {
    const { faults } = generation;
    if (faults !== this.toldFaults) {
      this.toldFaults = faults;
      for (const finding of [...faults, ...warningsOf(generation)])
        this.io.write('stderr', `${renderFinding(finding)}\n`);
    }
    return hasError(faults);
  }

  private read(bytes: Uint8Array, what: string, now: string): Read {
    const event = this.settings.as === prx.spec.id ? this.ownEvent(bytes, what, now) : this.foreignEvent(bytes, now);
    if ('kind' in event) return event;
    const given = givenTo(event, now);
    if ('text' in given) return { kind: 'event', event, given };
    const known = prx.spec.rows.some((row) => row.canonical === event.name);
    if (known) this.log({ kind: 'drop', event: event.from.event, reason: 'too-large', depth: this.settings.depth });
    return { kind: known ? 'refused' : 'ignored', why: `${what}: ${given.why}` };
  }

  private ownEvent(bytes: Uint8Array, what: string, now: string): Event | Read {
    const { event: asked, session, lenient } = this.settings;
    const isPayload = asked !== undefined;
    const envelope = readEnvelope(bytes, { ...(isPayload ? { event: asked } : {}), session, timestamp: now, what });
    if ('refused' in envelope) return { kind: 'refused', why: envelope.refused };
    const { lacks } = envelope;
    if (lacks.length > 0 && !lenient)
      return { kind: 'refused', why: `${what}: ${lacks.join('; ')} (--lenient takes it)` };
    for (const lack of lacks) this.warn(`${what}: ${lack}`);
    return eventOf(envelope, this.io.cwd);
  }

  private foreignEvent(bytes: Uint8Array, now: string): Event | Read {
    const { as, event: asked, session } = this.settings;
    const room = roomOf(as) ?? prx;
    const hint = { cwd: this.io.cwd, env: this.io.env, events: knownEvents(), now };
    const event = room.readEvent(bytes, asked === undefined ? hint : { ...hint, event: asked });
    if ('refused' in event) return { kind: 'refused', why: event.refused };
    return event.session === undefined && session !== '' ? { ...event, session } : event;
  }

  /** Hands the hooks over, or runs them here and prints their records. */
  private async start(emission: Emission): Promise<void> {
    if (!this.settings.wait) {
      if (startedOf(emission) > 0) this.supervisor.hand(emission);
      return;
    }
    const { log } = this.settings;
    const records = await carryOut(emission, this.exec, (record, logs) => {
      if (log !== undefined) for (const line of hookLines(emission.session, record, logs)) this.log(line);
    });
    this.io.write('stdout', records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }

  private async publish(given: Given): Promise<{ state: 'none' | 'published' | 'down'; refused?: string }> {
    const told = await this.publisher?.publish(given, this.settings.depth);
    if (told === undefined) return { state: 'none' };
    if (told.warning !== undefined) this.warn(told.warning);
    return { state: told.state, ...(told.refused === undefined ? {} : { refused: told.refused }) };
  }

  private refused(why: string): number {
    this.io.write('stderr', `hookctl emit: ${clean(why)}\n`);
    return EXIT.findings;
  }

  private warn(why: string): void {
    this.io.write('stderr', `hookctl emit: warning: ${clean(why)}\n`);
  }

  /** A log that cannot be written is told once. */
  private log(line: LogLine): void {
    const { log } = this.settings;
    const lost = log === undefined ? undefined : appendLog(log, line);
    if (lost !== undefined && !this.hasLoggedLoss) this.warn(lost);
    this.hasLoggedLoss ||= lost !== undefined;
  }
}

function stdinProblem(kind: 'terminal' | 'too large' | 'deadline' | 'fault', why: string): string {
  if (kind === 'terminal') return 'stdin is a terminal; pipe one event into it';
  return kind === 'too large' ? 'the event on stdin is larger than 1 MiB' : `stdin cannot be read: ${why}`;
}
