/**
 * The library: the same engine for wrappers that run in Node. `public.d.ts` says what it promises.
 */
import { eventIn } from './cli/event';
import { Judging, type JudgingOptions } from './cli/judging';
import type { Refusal } from './cli/refusal';
import { depthProblem, usageProblem } from './cli/usage';
import { toldTo } from './cli/verdict';
import { patienceOf } from './cli/world';
import { parseDuration } from './core/duration';
import { didYouMean } from './core/nearest';
import { NATIVE, ROOM_IDS } from './dialects';
import { type Io, realIo } from './io';
import type { Engine, EngineOptions, createEngine as Public, Reply, Verdict } from './public';

const OPTIONS = [
  'configs',
  'cwd',
  'env',
  'deadline',
  'ownFailure',
  'trace',
  'cache',
] as const satisfies readonly (keyof EngineOptions)[];
const CLOSED: Refusal = { why: 'the engine is closed' };

export const createEngine: typeof Public = (options = {}) => {
  const judgingOptions = checked(options);
  const real = realIo();
  const io: Io = { ...real, cwd: options.cwd ?? real.cwd, env: options.env ?? real.env };
  const refusal = usageProblem(judgingOptions.configs, [], io) ?? depthProblem(io);
  return engineOf(io, new Judging(io, judgingOptions, refusal));
};

function engineOf(io: Io, judging: Judging): Engine {
  const reply = async (payload: string | Uint8Array | object, as: string | undefined): Promise<Reply> => {
    const asked = readable(payload, as, io);
    const { room, event } = asked;
    return room.writeReply(toldTo(room, await judging.verdictOn(asked), event), event);
  };
  return {
    decide: async (event) => JSON.parse((await reply(event, NATIVE.spec.id)).stdout) as Verdict,
    reply: (payload, as = 'auto') => reply(payload, as === 'auto' ? undefined : as),
    close: async () => {
      await judging.end(CLOSED, patienceOf(io));
      await judging.done();
    },
  };
}

function readable(payload: string | Uint8Array | object, as: string | undefined, io: Io): ReturnType<typeof eventIn> {
  try {
    if (as !== undefined && !ROOM_IDS.includes(as)) return { room: NATIVE, refused: noDialect(as) };
    return eventIn(bytesOf(payload), as === undefined ? {} : { as }, io);
  } catch (error) {
    return {
      room: NATIVE,
      refused: `the event cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function bytesOf(payload: string | Uint8Array | object): Uint8Array {
  if (payload instanceof Uint8Array) return payload;
  return new TextEncoder().encode(typeof payload === 'string' ? payload : JSON.stringify(payload));
}

function noDialect(as: string): string {
  return `"${as}" is no dialect${didYouMean(as, ROOM_IDS)} (allowed: auto, ${ROOM_IDS.join(', ')})`;
}

/** Throws for what a slip of the pen would silently switch off. */
function checked(options: EngineOptions): JudgingOptions {
  for (const name of Object.keys(options)) {
    if (!OPTIONS.some((known) => known === name))
      throw new TypeError(`unknown option "${name}"${didYouMean(name, OPTIONS)}`);
  }
  const { configs = [], cwd, ownFailure = 'fail', trace = false, cache = true } = options;
  if (cwd !== undefined && !cwd.startsWith('/')) throw new TypeError(`cwd "${cwd}" must be an absolute path`);
  if (!['fail', 'warn'].includes(ownFailure))
    throw new TypeError(`ownFailure "${ownFailure}" must be "fail" or "warn"`);
  return {
    configs: typeof configs === 'string' ? [configs] : configs,
    ownFailure,
    trace,
    display: false,
    wait: false,
    cache,
    ...deadlineOf(options.deadline),
  };
}

function deadlineOf(written: string | undefined): { readonly deadline?: number } {
  if (written === undefined) return {};
  const duration = parseDuration(written);
  if (duration.kind === 'ms') return { deadline: duration.ms };
  throw new TypeError(
    `deadline "${written}": ${duration.why}${duration.readings.length === 0 ? '' : `; did you mean ${duration.readings.join(', ')}?`}`,
  );
}
