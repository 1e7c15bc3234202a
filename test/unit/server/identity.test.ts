/**
 * Which action is which, after the file was edited by hand.
 */
import { describe, expect, it } from 'vitest';
import { type Content, identify, idOf, NO_STATE, readState, type State } from '../../../src/server/identity';

const THEN = '2026-03-20T10:00:00Z';
const NOW = '2026-03-21T10:00:00Z';
/** `a1 a2 b1`: events by letter, contents by the rest. */
const contents = (...words: string[]): Content[] =>
  words.map((word, at) => {
    const event = word[0] ?? '';
    return { event, digest: word, index: words.slice(0, at).filter((one) => one[0] === event).length };
  });
const first = identify(NO_STATE, contents('a1', 'a2', 'b1'), THEN);
const ids = (state: State) => state.hooks.map(({ id }) => id.replace('hook_', '')).join(' ');
const updated = (state: State) =>
  state.hooks.filter(({ updated_at }) => updated_at === NOW).map(({ id }) => id.replace('hook_', ''));

describe('identity', () => {
  it.each<[string, string[], string, string[]]>([
    ['nothing changed', ['a1', 'a2', 'b1'], '01 02 03', []],
    ['swapped', ['a2', 'a1', 'b1'], '02 01 03', []],
    ['the first removed', ['a2', 'b1'], '02 03', []],
    ['edited by hand', ['a9', 'a2', 'b1'], '01 02 03', ['01']],
    ['one inserted before', ['a0', 'a1', 'a2', 'b1'], '04 01 02 03', ['04']],
    ['moved to another event', ['a1', 'b1', 'b2'], '01 03 04', ['04']],
    ['doubled', ['a1', 'a1', 'a2', 'b1'], '01 04 02 03', ['04']],
    ['all gone', [], '', []],
  ])('%s', (_, words, expected, touched) => {
    const state = identify(first, contents(...words), NOW);
    expect([ids(state), updated(state)]).toEqual([expected, touched]);
  });

  it('never uses an id again', () => {
    const empty = identify(first, [], NOW);
    expect(ids(identify(empty, contents('a1'), NOW))).toBe('04');
    expect([idOf(9), idOf(99), idOf(100)]).toEqual(['hook_09', 'hook_99', 'hook_100']);
  });

  it.each([
    '',
    '{}',
    '{"version":2,"next":1,"hooks":[]}',
    '{"version":1,"next":0,"hooks":[]}',
    '{"version":1,"next":1,"hooks":[{"id":"x"}]}',
  ])('a state file %j is broken', (text) => {
    expect(readState(text)).toBeUndefined();
  });

  it('reads what it wrote', () => {
    expect(readState(JSON.stringify(first))).toEqual(first);
  });
});
