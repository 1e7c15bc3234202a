/**
 * Server-Sent Events: one stream a subscriber.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EmbeddedBus } from '../bus/embedded';
import { Refusal } from './refusal';

const MOST = 256;
const PING_MS = 15_000;
/** How long a subscriber that was cut off may take to read its last event. */
const LAST_MS = 10_000;

export class Streams {
  private readonly open_ = new Set<ServerResponse>();

  constructor(private readonly bus: EmbeddedBus) {}

  get size(): number {
    return this.open_.size;
  }

  /** Answers with a stream that lives until one of both ends it. Throws a `Refusal` where there are too many. */
  open(request: IncomingMessage, response: ServerResponse, patterns: readonly string[]): void {
    if (this.open_.size >= MOST) throw new Refusal(503, `there are ${MOST} streams already`);
    this.open_.add(response);
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    response.write(': connected\n\n');
    request.socket.setTimeout(0);
    const subscription = this.bus.subscribe(patterns, {
      write: (text) => response.write(text),
      cutOff: (text) => {
        response.end(text);
        setTimeout(() => response.destroy(), LAST_MS).unref();
      },
    });
    response.on('drain', subscription.resume);
    const ping = setInterval(() => {
      if (!response.writableNeedDrain) response.write(': ping\n\n');
    }, PING_MS);
    response.on('close', () => {
      clearInterval(ping);
      subscription.end();
      this.open_.delete(response);
    });
  }

  endAll(): void {
    for (const response of this.open_) {
      response.end();
    }
  }
}
