import { describe, expect, it } from 'vitest';
import { RUN_OPTIONS, readRunOptions } from '../../../src/cli/run-options';

const NOTHING = {
  configs: [],
  ownFailure: 'fail',
  cache: true,
  wait: false,
  trace: false,
  display: false,
  debug: false,
};

describe('the options of run', () => {
  it.each<[string[], object]>([
    [[], {}],
    [['a.yaml', 'b.yaml'], { configs: ['a.yaml', 'b.yaml'] }],
    [['--as', 'exit'], { as: 'exit' }],
    [['--as', 'auto'], {}],
    [['--event', 'preToolCall'], { event: 'preToolCall' }],
    [['--deadline', '25s'], { deadline: 25_000 }],
    [['--own-failure', 'warn'], { ownFailure: 'warn' }],
    [['--own-failure', 'fail'], {}],
    [['--trace', '--display', '--debug'], { trace: true, display: true, debug: true }],
    [['--no-cache'], { cache: false }],
    [['--color', 'never'], {}],
  ])('%j', (argv, expected) => {
    expect(readRunOptions(argv)).toEqual({ options: { ...NOTHING, ...expected }, problems: [] });
  });

  it.each<[string[], string]>([
    [
      ['--deadline', '25'],
      '--deadline 25: a duration is a number with the unit ms, s or m; did you mean 25ms, 25s, 25m?',
    ],
    [['--deadline', '0s'], '--deadline 0s: a duration is longer than zero'],
    [['--deadline=25h'], '--deadline 25h: a duration is a number with the unit ms, s or m'],
    [['--own-failure', 'wran'], '--own-failure cannot be "wran"; did you mean "warn"? (allowed: fail, warn)'],
    [['--color', 'sometimes'], '--color cannot be "sometimes" (allowed: auto, always, never)'],
    [['-'], 'stdin is the event; a config cannot come from there too'],
    [['--dealine', '5s'], 'unknown option --dealine; did you mean "--deadline"?'],
  ])('%j is wrong', (argv, problem) => {
    expect(readRunOptions(argv).problems).toEqual([problem]);
  });

  it.each<[string[], string]>([
    [['--own-failure', 'wran'], 'fail'],
    [['--own-failure'], 'fail'],
    [['--own-failure', 'warn', '--wrong'], 'warn'],
    [['--wrong', '--own-failure=warn'], 'warn'],
  ])('%j: hookctl failing is "%s"', (argv, mode) => {
    expect(readRunOptions(argv).options.ownFailure).toBe(mode);
  });

  it('keep a deadline that was read where another one is wrong', () => {
    expect(readRunOptions(['--deadline', '5s', '--as', 'nobody']).options.deadline).toBe(5_000);
  });

  it.each(RUN_OPTIONS.map((option) => [option.name, option.help] as const))('--%s has a help', (_, help) => {
    expect(help).not.toBe('');
  });
});
