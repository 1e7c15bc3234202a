/**
 * A client of `hookctl serve`: posts events, reads the stream of them.
 */
import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { reasonOf } from '../core/errno';
import { decode } from '../core/text';
import type { Target } from './target';

/** The answer of the server, or why there is none. */
export type Answer = { readonly status: number; readonly body: string } | { readonly why: string };

const MAX_ANSWER_BYTES = 1024 * 1024;

export type Posted = {
  readonly token: string;
  readonly body: string;
  readonly depth: number;
  /** Its hooks are started elsewhere: only publish. */
  readonly publishOnly: boolean;
  readonly ms: number;
};

/** Posts one event. Never rejects; `ms` bounds all of it. */
export function postEvent(target: Target, { token, body, depth, publishOnly, ms }: Posted): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'hookctl-depth': String(depth),
    ...(publishOnly ? { 'hookctl-hooks': 'none' } : {}),
  };
  return new Promise((resolve) => {
    const call = request({ ...addressOf(target), method: 'POST', path: '/api/events', headers }, (response) =>
      resolve(answerOf(response)),
    );
    const timer = setTimeout(() => call.destroy(new Error(`no answer within ${ms} ms`)), ms);
    call.on('close', () => clearTimeout(timer));
    call.on('error', (error) => resolve({ why: reasonOf(error) }));
    call.end(body);
  });
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size <= MAX_ANSWER_BYTES) chunks.push(chunk);
    }
    return { status: response.statusCode ?? 0, body: decode(Buffer.concat(chunks)) };
  } catch (error) {
    return { why: reasonOf(error) };
  }
}

/** What a stream tells. `event` holds the data of one event. */
export type Streamed =
  | { readonly kind: 'open' }
  | { readonly kind: 'event'; readonly topic: string; readonly data: string }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'lost'; readonly why: string };

/** Opens the stream of events whose topics match. `tell` gets one `refused` or `lost` at the end. Returns what closes it. */
export function openStream(
  target: Target,
  token: string,
  patterns: readonly string[],
  tell: (streamed: Streamed) => void,
): () => void {
  const query = patterns.map((pattern) => `topic=${encodeURIComponent(pattern)}`).join('&');
  const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
  let isOver = false;
  const end = (streamed: Streamed) => {
    if (!isOver) tell(streamed);
    isOver = true;
  };
  const call: ClientRequest = request({ ...addressOf(target), path: `/api/events?${query}`, headers }, (response) => {
    if (response.statusCode !== 200) {
      void answerOf(response).then((answer) => end({ kind: 'refused', why: whyOf(answer) }));
      return;
    }
    tell({ kind: 'open' });
    readEvents(response, tell);
    response.on('end', () => end({ kind: 'lost', why: 'the server ended the stream' }));
    response.on('error', (error) => end({ kind: 'lost', why: reasonOf(error) }));
  });
  call.on('error', (error) => end({ kind: 'lost', why: reasonOf(error) }));
  call.end();
  return () => {
    isOver = true;
    call.destroy();
  };
}

/** In words. */
export function whyOf(answer: Answer): string {
  if ('why' in answer) return answer.why;
  const [, said] = /"error":"((?:[^"\\]|\\.)*)"/.exec(answer.body) ?? [];
  return `the server answered ${answer.status}${said === undefined ? '' : `: ${JSON.parse(`"${said}"`)}`}`;
}

/** Blocks of `field: value` lines, an empty line between. */
function readEvents(response: IncomingMessage, tell: (streamed: Streamed) => void): void {
  let left = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    const blocks = (left + chunk).split('\n\n');
    left = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2);
      const [topic, data] = [field('event'), field('data')];
      if (topic !== undefined && data !== undefined) tell({ kind: 'event', topic, data });
    }
  });
}

function addressOf(target: Target): RequestOptions {
  if (target.kind === 'unix') return { socketPath: target.path, headers: {} };
  return { host: target.host, port: target.port };
}
