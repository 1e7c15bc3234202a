/**
 * Where `emit` publishes: on NATS, to a server that it was told of, or to the `serve` of its workspace.
 */

import { type Target, targetOf } from '../bus/target';
import { findToken } from '../bus/token';
import { type BusUrl, readBusUrl } from '../bus/url';
import { folderOf, nameOf, resolvePath } from '../core/path';
import type { Given } from '../dialects/prx/event';
import { topicOf } from '../dialects/prx/spec';
import { stateFolder } from '../emission/log';
import type { Io } from '../io';
import { temporaryFolder } from '../runner/exec';
import { lastValue, type ParsedOptions } from './options';

/** A NATS server that is silent is given up after so long; a server of ours at once, nearly. */
const NATS_MS = 1_000;
const WORKSPACE_MS = 50;
const SERVER_MS = 10_000;

export type Bus = BusUrl & { readonly creds?: Uint8Array };

export type ToBus = {
  readonly bus?: Bus;
  readonly server?: { readonly target: Target; readonly token: string };
  readonly tokenFile?: string;
};

/** The options that say where to; or what is wrong with them. */
export function readToBus(options: ParsedOptions, io: Io): ToBus | { readonly problem: string } {
  const server = readServer(options, io);
  if (server !== undefined && 'problem' in server) return server;
  const bus = server === undefined ? readBus(options, io) : undefined;
  if (bus !== undefined && 'problem' in bus) return bus;
  return { ...(bus === undefined ? {} : { bus }), ...(server === undefined ? {} : { server }) };
}

/** `--bus`, else `$HOOKCTL_BUS`, with its credentials. */
export function readBus(options: ParsedOptions, io: Io): Bus | { readonly problem: string } | undefined {
  const asked = lastValue(options, 'bus');
  const said = asked ?? io.env['HOOKCTL_BUS'] ?? '';
  const file = lastValue(options, 'bus-creds');
  if (said === '') return file === undefined ? undefined : { problem: '--bus-creds needs --bus' };
  const url = readBusUrl(said);
  if ('problem' in url) return { problem: `${asked === undefined ? '$HOOKCTL_BUS' : '--bus'}: ${url.problem}` };
  if (file === undefined) return url;
  const creds = io.disk.read(resolvePath(io.cwd, file));
  return creds instanceof Uint8Array
    ? { ...url, creds }
    : { problem: `the credentials ${file} cannot be read: ${creds.why}` };
}

/** `--server` with its token. */
export function readServer(options: ParsedOptions, io: Io): ToBus['server'] | { readonly problem: string } {
  const url = lastValue(options, 'server');
  if (url === undefined) return undefined;
  const target = targetOf(url);
  if (target === undefined) return { problem: `--server ${url}: a server is http://HOST:PORT or unix:/PATH` };
  const file = lastValue(options, 'token-file');
  const found = findToken(file === undefined ? undefined : resolvePath(io.cwd, file), io.env, stateFolder(io.env));
  if (found === 'none') return { problem: 'no token: name its file with --token-file, or set $HOOKCTL_TOKEN' };
  return 'problem' in found ? found : { target, token: found.token };
}

export type Published = {
  readonly state: 'published' | 'down' | 'none';
  readonly warning?: string;
  /** The server would not have the event. */
  readonly refused?: string;
};

export interface Publisher {
  readonly publish: (given: Given, depth: number) => Promise<Published>;
  readonly close: () => Promise<void>;
}

const NOTHING_OPEN = async () => {};

/** What the settings ask for; undefined where nobody could listen. `files`: the configs that were read. */
export async function openPublisher(
  settings: ToBus & { readonly stream: boolean },
  files: readonly string[],
  io: Io,
): Promise<Publisher | undefined> {
  if (settings.server !== undefined) return toServer(settings.server);
  if (settings.bus !== undefined) return settings.stream ? toNatsForLong(settings.bus, io) : toNats(settings.bus);
  return toWorkspace(files, io);
}

