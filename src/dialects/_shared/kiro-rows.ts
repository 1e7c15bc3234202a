/**
 * The triggers of Kiro's three formats: names, and what can be said on each.
 */
import type { Action, Can, Carried, Row } from '../../core/model';
import type { Sign } from '../dialect';
import { NATIVE_ROWS, NOTHING_TAKEN } from './native-rows';

type Takes = Readonly<Partial<Record<Action | Carried, Can>>>;

/** Canonical event → its name in agent files, `.kiro.hook` files and files of version v1. */
const TRIGGERS: readonly (readonly [canonical: string, agent: string, hook: string, v1: string])[] = [
  ['sessionStart', 'agentSpawn', '', 'SessionStart'],
  ['preGeneration', 'userPromptSubmit', 'promptSubmit', 'UserPromptSubmit'],
  ['preToolCall', 'preToolUse', 'preToolUse', 'PreToolUse'],
  ['postToolCall', 'postToolUse', 'postToolUse', 'PostToolUse'],
  ['postGeneration', 'stop', 'agentStop', 'Stop'],
  ['sessionEnd', '', '', 'SessionEnd'],
  ['fileCreated', '', 'fileCreated', 'PostFileCreate'],
  ['fileSaved', '', 'fileEdited', 'PostFileSave'],
  ['fileDeleted', '', 'fileDeleted', 'PostFileDelete'],
  ['taskStart', '', 'preTaskExecution', 'PreTaskExec'],
  ['taskEnd', '', 'postTaskExecution', 'PostTaskExec'],
  ['manual', '', 'userTriggered', 'Manual'],
];
const COLUMN = { 'kiro-agent': 1, 'kiro-hook': 2, 'kiro-v1': 3 } as const;

export type KiroRoom = keyof typeof COLUMN;

/**
 * What a caller takes. The only channels are exit 2 with a reason and, at exit 0, text: a question and a rewrite become a block, an
 * allow silence. A stop at the end of a turn is silence too, as the turn ends anyway.
 */
const TAKES: Readonly<Record<string, Takes>> = {
  preToolCall: {
    ...{ allow: 'nothing', deny: 'yes', ask: 'deny', defer: 'deny', stop: 'yes', input: 'deny' },
    context: 'yes',
  },
  preGeneration: { stop: 'yes', deny: 'stop', ask: 'stop', defer: 'stop', prompt: 'stop', context: 'yes' },
  taskStart: { deny: 'yes', ask: 'deny', defer: 'deny', stop: 'deny', context: 'yes' },
  postToolCall: { deny: 'yes', stop: 'deny', context: 'yes' },
  postGeneration: { allow: 'nothing', deny: 'yes', stop: 'nothing', context: 'yes' },
  sessionEnd: {},
};
const CONTEXT: Takes = { context: 'yes' };

/** The rows of one format. `unsure`: canonical event → what can be told there in vain, and why. */
export function kiroRows(room: KiroRoom, unsure: Readonly<Record<string, NonNullable<Row['unsure']>>> = {}): Row[] {
  return TRIGGERS.flatMap((names): Row[] => {
    const native = names[COLUMN[room]];
    const [canonical] = names;
    const base = NATIVE_ROWS.find((row) => row.canonical === canonical);
    if (native === '' || base === undefined) return [];
    const doubts = unsure[canonical];
    const can = { ...NOTHING_TAKEN, ...(TAKES[canonical] ?? CONTEXT) };
    const matches = base.matches === 'nothing' && canonical.startsWith('file') ? 'path' : base.matches;
    return [{ ...base, native, matches, can, ...(doubts === undefined ? {} : { unsure: doubts }) }];
  });
}

/** The formats that have a trigger of that name, other than `room`. */
export function otherFormats(name: string, room: KiroRoom): KiroRoom[] {
  const rooms = Object.keys(COLUMN) as KiroRoom[];
  return rooms.filter((other) => other !== room && TRIGGERS.some((names) => names[COLUMN[other]] === name));
}

/** Canonical events by whatever name any of the formats, or hookctl, has for them. */
export function triggerOf(name: string): string | undefined {
  const folded = name.toLowerCase();
  return TRIGGERS.find((names) => names.some((one) => one.toLowerCase() === folded))?.[0];
}

/** A payload with one of these event names, and none of the fields by which other agents are known. */
export function kiroSign(events: readonly string[], lacks: readonly string[], lacksEnv: readonly string[] = []): Sign {
  return { has: ['hook_event_name'], values: { hook_event_name: events }, lacks, lacksEnv };
}

/** An event that no row names: it can only be observed. */
export const KIRO_OTHERWISE: Omit<Row, 'native' | 'canonical'> = {
  phase: 'after',
  matches: 'nothing',
  can: { ...NOTHING_TAKEN, context: 'yes' },
  exit2: 'failure',
  synthetic: 'warning',
};
