/**
 * The HTTP server: plain node:http. Every request passes the gate, then its route; every answer but a stream is JSON.
 *
 * No framework: the order of the refusals is prescribed, bodies are read within bounds of our own, and what a framework would
 * give besides is one match of a path.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Answer, type ApiDoors, answer } from './api';
import type { Gate } from './gate';
import { Refusal } from './refusal';

const REQUEST_MS = 10_000;
const CHECK_MS = 1_000;

export type Address =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string };

/** A server that listens nowhere yet. `onBug` is told of what should not happen. */
export function serverFor(gate: Gate, doors: ApiDoors, onBug: (error: unknown) => void): Server {
  const options = {
    requestTimeout: REQUEST_MS,
    headersTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_MS,
    keepAliveTimeout: REQUEST_MS,
  };
  const server = createServer(options, (request, response) => {
    void handle(request, response, gate, doors).catch((error: unknown) => {
      if (!(error instanceof Refusal)) onBug(error);
      refuse(request, response, error instanceof Refusal ? error : new Refusal(500, 'internal error'));
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
    const body = JSON.stringify({ error: status.slice(4).toLowerCase() });
    if (socket.writable)
      socket.end(
        `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    else socket.destroy();
  });
  return server;
}

/** Starts to listen. Rejects with the system's error. Resolves with the port, where there is one. */
export function listen(server: Server, address: Address): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const done = () => {
      server.off('error', reject);
      const at = server.address();
      resolve(typeof at === 'object' && at !== null ? at.port : undefined);
    };
    if (address.kind === 'unix') server.listen(address.path, done);
    else server.listen(address.port, address.host, done);
  });
}

async function handle(request: IncomingMessage, response: ServerResponse, gate: Gate, doors: ApiDoors): Promise<void> {
  const url = request.url ?? '';
  const [path = '', query = ''] = url.split(/\?(.*)/s);
  const { host, origin, authorization } = request.headers;
  gate.check({ host, origin, authorization, path, port: request.socket.localPort });
  const told: Answer = await answer(request, response, path, query, doors);
  if (told === 'streamed') return;
  const { status, body, headers = {} } = told;
  send(response, status, body, headers);
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, message, headers }: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // What is left of the body must not be read as the next request.
  if (!request.complete && request.method !== 'GET') response.setHeader('Connection', 'close');
  send(response, status, { error: message }, headers);
  if (!request.complete) request.resume();
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): void {
  if (body === undefined) {
    response.writeHead(status, { 'Cache-Control': 'no-store', ...headers });
    response.end();
    return;
  }
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
