/**
 * Files of version v1: a list of hooks, each with its trigger and action.
 */

import type { Finding } from '../../core/finding';
import type { Row, Test } from '../../core/model';
import { lookUp } from '../../core/table';
import { entryOf, type Tree, type TreeEntry, type TreeItem, type TreeSpan } from '../../core/tree';
import {
  finding,
  globFindings,
  hookOf,
  NOTHING_TOLD,
  needed,
  quotedAt,
  regexFault,
  remarks,
  scalar,
  seconds,
  spellings,
  strangeTool,
  strayTimeout,
  type Told,
  text,
  toldAll,
  unknownKeys,
  unknownTrigger,
  unloaded,
  whyNotThere,
  writtenHook,
} from '../_shared/kiro-config';
import type { KiroLaunch } from '../_shared/kiro-hooks';
import type { ConfigRead, Doc, WrittenHook } from '../dialect';
import { ALIASES, ORDER, ROWS, spec } from './spec';

const KEYS = ['name', 'description', 'trigger', 'matcher', 'action', 'timeout', 'enabled', 'confirm'];
const ACTION_KEYS = ['type', 'command', 'prompt'];
/** Actions of other formats, and what they are called here. */
const OTHER_ACTIONS: Readonly<Record<string, string>> = { runCommand: 'command', askAgent: 'agent', prompt: 'agent' };
const PATH = '{{filePath}}';
const FILE_VARIABLE = `\${KIRO_HOOK_FILE}`;

/** `version: "v1"` with a list of hooks, or hooks with a trigger and an action. */
export function claims(tree: Tree): boolean {
  const hooks = entryOf(tree, 'hooks')?.value;
  if (hooks?.kind !== 'list') return false;
  const isV1 = scalar(entryOf(tree, 'version')) === 'v1';
  return (
    isV1 || hooks.items.some(({ value }) => ['trigger', 'action'].every((key) => entryOf(value, key) !== undefined))
  );
}

export function readConfig(doc: Doc): ConfigRead {
  const hooks = entryOf(doc.tree, 'hooks')?.value;
  const read = hooks?.kind === 'list' ? hooks.items.map((item) => readHook(doc, item)) : [];
  const written = read.flatMap((one) => one.written);
  const isHookFile = doc.file.endsWith('.kiro.hook');
  const place = isHookFile ? 'a *.kiro.hook file has one hook with "when" and "then"' : whyNotThere(doc);
  const own = { findings: versionFindings(doc), advice: unloaded(doc, place) };
  const told = toldAll([own, ...read]);
  return { hooks: written.map((one) => one.hook), written, more: [], switches: {}, ...told };
}

type Read = Told & { readonly written: readonly WrittenHook[] };

/** Only agent files have none. */
function versionFindings(doc: Doc): Finding[] {
  const version = entryOf(doc.tree, 'version');
  const isAgent = /\/(?:agents|cli-agents)$/.test(doc.root);
  if (version === undefined)
    return isAgent ? [] : [finding(doc, 'HK037', doc.tree.span, { where: 'the file', key: 'version' })];
  const said = text(version);
  if (said === undefined || said === 'v1') return [];
  return [{ ...finding(doc, 'HK009', version.value.span, { where: '"version"', got: `"${said}"` }), allowed: ['v1'] }];
}

function readHook(doc: Doc, { start, value }: TreeItem): Read {
  if (value.kind !== 'map') return { written: [], ...NOTHING_TOLD };
  const entry = (key: string) => entryOf(value, key);
  const trigger = readTrigger(doc, value);
  const keys = unknownKeys(
    doc,
    value,
    [...KEYS, 'timeout_ms', ...(entry('trigger') === undefined ? ['event'] : [])],
    'a hook',
  );
  const name = needed(doc, value, 'name', 'a hook');
  const { row } = trigger;
  if (row === undefined) return { written: [], ...toldAll([trigger, keys, name]) };
  const action = readAction(doc, row, entry('action'));
  const limit = seconds(doc, entry('timeout'), spec.defaults.timeoutMs / 1_000);
  const matcher = readMatcher(doc, row, value, entry('matcher'));
  const stray = strayTimeout(doc, value, 'timeout_ms', 'files of version v1 count in seconds', 'write "timeout"');
  const confirm = readConfirm(doc, row, entry('confirm'), action);
  const told = toldAll([trigger, keys, name, action, limit, matcher, confirm, { findings: [], advice: stray }]);
  if (action.launch === undefined) return { written: [], ...told };
  const asked = confirm.confirm === undefined ? {} : { confirm: confirm.confirm };
  const launch: KiroLaunch = { native: row.native, ...action.launch, ms: limit.ms, ...asked };
  const hook = hookOf(doc, {
    room: 'kiro-v1',
    row,
    start,
    name: name.text,
    tests: [...matcher.tests, ...(confirm.confirm === undefined ? [] : [{ kind: 'rule', rule: 'confirm' } as const])],
    off: scalar(entry('enabled')) === false ? 'disabled' : undefined,
    group: spec.id,
    order: ORDER,
    onFailure: 'warn',
    launch,
  });
  return { written: [writtenHook(hook, value.span, entry('matcher'), action.command)], ...told };
}

