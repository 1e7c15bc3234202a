/**
 * The world: arguments, environment, streams, disk, signals, clock. Everything else gets it passed in.
 */

import {
  accessSync,
  type BigIntStats,
  chmodSync,
  constants,
  fstatSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { type Cache, cacheOf } from './cache';
import type { Disk } from './config/find';
import { codeOf, reasonOf } from './core/errno';
import { linesOf } from './core/lines';
import { MAX_CONFIG_BYTES } from './core/tree';
import type { Programs } from './dialects/dialect';
import { END_SIGNALS, type EndSignal, UserError } from './exit';
import { makeFolder } from './make-folder';
import { readRegularFile } from './regular-file';
import type { Streams } from './streams';

/** A digest of all that this hookctl was built from (`scripts/build.mjs`). */
declare const BUILD_ID: string;

export interface Io {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** hookctl's own folder, absolute. */
  readonly cwd: string;
  readonly disk: Disk;
  readonly cache: Cache;
  /** The user's number, where the system has such. */
  readonly uid: number | undefined;
  readonly pid: number;
  /** Lines of stdin as they come, without their line feeds; `limit` in bytes, and one that is longer is left out. */
  readonly lines: (limit: number) => AsyncIterable<Uint8Array | 'too long'>;
  /** All of stdin. `limit` in bytes; `deadline` in milliseconds of `uptime`; after `silence` ms without a byte it counts as ended. */
  readonly readStdin: (limit: number, deadline: number | undefined, silence?: number) => Promise<StdinRead>;
  /** Writes all of it, or says why that was impossible. */
  readonly write: (stream: 'stdout' | 'stderr', text: string) => string | undefined;
  /** A short line on stdout while signals are heeded: who reads it may send one at once. */
  readonly announce: (line: string) => string | undefined;
  /** May this process execute it? A folder may not. */
  readonly isExecutable: (path: string) => boolean;
  /**
   * Replaces a file in one step, its mode and its BOM kept and links followed, or says why that was impossible: also where it no
   * longer holds the text `before`, which the new one was made from.
   */
  readonly replaceFile: (path: string, text: string, before: string) => string | undefined;
  /** Makes a file, and its folders; never overwrites one. Or says why that was impossible. */
  readonly createFile: (path: string, text: string) => string | undefined;
  /** A fresh private folder. Throws where there can be none. */
  readonly scratch: () => Scratch;
  /** Writes a file, or says why that was impossible. */
  readonly writeFile: (path: string, text: string) => string | undefined;
  /**
   * The same for all names of a regular file, links included; also for one that is not there yet. Undefined for anything else, such
   * as a device.
   */
  readonly identityOf: (path: string) => string | undefined;
  /** That of the file that stdin is. */
  readonly stdinIdentity: () => string | undefined;
  /** Tells a regular file from the same file at another time; undefined where there is none. */
  readonly stateOf: (path: string) => string | undefined;
  /** Of what stands in a file; undefined where it cannot be read. */
  readonly fingerprint: (path: string) => string | undefined;
  readonly isTerminal: (stream: 'stdin' | 'stdout' | 'stderr') => Promise<boolean>;
  /** Nobody can read stdout: it is the null device, which also stands for one that was closed. */
  readonly stdoutIsNull: () => boolean;
  /** The streams of a run that lives on. */
  readonly streams: () => Promise<Streams>;
  readonly onSignal: (handler: (signal: EndSignal) => void) => void;
  /** Something threw outside of any promise, or nothing is left to wait for. */
  readonly onCrash: (handler: (error: unknown) => void) => void;
  /** Milliseconds since the process started. */
  readonly uptime: () => number;
  readonly programs: Programs;
}

export type Scratch = {
  /** Absolute, without links. */
  readonly path: string;
  /** Puts a file into it, folders and all. Throws for a path that leads out of it. */
  readonly put: (path: string, content: string) => void;
  readonly remove: () => void;
};

export type StdinRead =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'terminal' | 'too large' | 'deadline' }
  | { readonly kind: 'fault'; readonly why: string };

const STDIN = 0;
const FD = { stdin: STDIN, stdout: 1, stderr: 2 } as const;
const FIRST_CHUNK = 64 * 1024;

/** A reader that takes nothing for so long has gone away. */
const STUCK_MS = 10_000;

/** The real world. */
export function realIo(): Io {
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: workingFolder(),
    disk: { kindOf, list, read: (path, limit = MAX_CONFIG_BYTES) => readRegularFile(path, limit), isLink },
    cache: cacheOf(process.env, { build: BUILD_ID, uid: process.getuid?.() }),
    uid: process.getuid?.(),
    pid: process.pid,
    lines,
    readStdin,
    write,
    announce: (line) => writeNow('stdout', `${line}\n`),
    writeFile,
    replaceFile,
    isExecutable,
    scratch,
    createFile,
    identityOf,
    stdinIdentity,
    stateOf,
    fingerprint,
    isTerminal: (stream) => isTerminal(FD[stream]),
    stdoutIsNull,
    streams: async () => (await import('./streams')).openStreams(FD),
    onSignal,
    onCrash,
    uptime: () => process.uptime() * 1000,
    programs: { node: process.execPath, bundles: __dirname },
  };
}

