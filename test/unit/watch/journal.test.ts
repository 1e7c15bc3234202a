import { describe, expect, it } from 'vitest';
import { Journal, Pace } from '../../../src/watch/journal';

const look = (state: string | undefined, contents = state) => ({ state, contents: () => contents });

describe('a path', () => {
  const changeOf = (before: string | undefined, after: string | undefined) => {
    const journal = new Journal(100);
    journal.learn('a', before);
    return journal.look('a', look(after), 0);
  };
  it.each([
    [undefined, '1', 'fileCreated'],
    ['1', '2', 'fileSaved'],
    ['1', undefined, 'fileDeleted'],
    ['1', '1', undefined],
    [undefined, undefined, undefined],
  ])('%s before, %s now: %s', (before, after, change) => {
    expect(changeOf(before, after)).toBe(change);
  });

  it('is told of once', () => {
    const journal = new Journal(100);
    expect([look('1'), look('1'), look('2'), look('2')].map((one) => journal.look('a', one, 0))).toEqual([
      'fileCreated',
      undefined,
      'fileSaved',
      undefined,
    ]);
  });
});

describe('rest', () => {
  it('comes when nothing happened for a while, in the order of the first touch', () => {
    const journal = new Journal(100);
    journal.touch('b', 0);
    journal.touch('a', 10);
    journal.touch('b', 50);
    expect(journal.wait(60)).toBe(50);
    expect(journal.settled(109)).toEqual([]);
    expect(journal.settled(110)).toEqual(['a']);
    expect(journal.settled(150)).toEqual(['b']);
    expect(journal.wait(150)).toBeUndefined();
  });

  it('is not waited for without end', () => {
    const journal = new Journal(100);
    for (let now = 0; now < 1_000; now += 50) journal.touch('log', now);
    expect(journal.settled(999)).toEqual([]);
    expect(journal.settled(1_000)).toEqual(['log']);
  });
});

describe('what a hook left', () => {
  const left = () => {
    const journal = new Journal(100);
    journal.learn('a', '1');
    journal.look('a', look('2'), 0);
    journal.leave('a', look('3', 'formatted'), 50);
    return journal;
  };
  it('is no change', () => {
    expect(left().look('a', look('3'), 60)).toBeUndefined();
  });
  it('is none either when it is written again for a while', () => {
    expect(left().look('a', look('4', 'formatted'), 150)).toBeUndefined();
  });
  it('is one with other contents, later, or gone', () => {
    expect(left().look('a', look('4', 'edited'), 150)).toBe('fileSaved');
    expect(left().look('a', look('4', 'formatted'), 251)).toBe('fileSaved');
    expect(left().look('a', look(undefined), 60)).toBe('fileDeleted');
  });
  it('may be nothing: the hook removed the file', () => {
    const journal = left();
    journal.leave('a', look(undefined), 60);
    expect(journal.look('a', look(undefined), 70)).toBeUndefined();
    expect(journal.size).toBe(0);
  });
});

describe('pace', () => {
  it('lets a hook run 8 times in 10 s, says once that it is paused, and lets it go on after a quiet time', () => {
    const pace = new Pace();
    const calls = Array.from({ length: 11 }, (_, index) => pace.call('h a', index * 100));
    expect(calls).toEqual([...Array(8).fill('go on'), 'paused now', 'paused', 'paused']);
    expect(pace.call('h b', 1_000)).toBe('go on');
    expect(pace.call('h a', 12_000)).toBe('go on');
  });
});
