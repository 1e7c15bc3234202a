import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../../../src/core/model';
import { writeReply } from '../../../../src/dialects/exit/reply';

const verdict = (more: Partial<Verdict>): Verdict => ({ warnings: [], losses: [], ...more });

describe('the reply for who reads the exit code alone', () => {
  it.each<[string, Partial<Verdict>, number, string]>([
    ['no opinion', {}, 0, ''],
    ['a warning', { warnings: ['W'] }, 0, 'hookctl: warning: W\n'],
    ['what was displayed', { display: ['D'], warnings: ['W'] }, 0, 'D\nhookctl: warning: W\n'],
    ['a deny: the reason and nothing else', { action: 'deny', reason: 'R', warnings: ['W'], display: ['D'] }, 2, 'R\n'],
    ['a stop by its response', { action: 'stop', response: 'S' }, 2, 'S\n'],
    ['a block without a word', { action: 'deny' }, 2, 'blocked by a hook\n'],
    ["hookctl's own block", { action: 'deny', reason: 'hookctl: R', own: 'mend it' }, 2, 'mend it\n'],
    ["hookctl's own warning", { warnings: ['W'], own: 'mend it' }, 0, 'mend it\n'],
    ['an allow that got through all the same', { action: 'allow', reason: 'R' }, 0, ''],
  ])('%s', (_, said, exit, stderr) => {
    expect(writeReply(verdict(said), undefined)).toEqual({ stdout: '', stderr, exit });
  });
});
