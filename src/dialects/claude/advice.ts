/**
 * What a hook of Claude Code does not say as its author means it. It is told by `validate` alone.
 */
import type { Finding } from '../../core/finding';
import type { Hook } from '../../core/model';
import { nearest } from '../../core/nearest';
import type { Tree, TreeEntry, TreeSpan } from '../../core/tree';
import type { Advice, Doc, Seen, WrittenHook } from '../dialect';
import { OWN, spec } from './spec';

type Entries = ReadonlyMap<string, TreeEntry>;
type Remark = readonly [what: string, why: string, hint: string];

const TOOLS: readonly string[] = Object.values(spec.tools).flat();
/** They stand in old configs, and no event names them any more. */
const REMOVED = ['MultiEdit', 'LS'];
/** Values of events whose list is closed. Source: https://code.claude.com/docs/en/hooks */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  SessionStart: ['startup', 'resume', 'clear', 'compact', 'fork'],
  PreCompact: ['manual', 'auto'],
  PostCompact: ['manual', 'auto'],
};

/** What a matcher cannot find, or finds too much. */
export function matcherAdvice(doc: Doc, native: string, entry: TreeEntry | undefined): Finding[] {
  const written = entry === undefined ? undefined : textOf(entry.value);
  const row = spec.rows.find((one) => one.native === native);
  if (entry === undefined || written === undefined || row === undefined || row.matches === 'nothing') return [];
  const isExact = /^[\w\-\s,|]+$/.test(written);
  const remarks = isExact
    ? written
        .split(/[|,]/)
        .flatMap((name) => nameRemark(name.trim(), native, row.matches === 'tool', written))
        .slice(0, 1)
    : patternRemark(written, row.matches === 'tool');
  return remarks.map((remark) => finding(doc, entry.value.span, remark));
}

function nameRemark(name: string, native: string, isTool: boolean, written: string): Remark[] {
  const what = `the matcher ${JSON.stringify(written)}`;
  if (!isTool) return valueRemark(what, name, VALUES[native]);
  if (/^mcp__[^_]+(?:_[^_]+)*$/.test(name))
    return [[what, `"${name}" is an exact name, and no tool is called so`, `write "${name}__.*"`]];
  if (REMOVED.includes(name))
    return [[what, `Claude Code has no tool "${name}" any more`, 'write "Edit", or leave it out']];
  const meant = TOOLS.includes(name) || name.startsWith('mcp__') ? undefined : nearest(name, TOOLS);
  return meant === undefined
    ? []
    : [[what, `no tool is called "${name}", and case counts`, `did you mean "${meant}"?`]];
}

function valueRemark(what: string, name: string, values: readonly string[] | undefined): Remark[] {
  if (values === undefined || values.includes(name)) return [];
  const meant = nearest(name, values);
  const hint = meant === undefined ? `write one of ${values.join(', ')}` : `did you mean "${meant}"?`;
  return [[what, `"${name}" is no value of this event`, hint]];
}

function patternRemark(written: string, isTool: boolean): Remark[] {
  const what = `the matcher ${JSON.stringify(written)}`;
  if (isTool && written.includes('mcp__[^_]+__'))
    return [[what, 'a server with an underscore in its name is not found', 'write mcp__.*__ in its place']];
  const more = isTool ? surprise(written) : undefined;
  return more === undefined
    ? []
    : [[what, `it is searched, and finds "${more}" too`, `write "^${written.replace(/^\^|\$$/g, '')}$"`]];
}

/** A tool that a pattern of one word finds beyond that which it names: `Edit.*` finds `NotebookEdit`. */
function surprise(written: string): string | undefined {
  const [, word] = /^([A-Za-z]+)(?:\.\*)?$/.exec(written) ?? [];
  return word === undefined ? undefined : TOOLS.find((tool) => tool.includes(word) && !tool.startsWith(word));
}

/** What the keys of a handler do not do. */
export function handlerAdvice(doc: Doc, native: string, handler: Tree, entries: Entries): Finding[] {
  const row = spec.rows.find((one) => one.native === native);
  const has = (key: string) => entries.get(key);
  const isOn = (key: string) => {
    const value = has(key)?.value;
    return value?.kind === 'scalar' && value.value === true;
  };
  const type = textOf(has('type')?.value);
  const background = isOn('async') || isOn('asyncRewake');
  const rows: readonly (readonly [TreeSpan | undefined, Remark | undefined])[] = [
    [has('if')?.value.span, conditionRemark(textOf(has('if')?.value) ?? '', native)],
    [
      has('async')?.keySpan ?? has('asyncRewake')?.keySpan,
      background && row?.phase === 'before'
        ? ['"async"', 'a background hook decides nothing: the call is not held', 'leave it out of a guard']
        : undefined,
    ],
    [
      has('onFailure')?.keySpan,
      background && textOf(has('onFailure')?.value) === 'block'
        ? ['"onFailure"', 'a background hook blocks nothing', 'leave out "async", or this']
        : undefined,
    ],
    [
      has('continueOnBlock')?.keySpan,
      type === 'prompt' ? undefined : ['"continueOnBlock"', 'only prompt hooks read it', 'leave it out'],
    ],
    [has('command')?.value.span, commandRemark(textOf(has('command')?.value) ?? '', has('args') !== undefined)],
  ];
  const found = rows.flatMap(([span, remark]) =>
    span === undefined || remark === undefined ? [] : [finding(doc, span, remark)],
  );
  const runs = ['prompt', 'agent', 'mcp_tool'].includes(type ?? '');
  const why = `${type} handlers need Claude Code: under hookctl each is a failure that is told`;
  return runs
    ? [...found, { code: 'HK062', at: doc.place(has('type')?.value.span ?? handler.span), args: { why } }]
    : found;
}

