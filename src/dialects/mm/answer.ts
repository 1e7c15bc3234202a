/**
 * What a native hook printed: one JSON object, read strictly; and what of a broken answer counts all the same.
 */
import { fieldsOf, isObject, LIMITS, members, raw, scan, stringIn, stringOf, typeOf } from '../../core/json';
import type { Action, Event, Raw, Rewrite, Row } from '../../core/model';
import { didYouMean, nearest } from '../../core/nearest';
import { decode, filled, isBlank, orList } from '../../core/text';
import { SLIPS } from '../_shared/native-rows';
import { spec } from './spec';

/** A valid answer. `action` is what it means on this event. */
export type Answer = {
  readonly kind: 'answer';
  readonly action?: Action;
  readonly reason?: string;
  readonly response?: string;
  readonly context?: string;
  readonly rewrite?: Rewrite;
  readonly warnings: readonly string[];
};
export type BadAnswer = { readonly kind: 'bad answer'; readonly why: string };

/** What counts of an answer that is otherwise not obeyed. */
export type Restriction = {
  readonly action: Exclude<Action, 'allow'>;
  readonly reason?: string;
  readonly response?: string;
};

const ACTIONS = ['allow', 'deny', 'ask', 'defer', 'stop'] as const satisfies readonly Action[];
const TEXTS = ['reason', 'response', 'context', 'prompt'] as const;
/** The fields of an answer, and what each does. */
export const ANSWER_FIELDS = {
  action: '`allow`, `deny`, `ask`, `defer`, `stop`, where the event takes it',
  reason: 'text for the model, with any action',
  response: 'text for the user, with `stop`',
  context: "text added after the prompt or the tool's output",
  input: "replaces the tool's arguments, the whole object",
  prompt: 'replaces the prompt, an empty one too',
} as const satisfies Record<'action' | 'input' | (typeof TEXTS)[number], string>;
const READ = Object.keys(ANSWER_FIELDS);
/** What these say changes what runs. */
const DECIDING = ['action', 'input', 'prompt'] as const;
/** hookctl's own output is a valid answer. */
const IGNORED = ['event', 'source', 'warnings', 'trace'];
/** Keys by which other agents decide. */
const FOREIGN = [
  'decision',
  'permissionDecision',
  'permission',
  'continue',
  'cancel',
  'hookSpecificOutput',
  'hook_specific_output',
];
const FOREIGN_BLOCKS = ['deny', 'block', 'ask'];
const FOREIGN_REASONS = [
  'permissionDecisionReason',
  'reason',
  'stopReason',
  'message',
  'agent_message',
  'user_message',
];
const FOREIGN_NESTED = ['hookSpecificOutput', 'hook_specific_output', 'decision'];
const FOREIGN_VERBS = ['decision', 'permissionDecision', 'permission', 'permission_decision', 'behavior'];

/** Without one of these a line restricts nothing, and need not be read. */
const MAY_RESTRICT = /"(?:deny|stop|defer|ask|block|continue|cancel)"|\\u/;

const RESTRICTIVE = ['stop', 'deny', 'defer', 'ask'] as const satisfies readonly Action[];

/** Reads stdout of a hook that ended well. Nothing but white space is an answer without opinion. */
export function readAnswer(out: Uint8Array, event: Event, row: Row): Answer | BadAnswer {
  if (isBlank(out)) return { kind: 'answer', warnings: [] };
  const scanned = scan(out);
  if (scanned.kind === 'fault') {
    const place = scanned.line === 1 ? `column ${scanned.column}` : `line ${scanned.line}, column ${scanned.column}`;
    return bad(`stdout is not one JSON object: ${scanned.why} (${place})`);
  }
  const kind = typeOf(scanned.bytes, scanned.root);
  if (kind !== 'object') return bad(`stdout is not one JSON object, but a JSON ${kind}`);
  const fields = new Map(
    members(scanned.bytes, scanned.root).map(({ key, value }) => [key, raw(scanned.bytes, value)]),
  );
  const fault = faultOf(fields, event, row);
  return fault === undefined ? answerOf(fields, event, row) : bad(fault);
}

/**
 * What of a failed hook's stdout restricts: the whole of it, or one line of it, is an object that denies, stops, defers or
 * asks, in hookctl's words or in another agent's. The strictest counts. Its allow, rewrite and context never do.
 */
