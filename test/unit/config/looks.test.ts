import { describe, expect, it } from 'vitest';
import { holds, watched } from '../../../src/config/looks';
import { diskOf, type Files } from './disk';

const BEFORE: Files = { '/w/a.yaml': 'abc', '/w/d/x': '1', '/w/secret': { why: 'permission denied' } };

/** What was seen of a disk, by every kind of question. */
function seen() {
  const { disk, looks } = watched(diskOf(BEFORE));
  for (const path of ['/w/a.yaml', '/w/d', '/w/none']) disk.kindOf(path);
  disk.list('/w/d');
  disk.read('/w/a.yaml');
  disk.read('/w/a.yaml');
  disk.read('/w/secret');
  return looks();
}

describe('what was seen of the disk', () => {
  it('is remembered once for each question', () => {
    expect(seen().map(({ ask, path }) => `${ask} ${path}`)).toEqual([
      'kindOf /w/a.yaml',
      'kindOf /w/d',
      'kindOf /w/none',
      'list /w/d',
      'read /w/a.yaml',
      'read /w/secret',
    ]);
  });

  it('is asked once: what changes meanwhile is not seen', () => {
    const files: Record<string, string> = { '/w/a.yaml': 'old', '/w/d/x': '1' };
    const { disk, looks } = watched(diskOf(files));
    const ask = () => [disk.read('/w/a.yaml'), disk.list('/w/d'), disk.kindOf('/w/none'), disk.isLink('/w/a.yaml')];
    const first = ask();
    Object.assign(files, { '/w/a.yaml': 'new', '/w/d/y': '2', '/w/none': '' });
    expect(ask()).toEqual(first);
    expect(looks().map((look) => look.answer)).toEqual(first);
    expect(looks().filter((look) => holds(look, diskOf(files)))).toHaveLength(1);
  });

  it.each<[what: string, after: Files, same: boolean]>([
    ['nothing changed', BEFORE, true],
    ['another file that nobody asked for', { ...BEFORE, '/w/b.yaml': '' }, true],
    ['another text of the same length', { ...BEFORE, '/w/a.yaml': 'abd' }, false],
    ['a longer text', { ...BEFORE, '/w/a.yaml': 'abcd' }, false],
    ['a file that was not there', { ...BEFORE, '/w/none': '' }, false],
    [
      'a file that became a folder',
      { '/w/a.yaml/x': '', '/w/d/x': '1', '/w/secret': { why: 'permission denied' } },
      false,
    ],
    ['one more in a folder', { ...BEFORE, '/w/d/y': '' }, false],
    ['a file that can be read now', { ...BEFORE, '/w/secret': 'x' }, false],
    ['a file that cannot be read for another reason', { ...BEFORE, '/w/secret': { why: 'it is a folder' } }, false],
    ['a file that cannot be read any more', { ...BEFORE, '/w/a.yaml': { why: 'permission denied' } }, false],
  ])('%s', (_, after, same) => {
    const disk = diskOf(after);
    const there = { ...disk, read: (path: string) => (path in after ? disk.read(path) : { why: 'gone' }) };
    expect(seen().every((look) => holds(look, there))).toBe(same);
  });
});
