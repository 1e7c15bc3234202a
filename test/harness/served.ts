/**
 * A running `hookctl serve`: started in a fresh folder, asked over HTTP, stopped.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type RequestOptions, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const PROGRAM = join(import.meta.dirname, '../../bin/hookctl.js');
export const TOKEN = 'test-token-0123456789';

export type Folder = { readonly path: string; readonly env: Record<string, string>; readonly remove: () => void };

/** A folder with hooks.json, and an environment of its own. `hooks` undefined: no file. */
export function makeFolder(hooks: unknown): Folder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'hs-')));
  const path = join(root, 'w');
  for (const name of ['w', 'home', 't']) mkdirSync(join(root, name));
  if (hooks !== undefined)
    writeFileSync(join(path, 'hooks.json'), typeof hooks === 'string' ? hooks : JSON.stringify(hooks, null, 2));
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(root, 'home'),
    TMPDIR: join(root, 't'),
    HOOKCTL_TOKEN: TOKEN,
  };
  return { path, env, remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }) };
}

export type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string };

export class Served {
  stderr = '';

  private constructor(
    readonly child: ChildProcess,
    readonly folder: Folder,
    readonly line: { readonly listening: readonly string[]; readonly pid: number; readonly config: string },
  ) {}

  /** Starts it on a free port. Rejects where it ends first, with what it said. */
  static async start(
    folder: Folder,
    args: readonly string[] = ['hooks.json', '--listen', '127.0.0.1:0'],
  ): Promise<Served> {
    const child = spawn(process.execPath, [PROGRAM, 'serve', ...args], {
      cwd: folder.path,
      env: folder.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
      if (served !== undefined) served.stderr = stderr;
    });
    let served: Served | undefined;
    const line = await new Promise<string>((resolve, reject) => {
      let out = '';
      child.stdout?.on('data', (chunk) => {
        out += chunk;
        if (out.includes('\n')) resolve(out);
      });
      child.once('exit', (code) => reject(new Error(`exit ${code}: ${stderr}`)));
    });
    served = new Served(child, folder, JSON.parse(line));
    served.stderr = stderr;
    return served;
  }

  get port(): number {
    return Number(/:(\d+)$/.exec(this.line.listening[0] ?? '')?.[1]);
  }

  /** Asks with the token, unless `headers` say otherwise (undefined removes). */
  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
    at: RequestOptions = {},
  ): Promise<Answer> {
    const given =
      typeof body === 'string' || body instanceof Uint8Array
        ? body
        : body === undefined
          ? undefined
          : JSON.stringify(body);
    const all = {
      authorization: `Bearer ${TOKEN}`,
      ...(given === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >;
    return new Promise((resolve, reject) => {
      const call = request(
        { host: '127.0.0.1', port: this.port, agent: false, ...at, method, path, headers: sent },
        (response) => {
          text(response).then(
            (said) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: said }),
            reject,
          );
        },
      );
      call.on('error', reject);
      call.end(given);
    });
  }

  /** Opens a stream; `told` grows. */
  stream(query = ''): {
    readonly told: { readonly topic: string; readonly data: string }[];
    readonly close: () => void;
    readonly open: Promise<void>;
    readonly ended: Promise<void>;
  } {
    const told: { topic: string; data: string }[] = [];
    let [opened, over] = [() => {}, () => {}];
    const open = new Promise<void>((resolve) => {
      opened = resolve;
    });
    const ended = new Promise<void>((resolve) => {
      over = resolve;
    });
    let left = '';
    const call = request(
      {
        host: '127.0.0.1',
        port: this.port,
        agent: false,
        path: `/api/events${query}`,
        headers: { authorization: `Bearer ${TOKEN}` },
      },
      (response) => {
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          opened();
          const blocks = (left + chunk).split('\n\n');
          left = blocks.pop() ?? '';
          for (const block of blocks) {
            const [, topic, data] = /event: (.*)\ndata: (.*)/.exec(block) ?? [];
            if (topic !== undefined && data !== undefined) told.push({ topic, data });
          }
        });
        response.on('close', over);
      },
    );
    call.on('error', over);
    call.end();
    return { told, close: () => call.destroy(), open, ended };
  }

  /** Ends it; resolves with its exit code, or the signal. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) return Promise.resolve(exitCode ?? signalCode ?? '');
    const ended = new Promise<number | string>((resolve) =>
      this.child.once('exit', (code, by) => resolve(code ?? by ?? '')),
    );
    this.child.kill(signal);
    return ended;
  }
}

/** Waits until it holds, at most so long. */
export async function until(holds: () => boolean | Promise<boolean>, ms = 10_000): Promise<void> {
  const end = Date.now() + ms;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it did not come to hold');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Runs hookctl with an event on stdin. */
export async function hookctl(
  folder: Folder,
  args: readonly string[],
  input = '',
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder.path,
    env: folder.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const code = child.exitCode ?? (await new Promise<number | null>((resolve) => child.once('exit', resolve)));
  return { code, stdout, stderr };
}
