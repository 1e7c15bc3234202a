/**
 * What a Claude hook printed: is it JSON, what does it decide, and what of it is lost on Claude Code.
 */

import { fieldsOf, isObject, members, raw, scan, stringIn, typeOf } from '../../core/json';
import type { Action, Fields, Raw, Rewrite } from '../../core/model';
import { lookUp } from '../../core/table';
import { clean, cut, filled } from '../../core/text';
import { OWN, UNKNOWN } from './spec';

export type Said =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string; readonly lost?: string }
  | { readonly kind: 'bad'; readonly why: string }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Raw> };

/** An output object, read for an event. */
export type Answer = {
  readonly action?: Action;
  readonly reason?: string;
  readonly response?: string;
  readonly context?: string;
  readonly rewrite?: Rewrite;
  readonly extras: Fields;
  readonly warnings: readonly string[];
  /** A decision where Claude Code reads none. */
  readonly lost?: string;
};

const TOP_TYPES: Readonly<Record<string, string>> = {
  continue: 'boolean',
  stopReason: 'string',
  suppressOutput: 'boolean',
  systemMessage: 'string',
  terminalSequence: 'string',
  decision: 'string',
  reason: 'string',
  async: 'boolean',
  asyncTimeout: 'number',
  hookSpecificOutput: 'object',
};
const HSO_TYPES: Readonly<Record<string, string>> = {
  permissionDecisionReason: 'string',
  updatedInput: 'object',
  additionalContext: 'string',
  classifierContext: 'string',
  initialUserMessage: 'string',
  sessionTitle: 'string',
  displayContent: 'string',
  worktreePath: 'string',
  reloadSkills: 'boolean',
  retry: 'boolean',
  suppressOriginalPrompt: 'boolean',
  watchPaths: 'array',
  content: 'object',
};
const PERMISSIONS = ['allow', 'deny', 'ask', 'defer'];
/** Fields of `hookSpecificOutput` by event. */
const HSO_FIELDS: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
  PostToolUse: ['additionalContext', 'updatedToolOutput', 'updatedMCPToolOutput', 'classifierContext'],
  PostToolUseFailure: ['additionalContext'],
  PostToolBatch: ['additionalContext'],
  PermissionRequest: ['decision'],
  PermissionDenied: ['retry'],
  UserPromptSubmit: ['additionalContext', 'suppressOriginalPrompt', 'sessionTitle'],
  UserPromptExpansion: ['additionalContext', 'suppressOriginalPrompt'],
  SessionStart: ['additionalContext', 'initialUserMessage', 'sessionTitle', 'watchPaths', 'reloadSkills'],
  SubagentStart: ['additionalContext'],
  PostModelSwitch: ['additionalContext'],
  Stop: ['additionalContext'],
  SubagentStop: ['additionalContext'],
  PreModelSwitch: ['permissionDecision', 'permissionDecisionReason'],
  PreSkillShellCommand: ['permissionDecision', 'permissionDecisionReason', 'updatedInput'],
  Elicitation: ['action', 'content'],
  ElicitationResult: ['action', 'content'],
  CwdChanged: ['watchPaths'],
  FileChanged: ['watchPaths'],
  MessageDisplay: ['displayContent'],
};
/** Events that read `decision: "block"`. */
const READS_BLOCK = [
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'UserPromptSubmit', 'UserPromptExpansion'],
  ...[
    'Stop',
    'SubagentStop',
    'PreModelSwitch',
    'Elicitation',
    'ElicitationResult',
    'PreCompact',
    'TaskCreated',
    'ConfigChange',
  ],
];
const CARRIED = [
  'permissionDecision',
  'permissionDecisionReason',
  'updatedInput',
  'additionalContext',
  'decision',
  'hookEventName',
];

/** The rule of 2.1.248: JSON begins with `{`, ends with `}` and is one document; anything else is text. */
export function sayingOf(out: Uint8Array): Said {
  const text = new TextDecoder('utf-8').decode(out).trim();
  if (text === '') return { kind: 'nothing' };
  if (!text.startsWith('{') || !text.endsWith('}')) return { kind: 'text', text, ...lostIn(text) };
  const whole = objectIn(text);
  if (typeof whole !== 'string') return { kind: 'object', fields: whole };
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const parsed = lines.map(objectIn);
  const isLog = lines.length > 1 && parsed.every((one) => typeof one !== 'string') && !parsed.some(setsKnown);
  if (isLog) return { kind: 'text', text };
  return { kind: 'bad', why: `invalid JSON: ${whole}; the output begins with ${JSON.stringify(cut(clean(text), 80))}` };
}

