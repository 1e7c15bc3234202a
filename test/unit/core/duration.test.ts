import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration, showDuration } from '../../../src/core/duration';

const UNIT = 'a duration is a number with the unit ms, s or m';
const ZERO = 'a duration is longer than zero';
const LONG = 'a duration is at most 24 hours';

describe('a duration', () => {
  it.each([
    ['5s', 5_000],
    ['500ms', 500],
    ['2m', 120_000],
    ['1.5s', 1_500],
    ['0.5m', 30_000],
    ['0.25ms', 0.25],
    ['.5s', 500],
    ['007s', 7_000],
    [' 5s ', 5_000],
    ['1440m', 86_400_000],
    ['86400s', 86_400_000],
    ['86400000ms', 86_400_000],
  ])('%j is %d ms', (written, ms) => {
    expect(parseDuration(written)).toEqual({ kind: 'ms', ms });
  });

  it.each<[string, string, string[]]>([
    ['5', UNIT, ['5ms', '5s', '5m']],
    ['1.5', UNIT, ['1.5ms', '1.5s', '1.5m']],
    ['0', UNIT, []],
    ['0s', ZERO, []],
    ['0.0ms', ZERO, []],
    ['1h', UNIT, ['60m']],
    ['24 hours', UNIT, ['1440m']],
    ['25h', UNIT, []],
    ['30sec', UNIT, ['30s']],
    ['30 seconds', UNIT, ['30s']],
    ['2 min', UNIT, ['2m']],
    ['2minutes', UNIT, ['2m']],
    ['100 millis', UNIT, ['100ms']],
    ['1440.1m', LONG, []],
    ['86401s', LONG, []],
    ['99999999999999999999s', LONG, []],
    ['-5s', UNIT, []],
    ['+5s', UNIT, []],
    ['5.s', UNIT, []],
    ['1e3ms', UNIT, []],
    ['5s5s', UNIT, []],
    ['1m30s', UNIT, []],
    ['٥s', UNIT, []],
    ['Infinity', UNIT, []],
    ['NaN', UNIT, []],
    ['null', UNIT, []],
    ['s', UNIT, []],
    ['', UNIT, []],
  ])('%j is none: %s; it may mean %j', (written, why, readings) => {
    expect(parseDuration(written)).toEqual({ kind: 'no duration', why, readings });
  });

  it.each([['5S'], ['5 s'], ['5 ms'], ['2M'], ['5d']])('%j is none', (written) => {
    expect(parseDuration(written).kind).toBe('no duration');
  });

  it('is positive, and its readings can be read', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc
            .tuple(fc.double({ min: 0 }), fc.constantFrom('', 's', 'ms', 'm', 'h', ' sec'))
            .map((parts) => parts.join('')),
        ),
        (written) => {
          const read = parseDuration(written);
          if (read.kind === 'ms') expect(read.ms).toBeGreaterThan(0);
          else for (const reading of read.readings) expect(reading).toMatch(/^[\d.]+(ms|s|m)$/);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('a duration as people write it', () => {
  it.each([
    [300, '300ms'],
    [5_000, '5s'],
    [1_500, '1.5s'],
    [1_234, '1234ms'],
    [60_000, '1m'],
    [90_000, '90s'],
    [86_400_000, '1440m'],
  ])('%d is %s', (ms, expected) => {
    expect(showDuration(ms)).toBe(expected);
  });

  it('means what it shows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 86_400_000 }), (ms) => {
        expect(parseDuration(showDuration(ms))).toEqual({ kind: 'ms', ms });
      }),
    );
  });
});
