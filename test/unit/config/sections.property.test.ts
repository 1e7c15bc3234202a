import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chosen } from '../../../src/config/choice';
import { indexOf } from '../../../src/config/sections';
import type { Event, Hook, Test } from '../../../src/core/model';
import { exactWords, parsePattern } from '../../../src/core/pattern';
import { plan, type Selection } from '../../../src/core/plan';
import { searchV8 } from '../../../src/core/search';
import { ROOM_IDS, subjects } from '../../../src/dialects';
import { eventNamed, hookNamed } from '../dialects/sample';

const NAMES = ['bash', 'Bash', 'read', 'mcp__git__status', '@git/status', 'fs_write', '__proto__', 'é😀', '\ud800', ''];
const PATTERNS = [
  ...[
    'bash',
    '^bash$',
    '^bash',
    'bash$',
    '^(bash|read)$',
    '^bash$|read',
    '^bash$|^read$',
    '^(?:bash|mcp__.*)$',
    '^[Bb]ash$',
  ],
  ...[
    '(?i)^bash$',
    '^$',
    '',
    '^(bash)?$',
    '^bash|read$',
    '^(^bash$)$',
    '^.$',
    '^mcp__git__status$',
    '^@git/status$',
    '^b{1}ash$',
  ],
  ...[
    '^\\x62ash$',
    '^é😀$',
    '^[é-ê]😀$',
    '^__proto__$',
    '^\\ufffd$',
    '^bash\\b$',
    '\\bbash$',
    '(^bash$)',
    '^ba(?:sh|)$',
    '^a^bash$',
  ],
];

const EXACT = [
  '^bash$',
  '^(bash|read)$',
  '^(?:Bash)$',
  '^bash$|^read$',
  '^[Bb]ash$',
  '^mcp__git__status$',
  '^\\ufffd$',
  '^write$',
  '^$',
];

const selection: Selection = {
  search(source, text) {
    const pattern = parsePattern(source);
    if (pattern.kind !== 'pattern') throw new Error(`${source}: ${pattern.why}`);
    return searchV8(pattern, text);
  },
  subjects,
  rule: (rule) => rule === 'yes' || { skipped: rule },
};

const texts = (of: readonly string[]) => fc.array(fc.constantFrom(...of), { minLength: 1, maxLength: 3 });
const simple: fc.Arbitrary<Test> = fc.oneof(
  fc.record({ kind: fc.constant('names' as const), of: fc.constant('tool' as const), any: texts(NAMES) }),
  fc.record({ kind: fc.constant('regex' as const), of: fc.constant('tool' as const), any: texts(PATTERNS) }),
  fc.record({
    kind: fc.constant('regex' as const),
    of: fc.constantFrom('tool' as const, 'path' as const),
    any: texts(PATTERNS),
    not: texts(PATTERNS),
  }),
  fc.record({
    kind: fc.constant('glob' as const),
    of: fc.constant('tool' as const),
    any: texts(['b*', 'bash', '@git/*']),
  }),
  fc.record({ kind: fc.constant('rule' as const), rule: fc.constantFrom('yes', 'no') }),
);
const anyTest: fc.Arbitrary<Test> = fc.oneof(
  { weight: 4, arbitrary: simple },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('regex' as const), of: fc.constant('tool' as const), any: texts(EXACT) }),
  },
  fc.record({ kind: fc.constantFrom('either' as const, 'all' as const), tests: fc.array(simple, { maxLength: 3 }) }),
);
const anyHook: fc.Arbitrary<Omit<Partial<Hook>, 'off'> & { readonly off: string | undefined }> = fc.record({
  tests: fc.array(anyTest, { maxLength: 3 }),
  author: fc.constantFrom(...ROOM_IDS.filter((id) => id !== 'exit')),
  group: fc.constantFrom('mm', 'mm', 'mm', 'mm', 'mm', 'claude'),
  phase: fc.constantFrom(0, 0, 0, 1),
  off: fc.option(fc.constant('it is switched off'), { nil: undefined, freq: 5 }),
});
const anyEvent: fc.Arbitrary<Event> = fc
  .record({
    name: fc.constantFrom(...NAMES),
    canonical: fc.option(fc.constantFrom('bash', 'write', 'read'), { nil: undefined }),
  })
  .map(({ name, canonical }) => {
    const event = eventNamed('preToolCall');
    return { ...event, tool: { name, ...(canonical === undefined ? {} : { canonical, kin: [canonical, 'edit'] }) } };
  });