/** The members of a text that is one object, or why it is none. */
function objectIn(text: string): ReadonlyMap<string, Raw> | string {
  const scanned = scan(new TextEncoder().encode(text));
  if (scanned.kind === 'fault') return `line ${scanned.line}, column ${scanned.column}: ${scanned.why}`;
  if (typeOf(scanned.bytes, scanned.root) !== 'object') return 'it is no object';
  return new Map(members(scanned.bytes, scanned.root).map(({ key, value }) => [key, raw(scanned.bytes, value)]));
}

function setsKnown(fields: ReadonlyMap<string, Raw> | string): boolean {
  return typeof fields !== 'string' && [...fields.keys()].some((key) => key in TOP_TYPES);
}

/** An object that would decide, behind or before other text: Claude Code takes all of it for text. */
function lostIn(text: string): { lost?: string } {
  const lines = text.split('\n').map((line) => line.trim());
  const found = lines.find(
    (line) =>
      line.startsWith('{') &&
      /"(?:deny|ask|defer|block)"|"continue"\s*:\s*false/.test(line) &&
      typeof objectIn(line) !== 'string',
  );
  const stray = lines.find((line) => line !== '' && line !== found);
  return found === undefined
    ? {}
    : {
        lost: `a decision stands beside other text (${JSON.stringify(cut(clean(stray ?? ''), 80))}), so Claude Code does not read it`,
      };
}

/** Checks an output object and reads it; a text says why it counts for nothing. */
export function readAnswer(fields: ReadonlyMap<string, Raw>, native: string): Answer | string {
  const hso = fields.get('hookSpecificOutput');
  const inner = new Map(hso === undefined || !isObject(hso) ? [] : fieldsOf(hso));
  return wrongIn(fields, TOP_TYPES, '') ?? wrongHso(hso, inner, native) ?? answerOf(fields, inner, native);
}

function wrongIn(
  fields: ReadonlyMap<string, Raw>,
  types: Readonly<Record<string, string>>,
  path: string,
): string | undefined {
  for (const [key, value] of fields) {
    const wanted = lookUp(types, key);
    const got = typeName(value);
    if (wanted !== undefined && got !== wanted) return `"${path}${key}" must be a ${wanted}, but is ${got}`;
  }
  const decision = text(fields, 'decision');
  if (path === '' && decision !== undefined && decision !== 'approve' && decision !== 'block') {
    return `"decision" is "${decision}", but must be "approve" or "block"`;
  }
  return undefined;
}

function wrongHso(hso: Raw | undefined, inner: ReadonlyMap<string, Raw>, native: string): string | undefined {
  if (hso === undefined) return undefined;
  const name = text(inner, 'hookEventName');
  if (name === undefined) return '"hookSpecificOutput" has no "hookEventName"';
  if (name !== native) return `wrong hookEventName: expected ${native}, got ${name}`;
  if (OWN.get(native)?.hso !== true) return `"hookSpecificOutput" is not read on ${native}`;
  const wrong = wrongIn(inner, HSO_TYPES, 'hookSpecificOutput.');
  if (wrong !== undefined) return wrong;
  const permission = text(inner, 'permissionDecision');
  const allowed = native === 'PreModelSwitch' ? PERMISSIONS.slice(0, 3) : PERMISSIONS;
  if (inner.has('permissionDecision') && (permission === undefined || !allowed.includes(permission))) {
    return `"hookSpecificOutput.permissionDecision" must be one of ${allowed.join(', ')}`;
  }
  const decision = inner.get('decision');
  if (native === 'PermissionRequest' && decision !== undefined) {
    const behavior = isObject(decision) ? text(new Map(fieldsOf(decision)), 'behavior') : undefined;
    if (behavior !== 'allow' && behavior !== 'deny')
      return '"hookSpecificOutput.decision.behavior" must be "allow" or "deny"';
  }
  const action = text(inner, 'action');
  if (
    native.startsWith('Elicitation') &&
    inner.has('action') &&
    !['accept', 'decline', 'cancel'].includes(action ?? '')
  ) {
    return '"hookSpecificOutput.action" must be accept, decline or cancel';
  }
  return undefined;
}

function answerOf(fields: ReadonlyMap<string, Raw>, inner: ReadonlyMap<string, Raw>, native: string): Answer {
  const own = OWN.get(native) ?? UNKNOWN;
  const known = lookUp(HSO_FIELDS, native) ?? [];
  const decided = decisionOf(fields, inner, native);
  const context = known.includes('additionalContext') ? filled(text(inner, 'additionalContext')) : undefined;
  const lost = lostDecision(fields, native);
  return {
    ...decided,
    ...(context === undefined ? {} : { context }),
    ...rewriteOf(inner, native),
    extras: extrasOf(fields, inner, known, own.mute === true),
    warnings: [
      ...[...fields.keys()].filter((key) => !Object.hasOwn(TOP_TYPES, key)).map((key) => `unknown field "${key}"`),
      ...[...inner.keys()]
        .filter((key) => key !== 'hookEventName' && !known.includes(key))
        .map((key) => `"hookSpecificOutput.${key}" has no effect on ${native}`),
      ...(own.goesOn === true && fields.get('continue')?.text === 'false'
        ? [`"continue" is not read on ${native}`]
        : []),
      ...(lost === undefined ? [] : [lost]),
    ],
    ...(lost === undefined ? {} : { lost }),
  };
}

