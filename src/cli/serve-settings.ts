/**
 * The options of `serve` as it uses them.
 */
import { type Disk, findConfigs } from '../config/find';
import { parseFile } from '../config/parse';
import { nameOf, resolvePath } from '../core/path';
import { prx } from '../dialects/prx';
import { logPath, stateFolder } from '../emission/log';
import type { Io } from '../io';
import type { Address } from '../server/server';
import { serverToken } from '../server/token';
import { configNames } from './doors';
import { lastValue, type ParsedOptions } from './options';
import { type Bus, readBus } from './publishing';

export type ServeSettings = {
  /** As named; among them the file that the API edits. */
  readonly configs: readonly string[];
  /** Absolute path of that hooks.json, which need not exist. */
  readonly file: string;
  readonly addresses: readonly Address[];
  readonly token: string;
  readonly madeToken?: string;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly bus?: Bus;
  readonly plugins: boolean;
  readonly log?: string;
};

const DEFAULT_LISTEN = '127.0.0.1:8377';
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|::1)$/;

type Problem = { readonly problem: string };

/** Or what is wrong with the command line. */
export function readServeSettings(options: ParsedOptions, io: Io): ServeSettings | Problem {
  const named = configNames(options.rest, io);
  const file = editedFile(named, io);
  if ('problem' in file) return file;
  const addresses = readAddresses(options, io);
  if ('problem' in addresses) return addresses;
  const bus = readBus(options, io);
  if (bus !== undefined && 'problem' in bus) return bus;
  const asked = lastValue(options, 'token-file');
  const token = serverToken(asked === undefined ? undefined : resolvePath(io.cwd, asked), io.env, stateFolder(io.env));
  if ('problem' in token) return token;
  const log = logPath(lastValue(options, 'log'), io.env, io.cwd);
  const own = addresses.flatMap((address) => (address.kind === 'tcp' ? [hostName(address.host)] : []));
  return {
    configs: file.configs,
    file: file.path,
    addresses,
    token: token.token,
    ...('made' in token && token.made !== undefined ? { madeToken: token.made } : {}),
    hosts: [...own, ...(options.values.get('allow-host') ?? [])].map((host) => host.toLowerCase()),
    origins: options.values.get('allow-origin') ?? [],
    ...(bus === undefined ? {} : { bus }),
    plugins: !options.switches.has('no-plugins'),
    ...(log === undefined ? {} : { log }),
  };
}

/** The disk where a hooks.json that is not there has no hooks. */
export function diskWith(disk: Disk, file: string): Disk {
  const isMissing = (path: string) => path === file && disk.kindOf(path) === 'none';
  return {
    kindOf: (path) => (isMissing(path) ? 'file' : disk.kindOf(path)),
    list: disk.list,
    isLink: disk.isLink,
    read: (path) => (isMissing(path) ? new TextEncoder().encode('{}') : disk.read(path)),
  };
}

/** The one hooks.json among the configs. */
function editedFile(named: readonly string[], io: Io): { path: string; configs: readonly string[] } | Problem {
  if (named.length === 0) return { problem: 'name the hooks.json that the API edits, as in "hooks.json"' };
  const files = named.map((name) => prxFileOf(name, io));
  const own = [...new Set(files.filter((path) => path !== undefined))];
  const [path] = own;
  if (path === undefined) return { problem: `none of ${named.join(', ')} is a hooks.json, which the API edits` };
  if (own.length > 1) return { problem: `serve edits one hooks.json, and here are ${own.length}: ${own.join(', ')}` };
  if (io.disk.kindOf(path.slice(0, path.lastIndexOf('/')) || '/') !== 'folder')
    return { problem: `the folder of ${path} does not exist` };
  return { path, configs: named.map((name, index) => (files[index] === undefined ? name : `prx:${path}`)) };
}

/** The absolute path, where a name stands for a hooks.json of PRX. */
function prxFileOf(name: string, io: Io): string | undefined {
  const forced = /^prx:(.*)$/s.exec(name)?.[1];
  const path = resolvePath(io.cwd, forced ?? name);
  const kind = io.disk.kindOf(path);
  if (kind === 'folder') {
    const inside = `${path === '/' ? '' : path}/hooks.json`;
    return io.disk.kindOf(inside) === 'none' && findConfigs([name], io.cwd, io.disk).files.length > 0
      ? undefined
      : inside;
  }
  if (forced !== undefined) return path;
  if (kind === 'none') return path.endsWith('.json') ? path : undefined;
  if (nameOf(path) === 'hooks.json') return isForeign(path, io) ? undefined : path;
  const bytes = path.endsWith('.json') ? io.disk.read(path) : undefined;
  const tree = bytes instanceof Uint8Array ? parseFile(path, bytes, 'json').tree : undefined;
  return tree !== undefined && prx.author.claims(tree, path) ? path : undefined;
}

/** A hooks.json that another room reads. */
function isForeign(path: string, io: Io): boolean {
  const [file] = findConfigs([path], io.cwd, io.disk).files;
  return file !== undefined && file.room.spec.id !== prx.spec.id;
}

function readAddresses(options: ParsedOptions, io: Io): readonly Address[] | Problem {
  const written = lastValue(options, 'listen') ?? DEFAULT_LISTEN;
  const socket = lastValue(options, 'socket');
  const unix: Address[] = socket === undefined ? [] : [{ kind: 'unix', path: resolvePath(io.cwd, socket) }];
  if (written === 'none') return unix;
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(written) ?? [];
  const host = bracketed ?? plain ?? '';
  if (host === '' || Number(digits) > 65_535) return { problem: `--listen ${written}: write HOST:PORT, or none` };
  if (!LOOPBACK.test(host) && !options.switches.has('allow-remote'))
    return {
      problem: `--listen ${written}: ${host} is not the loopback; --allow-remote means it (the token travels in clear)`,
    };
  return [{ kind: 'tcp', host, port: Number(digits) }, ...unix];
}

function hostName(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
