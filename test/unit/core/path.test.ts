import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folderOf, nameOf, resolvePath, shownFrom } from '../../../src/core/path';

const path = fc
  .array(fc.constantFrom('a', 'b', '.', '..', '', ' ', 'x.y', '...'), { maxLength: 6 })
  .map((parts) => parts.join('/'));

describe('a path', () => {
  it.each([
    ['/work', 'a.yaml', '/work/a.yaml'],
    ['/work', '/etc/a', '/etc/a'],
    ['/work', '../a', '/a'],
    ['/work', '../../../a', '/a'],
    ['/work', './/x/./y/', '/work/x/y'],
    ['/work', '', '/work'],
    ['/work', 'link/../a', '/work/link/../a'],
    ['/work', '../link/./../a', '/link/../a'],
    ['/work', '/link/../a', '/link/../a'],
    ['/', 'a', '/a'],
  ])('%s and %s name %s', (folder, written, expected) => {
    expect(resolvePath(folder, written)).toBe(expected);
  });

  it('names what node resolves where no name is a link', () => {
    fc.assert(
      fc.property(path, path, (folder, written) => {
        const real = posix.resolve(`/${folder}`);
        expect(posix.resolve(resolvePath(real, written))).toBe(posix.resolve(real, written));
      }),
    );
  });

  it.each([
    ['/work/a.yaml', '/work', 'a.yaml'],
    ['/a', '/', 'a'],
    ['/', '/', ''],
    ['/a/b/', '/a/b', ''],
  ])('%s lies in %s and is called %j', (absolute, folder, name) => {
    expect([folderOf(absolute), nameOf(absolute)]).toEqual([folder, name]);
  });

  it.each([
    ['/work', '/work/sub/a.yaml', 'sub/a.yaml'],
    ['/work', '/worker/a.yaml', '/worker/a.yaml'],
    ['/work', '/other', '/other'],
    ['/work', '/work', '.'],
    ['/', '/a/b', 'a/b'],
    ['/', '/', '.'],
  ])('from %s: %s is shown as %s', (folder, absolute, expected) => {
    expect(shownFrom(folder, absolute)).toBe(expected);
  });

  it('as shown names the same file', () => {
    fc.assert(
      fc.property(path, path, (folder, written) => {
        const [from, absolute] = [posix.resolve(`/${folder}`), resolvePath('/', written)];
        // What stands in `from` is no link: a name of it with `..` behind it may go.
        expect(posix.resolve(resolvePath(from, shownFrom(from, absolute)))).toBe(posix.resolve(absolute));
      }),
    );
  });
});