type Decision = Pick<Answer, 'action' | 'reason' | 'response'>;

function decisionOf(fields: ReadonlyMap<string, Raw>, inner: ReadonlyMap<string, Raw>, native: string): Decision {
  const goesOn = (OWN.get(native) ?? UNKNOWN).goesOn === true;
  if (!goesOn && fields.get('continue')?.text === 'false')
    return { action: 'stop', ...some('response', text(fields, 'stopReason')) };
  const permission = permissionOf(inner, native);
  if (permission !== undefined) return permission;
  const said = text(fields, 'decision');
  const reason = some('reason', text(fields, 'reason'));
  if (said === 'block' && READS_BLOCK.includes(native)) {
    return native === 'UserPromptSubmit'
      ? { action: 'stop', ...reason, ...some('response', text(fields, 'reason')) }
      : { action: 'deny', ...reason };
  }
  return said === 'approve' && native === 'PreToolUse' ? { action: 'allow', ...reason } : {};
}

function permissionOf(inner: ReadonlyMap<string, Raw>, native: string): Decision | undefined {
  const permission = text(inner, 'permissionDecision');
  const reason = some('reason', text(inner, 'permissionDecisionReason'));
  if (native === 'PreSkillShellCommand') {
    const keeps = inner.has('updatedInput') || (permission !== undefined && permission !== 'allow');
    return keeps ? { action: 'deny', ...reason } : undefined;
  }
  if (permission !== undefined && (native === 'PreToolUse' || native === 'PreModelSwitch')) {
    return { action: permission as Action, ...reason };
  }
  if (native === 'PermissionRequest') return behaviorOf(inner);
  if (native.startsWith('Elicitation') && text(inner, 'action') === 'decline') return { action: 'deny' };
  return undefined;
}

function behaviorOf(inner: ReadonlyMap<string, Raw>): Decision | undefined {
  const decision = inner.get('decision');
  if (decision === undefined) return undefined;
  const fields = new Map(fieldsOf(decision));
  return text(fields, 'behavior') === 'allow'
    ? { action: 'allow' }
    : { action: 'deny', ...some('reason', text(fields, 'message')) };
}

function rewriteOf(inner: ReadonlyMap<string, Raw>, native: string): Pick<Answer, 'rewrite'> {
  const decision = inner.get('decision');
  const value =
    native === 'PreToolUse' && text(inner, 'permissionDecision') !== 'defer'
      ? inner.get('updatedInput')
      : native === 'PermissionRequest' && decision !== undefined
        ? new Map(fieldsOf(decision)).get('updatedInput')
        : undefined;
  return value === undefined ? {} : { rewrite: { field: 'input', how: 'replace', value } };
}

function extrasOf(
  fields: ReadonlyMap<string, Raw>,
  inner: ReadonlyMap<string, Raw>,
  known: readonly string[],
  mute: boolean,
): Fields {
  const message = mute ? undefined : fields.get('systemMessage');
  const own = [...inner].filter(([key]) => known.includes(key) && !CARRIED.includes(key));
  const terminal = fields.get('terminalSequence');
  return [
    ...(message === undefined ? [] : [['systemMessage', message] as const]),
    ...(terminal === undefined ? [] : [['terminalSequence', terminal] as const]),
    ...own,
  ];
}

/** What restricts where Claude Code does not read it. */
function lostDecision(fields: ReadonlyMap<string, Raw>, native: string): string | undefined {
  if (fields.has('permissionDecision'))
    return '"permissionDecision" stands outside of "hookSpecificOutput", where Claude Code does not read it';
  if (text(fields, 'decision') === 'block' && !READS_BLOCK.includes(native))
    return `"decision" is not read on ${native}`;
  return undefined;
}

function text(fields: ReadonlyMap<string, Raw>, key: string): string | undefined {
  const value = fields.get(key);
  return value === undefined ? undefined : stringIn(value);
}

function some<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  const part: Partial<Record<K, string>> = {};
  const said = filled(value);
  if (said !== undefined) part[key] = clean(said);
  return part;
}

function typeName({ text: written }: Raw): string {
  const bytes = new TextEncoder().encode(written);
  return typeOf(bytes, { start: 0, end: bytes.length });
}