/** A trigger that nobody knows drops its hook, and no other. */
function readTrigger(doc: Doc, hook: Tree): Told & { readonly row?: Row } {
  const entry = entryOf(hook, 'trigger');
  if (entry === undefined) {
    const event = entryOf(hook, 'event');
    const missing = finding(doc, 'HK037', hook.span, { where: 'a hook', key: 'trigger' });
    const why = '"event" is not read: a hook of version v1 has a "trigger"';
    const findings =
      event === undefined ? [missing] : [finding(doc, 'HK051', event.keySpan, { why, hint: 'write "trigger"' })];
    return { findings, advice: [] };
  }
  const said = text(entry);
  const native = said === undefined ? undefined : (lookUp(ALIASES, said) ?? said);
  const row = ROWS.find((one) => one.native === native);
  if (row !== undefined || said === undefined) return { ...NOTHING_TOLD, ...(row === undefined ? {} : { row }) };
  const { args, allowed } = unknownTrigger(doc, entry.value.span, said, 'kiro-v1', ROWS);
  const dropped = finding(doc, 'HK050', entry.value.span, { got: said, hint: args['hint'] ?? '' });
  return { findings: [allowed === undefined ? dropped : { ...dropped, allowed }], advice: [] };
}

type Action = Told & {
  readonly launch?: Pick<KiroLaunch, 'command' | 'prompt'>;
  readonly command?: TreeEntry;
};

function readAction(doc: Doc, row: Row, entry: TreeEntry | undefined): Action {
  const action = entry?.value;
  const type = entryOf(action, 'type');
  const said = text(type);
  if (action === undefined || type === undefined || said === undefined) return NOTHING_TOLD;
  if (said !== 'command' && said !== 'agent') {
    const hint = `write "${lookUp(OTHER_ACTIONS, said) ?? 'command'}"${lookUp(OTHER_ACTIONS, said) === undefined ? ' or "agent"' : ''}`;
    const why = `"${said}" is no action of version v1`;
    return { findings: [finding(doc, 'HK051', type.value.span, { why, hint })], advice: [] };
  }
  const key = said === 'command' ? 'command' : 'prompt';
  const what = needed(doc, action, key, `an action "${said}"`);
  const keys = unknownKeys(doc, action, [...ACTION_KEYS, 'timeout'], '"action"');
  const stray = strayTimeout(doc, action, 'timeout', 'inside of "action" it has no effect', 'put it beside "action"');
  const written = entryOf(action, key);
  const advice = [
    ...stray,
    ...remarks(doc, row, written, action.span),
    ...(written === undefined ? [] : actionAdvice(doc, row, written, said)),
  ];
  const told = toldAll([what, keys, { findings: [], advice }]);
  if (what.text === undefined) return told;
  if (said === 'agent') return { ...told, launch: { prompt: what.text } };
  const command = row.matches === 'path' ? withFile(what.text) : what.text;
  return { ...told, launch: { command }, ...(written === undefined ? {} : { command: written }) };
}

/** Never the path itself, which the shell would parse. Outside of quotes it gets its own. */
function withFile(command: string): string {
  return command.replaceAll(PATH, (_, offset: number) =>
    quotedAt(command, offset) === '' ? `"${FILE_VARIABLE}"` : FILE_VARIABLE,
  );
}

function actionAdvice(doc: Doc, row: Row, entry: TreeEntry, type: string): Finding[] {
  const said = text(entry) ?? '';
  const at = said.indexOf(PATH);
  const { span } = entry.value;
  const what = `"${PATH}"`;
  const loops = type === 'agent' && row.canonical === 'postGeneration' ? [finding(doc, 'HK060', span, {})] : [];
  if (at < 0) return loops;
  if (row.matches !== 'path')
    return [...loops, finding(doc, 'HK055', span, { what, why: `${row.native} has no file`, hint: 'leave it out' })];
  const isLiteral = type === 'command' && quotedAt(said, at) === "'";
  return isLiteral
    ? [
        ...loops,
        finding(doc, 'HK055', span, {
          what,
          why: 'in single quotes the shell does not put the path in',
          hint: 'use double quotes',
        }),
      ]
    : loops;
}

type Confirm = Told & Pick<KiroLaunch, 'confirm'>;

