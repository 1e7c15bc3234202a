/**
 * How hookctl stands among the hooks of Kiro: a file of its own.
 */
import type { WiredCall, Wiring } from '../dialect';

export const wiring: Wiring = {
  agent: 'kiro',
  files: {
    project: { below: 'project', path: '.kiro/hooks/hookctl.json' },
    user: { below: 'home', path: '.kiro/hooks/hookctl.json' },
  },
  skeleton: { version: 'v1' },
  exit2Blocks: ({ synthetic }) => synthetic !== 'warning',
  item({ row, command, timeoutMs }: WiredCall) {
    const action = { type: 'command', command };
    const matcher = row.matches === 'path' ? { matcher: '.*' } : {};
    return {
      list: ['hooks'],
      item: { name: `hookctl ${row.native}`, trigger: row.native, ...matcher, action, timeout: timeoutMs / 1_000 },
    };
  },
};
