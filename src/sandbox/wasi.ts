/**
 * WASI preview 1 with nothing behind it: stdin, stdout, stderr, clocks, random numbers, an end. It is the security boundary: what is not
 * here cannot be reached. Signatures and codes: `wasi_snapshot_preview1.witx` of the WebAssembly/WASI repository.
 */
import { codeOf } from '../core/errno';
import { PREVIEW1_NAMES } from '../core/wasm/preview1';
import { end } from './report';
import { pause, readSome, writeAll } from './streams';

type Errno = number;
type Call = (...args: never[]) => Errno;

/** Values of `errno`. */
const OK = 0;
const BADF = 8;
const FAULT = 21;
const INVAL = 28;
const IO = 29;
const NOSYS = 52;
const NOTSUP = 58;
const PIPE = 64;

const STDIN = 0;
const OUTPUTS: readonly number[] = [1, 2];
const MAX_RANDOM = 65_536;
const NS_PER_MS = 1_000_000;

/** The functions, under their names. `memory` is asked for at each call: it may have grown. */
export function preview1(memory: () => WebAssembly.Memory | undefined): Record<string, Call> {
  const wasi = new Wasi(memory);
  const own: Readonly<Record<string, Call>> = {
    args_sizes_get: (count: number, size: number) => wasi.sizes(count, 1, size, ARGUMENT.length),
    args_get: (list: number, text: number) => wasi.argument(list, text),
    environ_sizes_get: (count: number, size: number) => wasi.sizes(count, 0, size, 0),
    environ_get: () => OK,
    clock_res_get: (clock: number, result: number) => wasi.clock(clock, result, () => 1n),
    clock_time_get: (clock: number, _: bigint, result: number) => wasi.clock(clock, result, (now) => now()),
    fd_prestat_get: () => BADF,
    fd_read: (fd: number, vectors: number, count: number, read: number) => wasi.read(fd, vectors, count, read),
    fd_write: (fd: number, vectors: number, count: number, written: number) => wasi.write(fd, vectors, count, written),
    poll_oneoff: (asked: number, told: number, count: number, stored: number) => wasi.poll(asked, told, count, stored),
    proc_exit: (code: number) => end({ kind: 'ended', exit: code >>> 0 }),
    random_get: (start: number, length: number) => wasi.random(start, length),
  };
  return Object.fromEntries(PREVIEW1_NAMES.map((name) => [name, guarded(own[name] ?? (() => NOSYS))]));
}

/** `argv[0]`. */
const ARGUMENT = new TextEncoder().encode('hook\0');

const CLOCKS: readonly (() => bigint)[] = [
  () => BigInt(Date.now()) * BigInt(NS_PER_MS),
  () => process.hrtime.bigint(),
  cpuTime,
  cpuTime,
];

function cpuTime(): bigint {
  const { user, system } = process.cpuUsage();
  return BigInt(user + system) * 1000n;
}

/** An address outside of the memory is an error code, never an end of the host. */
function guarded(call: Call): Call {
  return (...args) => {
    try {
      return call(...args);
    } catch (error) {
      return error instanceof RangeError ? FAULT : errnoOf(error);
    }
  };
}

function errnoOf(error: unknown): Errno {
  const code = codeOf(error);
  return code === '' ? INVAL : code === 'EPIPE' ? PIPE : IO;
}

class Wasi {
  constructor(private readonly memory: () => WebAssembly.Memory | undefined) {}

  /** Two numbers at two addresses. */
  sizes(first: number, count: number, second: number, size: number): Errno {
    const view = this.view();
    view.setUint32(first >>> 0, count, true);
    view.setUint32(second >>> 0, size, true);
    return OK;
  }

  argument(list: number, text: number): Errno {
    this.bytes(text, ARGUMENT.length).set(ARGUMENT);
    this.view().setUint32(list >>> 0, text, true);
    return OK;
  }

