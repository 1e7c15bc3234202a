/**
 * The native events: what each takes, and what a block means there.
 */
import type { Action, Block, Can, Carried, Row } from '../../core/model';

type Takes = Partial<Record<Action | Carried, Can>>;

/** An event that can only be observed. */
export const NOTHING_TAKEN = {
  allow: 'no',
  deny: 'no',
  ask: 'no',
  defer: 'no',
  stop: 'no',
  input: 'no',
  prompt: 'no',
  context: 'no',
} as const satisfies Record<Action | Carried, Can>;

/** Asking for the end where the end comes anyway, or for a question where there is none, is silence. */
const ENDS_ANYWAY = { allow: 'nothing', ask: 'nothing', defer: 'nothing', stop: 'nothing' } as const satisfies Takes;

export const NATIVE_ROWS: readonly Row[] = [
  before(
    'preToolCall',
    'deny',
    { allow: 'yes', deny: 'yes', ask: 'yes', defer: 'yes', stop: 'yes', input: 'yes', context: 'yes' },
    'tool',
  ),
  before('preGeneration', 'stop', { stop: 'yes', prompt: 'yes', context: 'yes' }),
  before('permissionRequest', 'deny', { allow: 'yes', deny: 'yes', ask: 'nothing', defer: 'nothing' }, 'tool'),
  before('taskStart', 'deny', { deny: 'yes', context: 'yes' }),
  after('postToolCall', 'deny', { deny: 'yes', context: 'yes' }, 'tool'),
  after('postGeneration', 'deny if said', { ...ENDS_ANYWAY, deny: 'yes' }),
  after('subagentStop', 'deny if said', { ...ENDS_ANYWAY, deny: 'yes' }),
  ...['taskEnd', 'sessionStart', 'subagentStart', 'instructionsLoaded'].map((name) =>
    after(name, 'failure', { context: 'yes' }),
  ),
  ...['fileCreated', 'fileSaved', 'fileDeleted', 'manual'].map((name) => after(name, 'failure', { context: 'yes' })),
  after('permissionDenied', 'failure', {}, 'tool'),
  ...['sessionEnd', 'preCompact', 'postCompact', 'notification', 'error'].map((name) => after(name, 'failure', {})),
  ...['modelRequest', 'modelResponse', 'turnStart', 'turnEnd'].map((name) => after(name, 'failure', {})),
];

/**
 * The likeliest slips of a hook's author, read towards safety with a warning: event → action written → action meant.
 * `nothing` is no opinion: the agent asks its user anyway.
 */
export const SLIPS: Readonly<Record<string, Partial<Record<Action, Action | 'nothing'>>>> = {
  preGeneration: { deny: 'stop', ask: 'stop', defer: 'stop' },
  permissionRequest: { stop: 'deny', ask: 'nothing', defer: 'nothing' },
  taskStart: { stop: 'deny', ask: 'deny', defer: 'deny' },
};

function before(name: string, block: Block, takes: Takes, matches: Row['matches'] = 'nothing'): Row {
  return {
    ...named(name),
    phase: 'before',
    matches,
    can: { ...NOTHING_TAKEN, ...takes },
    exit2: block,
    synthetic: block,
  };
}

/** What has happened cannot be kept from happening: neither a broken hook nor a broken hookctl blocks here. */
function after(name: string, exit2: Row['exit2'], takes: Takes, matches: Row['matches'] = 'nothing'): Row {
  return { ...named(name), phase: 'after', matches, can: { ...NOTHING_TAKEN, ...takes }, exit2, synthetic: 'warning' };
}

function named(name: string): Pick<Row, 'native' | 'canonical'> {
  return { native: name, canonical: name };
}
