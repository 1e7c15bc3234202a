/**
 * `.kiro.hook` files: one hook a file, `when` something happens `then` something is done.
 */
import type { Finding } from '../../core/finding';
import type { Row, Test } from '../../core/model';
import { entryOf, type Tree, type TreeEntry, type TreeSpan } from '../../core/tree';
import {
  finding,
  globFindings,
  hookOf,
  isGroup,
  NOTHING_TOLD,
  needed,
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
import { CATEGORIES } from '../_shared/kiro-tools';
import type { ConfigRead, Doc } from '../dialect';
import { ORDER, ROWS, spec } from './spec';

const FILE_KEYS = ['name', 'version', 'description', 'enabled', 'when', 'then'];
/** Seen in files that the IDE wrote itself. */
const WILD_KEYS = ['workspaceFolderName', 'shortName', 'newSession', 'fileName'];
const THEN_KEYS = ['type', 'command', 'prompt', 'timeout', 'timeout_ms'];
const ACTIONS = ['runCommand', 'askAgent'];
const GUARDED = ['preToolCall', 'preGeneration', 'taskStart'];

/** `when` and `then`. */
export function claims(tree: Tree): boolean {
  return entryOf(tree, 'when') !== undefined && entryOf(tree, 'then') !== undefined;
}

export function readConfig(doc: Doc): ConfigRead {
  const [when, then] = ['when', 'then'].map((key) => entryOf(doc.tree, key));
  const type = entryOf(when?.value, 'type');
  const row = ROWS.find(({ native }) => native === text(type));
  const trigger =
    type === undefined || text(type) === undefined || row !== undefined
      ? []
      : [unknownTrigger(doc, type.value.span, text(type) ?? '', 'kiro-hook', ROWS)];
  const places = doc.file.endsWith('.kiro.hook')
    ? whyNotThere(doc)
    : 'a hook of this format is read from *.kiro.hook alone';
  const keys = [
    unknownKeys(doc, doc.tree, [...FILE_KEYS, ...WILD_KEYS], 'a .kiro.hook file'),
    { findings: trigger, advice: unloaded(doc, places) },
  ];
  if (row === undefined || then === undefined || when === undefined) return { ...EMPTY, ...toldAll(keys) };
  return readHook(doc, row, when.value, then.value, keys);
}

const EMPTY = { hooks: [], written: [], more: [], switches: {} };

function readHook(doc: Doc, row: Row, when: Tree, then: Tree, keys: readonly Told[]): ConfigRead {
  const action = readAction(doc, row, then);
  const patterns = readPatterns(doc, row, when);
  const tools = readToolTypes(doc, row, entryOf(when, 'toolTypes'));
  const isSet = entryOf(when, 'filePattern') !== undefined && scalar(entryOf(when, 'filePattern')) !== null;
  const known = ['type', 'patterns', 'toolTypes', ...(isSet ? [] : ['filePattern'])];
  const told = toldAll([...keys, action, patterns, tools, unknownKeys(doc, when, known, '"when"')]);
  const { launch } = action;
  if (launch === undefined) return { ...EMPTY, ...told };
  const off = scalar(entryOf(doc.tree, 'enabled')) === false ? 'disabled' : (patterns.off ?? tools.off);
  const hook = hookOf(doc, {
    room: 'kiro-hook',
    row,
    start: doc.tree.span.start,
    name: text(entryOf(doc.tree, 'name')),
    tests: [...patterns.tests, ...tools.tests],
    off,
    group: spec.id,
    order: ORDER,
    onFailure: GUARDED.includes(row.canonical) ? 'block' : 'warn',
    launch: { native: row.native, ...launch },
  });
  const written = [
    writtenHook(hook, doc.tree.span, undefined, launch.command === undefined ? undefined : entryOf(then, 'command')),
  ];
  return { ...EMPTY, hooks: [hook], written, ...told };
}

type Action = Told & {
  readonly launch?: { readonly command?: string; readonly prompt?: string; readonly ms: number | 'none' };
};

function readAction(doc: Doc, row: Row, then: Tree): Action {
  const type = entryOf(then, 'type');
  const said = text(type);
  const keys = unknownKeys(doc, then, THEN_KEYS, '"then"');
  if (type === undefined || said === undefined) return keys;
  if (!ACTIONS.includes(said))
    return toldAll([keys, { findings: [otherAction(doc, type.value.span, said)], advice: [] }]);
  const isCommand = said === 'runCommand';
  const what = needed(doc, then, isCommand ? 'command' : 'prompt', `a hook with "${said}"`);
  const limit = seconds(doc, entryOf(then, 'timeout'), spec.defaults.timeoutMs / 1_000);
  const stray = strayTimeout(doc, then, 'timeout_ms', '.kiro.hook files count in seconds', 'write "timeout"');
  const told = toldAll([
    keys,
    what,
    limit,
    {
      findings: [],
      advice: [
        ...stray,
        ...remarks(doc, row, entryOf(then, 'command'), then.span),
        ...actionAdvice(doc, row, then, isCommand),
      ],
    },
  ]);
  if (what.text === undefined) return told;
  return { ...told, launch: { ...(isCommand ? { command: what.text } : { prompt: what.text }), ms: limit.ms } };
}

function otherAction(doc: Doc, span: TreeSpan, type: string): Finding {
  const meant = type === 'command' ? 'runCommand' : type === 'agent' || type === 'prompt' ? 'askAgent' : undefined;
  const why = `"${type}" is no action of a .kiro.hook file`;
  return finding(doc, 'HK051', span, {
    why,
    hint: meant === undefined ? `write one of ${ACTIONS.join(', ')}` : `write "${meant}"`,
  });
}

function actionAdvice(doc: Doc, row: Row, then: Tree, isCommand: boolean): Finding[] {
  const [command, prompt] = [entryOf(then, 'command'), entryOf(then, 'prompt')];
  const place = (entry: TreeEntry) => entry.value.span;
  return [
    ...(!isCommand && command !== undefined
      ? [
          finding(
            doc,
            'HK006',
            command.keySpan,
            { key: 'command', where: 'a hook with "askAgent"', hint: 'it is not run' },
            'warning',
          ),
        ]
      : []),
    ...(!isCommand && row.canonical === 'postGeneration' && prompt !== undefined
      ? [finding(doc, 'HK060', place(prompt), {})]
      : []),
    ...[command, prompt].flatMap((entry) =>
      entry !== undefined && text(entry)?.includes('{{filePath}}')
        ? [
            finding(doc, 'HK055', place(entry), {
              what: '"{{filePath}}"',
              why: 'only files of version v1 have it',
              hint: 'use $KIRO_HOOK_FILE',
            }),
          ]
        : [],
    ),
  ];
}

type Filter = Told & { readonly tests: readonly Test[]; readonly off?: string };

const EVERY: Filter = { tests: [], ...NOTHING_TOLD };

/** Globs below the event's folder; a leading `!` excludes. */
function readPatterns(doc: Doc, row: Row, when: Tree): Filter {
  const entry = entryOf(when, 'patterns');
  const list = textsOf(entry);
  if (row.matches !== 'path') {
    const stray = entry === undefined || scalar(entry) === null ? [] : [strayKey(doc, entry, row)];
    return { ...EVERY, advice: stray };
  }
  if (list === undefined) {
    const why = 'without "patterns" the hook runs for every file';
    return {
      ...EVERY,
      advice: [
        finding(doc, 'HK055', entry?.value.span ?? when.span, {
          what: row.native,
          why,
          hint: 'write ["**/*.ts"] or the like',
        }),
      ],
    };
  }
  const findings = list.flatMap(({ said, span }) => globFindings(doc, span, said.replace(/^!/, ''), 'path'));
  const any = list.flatMap(({ said }) => (said.startsWith('!') ? [] : [said]));
  const not = list.flatMap(({ said }) => (said.startsWith('!') ? [said.slice(1)] : []));
  if (any.length === 0) return never(doc, row, entry, '"patterns"', 'they name no file', findings);
  return { tests: [{ kind: 'glob', of: 'place', any, not }], findings, advice: [] };
}

function strayKey(doc: Doc, { key, keySpan }: TreeEntry, row: Row): Finding {
  const hint = `${row.native} has nothing that it could be tried on`;
  return finding(doc, 'HK006', keySpan, { key, where: `a hook on ${row.native}`, hint }, 'warning');
}

function never(
  doc: Doc,
  row: Row,
  entry: TreeEntry | undefined,
  matcher: string,
  why: string,
  findings: readonly Finding[],
): Filter {
  const args = { matcher, why, hint: 'name one at least', event: row.canonical };
  return {
    tests: [],
    off: `${matcher} never match`,
    findings: [...findings, finding(doc, 'HK026', entry?.value.span ?? doc.tree.span, args, 'warning')],
    advice: [],
  };
}

/** Any entry that hits is enough. */
function readToolTypes(doc: Doc, row: Row, entry: TreeEntry | undefined): Filter {
  const list = textsOf(entry);
  if (row.matches !== 'tool') {
    const stray = entry === undefined || scalar(entry) === null ? [] : [strayKey(doc, entry, row)];
    return { ...EVERY, advice: stray };
  }
  if (list === undefined) {
    const why = 'without "toolTypes" the hook runs for every tool';
    return { ...EVERY, advice: [finding(doc, 'HK062', entry?.value.span ?? doc.tree.span, { why })] };
  }
  if (list.length === 0) return never(doc, row, entry, '"toolTypes"', 'they name no tool', []);
  const read = list.map(({ said, span }) => ({
    tests: testsOf(doc, said),
    ...toldAll([{ findings: patternFindings(doc, span, said), advice: toolAdvice(doc, span, said) }]),
  }));
  const tests = read.flatMap((one) => one.tests);
  const isEvery = list.some(({ said }) => said === '*');
  return { tests: isEvery ? [] : [{ kind: 'either', tests }], ...toldAll(read) };
}

const PREFIX = /^(@builtin|@mcp|@powers)(.+)$/s;

/** A group or category, a group with a pattern behind it, `@` as in agent files or a pattern, a name, a glob. */
function testsOf(doc: Doc, said: string): readonly Test[] {
  const names: Test = { kind: 'names', of: 'tool', any: spellings(said) };
  const groups: Test = { kind: 'names', of: 'value', any: [said] };
  if (isGroup(said) || CATEGORIES.includes(said)) return [names, groups];
  const [, group, rest] = PREFIX.exec(said) ?? [];
  if (group !== undefined && rest !== undefined) {
    const both: Test[] = [
      { kind: 'regex', of: 'tool', any: [rest] },
      { kind: 'names', of: 'value', any: [group] },
    ];
    return [names, { kind: 'all', tests: both }];
  }
  const glob: Test[] = /[*?]/.test(said) && isGlob(doc, said) ? [{ kind: 'glob', of: 'tool', any: [said] }] : [];
  if (!said.startsWith('@')) return [names, ...glob];
  const regex: Test[] = regexFault(doc, said) === undefined ? [{ kind: 'regex', of: 'tool', any: [said] }] : [];
  return [names, groups, ...glob, ...regex];
}

function isGlob(doc: Doc, said: string): boolean {
  return globFindings(doc, doc.tree.span, said, 'name').length === 0;
}

function patternFindings(doc: Doc, span: TreeSpan, said: string): readonly Finding[] {
  const [, , rest] = PREFIX.exec(said) ?? [];
  const fault = regexFault(doc, rest ?? said);
  const bad = (why: string, hint = '') => [finding(doc, 'HK011', span, { matcher: JSON.stringify(said), why, hint })];
  if (rest !== undefined) return fault === undefined ? [] : bad(fault.why, fault.hint);
  if (said.startsWith('@')) return fault === undefined || isGlob(doc, said) ? [] : bad(fault.why, fault.hint);
  return /[*?]/.test(said) ? globFindings(doc, span, said, 'name') : [];
}

function toolAdvice(doc: Doc, span: TreeSpan, said: string): readonly Finding[] {
  if (said.startsWith('@powers')) {
    return [
      finding(doc, 'HK062', span, { why: 'powers cannot be told apart from other MCP tools: all of them are meant' }),
    ];
  }
  return said === '*' ? [] : strangeTool(doc, span, said, 'kiro-hook');
}

type Written = { readonly said: string; readonly span: TreeSpan };

/** The texts of a list; undefined where there is none. */
function textsOf(entry: TreeEntry | undefined): readonly Written[] | undefined {
  if (entry?.value.kind !== 'list') return undefined;
  return entry.value.items.flatMap(({ value }) =>
    value.kind === 'scalar' && typeof value.value === 'string' ? [{ said: value.value, span: value.span }] : [],
  );
}