export function restrictionIn(out: Uint8Array, event: Event, row: Row): Restriction | undefined {
  const text = decode(out);
  const lines = text.split('\n').filter((line) => MAY_RESTRICT.test(line));
  const found = [text, ...lines].flatMap((candidate) => restrictionOf(candidate, event, row) ?? []);
  for (const action of RESTRICTIVE) {
    const first = found.find((one) => one.action === action);
    if (first !== undefined) return first;
  }
  return undefined;
}

function faultOf(fields: ReadonlyMap<string, Raw>, event: Event, row: Row): string | undefined {
  if (!fields.has('action') && FOREIGN.some((key) => fields.has(key))) {
    return 'this is another agent\'s answer; write "action"';
  }
  return misspeltKey(fields) ?? wrongType(fields) ?? notTaken(fields, event, row);
}

/** A key that is one letter off one that decides was meant to be it: a decision must not get lost. */
function misspeltKey(fields: ReadonlyMap<string, Raw>): string | undefined {
  const slip = unknownKeys(fields).find((key) => !FOREIGN.includes(key) && nearest(key, DECIDING, 1) !== undefined);
  return slip === undefined ? undefined : unknownField(slip);
}

function unknownField(key: string): string {
  return `unknown field "${key}"${FOREIGN.includes(key) ? '' : didYouMean(key, READ)}`;
}

function wrongType(fields: ReadonlyMap<string, Raw>): string | undefined {
  const action = fields.get('action');
  if (action !== undefined && stringIn(action) === undefined) return '"action" must be a string';
  for (const key of TEXTS) {
    const value = fields.get(key);
    if (value !== undefined && value.text !== 'null' && stringIn(value) === undefined)
      return `"${key}" must be a string`;
  }
  const input = fields.get('input');
  return input === undefined || isObject(input) ? undefined : '"input" must be an object';
}

function notTaken(fields: ReadonlyMap<string, Raw>, event: Event, row: Row): string | undefined {
  const said = textIn(fields, 'action');
  if (said !== undefined && !isAction(said)) {
    return `unknown action "${said}"${didYouMean(said, ACTIONS)} (allowed: ${ACTIONS.join(', ')})`;
  }
  if (said !== undefined && meaning(said, event, row) === undefined) {
    return `the event ${event.name} does not take the action "${said}"${taken(event, row)}`;
  }
  const rewrite = rewritesIn(fields).find((field) => !takes(field, event, row));
  return rewrite === undefined ? undefined : `the event ${event.name} does not take a rewrite of "${rewrite}"`;
}

function taken(event: Event, row: Row): string {
  const actions = ACTIONS.filter((action) => takes(action, event, row));
  return actions.length === 0 ? '; it can only be observed' : `; it takes ${orList(actions)}`;
}

function answerOf(fields: ReadonlyMap<string, Raw>, event: Event, row: Row): Answer {
  const said = textIn(fields, 'action');
  const meant = said !== undefined && isAction(said) ? meaning(said, event, row) : undefined;
  const action = meant === 'nothing' ? undefined : meant;
  const [reason, response, context] = [
    textIn(fields, 'reason'),
    textIn(fields, 'response'),
    textIn(fields, 'context'),
  ].map(filled);
  const useful = { response: action === 'stop', context: takes('context', event, row) };
  const slip =
    said !== undefined && meant !== said
      ? [`"${said}" on ${event.name} is read as ${meant === 'nothing' ? 'no opinion' : meant}`]
      : [];
  return {
    kind: 'answer',
    ...(action === undefined ? {} : { action }),
    ...(reason === undefined || action === undefined ? {} : { reason }),
    ...(response === undefined || !useful.response ? {} : { response }),
    ...(context === undefined || !useful.context ? {} : { context }),
    ...rewriteOf(fields),
    warnings: [
      ...slip,
      ...unknownKeys(fields).map(unknownField),
      ...(reason !== undefined && said === undefined ? ['"reason" has no effect without "action"'] : []),
      ...(response !== undefined && !useful.response ? ['"response" has no effect without the action "stop"'] : []),
      ...(context !== undefined && !useful.context ? [`"context" has no effect on ${event.name}`] : []),
    ],
  };
}

