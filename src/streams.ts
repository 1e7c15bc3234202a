/**
 * stdin and stdout of a process that lives on: nothing here blocks while another one does not read or write.
 */
import { fstatSync, readSync, writeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { codeOf, reasonOf } from './core/errno';

/** stdin, piece by piece: the next one is read when it is asked for. */
export type Input = {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Ends the pieces early. */
  readonly stop: () => void;
};

/** Where texts go, in order. */
export type Output = {
  /** Resolves when more may be written; or with the reason why nobody will read it. */
  readonly write: (text: string) => Promise<string | undefined>;
  /** Bytes that its reader has not taken yet. */
  readonly waiting: () => number;
  /** Resolves with the reason when it shows that nobody will read; perhaps never. */
  readonly lost: Promise<string>;
  /** Resolves when all of it is written, or cannot be. */
  readonly end: () => Promise<string | undefined>;
};

export type Streams = { readonly input: Input; readonly output: Output; readonly words: Output };

const PIECE = 64 * 1024;

/** All three, of their file descriptors. */
export function openStreams({ stdin, stdout, stderr }: Record<'stdin' | 'stdout' | 'stderr', number>): Streams {
  return { input: inputFrom(stdin), output: outputTo(stdout), words: outputTo(stderr) };
}

/** A file or a device is read at once (a folder cannot be), anything else when something is there. */
function inputFrom(fd: number): Input {
  const stat = fstatSync(fd);
  const atOnce = stat.isFile() || stat.isCharacterDevice() || stat.isDirectory();
  return atOnce ? readNow(fd) : readLater(fd);
}

function readNow(fd: number): Input {
  let stopped = false;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    while (!stopped) {
      const piece = Buffer.allocUnsafe(PIECE);
      const count = readSync(fd, piece, 0, PIECE, null);
      if (count === 0) return;
      yield piece.subarray(0, count);
      // Signals and hooks get their turn between two pieces.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return {
    pieces: pieces(),
    stop: () => {
      stopped = true;
    },
  };
}

function readLater(fd: number): Input {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const { Socket } = await import('node:net');
    const socket = new Socket({ fd, readable: true, writable: false });
    void stopped.then(() => socket.destroy());
    try {
      yield* socket;
    } catch (error) {
      if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    }
  }
  return { pieces: pieces(), stop };
}

/** A file or a device is written at once, anything else as its reader reads. */
function outputTo(fd: number): Output {
  const stat = fstatSync(fd);
  return stat.isFile() || stat.isCharacterDevice() ? writeNow(fd) : new Later(fd);
}

function writeNow(fd: number): Output {
  const loss = new Loss();
  const write = async (text: string): Promise<string | undefined> => {
    try {
      for (let bytes = Buffer.from(text); bytes.length > 0; ) bytes = bytes.subarray(writeSync(fd, bytes));
    } catch (error) {
      loss.because(reasonOf(error));
    }
    return loss.why;
  };
  return { write, waiting: () => 0, lost: loss.known, end: async () => loss.why };
}

/** That nobody reads, and why, once it is known. */
class Loss {
  why: string | undefined;
  private tell: (why: string) => void = () => {};
  readonly known = new Promise<string>((resolve) => {
    this.tell = resolve;
  });

  because(why: string): void {
    this.why ??= why;
    this.tell(this.why);
  }
}

class Later implements Output {
  private readonly loss = new Loss();
  readonly lost = this.loss.known;
  private wake: (() => void)[] = [];
  private readonly socket = import('node:net').then(({ Socket }) => {
    const socket = new Socket({ fd: this.fd, readable: false, writable: true });
    socket.on('drain', () => this.go());
    socket.on('error', (error) => {
      this.loss.because(reasonOf(error));
      this.go();
    });
    socket.on('close', () => this.go());
    return socket;
  });
  private gathering = false;
  private written = 0;
  private taken = 0;

  constructor(private readonly fd: number) {}

  readonly write = async (text: string): Promise<string | undefined> => {
    const size = Buffer.byteLength(text);
    this.written += size;
    const socket = await this.socket;
    if (this.loss.why !== undefined) return this.loss.why;
    this.gather(socket);
    const more = socket.write(text, () => {
      this.taken += size;
    });
    if (!more) await this.turn();
    return this.loss.why;
  };

  readonly waiting = (): number => this.written - this.taken;

  readonly end = async (): Promise<string | undefined> => {
    const socket = await this.socket;
    if (this.loss.why === undefined) await new Promise<void>((resolve) => socket.write('', () => resolve()));
    return this.loss.why;
  };

  /** What is written in one turn of the event loop goes out as one piece. */
  private gather(socket: Socket): void {
    if (this.gathering) return;
    this.gathering = true;
    socket.cork();
    setImmediate(() => {
      this.gathering = false;
      socket.uncork();
    });
  }

  private turn(): Promise<void> {
    return new Promise((resolve) => this.wake.push(resolve));
  }

  private go(): void {
    for (const resolve of this.wake.splice(0)) resolve();
  }
}
