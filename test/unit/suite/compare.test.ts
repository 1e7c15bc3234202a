import { describe, expect, it } from 'vitest';
import { matchesText, mismatches } from '../../../src/suite/compare';
import type { Data, Observed } from '../../../src/suite/model';

const OBSERVED: Observed = {
  action: 'deny',
  reason: 'no force-push',
  input: { a: 1, b: { c: [1, 2], d: 'x' } },
  warnings: ['one failed: exit 1', 'two'],
  exit: 2,
  reply: { action: 'deny', source: { hook: 'guard', kind: 'decision' } },
  ran: ['a', 'b'],
  skipped: [],
  failed: [],
};

describe('an expectation', () => {
  it.each<[string, Data]>([
    ['action', 'deny'],
    ['reason', 'no force-push'],
    ['reason', '/FORCE/i'],
    ['response', null],
    ['context', null],
    ['input', { b: { d: 'x', c: [1, 2] }, a: 1 }],
    ['input', { contains: { b: { d: '/^x$/' } } }],
    ['input', { contains: {} }],
    ['warnings', ['/exit 1/', 'two']],
    ['exit', 2],
    ['reply', { source: { hook: 'guard' } }],
    ['ran', ['a', 'b']],
    ['skipped', []],
  ])('%s: %j holds', (what, expected) => {
    expect(mismatches({ [what]: expected }, OBSERVED)).toEqual([]);
  });

  it.each<[string, Data]>([
    ['action', 'none'],
    ['reason', 'no force'],
    ['reason', '/FORCE/'],
    ['reason', null],
    ['response', '/.*/'],
    ['response', ''],
    ['input', null],
    ['input', { a: 1 }],
    ['input', { a: 1, b: { c: [2, 1], d: 'x' } }],
    ['input', { contains: { b: { c: [1] } } }],
    ['input', { contains: { toString: 'x' } }],
    ['input', { contains: { z: null } }],
    ['warnings', ['/exit 1/']],
    ['warnings', ['two', '/exit 1/']],
    ['warnings', []],
    ['exit', 0],
    ['exit', '2'],
    ['reply', { source: { hook: 'guard', other: 1 } }],
    ['ran', ['b', 'a']],
    ['ran', ['a']],
    ['skipped', ['a']],
    ['unheard', 1],
  ])('%s: %j does not hold', (what, expected) => {
    expect(mismatches({ [what]: expected }, OBSERVED).map((one) => one.what)).toEqual([what]);
  });

  it.each([
    ['/a/', 'cab', true],
    ['/a', 'a', false],
    ['/a', '/a', true],
    ['/a/g', '/a/g', true],
    ['//', '//', true],
    ['/^a.b$/s', 'a\nb', true],
  ])('the text %s and %j', (expected, actual, holds) => {
    expect(matchesText(expected, actual)).toBe(holds);
  });
});
