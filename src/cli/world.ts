import type { World } from '../dialects/dialect';
import type { Io } from '../io';

/** What running hooks get between SIGTERM and SIGKILL when hookctl is told to end. */
const SIGNAL_GRACE_MS = 2_000;
const NESTED_GRACE_MS = 150;

/** How long hooks may take to end. A hookctl that is a hook of another one must be done before that one loses its own patience, the short one. */
export function patienceOf(io: Io): number {
  const { depth } = worldOf(io);
  return depth > 1 ? NESTED_GRACE_MS / (depth - 1) : SIGNAL_GRACE_MS;
}

/** What every launch is told. A hook of this hookctl is one level deeper than hookctl itself. The clock is asked when a room asks. */
export function worldOf({ env, programs }: Pick<Io, 'env' | 'programs'>): World {
  return {
    depth: Number(env['HOOKCTL_DEPTH'] ?? '') + 1,
    test: false,
    env,
    programs,
    get now() {
      return new Date().toISOString();
    },
  };
}
