import { describe, expect, it } from 'vitest';
import type { Event, Hook, Test } from '../../../src/core/model';
import { plan, type Selection, searchesOf } from '../../../src/core/plan';
import { subjects } from '../../../src/dialects';
import { eventNamed, hookNamed } from '../dialects/sample';

const selection: Selection = {
  search: (pattern, text) => new RegExp(pattern, 'u').test(text),
  subjects,
  rule: (rule) => rule === 'yes' || { skipped: `the rule ${rule} does not hold` },
};

const regex = (...any: string[]): Test => ({ kind: 'regex', of: 'tool', any });
const TOGETHER = { start: 'together', sees: 'original', afterBlock: 'go on', decides: true } as const;

/** `label`, a `-` before it where the hook is not run; groups in brackets. */
function shown(hooks: readonly Hook[], event: Event): string {
  const { groups } = plan(hooks, event, selection);
  return groups
    .map(({ id, steps }) => `${id}[${steps.map(({ hook, matched }) => (matched ? '' : '-') + hook.label).join(' ')}]`)
    .join(' ');
}

function skippedOf(hook: Hook, event: Event): string | undefined {
  return plan([hook], event, selection).groups[0]?.steps[0]?.skipped;
}

const bash = eventNamed('preToolCall');
const translated = eventNamed('preToolCall', { tool: { name: 'execute_bash', canonical: 'bash', input: {} } });

describe('a plan', () => {
  it('holds the hooks of the event alone', () => {
    const hooks = [hookNamed('a'), hookNamed('b', { event: 'postToolCall' }), hookNamed('c')];
    expect(shown(hooks, bash)).toBe('mm[a c]');
  });

  it('is empty without hooks of the event', () => {
    expect(plan([hookNamed('a')], eventNamed('manual'), selection)).toEqual({ groups: [] });
  });

  it('keeps the order written, lower phases first', () => {
    const hooks = [hookNamed('late', { phase: 1 }), hookNamed('a'), hookNamed('later', { phase: 2 }), hookNamed('b')];
    expect(shown(hooks, bash)).toBe('mm[a b late later]');
  });

  it('makes a group of neighbours with one group id, whatever file they stand in', () => {
    const claude = { group: 'claude', order: TOGETHER };
    const hooks = [
      hookNamed('a'),
      hookNamed('b', claude),
      hookNamed('c', { ...claude, at: { file: 'other.json', line: 1, column: 1 } }),
      hookNamed('d'),
      hookNamed('e', claude),
    ];
    expect(shown(hooks, bash)).toBe('mm[a] claude[b c] mm[d] claude[e]');
  });

  it('gives each group the order of its hooks', () => {
    const { groups } = plan([hookNamed('a'), hookNamed('b', { group: 'x', order: TOGETHER })], bash, selection);
    expect(groups.map((group) => group.order)).toEqual([hookNamed('a').order, TOGETHER]);
  });

  it('lists what is skipped, and why', () => {
    const hooks = [hookNamed('a', { off: 'disabled' }), hookNamed('b', { tests: [regex('^read$')] }), hookNamed('c')];
    expect(shown(hooks, bash)).toBe('mm[-a -b c]');
  });
});

describe('why a hook is skipped', () => {
  it.each<[string, Partial<Hook>, string | undefined]>([
    ['it is off', { off: 'disabled' }, 'disabled'],
    ['its matcher misses', { tests: [regex('^read$')] }, 'the matcher ^read$ does not match bash'],
    ['its rule does not hold', { tests: [{ kind: 'rule', rule: 'Bash(ls)' }] }, 'the rule Bash(ls) does not hold'],
    ['off is said before the matcher', { off: 'disabled', tests: [regex('^read$')] }, 'disabled'],
    [
      'neither of its tests holds: the first says why',
      { tests: [{ kind: 'either', tests: [regex('^read$'), regex('^list$')] }] },
      'the matcher ^read$ does not match bash',
    ],
    ['it is not skipped', { tests: [regex('^bash$')] }, undefined],
  ])('%s', (_, more, why) => {
    expect(skippedOf(hookNamed('h', more), bash)).toBe(why);
  });
});