function rewritesIn(fields: ReadonlyMap<string, Raw>): ('input' | 'prompt')[] {
  const prompt = fields.get('prompt');
  return [
    ...(fields.has('input') ? ['input' as const] : []),
    ...(prompt !== undefined && prompt.text !== 'null' ? ['prompt' as const] : []),
  ];
}

function rewriteOf(fields: ReadonlyMap<string, Raw>): Pick<Answer, 'rewrite'> {
  const [field] = rewritesIn(fields);
  const value = field === undefined ? undefined : fields.get(field);
  return field === undefined || value === undefined ? {} : { rewrite: { field, how: 'replace', value } };
}

/** What an action means on the event: itself, what a slip stands for, or undefined where the event does not take it. */
function meaning(action: Action, event: Event, row: Row): Action | 'nothing' | undefined {
  if (takes(action, event, row)) return action;
  return SLIPS[event.name]?.[action];
}

/** Native rules first; a caller may take more. */
function takes(what: keyof Row['can'], event: Event, row: Row): boolean {
  const native: Row | undefined = spec.rows.find((one) => one.canonical === event.name);
  return native?.can[what] === 'yes' || (row.can[what] !== 'no' && row.can[what] !== 'nothing');
}

function restrictionOf(text: string, event: Event, row: Row): Restriction | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return undefined;
  const bytes = new TextEncoder().encode(trimmed);
  const scanned = scan(bytes, {
    ...LIMITS,
    depth: Number.POSITIVE_INFINITY,
    keys: Number.POSITIVE_INFINITY,
    duplicates: 'allow',
  });
  if (scanned.kind === 'fault' || typeOf(scanned.bytes, scanned.root) !== 'object') return undefined;
  const all = members(scanned.bytes, scanned.root);
  const texts = (key: string) =>
    all.flatMap((member) => (member.key === key ? (stringOf(scanned.bytes, member.value) ?? []) : []));
  const said = RESTRICTIVE.find((action) => texts('action').includes(action));
  if (said === undefined) return foreignRestriction(raw(scanned.bytes, scanned.root), event, row);
  const action = meaning(said, event, row);
  if (action === undefined || action === 'nothing' || action === 'allow') return undefined;
  return restriction(action, texts('reason').at(-1), texts('response').at(-1));
}

/** Another agent's deny, in the word that this event has for it. */
function foreignRestriction(whole: Raw, event: Event, row: Row): Restriction | undefined {
  const parts = [whole, ...nestedIn(whole)].map((part) => new Map(fieldsOf(part)));
  const denies = parts.some((part) => FOREIGN_VERBS.some((key) => FOREIGN_BLOCKS.includes(textIn(part, key) ?? '')));
  const ends = parts.some((part) => part.get('continue')?.text === 'false' || part.get('cancel')?.text === 'true');
  if (!denies && !ends) return undefined;
  const action =
    row.exit2 === 'failure' ? undefined : row.exit2 === 'deny if said' ? (denies ? 'deny' : undefined) : row.exit2;
  if (action === undefined || meaning(action, event, row) === undefined) return undefined;
  const reasons = parts.flatMap((part) => FOREIGN_REASONS.flatMap((key) => filled(textIn(part, key)) ?? []));
  return restriction(action, reasons[0], undefined);
}

function nestedIn(whole: Raw): Raw[] {
  const inner = (part: Raw) =>
    fieldsOf(part).flatMap(([key, value]) => (FOREIGN_NESTED.includes(key) && isObject(value) ? [value] : []));
  const first = inner(whole);
  return [...first, ...first.flatMap(inner)];
}

function restriction(
  action: Restriction['action'],
  reason: string | undefined,
  response: string | undefined,
): Restriction {
  const [why, answer] = [filled(reason), filled(response)];
  return {
    action,
    ...(why === undefined ? {} : { reason: why }),
    ...(answer === undefined || action !== 'stop' ? {} : { response: answer }),
  };
}

function unknownKeys(fields: ReadonlyMap<string, Raw>): string[] {
  return [...fields.keys()].filter((key) => !READ.some((known) => known === key) && !IGNORED.includes(key));
}

function textIn(fields: ReadonlyMap<string, Raw>, key: string): string | undefined {
  const value = fields.get(key);
  return value === undefined ? undefined : stringIn(value);
}

function isAction(word: string): word is Action {
  return ACTIONS.some((action) => action === word);
}

function bad(why: string): BadAnswer {
  return { kind: 'bad answer', why };
}
