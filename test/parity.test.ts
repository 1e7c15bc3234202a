/**
 * Every room has the same parts: files, a schema for its configs, tests.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NATIVE, ROOM_IDS, ROOMS } from '../src/dialects';

const ROOT = join(import.meta.dirname, '..');
const FOLDERS = readdirSync(join(ROOT, 'src/dialects'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
  .map((entry) => entry.name);

describe('rooms', () => {
  it('the registry and the folders name the same rooms', () => {
    expect([...ROOM_IDS].sort()).toEqual([...FOLDERS].sort());
  });

  it.each(ROOMS)('$spec.id has its files', ({ spec, author }) => {
    const files = [
      'spec.ts',
      'index.ts',
      ...(author === undefined ? ['reply.ts'] : ['config.ts', 'wire.ts', 'reply.ts']),
    ];
    expect(files.filter((file) => !existsSync(join(ROOT, 'src/dialects', spec.id, file)))).toEqual([]);
  });

  it.each(ROOMS.filter(({ author }) => author !== undefined))('$spec.id has a schema for its configs', ({ spec }) => {
    expect(spec.config).toBeDefined();
    expect(existsSync(join(ROOT, `schemas/${spec.config?.schema}.json`))).toBe(true);
  });

  it.each(ROOMS)('$spec.id has tests', ({ spec }) => {
    expect(existsSync(join(ROOT, 'test/dialects', spec.id))).toBe(true);
  });

  it.each(ROOMS)('$spec.id names each of its own events once, by known canonical names', ({ spec }) => {
    const names = spec.rows.map((row) => row.canonical);
    expect(new Set(spec.rows.map((row) => `${row.native} ${row.canonical}`)).size).toBe(spec.rows.length);
    const native = new Set(NATIVE.spec.rows.map((row) => row.canonical));
    expect(names.filter((name) => !native.has(name) && !name.startsWith(`${spec.id}:`))).toEqual([]);
  });
});