describe('what people should know of a skipped hook', () => {
  it('stands beside the reason', () => {
    const asking: Selection = {
      ...selection,
      rule: () => ({ skipped: 'nobody can be asked', warning: 'h is skipped' }),
    };
    const [group] = plan([hookNamed('h', { tests: [{ kind: 'rule', rule: 'confirm' }] })], bash, asking).groups;
    expect(group?.steps.map(({ matched, skipped, warning }) => ({ matched, skipped, warning }))).toEqual([
      { matched: false, skipped: 'nobody can be asked', warning: 'h is skipped' },
    ]);
  });
});

describe('the tests of a hook', () => {
  it.each<[string, readonly Test[], boolean]>([
    ['none: always', [], true],
    ['a pattern that is found in the name', [regex('as')], true],
    ['a pattern that is not', [regex('AS')], false],
    ['one of several patterns is enough', [regex('^read$', '^bash$')], true],
    ['all tests must hold', [regex('^bash$'), regex('^read$')], false],
    ['a "not" that hits', [{ kind: 'regex', of: 'tool', any: ['.'], not: ['^bash$'] }], false],
    ['a "not" that misses', [{ kind: 'regex', of: 'tool', any: ['.'], not: ['^read$'] }], true],
    ['a name', [{ kind: 'names', of: 'tool', any: ['read', 'bash'] }], true],
    ['a name is compared as a whole', [{ kind: 'names', of: 'tool', any: ['bas'] }], false],
    ['a rule that holds', [{ kind: 'rule', rule: 'yes' }], true],
    ['a rule that does not', [{ kind: 'rule', rule: 'no' }], false],
    ['a glob', [{ kind: 'glob', of: 'tool', any: ['ba*'] }], true],
    ['a glob that misses', [{ kind: 'glob', of: 'tool', any: ['re*'] }], false],
    [
      'either of two',
      [{ kind: 'either', tests: [regex('^read$'), { kind: 'names', of: 'tool', any: ['bash'] }] }],
      true,
    ],
    ['neither of two', [{ kind: 'either', tests: [regex('^read$'), { kind: 'rule', rule: 'no' }] }], false],
    ['either of none', [{ kind: 'either', tests: [] }], false],
    [
      'either, nested',
      [
        {
          kind: 'either',
          tests: [regex('^read$'), { kind: 'either', tests: [regex('^list$'), { kind: 'rule', rule: 'yes' }] }],
        },
      ],
      true,
    ],
    [
      'either of two is no excuse for a third that misses',
      [{ kind: 'either', tests: [regex('.')] }, regex('^read$')],
      false,
    ],
    ['of a path that the event does not have: in doubt it runs', [{ kind: 'names', of: 'path', any: ['x'] }], true],
  ])('%s', (_, tests, runs) => {
    expect(skippedOf(hookNamed('h', { tests }), bash) === undefined).toBe(runs);
  });

  it('of a tool hold on an event without one', () => {
    expect(skippedOf(hookNamed('h', { event: 'manual', tests: [regex('^bash$')] }), eventNamed('manual'))).toBe(
      undefined,
    );
  });

  it.each([
    ['^execute_bash$', true],
    ['^bash$', true],
    ['^shell$', false],
  ])('%s is tried on the name as sent and on the canonical name', (pattern, runs) => {
    expect(skippedOf(hookNamed('h', { tests: [regex(pattern)] }), translated) === undefined).toBe(runs);
  });

  it('of a path are tried on the path', () => {
    const saved = eventNamed('fileSaved', { file: { path: '/work/a.ts' } });
    const hook = hookNamed('h', { event: 'fileSaved', tests: [{ kind: 'regex', of: 'path', any: ['\\.ts$'] }] });
    expect(skippedOf(hook, saved)).toBe(undefined);
  });
});

describe('the patterns that planning searches', () => {
  it('are those of the hooks of the event, the excluding ones too', () => {
    const hooks = [
      hookNamed('a', { tests: [regex('one', 'two')] }),
      hookNamed('b', { tests: [{ kind: 'regex', of: 'tool', any: ['three'], not: ['four'] }] }),
      hookNamed('c', { tests: [{ kind: 'names', of: 'tool', any: ['five'] }] }),
      hookNamed('d', { event: 'manual', tests: [regex('six')] }),
      hookNamed('e', { tests: [{ kind: 'either', tests: [{ kind: 'rule', rule: 'r' }, regex('seven')] }] }),
    ];
    expect(searchesOf(hooks, bash, subjects).map(([pattern, text]) => `${pattern} ${text}`)).toEqual([
      'one bash',
      'two bash',
      'three bash',
      'four bash',
      'seven bash',
    ]);
  });
});
