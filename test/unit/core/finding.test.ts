import { describe, expect, it } from 'vitest';
import { CATALOGUE, type Code, type Entry, type Finding, hasError, severityOf } from '../../../src/core/finding';

const ENTRIES: readonly (readonly [string, Entry])[] = Object.entries(CATALOGUE);

const finding = (code: Code): Finding => ({ code, at: { file: 'agent.yaml' }, args: {} });

describe('the catalogue', () => {
  it.each(ENTRIES)('%s has a title and a sentence, each without a full stop', (_, { title, sentence }) => {
    expect([title, sentence].filter((text) => text === '' || text.endsWith('.'))).toEqual([]);
  });

  it('has no title twice', () => {
    const titles = ENTRIES.map(([, entry]) => entry.title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it.each<Code>([
    'HK001',
    'HK002',
    'HK003',
    'HK004',
    'HK005',
    'HK006',
    'HK007',
    'HK008',
    'HK009',
    'HK010',
    'HK011',
    'HK013',
    'HK014',
    'HK015',
    'HK016',
    'HK017',
    'HK018',
    'HK019',
  ])('%s, which could switch a guard off, is an error', (code) => {
    expect(severityOf({ code })).toBe('error');
  });
});

describe('findings', () => {
  it.each<[string, Code[], boolean]>([
    ['none', [], false],
    ['a warning', ['HK012'], false],
    ['an error', ['HK006'], true],
    ['both', ['HK012', 'HK006'], true],
  ])('%s: an error or not', (_, codes, expected) => {
    expect(hasError(codes.map(finding))).toBe(expected);
  });

  it('have the severity of their code', () => {
    expect([severityOf({ code: 'HK006' }), severityOf({ code: 'HK012' })]).toEqual(['error', 'warning']);
  });
});
