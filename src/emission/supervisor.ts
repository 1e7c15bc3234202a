/**
 * The supervisor: reads emissions on stdin, one a line, carries them out, writes the run log, ends when their hooks have ended.
 */
import { decode } from '../core/text';
import { createExec, type Exec } from '../runner/exec';
import { carryOut } from './carry';
import { decodeEmission, type Emission } from './emission';
import { appendLog, hookLines } from './log';
import { bounded } from './slots';

/** What one emission may be on the wire: its event, and 256 actions. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

const GRACE_MS = 2_000;

/** What it needs of the world. */
export type SupervisorIo = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number | undefined;
  readonly lines: (limit: number) => AsyncIterable<Uint8Array | 'too long'>;
  readonly onSignal: (handler: () => void) => void;
};

/** Resolves when all is done. A signal ends the hooks that run. */
export async function supervise(io: SupervisorIo): Promise<void> {
  const inner = createExec(io.env, io.uid);
  const exec = bounded(inner);
  io.onSignal(() => void inner.endAll(GRACE_MS));
  const running = new Set<Promise<void>>();
  for await (const line of io.lines(MAX_LINE_BYTES)) {
    if (line === 'too long') continue;
    const one: Promise<void> = carried(decodeEmission(decode(line), io.env), exec).then(() => {
      running.delete(one);
    });
    running.add(one);
  }
  await Promise.all(running);
}

async function carried(emission: Emission, exec: Exec): Promise<void> {
  const { log, session } = emission;
  await carryOut(emission, exec, (record, logs) => {
    if (log !== undefined) for (const line of hookLines(session, record, logs)) appendLog(log, line);
  });
}
