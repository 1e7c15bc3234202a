/**
 * NATS: a connection for one message, and one that comes back for ever. Nothing is kept for later while it is down.
 */
import { connect, credsAuthenticator, headers, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { reasonOf } from '../core/errno';

export type NatsSettings = {
  readonly servers: readonly string[];
  readonly tls: boolean;
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  /** Content of a `.creds` file. */
  readonly creds?: Uint8Array;
};

export type NatsMessage = {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly header: (name: string) => string;
};

export interface NatsLink {
  readonly isUp: () => boolean;
  /** Hands a message to a connection that stands; false where none does, or it would not take it. */
  readonly publish: (subject: string, data: Uint8Array, header: Readonly<Record<string, string>>) => boolean;
  /** Ends it, with what was handed over. Resolves within `ms`. */
  readonly close: (ms: number) => Promise<void>;
}

const RECONNECT_MS = 2_000;
const JITTER_MS = 500;
const CONNECT_MS = 5_000;

/** Connects, publishes, flushes, closes; undefined, or why the message did not get there. `ms` bounds all of it. */
export async function publishOnce(
  settings: NatsSettings,
  message: { readonly subject: string; readonly data: Uint8Array; readonly header: Readonly<Record<string, string>> },
  ms: number,
): Promise<string | undefined> {
  const late = timer(ms);
  const sent = (async () => {
    const connection = await connect({ ...optionsOf(settings), reconnect: false, timeout: ms });
    try {
      send(connection, message.subject, message.data, message.header);
      await connection.flush();
    } finally {
      void connection.close().catch(() => undefined);
    }
  })().then(
    () => undefined,
    (error: unknown) => whyOf(error),
  );
  const why = await Promise.race([sent, late.passed.then(() => `no answer within ${ms} ms`)]);
  late.clear();
  return why;
}

export type LinkEvents = {
  /** Subjects that are listened to, `prx.>`. */
  readonly subjects: readonly string[];
  readonly onMessage: (message: NatsMessage) => void;
  /** The connection stands, or is gone and why. */
  readonly onState: (why: string | undefined) => void;
  /** What this link publishes does not come back to it. */
  readonly noEcho: boolean;
};

/** Connects in the background, again and again, and listens whenever it is connected. */
export function link(settings: NatsSettings, events: LinkEvents): NatsLink {
  let connection: NatsConnection | undefined;
  let isOver = false;
  let wake = () => {};
  const loop = async () => {
    while (!isOver) {
      try {
        connection = await connect({
          ...optionsOf(settings),
          reconnect: false,
          noEcho: events.noEcho,
          timeout: CONNECT_MS,
        });
        if (isOver) break;
        for (const subject of events.subjects) void follow(connection.subscribe(subject), events.onMessage);
        await connection.flush();
        events.onState(undefined);
        const error = await connection.closed();
        connection = undefined;
        if (!isOver) events.onState(error === undefined ? 'the connection is gone' : whyOf(error));
      } catch (error) {
        connection = undefined;
        if (!isOver) events.onState(whyOf(error));
      }
      if (isOver) break;
      const pause = timer(RECONNECT_MS + Math.random() * JITTER_MS);
      wake = pause.clear;
      await pause.passed;
    }
    await connection?.close().catch(() => undefined);
  };
  void loop();
  return {
    isUp: () => connection !== undefined && !connection.isClosed(),
    publish(subject, data, header) {
      if (connection === undefined || connection.isClosed()) return false;
      return send(connection, subject, data, header);
    },
    async close(ms) {
      isOver = true;
      wake();
      const late = timer(ms);
      await Promise.race([connection?.drain().catch(() => undefined), late.passed]);
      late.clear();
    },
  };
}

async function follow(subscription: Subscription, tell: (message: NatsMessage) => void): Promise<void> {
  for await (const message of subscription) {
    tell({ subject: message.subject, data: message.data, header: (name) => message.headers?.get(name) ?? '' });
  }
}

function send(
  connection: NatsConnection,
  subject: string,
  data: Uint8Array,
  header: Readonly<Record<string, string>>,
): boolean {
  const fields = headers();
  for (const [name, value] of Object.entries(header)) fields.set(name, value);
  try {
    connection.publish(subject, data, { headers: fields });
    return true;
  } catch {
    return false;
  }
}

function optionsOf({ servers, tls, user, pass, token, creds }: NatsSettings) {
  return {
    servers: [...servers],
    name: 'hookctl',
    ...(tls ? { tls: {} } : {}),
    ...(user === undefined ? {} : { user }),
    ...(pass === undefined ? {} : { pass }),
    ...(token === undefined ? {} : { token }),
    ...(creds === undefined ? {} : { authenticator: credsAuthenticator(creds) }),
  };
}

/** The cause says more than the library's own words. */
function whyOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return reasonOf(cause);
}

function timer(ms: number): { readonly passed: Promise<void>; readonly clear: () => void } {
  let done = () => {};
  const passed = new Promise<void>((resolve) => {
    done = resolve;
  });
  const timeout = setTimeout(done, ms);
  return {
    passed,
    clear: () => {
      clearTimeout(timeout);
      done();
    },
  };
}
