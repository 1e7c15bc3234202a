/**
 * The bus inside a server: subscribers that are told of every event that matches, in order. Nothing is stored, nobody waits.
 */
import { matchesTopic } from '../core/topic';

/** Events that wait for one subscriber. */
const QUEUE = 1_024;

/** Where a subscriber is told: false where it takes no more for now, until `resume` is called. */
export type Sink = {
  readonly write: (text: string) => boolean;
  /** It did not keep up: one last text, then the end. */
  readonly cutOff: (text: string) => void;
};

export interface Subscription {
  /** It takes more again. */
  readonly resume: () => void;
  readonly end: () => void;
}

type Subscriber = {
  readonly patterns: readonly string[];
  readonly sink: Sink;
  /** What it is still to be told. */
  waiting: string[];
  blocked: boolean;
};

/** Tells each subscriber of each event once, however many of its patterns match. */
export class EmbeddedBus {
  private readonly subscribers = new Set<Subscriber>();
  private number = 0;
  /** Events that subscribers were not told of, because they did not keep up. */
  lost = 0;

  get size(): number {
    return this.subscribers.size;
  }

  subscribe(patterns: readonly string[], sink: Sink): Subscription {
    const subscriber: Subscriber = { patterns, sink, waiting: [], blocked: false };
    this.subscribers.add(subscriber);
    return {
      resume: () => this.resume(subscriber),
      end: () => this.subscribers.delete(subscriber),
    };
  }

  /** `data` is one line. */
  publish(topic: string, data: string): void {
    this.number += 1;
    const text = `id: ${this.number}\nevent: ${topic}\ndata: ${data}\n\n`;
    for (const subscriber of this.subscribers) {
      if (subscriber.patterns.some((pattern) => matchesTopic(pattern, topic))) this.tell(subscriber, text);
    }
  }

  private tell(subscriber: Subscriber, text: string): void {
    if (!subscriber.blocked) {
      subscriber.blocked = !subscriber.sink.write(text);
    } else if (subscriber.waiting.length < QUEUE) {
      subscriber.waiting.push(text);
    } else {
      this.lost += 1;
      this.cutOff(subscriber);
    }
  }

  /** What waited is told first, so that it misses nothing before the end that it is told of. */
  private cutOff(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
    const why = JSON.stringify({ error: `too slow: more than ${QUEUE} events were waiting; the stream ends here` });
    subscriber.sink.cutOff(`${subscriber.waiting.join('')}event: hookctl.cut-off\ndata: ${why}\n\n`);
    subscriber.waiting = [];
  }

  private resume(subscriber: Subscriber): void {
    subscriber.blocked = false;
    const waiting = subscriber.waiting;
    let told = 0;
    while (told < waiting.length && !subscriber.blocked) {
      subscriber.blocked = !subscriber.sink.write(waiting[told] ?? '');
      told += 1;
    }
    subscriber.waiting = waiting.slice(told);
  }
}
