import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cacheOf } from '../../src/cache';

const ENTRY = Buffer.from('an entry');
const OWNER = { build: 'b1', uid: process.getuid?.() };

let home = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'hookctl-cache-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const cache = (owner: Partial<typeof OWNER> = {}) => cacheOf({ HOME: home }, { ...OWNER, ...owner });
const folder = () => join(home, '.cache/hookctl');

describe('the cache folder', () => {
  it('gives back what was written, also what replaced it', () => {
    expect(cache().read('x')).toBeUndefined();
    cache().write('x', ENTRY);
    expect(cache().read('x')).toEqual(ENTRY);
    cache().write('x', Buffer.from('another'));
    expect(cache().read('x')?.toString()).toBe('another');
    expect(readdirSync(folder())).toEqual(['x']);
  });

  it('is nothing to another user, and of no other build', () => {
    cache().write('x', ENTRY);
    expect(cache({ uid: 12345 }).read('x')).toBeUndefined();
    expect(cache({ build: 'b2' }).read('x')).toBeUndefined();
    expect(cache({ build: 'b' }).read('x')).toBeUndefined();
  });

  it('nothing is written into a folder that is not the own private one', () => {
    cache().write('x', ENTRY);
    chmodSync(folder(), 0o770);
    cache().write('y', ENTRY);
    cache({ uid: 12345 }).write('z', ENTRY);
    expect(readdirSync(folder())).toEqual(['x']);
  });

  it('drops the oldest when there are many, also what a crash left', () => {
    cache().write('x', ENTRY);
    for (let n = 0; n < 200; n++) {
      writeFileSync(join(folder(), `old${n}.tmp`), '');
      utimesSync(join(folder(), `old${n}.tmp`), 1_000 + n, 1_000 + n);
    }
    cache().write('y', ENTRY);
    const left = readdirSync(folder());
    expect(left).toHaveLength(102);
    expect(left).toEqual(expect.arrayContaining(['x', 'y', 'old199.tmp']));
    expect(left).not.toContain('old0.tmp');
  });

  it('leaves folders in it alone, however old and many', () => {
    cache().write('x', ENTRY);
    mkdirSync(join(folder(), 'components'));
    utimesSync(join(folder(), 'components'), 1, 1);
    for (let n = 0; n < 250; n++) writeFileSync(join(folder(), `old${n}.tmp`), '');
    cache().write('y', ENTRY);
    expect(cache().read('y')).toEqual(ENTRY);
    expect(readdirSync(folder())).toContain('components');
    expect(readdirSync(folder()).length).toBeLessThan(200);
  });

  it('is not held up by what a process of the same number left', () => {
    cache().write('x', ENTRY);
    writeFileSync(join(folder(), `x.${process.pid}.tmp`), '');
    cache().write('x', Buffer.from('another'));
    expect(cache().read('x')?.toString()).toBe('another');
  });

  it('keeps no entry that would be read for long', () => {
    cache().write('x', Buffer.alloc(64 * 1024 * 1024));
    expect(existsSync(join(folder(), 'x'))).toBe(false);
  });

  it('stands in for files that the user can change alone', () => {
    const file = join(home, 'agent.yaml');
    writeFileSync(file, '');
    expect(cache().covers(file)).toBe(true);
    expect(cache().covers(join(home, 'none'))).toBe(false);
    chmodSync(file, 0o444);
    expect(cache().covers(file)).toBe(OWNER.uid === 0);
  });
});
