/**
 * What `hookctl listen` does: subscribes, prints, comes back when the connection is lost.
 */
import type { Streamed } from '../bus/client';
import { parseDuration, showDuration } from '../core/duration';
import { clean, decode } from '../core/text';
import { matchesTopic, patternFault } from '../core/topic';
import { EXIT, SIGNAL_EXIT } from '../exit';
import type { Io } from '../io';
import { badUsage } from './command';
import { lastValue, type ParsedOptions } from './options';
import { type Bus, readBus, readServer, type ToBus } from './publishing';

const DEFAULT_PATTERN = 'prx.lifecycle.*';
const RECONNECT_MS = 2_000;
const CLOSE_MS = 200;

type Settings = {
  readonly patterns: readonly string[];
  readonly source: { readonly bus: Bus } | { readonly server: NonNullable<ToBus['server']> };
  readonly count?: number;
  readonly ms?: number;
};

/** Runs the command and resolves with the exit code. */
export async function listening(options: ParsedOptions, io: Io): Promise<number> {
  const settings = readSettings(options, io);
  return 'problem' in settings ? badUsage('listen', settings.problem, io) : new Listener(settings, io).run();
}

function readSettings(options: ParsedOptions, io: Io): Settings | { readonly problem: string } {
  const patterns = options.rest.length === 0 ? [DEFAULT_PATTERN] : options.rest;
  for (const pattern of patterns) {
    const why = patternFault(pattern);
    if (why !== undefined) return { problem: `${pattern}: ${why}` };
  }
  const server = readServer(options, io);
  if (server !== undefined && 'problem' in server) return server;
  if (server !== undefined && options.values.has('bus')) return { problem: '--server and --bus exclude each other' };
  const bus = server === undefined ? readBus(options, io) : undefined;
  if (bus !== undefined && 'problem' in bus) return bus;
  const count = lastValue(options, 'count');
  if (count !== undefined && !/^[1-9]\d{0,8}$/.test(count))
    return { problem: `--count must be a whole number above 0, but is "${count}"` };
  const limit = lastValue(options, 'timeout');
  const duration = limit === undefined ? undefined : parseDuration(limit);
  if (duration?.kind === 'no duration') return { problem: `--timeout ${limit}: ${duration.why}` };
  const source = server === undefined ? (bus === undefined ? undefined : { bus }) : { server };
  if (source === undefined) return { problem: 'where to? say --server URL or --bus URL' };
  return {
    patterns,
    source,
    ...(count === undefined ? {} : { count: Number(count) }),
    ...(duration === undefined ? {} : { ms: duration.ms }),
  };
}

class Listener {
  private seen = 0;
  private done: (code: number) => void = () => {};
  private wasConnected = false;
  private isDown = false;
  private close: () => void | Promise<void> = () => {};

  constructor(
    private readonly settings: Settings,
    private readonly io: Io,
  ) {}

  async run(): Promise<number> {
    const { source, ms } = this.settings;
    const ended = new Promise<number>((resolve) => {
      this.done = resolve;
    });
    this.io.onSignal((signal) => this.done(SIGNAL_EXIT[signal]));
    const timer = ms === undefined ? undefined : setTimeout(() => this.late(ms), ms);
    if ('bus' in source) await this.fromNats(source.bus);
    else this.fromServer(source.server);
    const code = await ended;
    clearTimeout(timer);
    await this.close();
    return code;
  }

  private late(ms: number): void {
    this.say(`${this.seen} ${this.seen === 1 ? 'event' : 'events'} within ${showDuration(ms)}`);
    this.done(EXIT.findings);
  }

  private async fromNats(bus: Bus): Promise<void> {
    const { link } = await import('../engines/nats');
    const connection = link(bus, {
      subjects: widest(this.settings.patterns).map(subjectOf),
      onMessage: ({ subject, data }) => this.told(subject, decode(data)),
      onState: (why) => this.onState(bus.shown, why),
      noEcho: false,
    });
    this.close = () => connection.close(CLOSE_MS);
  }

  private fromServer({ target, token }: NonNullable<ToBus['server']>): void {
    void import('../bus/client').then(({ openStream }) => {
      const open = () => {
        this.close = openStream(target, token, this.settings.patterns, (streamed) =>
          this.onStream(target.shown, streamed, open),
        );
      };
      open();
    });
  }

  private onStream(shown: string, streamed: Streamed, again: () => void): void {
    if (streamed.kind === 'open') this.onState(shown, undefined);
    else if (streamed.kind === 'event') this.told(streamed.topic, streamed.data);
    else if (streamed.kind === 'lost') {
      this.onState(shown, streamed.why);
      const timer = setTimeout(again, RECONNECT_MS);
      this.close = () => clearTimeout(timer);
    } else {
      this.say(`${shown}: ${streamed.why}`);
      this.done(EXIT.findings);
    }
  }

  private told(topic: string, data: string): void {
    const { patterns, count } = this.settings;
    if (topic === 'hookctl.cut-off') this.say(`the server ended the stream: ${data}`);
    if (!patterns.some((pattern) => matchesTopic(pattern, topic)) || this.seen === count) return;
    this.seen += 1;
    const lost = this.io.write('stdout', `${data.replace(/[\r\n]+/g, ' ')}\n`);
    if (lost !== undefined) this.done(EXIT.own);
    else if (this.seen === count) this.done(EXIT.fine);
  }

  private onState(shown: string, why: string | undefined): void {
    if (why === undefined) this.say(`connected to ${shown}`);
    else if (!this.isDown)
      this.say(this.wasConnected ? `connection to ${shown} lost: ${why}` : `${shown}: ${why}; trying again`);
    this.isDown = why !== undefined;
    this.wasConnected ||= why === undefined;
  }

  private say(message: string): void {
    this.io.write('stderr', `hookctl listen: ${clean(message)}\n`);
  }
}

/** The patterns that no other one covers: each subject is told of an event, and nobody wants it twice. */
function widest(patterns: readonly string[]): string[] {
  const distinct = [...new Set(patterns)];
  return distinct.filter(
    (one) => !distinct.some((other) => other !== one && matchesTopic(other, one.replace(/\*$/, 'x'))),
  );
}

function subjectOf(pattern: string): string {
  if (pattern === '*') return '>';
  return pattern.endsWith('.*') ? `${pattern.slice(0, -1)}>` : pattern;
}