function hooksOf(parts: readonly (Omit<Partial<Hook>, 'off'> & { readonly off: string | undefined })[]): Hook[] {
  const hooks = parts.map(({ off, ...more }, at) =>
    hookNamed(`h${at}`, { ...more, ...(off === undefined ? {} : { off }) }),
  );
  return hooks.toSorted((a, b) => a.phase - b.phase);
}

/** Groups with the hooks that run, and what people are told of the others. */
function shown(hooks: readonly Hook[], event: Event) {
  return plan(hooks, event, selection).groups.map(({ id, order, steps }) => ({
    id,
    order,
    runs: steps.filter(({ matched }) => matched).map(({ hook }) => hook.label),
    warned: steps.flatMap(({ warning }) => warning ?? []),
  }));
}

describe('the hooks that are looked at', () => {
  it('are all that the event may concern: the plan is the same as over all of them', () => {
    let left = 0;
    fc.assert(
      fc.property(fc.array(anyHook, { maxLength: 12 }), anyEvent, (parts, event) => {
        const hooks = hooksOf(parts);
        const index = JSON.parse(JSON.stringify(indexOf(hooks))) as ReturnType<typeof indexOf>;
        const kept = chosen(index, event, false).flatMap((at) => hooks[at] ?? []);
        left += hooks.length - kept.length;
        expect(shown(kept, event)).toEqual(shown(hooks, event));
      }),
      { numRuns: 8_000 },
    );
    expect(left).toBeGreaterThan(1_000);
  });

  it('are all of them where everything shall be shown, or the event has no tool', () => {
    const hooks = [hookNamed('a'), hookNamed('b', { tests: [{ kind: 'regex', of: 'tool', any: ['^read$'] }] })];
    const index = indexOf(hooks);
    expect(chosen(index, eventNamed('preToolCall'), true)).toEqual([0, 1]);
    expect(chosen(index, eventNamed('preToolCall'), false)).toEqual([0]);
    expect(chosen(index, eventNamed('manual'), false)).toEqual([0, 1]);
  });
});

describe('the words of a pattern', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['^bash$', ['bash']],
    ['^(bash|read)$', ['bash', 'read']],
    ['^bash$|^read$', ['bash', 'read']],
    ['^[Bb]ash$', ['Bash', 'bash']],
    ['(?i)^a1$', ['A1', 'a1']],
    ['^$', ['']],
    ['^ba(?:sh|)$', ['bash', 'ba']],
    ['bash', undefined],
    ['^bash', undefined],
    ['^bash|read$', undefined],
    ['^bash$|read', undefined],
    ['^bash\\b$', undefined],
    ['^b?ash$', undefined],
    ['^.$', undefined],
    ['^[a-z][a-z]$', undefined],
    ['(', undefined],
  ])('%j', (source, words) => {
    expect(exactWords(source)?.toSorted()).toEqual(words?.toSorted());
  });

  it('are every text that it matches', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      'A',
      '(a|b)',
      '[ab]',
      '[^a]',
      'a?',
      'a*',
      '(?:ab|)',
      '\\b',
      '^',
      '$',
      '\\x61',
      '.',
      'é',
      '😀',
      '|',
    );
    const source = fc
      .tuple(fc.constantFrom('', '(?i)'), fc.array(part, { maxLength: 5 }))
      .map(([fold, parts]) => `${fold}^${parts.join('')}$`);
    const text = fc
      .array(fc.constantFrom('a', 'b', 'A', 'B', 'é', '😀', '\n', ' '), { maxLength: 4 })
      .map((parts) => parts.join(''));
    let seen = 0;
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 5, maxLength: 20 }), (pattern, tried) => {
        const words = exactWords(pattern);
        if (words === undefined) return;
        seen += 1;
        for (const one of [...tried, ...words])
          expect([pattern, one, selection.search(pattern, one)]).toEqual([pattern, one, words.includes(one)]);
      }),
      { numRuns: 5_000 },
    );
    expect(seen).toBeGreaterThan(200);
  });
});