/** A folder that was removed under us has no path any more. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}

function kindOf(path: string): 'file' | 'folder' | 'none' {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR' ? 'none' : 'file';
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function list(folder: string): readonly string[] | { readonly why: string } {
  try {
    return readdirSync(folder);
  } catch (error) {
    return { why: reasonOf(error) };
  }
}

async function readStdin(limit: number, deadline: number | undefined, silence?: number): Promise<StdinRead> {
  const taken = new Taken(limit);
  try {
    const stat = fstatSync(STDIN);
    if (stat.isCharacterDevice() && (await isTerminal(STDIN))) return { kind: 'terminal' };
    const bounded = deadline !== undefined || silence !== undefined;
    const blocking = stat.isFile() || stat.isCharacterDevice() || !bounded;
    if (blocking && readNow(taken) === 'all') return taken.result();
    return await readLater(taken, deadline, silence);
  } catch (error) {
    return { kind: 'fault', why: reasonOf(error) };
  }
}

/** Reads until the end, or until the caller's pipe, set not to block, is empty for now. */
function readNow(taken: Taken): 'all' | 'empty for now' {
  for (;;) {
    try {
      const count = readSync(STDIN, taken.room(), 0, taken.room().length, null);
      if (count === 0 || !taken.add(count)) return 'all';
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return 'empty for now';
      if (codeOf(error) === 'EOF') return 'all';
      throw error;
    }
  }
}

/** A socket, because a blocking read on Node's thread pool would keep the process from ending. */
async function readLater(taken: Taken, deadline: number | undefined, silence?: number): Promise<StdinRead> {
  const { Socket } = await import('node:net');
  return new Promise((resolve) => {
    const socket = new Socket({ fd: STDIN, readable: true, writable: false });
    const end = (result: StdinRead) => {
      clearTimeout(timer);
      clearTimeout(quiet);
      socket.destroy();
      resolve(result);
    };
    const left = deadline === undefined ? undefined : Math.max(0, deadline - process.uptime() * 1000);
    const timer = left === undefined ? undefined : setTimeout(() => end({ kind: 'deadline' }), left);
    const quiet = silence === undefined ? undefined : setTimeout(() => end(taken.result()), silence);
    socket.on('data', (chunk: Uint8Array) => {
      quiet?.refresh();
      if (!taken.append(chunk)) end(taken.result());
    });
    socket.on('end', () => end(taken.result()));
    socket.on('error', (error) => end({ kind: 'fault', why: reasonOf(error) }));
  });
}

async function* lines(limit: number): AsyncGenerator<Uint8Array | 'too long'> {
  for await (const line of linesOf(process.stdin, limit)) yield line.kind === 'line' ? line.bytes : line.kind;
}

/** Bytes read so far, in one buffer that grows: never two copies of a large event for long. */
class Taken {
  private buffer = Buffer.allocUnsafe(FIRST_CHUNK);
  private length = 0;

  constructor(private readonly limit: number) {}

  /** Where the next bytes go; never empty. */
  room(): Uint8Array {
    if (this.length === this.buffer.length) this.grow(this.length + 1);
    return this.buffer.subarray(this.length);
  }

  /** Whether more may come. */
  add(count: number): boolean {
    this.length += count;
    return this.length <= this.limit;
  }

  append(chunk: Uint8Array): boolean {
    if (this.length + chunk.length > this.buffer.length) this.grow(this.length + chunk.length);
    this.buffer.set(chunk, this.length);
    return this.add(chunk.length);
  }

  result(): StdinRead {
    if (this.length > this.limit) return { kind: 'too large' };
    return { kind: 'bytes', bytes: this.buffer.subarray(0, this.length) };
  }

