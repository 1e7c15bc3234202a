import { describe, expect, it } from 'vitest';
import { type Option, parseOptions } from '../../../src/cli/options';

const TABLE: readonly Option[] = [
  { name: 'as', value: 'DIALECT', choices: ['auto', 'mm', 'exit'], help: '' },
  { name: 'event', value: 'NAME', help: '' },
  { name: 'trace', help: '' },
  { name: 'debug', help: '' },
];

function parsed(...argv: string[]) {
  const { values, switches, rest, problems } = parseOptions(argv, TABLE);
  return {
    ...Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1)])),
    switches: [...switches].join(' '),
    rest: rest.join(' '),
    problems,
  };
}

describe('a command line', () => {
  it.each<[string[], object]>([
    [[], {}],
    [['a.yaml', 'b.yaml'], { rest: 'a.yaml b.yaml' }],
    [['--as', 'mm', 'a.yaml'], { as: 'mm', rest: 'a.yaml' }],
    [['a.yaml', '--as=exit'], { as: 'exit', rest: 'a.yaml' }],
    [['--event', 'x=y'], { event: 'x=y' }],
    [['--event=x=y'], { event: 'x=y' }],
    [['--event', '-'], { event: '-' }],
    [['--event', '-x'], { event: '-x' }],
    [['--event=--trace'], { event: '--trace' }],
    [['--event=a', '--event=b'], { event: 'b' }],
    [['--trace', '--trace', 'a'], { switches: 'trace', rest: 'a' }],
    [['--trace', 'a', '--debug'], { switches: 'trace debug', rest: 'a' }],
    [['-'], { rest: '-' }],
    [[''], { rest: '' }],
    [['--', '--trace', '-x', '--'], { rest: '--trace -x --' }],
    [['--trace', '--', 'a'], { switches: 'trace', rest: 'a' }],
  ])('%j', (argv, expected) => {
    expect(parsed(...argv)).toEqual({ switches: '', rest: '', problems: [], ...expected });
  });

  it.each<[string[], string]>([
    [['--as'], '--as needs a value (DIALECT)'],
    [['--as', '--trace'], '--as needs a value (DIALECT)'],
    [['--as='], '--as needs a value (DIALECT)'],
    [['--as', ''], '--as needs a value (DIALECT)'],
    [['--as', 'exot'], '--as cannot be "exot"; did you mean "exit"? (allowed: auto, mm, exit)'],
    [['--as=claude'], '--as cannot be "claude" (allowed: auto, mm, exit)'],
    [['--trace=yes'], '--trace takes no value'],
    [['--trcae'], 'unknown option --trcae; did you mean "--trace"?'],
    [['--evnt=x'], 'unknown option --evnt; did you mean "--event"?'],
    [['-x'], 'unknown option -x'],
    [['-trace'], 'unknown option -trace; did you mean "--trace"?'],
    [['--quiet'], 'unknown option --quiet'],
    [['--toString'], 'unknown option --toString'],
  ])('%j is wrong', (argv, problem) => {
    expect(parsed(...argv).problems).toEqual([problem]);
  });

  it('is read on after a mistake, so that nothing known gets lost', () => {
    expect(parsed('--wrong', '--as', 'mm', '--as=no', '--trace', 'a.yaml')).toEqual({
      as: 'mm',
      switches: 'trace',
      rest: 'a.yaml',
      problems: ['unknown option --wrong', '--as cannot be "no" (allowed: auto, mm, exit)'],
    });
  });
});
