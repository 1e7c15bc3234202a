import type { World } from '../dialects/dialect';
import type { Io } from '../io';

/** What every launch is told. A hook of this hookctl is one level deeper than hookctl itself. */
export function worldOf(io: Io): World {
  const { env, programs } = io;
  return { depth: Number(env['HOOKCTL_DEPTH'] ?? '') + 1, test: false, env, now: new Date().toISOString(), programs };
}