const TOOL_EVENTS = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest', 'PermissionDenied'];

function conditionRemark(condition: string, native: string): Remark | undefined {
  if (condition === '') return undefined;
  if (!TOOL_EVENTS.includes(native))
    return ['"if"', `on ${native} it never holds: the hook never runs`, 'leave it out'];
  if (/\)\s*(?:\|\||&&|,|\|)\s*\w+\(/.test(condition))
    return ['"if"', 'it is one rule, without operators', 'make a handler of each'];
  const [, key] = /^\w+\((command|file_path|path|notebook_path|url):/.exec(condition) ?? [];
  return key === undefined
    ? undefined
    : ['"if"', `"${key}:" is ignored in a rule`, 'write the value alone, such as Bash(git push *)'];
}

/** Split where a shell is; one name where there are `args`. */
function commandRemark(command: string, hasArgs: boolean): Remark | undefined {
  if (hasArgs)
    return /\s/.test(command.trim())
      ? ['"command"', 'beside "args" it is the name of one program, blanks included', 'put the arguments into "args"']
      : undefined;
  const bare = unquoted(command);
  const [, name] = /\$\{?(CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT))\}?/.exec(bare) ?? [];
  if (name !== undefined)
    return [`$${name}`, 'without quotes it falls apart where the path has a blank', `write "$${name}/…"`];
  const [, script] =
    /(?:^|[;&|(]\s*|\b(?:sh|bash|zsh|node|python3?|ruby|bun)\s+)((?:\.\.?\/|\.claude\/)[^\s;&|()]+)/.exec(bare) ?? [];
  return script === undefined
    ? undefined
    : [
        `the path ${script}`,
        'hooks run in the folder where the agent is at that time',
        `write "$CLAUDE_PROJECT_DIR/${script.replace(/^\.\//, '')}"`,
      ];
}

/** What stands outside of quotes. */
function unquoted(command: string): string {
  return command.replace(/'[^']*'|"(?:\\.|[^"\\])*"/gs, ' ');
}

/** Texts of answers that Claude Code does not read, as they stand in a script. */
const MISLAID: readonly (readonly [wrong: RegExp, unless: RegExp | undefined, remark: Remark])[] = [
  [
    /\\?["']?permissionDecision\\?["']?\s*:/,
    /hookSpecificOutput/,
    ['permissionDecision', 'it is read inside "hookSpecificOutput" alone', 'wrap it, with "hookEventName"'],
  ],
  [
    /\\?["']?hookSpecificOutput\\?["']?\s*:/,
    /hookEventName/,
    ['hookSpecificOutput', 'it is read with "hookEventName" alone', 'add "hookEventName"'],
  ],
  [
    /["']decision\\?["']\s*:\s*\\?["'](?:allow|deny|ask)\\?["']/,
    undefined,
    ['"decision"', 'it can be "block" or "approve"', 'write "permissionDecision", inside "hookSpecificOutput"'],
  ],
  [
    /permissionDecision\\?["']?\s*:\s*\\?["'](?:block|approve)\\?["']/,
    undefined,
    ['permissionDecision', 'it can be allow, deny, ask or defer', 'write "deny"'],
  ],
];
/** Variables that old examples read, and that Claude Code never sets. */
const UNSET = /\bCLAUDE_(?:TOOL_INPUT|TOOL_NAME|FILE_PATHS?|TOOL_OUTPUT|MODEL|NOTIFICATION|HOOK_EVENT)\b/;
/** What follows decides the exit code. */
const SWALLOWED = /(?:\|\||;|\n)\s*(?:true|:|exit\s+0)\s*;?\s*$/;

/** What the texts of a hook say that is not heard. */
export function advise({ hook, command }: WrittenHook, { texts, exitsWith2 }: Seen): readonly Advice[] {
  const all = texts.join('\n');
  const mislaid = MISLAID.filter(([wrong, unless]) =>
    texts.some((text) => wrong.test(text) && unless?.test(text) !== true),
  );
  const [variable] = UNSET.exec(all) ?? [];
  const remarks: Remark[] = [
    ...mislaid.slice(0, 1).map(([, , remark]) => remark),
    ...(variable === undefined
      ? []
      : [[`$${variable}`, 'Claude Code never sets it', 'the event comes on stdin, as JSON'] satisfies Remark]),
    ...(exitsWith2 && isSwallowed(command?.text ?? '')
      ? [['exit 2', 'what comes last decides the exit code', 'let the guard come last'] satisfies Remark]
      : []),
  ];
  const found = remarks.map(([what, why, hint]): Advice => ({ code: 'HK055', args: { what, why, hint } }));
  return [...found, ...exit2Advice(hook, all, exitsWith2)];
}

/** Its own `exit 2` ends the shell, that of a script does not. */
function isSwallowed(command: string): boolean {
  return SWALLOWED.test(command) && !/\bexit\s+2\b/.test(command);
}

/** An exit code that is only a failure there. */
function exit2Advice({ event }: Hook, text: string, exitsWith2: boolean): readonly Advice[] {
  const row = spec.rows.find((one) => one.canonical === event);
  const inVain = row !== undefined && OWN.get(row.native)?.exit2 === 'failure' && exitsWith2;
  return inVain && !/hookSpecificOutput/.test(text) ? [{ code: 'HK059', args: { event: row.native } }] : [];
}

function finding(doc: Doc, span: TreeSpan, [what, why, hint]: Remark): Finding {
  return { code: 'HK055', at: doc.place(span), args: { what, why, hint } };
}

function textOf(tree: Tree | undefined): string | undefined {
  return tree?.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : undefined;
}
