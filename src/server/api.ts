/**
 * The routes: which methods they have, and what each answers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { depthOf } from '../core/depth';
import { patternFault } from '../core/topic';
import { readAny, readBody, readTree } from './body';
import type { Emitter } from './emitter';
import { type Hooks, readSent } from './hooks';
import { Refusal } from './refusal';
import type { Streams } from './streams';

export type ApiDoors = {
  readonly hooks: Hooks;
  readonly emitter: Emitter;
  readonly streams: Streams;
  readonly status: () => Promise<unknown>;
  /** What is on the disk is in force. */
  readonly refresh: () => Promise<unknown>;
};

/** An answer with a JSON body; without one it is empty. `streamed`: the answer is under way. */
export type Answer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'streamed';

type Call = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What stands for `{id}`. */
  readonly id: string;
  readonly query: URLSearchParams;
};

type Handler = (call: Call, doors: ApiDoors) => Promise<Answer> | Answer;

const DEFAULT_TOPIC = 'prx.lifecycle.*';

/** Path → method → what it does. */
const ROUTES: readonly { readonly path: RegExp; readonly methods: Readonly<Record<string, Handler>> }[] = [
  { path: /^\/healthz$/, methods: { GET: () => ({ status: 200, body: { status: 'ok' } }) } },
  { path: /^\/api\/status$/, methods: { GET: async (_, { status }) => ({ status: 200, body: await status() }) } },
  { path: /^\/api\/events$/, methods: { GET: stream, POST: emit } },
  { path: /^\/api\/hooks$/, methods: { GET: list, POST: add } },
  { path: /^\/api\/hooks\/([^/]+)$/, methods: { PUT: replace, DELETE: remove } },
  { path: /^\/api\/hooks\/([^/]+)\/toggle$/, methods: { PATCH: toggle } },
];

/** Finds the route of a path and answers. Throws a `Refusal`: 404 where there is none, 405 where it has no such method. */
export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
  doors: ApiDoors,
) {
  for (const route of ROUTES) {
    const [whole, id = ''] = route.path.exec(path) ?? [];
    if (whole === undefined) continue;
    const handler = Object.hasOwn(route.methods, request.method ?? '')
      ? route.methods[request.method ?? '']
      : undefined;
    if (handler === undefined) {
      const allowed = Object.keys(route.methods).join(', ');
      throw new Refusal(405, `${request.method} is not possible here (there is ${allowed})`, { Allow: allowed });
    }
    return handler({ request, response, id: decoded(id), query: new URLSearchParams(query) }, doors);
  }
  throw new Refusal(404, `there is no ${path}`);
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

async function list(_: Call, { hooks, refresh }: ApiDoors): Promise<Answer> {
  await refresh();
  return { status: 200, body: { hooks: hooks.list() } };
}

async function add({ request }: Call, { hooks, refresh }: ApiDoors): Promise<Answer> {
  const sent = readSent(readTree(await readBody(request)));
  const hook = await hooks.add(sent);
  await refresh();
  return { status: 201, body: hook, headers: { Location: `/api/hooks/${hook.id}` } };
}

async function replace({ request, id }: Call, { hooks, refresh }: ApiDoors): Promise<Answer> {
  const tree = readTree(await readBody(request));
  await refresh();
  if (!hooks.list().some((hook) => hook.id === id)) throw new Refusal(404, `Hook '${id}' not found`);
  const hook = await hooks.replace(id, readSent(tree));
  await refresh();
  return { status: 200, body: hook };
}

async function remove({ request, id }: Call, { hooks, refresh }: ApiDoors): Promise<Answer> {
  await readAny(request);
  await hooks.remove(id);
  await refresh();
  return { status: 204 };
}

async function toggle({ request, id }: Call, { hooks, refresh }: ApiDoors): Promise<Answer> {
  await readAny(request);
  const hook = await hooks.toggle(id);
  await refresh();
  return { status: 200, body: { id: hook.id, enabled: hook.enabled } };
}

async function emit({ request }: Call, { emitter }: ApiDoors): Promise<Answer> {
  const body = await readBody(request);
  const header = request.headers['hookctl-depth'];
  const depth = typeof header === 'string' || header === undefined ? depthOf(header) : undefined;
  if (depth === undefined) throw new Refusal(400, 'Hookctl-Depth must be a whole number');
  readTree(body);
  const publishOnly = request.headers['hookctl-hooks'] === 'none';
  return { status: 202, body: await emitter.emit(body, depth, publishOnly) };
}

function stream({ request, response, query }: Call, { streams }: ApiDoors): Answer {
  const asked = query.getAll('topic');
  const patterns = asked.length === 0 ? [DEFAULT_TOPIC] : asked;
  for (const pattern of patterns) {
    const why = patternFault(pattern);
    if (why !== undefined) throw new Refusal(400, `topic ${JSON.stringify(pattern)}: ${why}`);
  }
  streams.open(request, response, patterns);
  return 'streamed';
}