/** At most once: nothing is tried again. */
function toServer({ target, token }: NonNullable<ToBus['server']>): Publisher {
  return {
    async publish({ text }, depth) {
      const { postEvent, whyOf } = await import('../bus/client');
      const answer = await postEvent(target, { token, body: text, depth, publishOnly: false, ms: SERVER_MS });
      if ('status' in answer && answer.status === 202) return { state: 'published' };
      return { state: 'down', refused: `the server ${target.shown} did not take the event: ${whyOf(answer)}` };
    },
    close: NOTHING_OPEN,
  };
}

async function message({ event, text }: Given, depth: number) {
  const { randomUUID } = await import('node:crypto');
  const header = { 'Hookctl-Id': randomUUID(), 'Hookctl-Origin': randomUUID(), 'Hookctl-Depth': String(depth) };
  return { subject: topicOf(event), data: new TextEncoder().encode(text), header };
}

function toNats(bus: Bus): Publisher {
  return {
    async publish(given, depth) {
      const { publishOnce } = await import('../engines/nats');
      const why = await publishOnce(bus, await message(given, depth), NATS_MS);
      if (why === undefined) return { state: 'published' };
      return { state: 'down', warning: `bus ${bus.shown}: ${why}; the event was not published; hooks were started` };
    },
    close: NOTHING_OPEN,
  };
}

/** For a stream of events: one connection, which comes back; one line when it goes, one when it is there again. */
async function toNatsForLong(bus: Bus, io: Io): Promise<Publisher> {
  const { link } = await import('../engines/nats');
  let wasDown = false;
  let settled = () => {};
  const first = new Promise<void>((resolve) => {
    settled = resolve;
  });
  const onState = (why: string | undefined) => {
    settled();
    if (why !== undefined && !wasDown)
      io.write('stderr', `hookctl emit: warning: bus ${bus.shown}: ${why}; events are not published\n`);
    if (why === undefined && wasDown) io.write('stderr', `hookctl emit: bus ${bus.shown}: connected again\n`);
    wasDown = why !== undefined;
  };
  const connection = link(bus, { subjects: [], onMessage: () => {}, onState, noEcho: true });
  // The first event of a stream shall not be lost only because it is quick.
  await Promise.race([first, new Promise<void>((resolve) => setTimeout(resolve, NATS_MS).unref())]);
  return {
    async publish(given, depth) {
      const { subject, data, header } = await message(given, depth);
      return { state: connection.publish(subject, data, header) ? 'published' : 'down' };
    },
    close: () => connection.close(NATS_MS),
  };
}

/** The `serve` of the workspace, where one runs; it publishes, and the hooks are started here. */
async function toWorkspace(files: readonly string[], io: Io): Promise<Publisher | undefined> {
  const hooks = files.find((file) => nameOf(file) !== 'plugin.toml');
  if (hooks === undefined) return undefined;
  const folder = `${temporaryFolder(io.env)}/hookctl-${io.uid ?? ''}`;
  const names = io.disk.list(folder);
  if ('why' in names || !names.some((name) => name.endsWith('.sock'))) return undefined;
  const { isOwnSocket, workspaceSocket } = await import('../bus/workspace');
  const path = workspaceSocket(folder, folderOf(hooks));
  if (!isOwnSocket(path, io.uid)) return undefined;
  const found = findToken(undefined, io.env, stateFolder(io.env));
  if (found === 'none' || 'problem' in found) return undefined;
  return {
    async publish({ text }, depth) {
      const { postEvent } = await import('../bus/client');
      const target: Target = { kind: 'unix', path, shown: `unix:${path}` };
      const posted = { token: found.token, body: text, depth, publishOnly: true, ms: WORKSPACE_MS };
      const answer = await postEvent(target, posted);
      return { state: 'status' in answer && answer.status === 202 ? 'published' : 'none' };
    },
    close: NOTHING_OPEN,
  };
}
