import { describe, expect, it } from 'vitest';
import { ignoreRules } from '../../../src/engines/gitignore';
import { Ignored } from '../../../src/watch/ignored';

const FILES: Record<string, string> = {
  '/w/.gitignore': 'node_modules/\n*.log\n!keep.log\n/dist\nbuild/*\n!build/kept.js\n',
  '/w/src/.gitignore': 'gen\n!*.log\n',
  '/w/.git/info/exclude': 'mine.txt\n',
};
const ignored = () => new Ignored('/w', (path) => FILES[path], ignoreRules);

describe('what git ignores', () => {
  it.each([
    ['/w', false],
    ['/w/a.ts', false],
    ['/w/.git', true],
    ['/w/.git/HEAD', true],
    ['/w/sub/.git/HEAD', true],
    ['/w/node_modules/x/y.js', true],
    ['/w/src/node_modules', true],
    ['/w/a.log', true],
    ['/w/keep.log', false],
    ['/w/deep/er/a.log', true],
    ['/w/dist/a.js', true],
    ['/w/src/dist/a.js', false],
    ['/w/build/x.js', true],
    ['/w/build/kept.js', false],
    ['/w/src/a.log', false],
    ['/w/src/gen/a.ts', true],
    ['/w/gen/a.ts', false],
    ['/w/mine.txt', true],
    ['/elsewhere/a.log', false],
  ])('%s: %s', (path, expected) => {
    expect(ignored().has(path)).toBe(expected);
  });

  it('is asked for again when a file with rules changed', () => {
    const files: Record<string, string> = { '/w/.gitignore': '*.a' };
    const rules = new Ignored('/w', (path) => files[path], ignoreRules);
    expect(rules.has('/w/x.b')).toBe(false);
    files['/w/.gitignore'] = '*.b';
    expect(rules.has('/w/x.b')).toBe(false);
    rules.forget();
    expect([rules.has('/w/x.a'), rules.has('/w/x.b')]).toEqual([false, true]);
  });
});
