import { mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/make-folder';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hookctl-folder-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a folder', () => {
  it.each(['a', 'a/b/c', 'a//b/', 'a/../b'])('is made with all above it: %s', (path) => {
    makeFolder(`${root}/${path}`, 0o700);
    expect(statSync(`${root}/${path}`).isDirectory()).toBe(true);
    expect(statSync(`${root}/${path}`).mode & 0o777).toBe(0o700);
  });

  it('that is there already is left as it is, also behind a link', () => {
    makeFolder(`${root}/a`, 0o750);
    symlinkSync(`${root}/a`, `${root}/link`);
    for (const path of ['a', 'link', 'link/b', 'link/b']) makeFolder(`${root}/${path}`, 0o700);
    expect(statSync(`${root}/a`).mode & 0o777).toBe(0o750);
    expect(statSync(`${root}/a/b`).isDirectory()).toBe(true);
  });

  it.each<[what: string, path: string]>([
    ['below a file', 'file/a/b'],
    ['in the place of a file', 'file'],
    ['behind a link to nothing', 'nowhere/a'],
    ['in the place of a link to nothing', 'nowhere'],
    ['with a name that is too long', `a/${'x'.repeat(300)}/b`],
  ])('cannot be made %s', (_, path) => {
    writeFileSync(`${root}/file`, '');
    symlinkSync(`${root}/none`, `${root}/nowhere`);
    expect(() => makeFolder(`${root}/${path}`)).toThrow(/E[A-Z]+/);
  });

  it.skipIf(process.platform !== 'linux')('cannot be made in /proc, which is told at once', () => {
    expect(() => makeFolder('/proc/self/hookctl/a')).toThrow('ENOENT');
  });

  it('is told where nothing at all is there', () => {
    expect(() => makeFolder('')).toThrow('ENOENT');
  });
});
