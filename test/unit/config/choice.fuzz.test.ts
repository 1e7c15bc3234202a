/**
 * The index of hooks by tool may leave out only hooks that would have been skipped, and of which nobody is told.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Configs } from '../../../src/cli/configs';
import { selectionFor } from '../../../src/cli/doors';
import { chosen } from '../../../src/config/choice';
import { decodeEntry, encodeEntry, type Section } from '../../../src/config/prepared';
import { indexOf } from '../../../src/config/sections';
import type { Event, Hook, Plan, Subject, Test } from '../../../src/core/model';
import { compilesAsJs, parsePattern } from '../../../src/core/pattern';
import { plan, type Selection } from '../../../src/core/plan';
import { CANONICAL_TOOLS } from '../../../src/core/tools';
import { ROOMS } from '../../../src/dialects';
import { realIo } from '../../../src/io';
import { diskOf } from './disk';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 1_000);
const EVENT = 'preToolCall';
const AUTHORS = ROOMS.filter(({ author }) => author !== undefined).map(({ spec }) => spec.id);

/** Names as agents send them, as hookctl calls them, as nobody does. */
const OWN_NAMES = ROOMS.flatMap(({ spec }) => Object.values(spec.tools).flat());
const ODD_NAMES = [
  '',
  'bash\n',
  'BASH',
  'a.b',
  '😀',
  '\ud83d',
  'x\ude00',
  '\ufffd',
  'x\ufffd',
  '__proto__',
  'constructor',
];
const MORE_NAMES = ['mcp__server__tool', '@server/tool', '0', '7', ...ODD_NAMES];
const name = fc.oneof(
  fc.constantFrom('bash', 'edit', 'Bash', 'Agent', 'Task'),
  fc.constantFrom(...CANONICAL_TOOLS),
  fc.constantFrom(...OWN_NAMES),
  fc.constantFrom(...MORE_NAMES),
);

