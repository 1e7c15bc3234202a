/**
 * How hookctl stands in an agent file of Kiro CLI. Which file that is only its user knows.
 */
import type { WiredCall, Wiring } from '../dialect';

export const wiring: Wiring = {
  files: {},
  exit2Blocks: ({ synthetic }) => synthetic !== 'warning',
  item: ({ row, command, timeoutMs }: WiredCall) => ({
    list: ['hooks', row.native],
    item: { command, timeout_ms: timeoutMs },
  }),
};
