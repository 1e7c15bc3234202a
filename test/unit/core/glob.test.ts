import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GlobOf, globPattern } from '../../../src/core/glob';
import { parsePattern } from '../../../src/core/pattern';
import { searchV8 } from '../../../src/core/search';

function hits(glob: string, of: GlobOf, text: string): boolean {
  const source = globPattern(glob, of);
  if (typeof source !== 'string') throw new Error(source.fault);
  const pattern = parsePattern(source);
  if (pattern.kind !== 'pattern') throw new Error(pattern.why);
  return searchV8(pattern, text);
}

describe('a glob', () => {
  it.each<[GlobOf, string, string, string]>([
    ['name', 'a*', 'a a/b abc', 'ba'],
    ['name', 'a?c', 'abc a/c', 'ac abbc'],
    ['name', '[!a]b', 'cb /b', 'ab b'],
    ['name', '{a,b{c,d}}x', 'ax bcx bdx', 'bx'],
    ['name', 'a.b', 'a.b', 'aXb'],
    ['name', '\\*', '*', 'a'],
    ['path', '*.ts', 'a.ts x/y/a.ts .ts', 'a.tsx'],
    ['path', 'src/*.ts', 'src/a.ts', 'src/x/a.ts a.ts'],
    ['path', 'src/**', 'src/a src/x/y', 'lib/src/a'],
    ['path', '**/x/*.ts', 'x/a.ts a/b/x/c.ts', 'x/y/a.ts'],
    ['path', 'a**z', 'az a/b/z', 'b'],
    ['path', '[^a].md', 'x/b.md', 'a.md'],
    ['path', '/a/b', 'a/b', 'x/a/b'],
  ])('%s %s', (of, glob, hit, missed) => {
    const wrong = [
      ...hit.split(' ').filter((text) => !hits(glob, of, text)),
      ...missed.split(' ').filter((text) => hits(glob, of, text)),
    ];
    expect(wrong).toEqual([]);
  });

  it.each(['', '[a', '{a', '[]', 'a{b,{c}'])('%j is none', (glob) => {
    expect(globPattern(glob, 'path')).toHaveProperty('fault');
  });

  it('of whatever signs is a pattern, or a fault that is told', () => {
    const signs = fc.array(
      fc.constantFrom('*', '**', '?', '[', ']', '{', '}', ',', '/', '\\', '!', '^', '-', 'a', '.', '|', '(', '$', '😀'),
    );
    fc.assert(
      fc.property(signs, fc.constantFrom<GlobOf>('name', 'path'), (parts, of) => {
        const source = globPattern(parts.join(''), of);
        if (typeof source !== 'string') return;
        const pattern = parsePattern(source);
        if (pattern.kind !== 'pattern') expect(pattern.why).not.toBe('');
      }),
    );
  });

  it('without signs of its own hits itself', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[^*?[\]{}\\/\x00-\x1f\x7f!]{1,40}$/), (text) => {
        expect(hits(text, 'name', text)).toBe(true);
      }),
    );
  });
});