  private grow(atLeast: number): void {
    const larger = Buffer.allocUnsafe(Math.max(atLeast, Math.min(this.buffer.length * 2, this.limit + 1)));
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}

async function isTerminal(fd: number): Promise<boolean> {
  const { isatty } = await import('node:tty');
  return isatty(fd);
}

function writeFile(path: string, text: string): string | undefined {
  try {
    writeFileSync(path, text);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function createFile(path: string, text: string): string | undefined {
  const fault = createFolder(path);
  if (fault !== undefined) return fault;
  try {
    writeFileSync(path, text, { flag: 'wx', mode: text.startsWith('#!') ? 0o755 : 0o644 });
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function scratch(): Scratch {
  const path = freshFolder();
  return {
    path,
    put: (name, content) => {
      const file = `${path}/${name}`;
      const fault = isInside(name) ? (createFolder(file) ?? writeFile(file, content)) : 'it leads out of the folder';
      if (fault !== undefined) throw new Error(`the file "${name}" cannot be written: ${fault}`);
      if (content.startsWith('#!')) chmodSync(file, 0o755);
    },
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function freshFolder(): string {
  const below = process.env['TMPDIR'] || '/tmp';
  try {
    return realpathSync(mkdtempSync(`${below}/hookctl-`));
  } catch (error) {
    throw new UserError(`no temporary folder can be made in ${below}: ${reasonOf(error)} (see $TMPDIR)`);
  }
}

function isInside(name: string): boolean {
  return !name.startsWith('/') && !name.split('/').includes('..');
}

/** The folder of a file, or why there can be none. */
function createFolder(path: string): string | undefined {
  if (path.includes('\0')) return 'its name holds a NUL character';
  try {
    makeFolder(path.slice(0, path.lastIndexOf('/')));
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function identityOf(path: string): string | undefined {
  try {
    return identity(statSync(path, { bigint: true }));
  } catch {
    return newIdentity(path);
  }
}

function newIdentity(path: string): string | undefined {
  const start = path.lastIndexOf('/');
  try {
    return `${realpathSync(path.slice(0, start) || '/')}${path.slice(start)}`;
  } catch {
    return undefined;
  }
}

function stdinIdentity(): string | undefined {
  try {
    return identity(fstatSync(STDIN, { bigint: true }));
  } catch {
    return undefined;
  }
}

function identity(stat: BigIntStats): string | undefined {
  return stat.isFile() ? `${stat.dev} ${stat.ino}` : undefined;
}

function stateOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { bigint: true });
    return stat.isFile() ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : undefined;
  } catch {
    return undefined;
  }
}

/** FNV-1a, 64 bits: it tells two versions of a file apart, and is no proof against anybody. */
function fingerprint(path: string): string | undefined {
  try {
    const bytes = readFileSync(path);
    let [low, high] = [0x84222325, 0xcbf29ce4];
    for (const byte of bytes) {
      low = (low ^ byte) >>> 0;
      const product = low * 0x1b3;
      high = (Math.imul(high, 0x1b3) + (low << 8) + Math.floor(product / 0x100000000)) >>> 0;
      low = product >>> 0;
    }
    return `${bytes.length} ${high} ${low}`;
  } catch {
    return undefined;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A BOM stays. What is read meanwhile is the old file or the new one, never half of it. */
function replaceFile(path: string, text: string, before: string): string | undefined {
  let made: string | undefined;
  try {
    const real = realpathSync(path);
    const { mode, nlink } = statSync(real);
    if ((mode & 0o222) === 0) return 'it is read-only';
    const old = readFileSync(real);
    const bom = old[0] === 0xef && old[1] === 0xbb && old[2] === 0xbf ? '\ufeff' : '';
    if (!old.equals(Buffer.from(bom + before))) return 'it was changed meanwhile; nothing was written';
    // A rename would part it from its other names.
    if (nlink > 1) return writeFile(real, bom + text);
    const name = `${real}.${process.pid}.tmp`;
    writeFileSync(name, bom + text, { mode, flag: 'wx' });
    made = name;
    renameSync(name, real);
    return undefined;
  } catch (error) {
    if (made !== undefined) rmSync(made, { force: true });
    return reasonOf(error);
  }
}

/** While nobody reads, a write blocks and no handler can run: meanwhile a signal ends hookctl as if there were none. */
function write(stream: 'stdout' | 'stderr', text: string): string | undefined {
  for (const [signal, handler] of handlers) process.off(signal, handler);
  const lost = writeNow(stream, text);
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return lost;
}

function writeNow(stream: 'stdout' | 'stderr', text: string): string | undefined {
  let bytes: Uint8Array = Buffer.from(text);
  let stuckSince = Date.now();
  while (bytes.length > 0) {
    try {
      const count = writeSync(FD[stream], bytes);
      bytes = bytes.subarray(count);
      if (count > 0) stuckSince = Date.now();
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') return reasonOf(error);
      if (Date.now() - stuckSince > STUCK_MS) return 'nobody reads it';
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
  return undefined;
}

function stdoutIsNull(): boolean {
  try {
    const stat = fstatSync(FD.stdout);
    return stat.isCharacterDevice() && stat.rdev === statSync('/dev/null').rdev;
  } catch {
    return true;
  }
}

function onCrash(handler: (error: unknown) => void): void {
  process.on('uncaughtException', handler);
  process.on('unhandledRejection', handler);
  process.once('beforeExit', () => handler(new Error('nothing is left to wait for')));
}

const handlers: [signal: EndSignal, handler: () => void][] = [];

function onSignal(handler: (signal: EndSignal) => void): void {
  for (const signal of END_SIGNALS) {
    const own = () => handler(signal);
    handlers.push([signal, own]);
    process.on(signal, own);
  }
}