  clock(clock: number, result: number, tell: (now: () => bigint) => bigint): Errno {
    const now = CLOCKS[clock];
    if (now === undefined) return INVAL;
    this.view().setBigUint64(result >>> 0, tell(now), true);
    return OK;
  }

  read(fd: number, vectors: number, count: number, read: number): Errno {
    if (fd !== STDIN) return BADF;
    for (const target of this.vectors(vectors, count)) {
      if (target.length === 0) continue;
      this.view().setUint32(read >>> 0, readSome(STDIN, target), true);
      return OK;
    }
    this.view().setUint32(read >>> 0, 0, true);
    return OK;
  }

  write(fd: number, vectors: number, count: number, written: number): Errno {
    if (!OUTPUTS.includes(fd)) return BADF;
    let total = 0;
    for (const bytes of this.vectors(vectors, count)) {
      writeAll(fd, bytes);
      total += bytes.length;
    }
    this.view().setUint32(written >>> 0, total, true);
    return OK;
  }

  random(start: number, length: number): Errno {
    const bytes = this.bytes(start, length);
    for (let at = 0; at < bytes.length; at += MAX_RANDOM)
      globalThis.crypto.getRandomValues(bytes.subarray(at, at + MAX_RANDOM));
    return OK;
  }

  /** Sleeps until the first clock that is asked for. What waits for anything else is told at once that it cannot. */
  poll(asked: number, told: number, count: number, stored: number): Errno {
    if (count === 0) return INVAL;
    const view = this.view();
    const all = Array.from({ length: count >>> 0 }, (_, index) => subscription(view, (asked >>> 0) + index * 48));
    const failed = all.filter(({ error }) => error !== OK);
    const soonest = all.reduce((least, { ms }) => Math.min(least, ms), Number.POSITIVE_INFINITY);
    if (failed.length === 0) pause(soonest);
    const events = failed.length > 0 ? failed : all.filter(({ ms }) => ms <= soonest);
    for (const [index, event] of events.entries()) storeEvent(view, (told >>> 0) + index * 32, event);
    view.setUint32(stored >>> 0, events.length, true);
    return OK;
  }

  /** The `iovec`s at an address. */
  private *vectors(start: number, count: number): Generator<Uint8Array> {
    for (let index = 0; index < count >>> 0; index += 1) {
      const at = (start >>> 0) + index * 8;
      const view = this.view();
      yield this.bytes(view.getUint32(at, true), view.getUint32(at + 4, true));
    }
  }

  private bytes(start: number, length: number): Uint8Array {
    return new Uint8Array(this.view().buffer, start >>> 0, length >>> 0);
  }

  private view(): DataView<ArrayBuffer> {
    const memory = this.memory();
    if (memory === undefined) throw new RangeError('there is no memory yet');
    return new DataView(memory.buffer);
  }
}

/** What a hook waits for: `ms` from now, or an error. */
type Subscription = { readonly user: bigint; readonly type: number; readonly ms: number; readonly error: Errno };

const BY_CLOCK = 0;
const ABSOLUTE = 1;

function subscription(view: DataView, at: number): Subscription {
  const [user, type] = [view.getBigUint64(at, true), view.getUint8(at + 8)];
  if (type !== BY_CLOCK) return { user, type, ms: Number.POSITIVE_INFINITY, error: NOTSUP };
  const now = CLOCKS[view.getUint32(at + 16, true)];
  if (now === undefined) return { user, type, ms: Number.POSITIVE_INFINITY, error: INVAL };
  const [ns, flags] = [view.getBigUint64(at + 24, true), view.getUint16(at + 40, true)];
  const left = (flags & ABSOLUTE) === 0 ? ns : ns - now();
  return { user, type, ms: Math.max(0, Number(left) / NS_PER_MS), error: OK };
}

function storeEvent(view: DataView, at: number, { user, type, error }: Subscription): void {
  view.setBigUint64(at, user, true);
  view.setUint16(at + 8, error, true);
  view.setUint8(at + 10, type);
  view.setBigUint64(at + 16, 0n, true);
  view.setBigUint64(at + 24, 0n, true);
}
