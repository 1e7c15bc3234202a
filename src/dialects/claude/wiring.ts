/**
 * How hookctl stands in Claude Code's settings.
 */
import type { Row } from '../../core/model';
import type { WiredCall, Wiring } from '../dialect';
import { OWN } from './spec';

export const wiring: Wiring = {
  files: {
    project: { below: 'project', path: '.claude/settings.json' },
    local: { below: 'project', path: '.claude/settings.local.json' },
    user: { below: 'home', path: '.claude/settings.json' },
  },
  projectVariable: 'CLAUDE_PROJECT_DIR',
  skeleton: {},
  exit2Blocks: (row) => isGuarding(row) && OWN.get(row.native)?.exit2 !== 'failure',
  item({ row, command, timeoutMs }: WiredCall) {
    const block = isGuarding(row) ? { onFailure: 'block' } : {};
    const handler = { type: 'command', command, timeout: timeoutMs / 1_000, ...block };
    return { list: ['hooks', row.native], item: { hooks: [handler] } };
  },
};

/** On the others a block makes the agent go on, or does nothing. */
function isGuarding(row: Row): boolean {
  return row.synthetic !== 'warning';
}