/** A question that hookctl cannot ask. */
function readConfirm(doc: Doc, row: Row, entry: TreeEntry | undefined, action: Action): Confirm {
  if (entry === undefined) return NOTHING_TOLD;
  const isRead = row.canonical === 'postGeneration' && action.launch?.command !== undefined;
  if (!isRead) return { findings: [], advice: [finding(doc, 'HK006', entry.keySpan, STRAY_CONFIRM, 'warning')] };
  const options = entryOf(entry.value, 'options')?.value;
  const stops = (options?.kind === 'list' ? options.items : []).flatMap(({ value }) => {
    const id = text(entryOf(value, 'id'));
    return id !== undefined && scalar(entryOf(value, 'run')) === false ? [id] : [];
  });
  const question = text(entryOf(entry.value, 'question')) ?? 'no question';
  return { confirm: { question, stops }, findings: [], advice: [finding(doc, 'HK054', entry.keySpan, {})] };
}

const STRAY_CONFIRM = { key: 'confirm', where: 'this hook', hint: 'only a command on Stop asks first' };

type Matcher = Told & { readonly tests: readonly Test[] };

const EVERY: Matcher = { tests: [], ...NOTHING_TOLD };

function readMatcher(doc: Doc, row: Row, hook: Tree, entry: TreeEntry | undefined): Matcher {
  const matcher = text(entry);
  if (entry === undefined) return { ...EVERY, advice: withoutMatcher(doc, row, hook) };
  if (matcher === undefined || matcher === '*') return EVERY;
  const { span } = entry.value;
  if (row.matches !== 'tool' && row.matches !== 'path')
    return { ...EVERY, advice: [finding(doc, 'HK012', entry.keySpan, { event: row.native })] };
  if (matcher === '') {
    const args = { what: '""', why: 'it matches everything', hint: 'leave it out, or write "*"' };
    return { ...EVERY, advice: [finding(doc, 'HK055', span, args)] };
  }
  return row.matches === 'tool' ? toolMatcher(doc, span, matcher) : fileMatcher(doc, span, matcher);
}

function withoutMatcher(doc: Doc, row: Row, { span }: Tree): Finding[] {
  if (row.matches === 'tool')
    return [finding(doc, 'HK062', span, { why: 'without a "matcher" the hook runs for every tool' })];
  if (row.matches !== 'path') return [];
  const args = {
    what: row.native,
    why: 'without a "matcher" the hook runs for every file',
    hint: 'write "\\\\.ts$" or the like',
  };
  return [finding(doc, 'HK055', span, args)];
}

/** Names, categories and groups, the whole or the parts of a list; else a pattern that is found anywhere in the name. */
function toolMatcher(doc: Doc, span: TreeSpan, matcher: string): Matcher {
  const fault = regexFault(doc, matcher);
  if (fault !== undefined) return unusable(doc, span, matcher, fault);
  const parts = matcher.split('|');
  const isList = parts.every((part) => /^[\w@/.-]+$/.test(part));
  const names = isList ? [...new Set([matcher, ...parts])] : [matcher];
  const tests: Test[] = [
    { kind: 'names', of: 'tool', any: names.flatMap(spellings) },
    { kind: 'names', of: 'value', any: names },
    { kind: 'regex', of: 'tool', any: [matcher] },
  ];
  const strange = isList ? parts.flatMap((part) => strangeTool(doc, span, part, 'kiro-v1')) : [];
  return { tests: [{ kind: 'either', tests }], findings: [], advice: [...strange, ...globLooking(doc, span, matcher)] };
}

function unusable(doc: Doc, span: TreeSpan, matcher: string, fault: { why: string; hint?: string }): Matcher {
  const args = { matcher: JSON.stringify(matcher), why: fault.why, hint: fault.hint ?? '' };
  return { ...EVERY, findings: [finding(doc, 'HK011', span, args)] };
}

/** `fs_*` means `fs` and underscores; `src/*` means `src` and slashes. */
function globLooking(doc: Doc, span: TreeSpan, matcher: string): Finding[] {
  if (!/[\w/]\*/.test(matcher) || /[\\^$()[\]|+]|\.\*/.test(matcher)) return [];
  const why = 'it is a regular expression, where "*" repeats the character before it';
  return [
    finding(doc, 'HK055', span, {
      what: JSON.stringify(matcher),
      why,
      hint: `write "${matcher.replace(/\*+/g, '.*')}"`,
    }),
  ];
}

/** A pattern found in the absolute path; what is none, and a glob, is a glob. */
function fileMatcher(doc: Doc, span: TreeSpan, matcher: string): Matcher {
  const fault = regexFault(doc, matcher);
  if (fault === undefined) {
    const tests: Test[] = [{ kind: 'regex', of: 'path', any: [matcher] }];
    return { tests, findings: [], advice: globLooking(doc, span, matcher) };
  }
  if (globFindings(doc, span, matcher, 'path').length > 0) return unusable(doc, span, matcher, fault);
  const args = {
    what: JSON.stringify(matcher),
    why: 'it is no regular expression, so it is read as a glob',
    hint: 'write a regular expression: Kiro drops the hook',
  };
  return {
    tests: [{ kind: 'glob', of: 'place', any: [matcher] }],
    findings: [],
    advice: [finding(doc, 'HK055', span, args)],
  };
}
