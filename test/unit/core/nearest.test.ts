import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from '../../../src/core/nearest';
import { EVENT_NAMES } from '../dialects/sample';

const WORDS = {
  keys: ['name', 'description', 'matcher', 'command', 'wasm', 'onError', 'timeout', 'env', 'enabled'],
  events: EVENT_NAMES,
  policies: ['fail', 'warn', 'ignore'],
  actions: ['allow', 'deny'],
  nothing: [],
} as const satisfies Record<string, readonly string[]>;

describe('did you mean', () => {
  it.each<[string, keyof typeof WORDS, string | undefined]>([
    ['comand', 'keys', 'command'],
    ['commnad', 'keys', 'command'],
    ['commands', 'keys', 'command'],
    ['on_error', 'keys', 'onError'],
    ['onerror', 'keys', 'onError'],
    ['on-error', 'keys', 'onError'],
    ['matchr', 'keys', 'matcher'],
    ['time', 'keys', undefined],
    ['enable', 'keys', 'enabled'],
    ['evn', 'keys', 'env'],
    ['xyz', 'keys', undefined],
    ['args', 'keys', undefined],
    ['', 'keys', undefined],
    ['preToolcall', 'events', 'preToolCall'],
    ['PreToolUse', 'events', undefined],
    ['pre_tool_call', 'events', 'preToolCall'],
    ['postGenration', 'events', 'postGeneration'],
    ['fileSave', 'events', 'fileSaved'],
    ['sessionSart', 'events', 'sessionStart'],
    ['Fail', 'policies', 'fail'],
    ['fial', 'policies', 'fail'],
    ['warning', 'policies', undefined],
    ['den', 'actions', 'deny'],
    ['a', 'nothing', undefined],
  ])('%j among the %s: %j', (word, candidates, expected) => {
    expect(nearest(word, WORDS[candidates])).toBe(expected);
  });

  it('a word that is a candidate is that candidate', () => {
    fc.assert(
      fc.property(fc.constantFrom(...EVENT_NAMES), (name) => {
        expect(nearest(name, EVENT_NAMES)).toBe(name);
      }),
    );
  });

  it('one letter dropped from an event still finds it, or one as near', () => {
    fc.assert(
      fc.property(fc.constantFrom(...EVENT_NAMES), fc.nat(), (name, at) => {
        const index = at % name.length;
        expect(nearest(name.slice(0, index) + name.slice(index + 1), EVENT_NAMES)).toBe(name);
      }),
    );
  });

  it('a very long word means nothing, and costs nothing', () => {
    expect(nearest('command'.repeat(100_000), WORDS.keys)).toBeUndefined();
  });
});