const escaped = (word: string) =>
  word.replace(/[\\^$.*+?()[\]{}|/\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`));
/** Those that are lists of words, and those that look like it. */
const SHAPES: readonly ((words: readonly string[]) => string)[] = [
  (words) => `^(${words.join('|')})$`,
  (words) => `^(?:${words.join('|')})$`,
  (words) => words.map((word) => `^${word}$`).join('|'),
  (words) => `(?i)^(${words.join('|')})$`,
  (words) => `^${words.join('|')}$`,
  (words) => `^(${words.join('|')}|)$`,
  (words) => `^(${words.join('$|')})$`,
  (words) => words.join('|'),
  (words) => `^${words[0]}`,
  (words) => `${words[0]}$`,
  (words) => `^${words[0]}.?$`,
  (words) => `^\\b${words[0]}$`,
  (words) => `^[${words.join('')}]$`,
  (words) => `^(${words.join('|')})(?=$)`,
  (words) => `^(${words.join('|')}`,
  () => '^[a-z]{4}$',
  () => '^[\\s\\S]$',
  () => '^$',
];
const regex = fc
  .tuple(fc.constantFrom(...SHAPES), fc.array(name, { minLength: 1, maxLength: 3 }))
  .map(([shape, words]) => shape(words.map(escaped)))
  // Rooms refuse any other.
  .filter((pattern) => parsePattern(pattern).kind === 'pattern' || compilesAsJs(pattern));

const of = fc.constantFrom(
  'tool' as const,
  'tool' as const,
  'tool' as const,
  'path' as const,
  'place' as const,
  'value' as const,
);
const test: fc.Arbitrary<Test> = fc.letrec<{ test: Test; worded: Test }>((tie) => ({
  worded: fc.oneof(
    worded('names', name),
    worded('regex', regex),
    worded('glob', fc.constantFrom('*', 'b*', 'ba?h', '{bash,edit}', '@server/*')),
  ),
  test: fc.oneof(
    { maxDepth: 2 },
    { weight: 6, arbitrary: tie('worded') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('yes', 'no', 'no, and says so').map((rule): Test => ({ kind: 'rule', rule })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('either' as const, 'all' as const), fc.array(tie('test'), { maxLength: 3 }))
        .map(([kind, tests]): Test => ({ kind, tests })),
    },
  ),
})).test;

function worded(
  kind: 'names' | 'regex' | 'glob',
  pattern: fc.Arbitrary<string>,
  subjects: fc.Arbitrary<Subject> = of,
): fc.Arbitrary<Test> {
  const some = fc.array(pattern, { maxLength: 3 });
  return fc
    .tuple(subjects, some, fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: some }))
    .map(([subject, any, not]) => ({
      kind,
      of: subject,
      any,
      ...(not === undefined ? {} : { not }),
    }));
}

/** What most hooks have. */
const byTool = fc.oneof(worded('names', name, fc.constant('tool')), worded('regex', regex, fc.constant('tool')));

const ORDER = { start: 'in turn', sees: 'rewritten', afterBlock: 'end', decides: true } as const;
const NOTHING: Hook = {
  author: 'mm',
  event: EVENT,
  tests: [],
  group: 'a',
  phase: 0,
  at: { file: 'a.yaml', line: 1, column: 1 },
  label: 'a hook',
  order: ORDER,
  onFailure: 'warn',
  root: '/work',
  written: { text: '{}' },
};
const hook: fc.Arbitrary<Hook> = fc
  .record({
    author: fc.constantFrom(...AUTHORS),
    event: fc.constantFrom(EVENT, EVENT, EVENT, EVENT, 'manual'),
    tests: fc.oneof(
      { weight: 3, arbitrary: fc.tuple(byTool, fc.array(test, { maxLength: 1 })).map(([one, more]) => [one, ...more]) },
      { weight: 1, arbitrary: fc.array(test, { maxLength: 3 }) },
    ),
    off: fc.constantFrom(...Array<undefined>(7), 'it is off'),
    group: fc.constantFrom('a', 'a', 'a', 'a', 'a', 'b'),
    decides: fc.boolean(),
    phase: fc.constantFrom(0, 0, 0, 0, 1, -1),
  })
  .map(({ off, decides, ...others }) => ({
    ...NOTHING,
    ...others,
    ...(off === undefined ? {} : { off }),
    order: { ...ORDER, decides },
  }));
/** Their labels tell them apart. */
const hooks = fc
  .array(hook, { maxLength: 12, size: 'max' })
  .map((list) => list.map((one, at): Hook => ({ ...one, label: `hook ${at}` })));

const tool = fc
  .record(
    { name, canonical: fc.constantFrom(...CANONICAL_TOOLS), kin: fc.array(name, { maxLength: 2 }) },
    { requiredKeys: ['name'] },
  )
  .map((one): NonNullable<Event['tool']> => one);
const event: fc.Arbitrary<Event> = fc
  .record({
    tool: fc.option(tool, { nil: undefined, freq: 8 }),
    file: fc.option(fc.constantFrom('/work/bash', '/elsewhere/edit'), { nil: undefined }),
    room: fc.constantFrom(...ROOMS.map(({ spec }) => spec.id)),
  })
  .map(({ tool: called, file, room }) => ({
    name: EVENT,
    cwd: '/work',
    rest: [],
    from: { room, event: EVENT },
    ...(called === undefined ? {} : { tool: called }),
    ...(file === undefined ? {} : { file: { path: file } }),
  }));

/** Rules that hold, do not, and do not with a word to people. */
const rule: Selection['rule'] = (said) => {
  if (said === 'yes') return true;
  return said === 'no' ? { skipped: said } : { skipped: said, warning: said };
};

/** The hooks as the cache gives them back. */
function kept(own: readonly Hook[]): Section {
  const section: Section = { index: indexOf(own), at: (at) => ({ hook: own[at] ?? none(), patterns: [] }) };
  const prepared = { switches: {}, warnings: [], unstarted: [], events: [EVENT], section: () => section };
  const asked = { names: ['a.yaml'], cwd: '/work' };
  const entry = encodeEntry(asked, { prepared, looks: [] }) ?? none();
  return decodeEntry(asked, entry)?.prepared.section(EVENT) ?? none();
}

function none(): never {
  throw new Error('it is not there');
}

/** Who runs, in which groups and order, and what people are told of those who do not. */
function seen({ groups }: Plan) {
  return groups.map(({ id, order, steps }) => ({
    id,
    order,
    run: steps.filter(({ matched }) => matched).map(({ hook: one }) => one.label),
    told: steps.flatMap(({ hook: one, warning }) => (warning === undefined ? [] : [`${one.label}: ${warning}`])),
  }));
}

describe('hooks chosen by the name of the tool', () => {
  it('are all that the plan of all hooks runs or speaks of', async () => {
    let left = 0;
    let run = 0;
    const property = fc.asyncProperty(hooks, event, async (all, at) => {
      const selection = { ...(await selectionFor(all, at)), rule };
      const own = all.filter((one) => one.event === EVENT).toSorted((a, b) => a.phase - b.phase);
      const section = kept(own);
      const numbers = chosen(section.index, at, false);
      const whole = plan(all, at, selection);
      const part = plan(
        numbers.map((number) => section.at(number).hook),
        at,
        selection,
      );
      expect(seen(part)).toEqual(seen(whole));
      left += own.length - numbers.length;
      run += seen(whole).flatMap((group) => group.run).length;
    });
    await fc.assert(property, { numRuns: RUNS });
    expect(left).toBeGreaterThan(RUNS / 2);
    expect(run).toBeGreaterThan(RUNS / 2);
  });

  it.each<[what: string, tool: NonNullable<Event['tool']>, first: Test, selected: boolean]>([
    ['a name', { name: 'bash' }, { kind: 'names', of: 'tool', any: ['edit', 'bash'] }, true],
    ['another name', { name: 'bashful' }, { kind: 'names', of: 'tool', any: ['bash'] }, false],
    ['the canonical name', { name: 'Bash', canonical: 'bash' }, { kind: 'regex', of: 'tool', any: ['^bash$'] }, true],
    ['one of several names', { name: 'x', kin: ['edit'] }, { kind: 'regex', of: 'tool', any: ['^edit$'] }, true],
    ['half a surrogate pair', { name: 'x\ude00' }, { kind: 'regex', of: 'tool', any: ['^x\ufffd$'] }, true],
    ['half a pair as a name', { name: 'x\ude00' }, { kind: 'names', of: 'tool', any: ['x\ude00'] }, true],
    ['a name that objects have', { name: 'constructor' }, { kind: 'names', of: 'tool', any: ['x'] }, false],
    ['such a name, meant', { name: '__proto__' }, { kind: 'names', of: 'tool', any: ['__proto__'] }, true],
    ['no name at all', { name: 'bash' }, { kind: 'regex', of: 'tool', any: [] }, false],
    ['a pattern of many', { name: 'x' }, { kind: 'regex', of: 'tool', any: ['^[a-z][a-z]$'] }, true],
    ['a glob', { name: 'x' }, { kind: 'glob', of: 'tool', any: ['bash'] }, true],
    ['a rule', { name: 'x' }, { kind: 'rule', rule: 'no' }, true],
  ])('%s', (_, called, first, selected) => {
    const one: Hook = { ...NOTHING, tests: [] };
    const section = kept([one, { ...NOTHING, tests: [first] }]);
    const at = { name: EVENT, cwd: '/work', rest: [], from: { room: 'mm', event: EVENT }, tool: called };
    expect(chosen(section.index, at, false)).toEqual(selected ? [0, 1] : [0]);
  });

  it('are all hooks, where all are wanted', () => {
    fc.assert(
      fc.property(hooks, event, (all, at) => chosen(indexOf(all), at, true).join() === [...all.keys()].join()),
      { numRuns: 100 },
    );
  });
});

describe('hooks of real configs, chosen by the name of the tool', () => {
  /** A config of each room that has matchers for tools. */
  const CONFIGS: Readonly<Record<string, (matchers: readonly string[]) => unknown>> = {
    'agent.json': (matchers) => ({ hooks: { [EVENT]: matchers.map((matcher) => ({ matcher, command: 'x' })) } }),
    '.claude/settings.json': (matchers) => ({
      hooks: { PreToolUse: matchers.map((matcher) => ({ matcher, hooks: [{ type: 'command', command: 'x' }] })) },
    }),
    '.kiro/agents/a.json': (matchers) => ({
      name: 'a',
      hooks: { preToolUse: matchers.map((matcher) => ({ matcher, command: 'x' })) },
    }),
    '.kiro/hooks/a.json': (matchers) => ({
      version: 'v1',
      hooks: matchers.map((matcher, at) => ({
        name: `hook ${at}`,
        trigger: 'PreToolUse',
        matcher,
        action: { type: 'command', command: 'x' },
      })),
    }),
  };
  const matcher = fc.oneof(
    name.filter((one) => one !== ''),
    fc.tuple(name, name).map((names) => names.join('|')),
    regex,
    fc.constant('*'),
  );
  const files = fc
    .tuple(...Object.keys(CONFIGS).map((file) => fc.tuple(fc.constant(file), fc.array(matcher, { maxLength: 4 }))))
    .map((all) => all.filter(([, matchers]) => matchers.length > 0));

  it('are all that run', async () => {
    let [left, used] = [0, 0];
    const property = fc.asyncProperty(files, event, async (written, at) => {
      const texts = written.map(([file, matchers]) => [`/work/${file}`, JSON.stringify(CONFIGS[file]?.(matchers))]);
      const cache = new Map<string, Uint8Array>();
      const io = {
        ...realIo(),
        cwd: '/work',
        disk: diskOf(Object.fromEntries(texts)),
        cache: {
          read: (key: string) => cache.get(key),
          write: (key: string, entry: Uint8Array) => cache.set(key, entry),
          covers: () => true,
        },
      };
      const said = async (all: boolean) => {
        const configs = await new Configs(
          written.map(([file]) => file),
          io,
          true,
        ).for(at, all);
        return 'why' in configs ? undefined : configs;
      };
      const all = await said(true);
      const some = await said(false);
      if (all === undefined || some === undefined) return;
      const planned = async ({ hooks: own, patterns }: typeof all) =>
        seen(plan(own, at, await selectionFor(own, at, patterns)));
      expect(await planned(some)).toEqual(await planned(all));
      left += all.hooks.length - some.hooks.length;
      used += 1;
    });
    await fc.assert(property, { numRuns: RUNS / 2 });
    expect(left).toBeGreaterThan(RUNS / 10);
    expect(used).toBeGreaterThan(RUNS / 10);
  });
});
