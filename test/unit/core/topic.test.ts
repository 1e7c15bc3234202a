import { describe, expect, it } from 'vitest';
import { matchesTopic, patternFault } from '../../../src/core/topic';

describe('a pattern', () => {
  it.each(['prx.lifecycle.tool_call', 'prx.lifecycle.*', 'prx.*', '*', 'a-b_C9', `${'a'.repeat(256)}`])(
    '%s is one',
    (pattern) => {
      expect(patternFault(pattern)).toBeUndefined();
    },
  );

  it.each([
    '',
    '>',
    '**',
    'prx.>',
    'prx.*.x',
    '*.x',
    'prx..x',
    '.x',
    'x.',
    'a b',
    'a*',
    'é',
    `${'a'.repeat(257)}`,
    '.*',
  ])('%j is none', (pattern) => {
    expect(patternFault(pattern)).toEqual(expect.any(String));
  });

  it.each([
    ['*', 'anything', true],
    ['prx.*', 'prx.lifecycle.error', true],
    ['prx.*', 'prx', false],
    ['prx.*', 'prxx.y', false],
    ['prx.lifecycle.*', 'prx.lifecycle.error', true],
    ['prx.lifecycle.*', 'prx.other.error', false],
    ['prx.lifecycle.error', 'prx.lifecycle.error', true],
    ['prx.lifecycle.err', 'prx.lifecycle.error', false],
  ])('%s and %s: %s', (pattern, topic, expected) => {
    expect(matchesTopic(pattern, topic)).toBe(expected);
  });
});
