import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { prepare } from '../../../src/cli/prepare';
import { type Asked, decodeEntry, encodeEntry, entryName, type Kept, type Section } from '../../../src/config/prepared';
import { diskOf } from './disk';

const CASES = join(import.meta.dirname, '../../cases');
const ASKED: Asked = { names: ['agent.yaml'], cwd: '/work' };

/** Every agent file that any case lays out. */
const TEXTS = readdirSync(CASES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) =>
    parseAllDocuments(readFileSync(join(CASES, name), 'utf8')).map((one, at): [string, unknown] => [
      `${name} ${at}`,
      one.toJS()?.files?.['agent.yaml'],
    ]),
  )
  .filter((pair): pair is [string, string] => typeof pair[1] === 'string');

const kept = async (text: string): Promise<Kept | undefined> => {
  const state = await prepare(ASKED.names, { cwd: ASKED.cwd, disk: diskOf({ '/work/agent.yaml': text }) });
  return 'prepared' in state ? state : undefined;
};

const plain = ({ answer, ...look }: Kept['looks'][number]) => ({
  ...look,
  answer: answer instanceof Uint8Array ? Buffer.from(answer).toString() : answer,
});

const contents = (section: Section | undefined) =>
  section && {
    index: section.index,
    hooks: Array.from({ length: section.index.count }, (_, at) => section.at(at)),
  };

describe('an entry of the cache', () => {
  it('comes back as it was, whatever the config', async () => {
    let count = 0;
    for (const [name, text] of TEXTS) {
      const before = await kept(text);
      if (before === undefined) continue;
      const entry = encodeEntry(ASKED, before);
      const after = entry && decodeEntry(ASKED, entry);
      expect([name, after?.looks.map(plain)]).toEqual([name, before.looks.map(plain)]);
      expect([name, after?.prepared.events]).toEqual([name, before.prepared.events]);
      expect([name, after?.prepared.warnings]).toEqual([name, before.prepared.warnings]);
      expect([name, after?.prepared.switches]).toEqual([name, before.prepared.switches]);
      for (const event of before.prepared.events)
        expect([name, contents(after?.prepared.section(event))]).toEqual([
          name,
          contents(before.prepared.section(event)),
        ]);
      count += 1;
    }
    expect(count).toBeGreaterThan(100);
  });

  it('cut anywhere is nothing', async () => {
    const before = await kept(
      'hooks: { preToolCall: [{ command: x }], "__proto__": 1 }\n'.replace(', "__proto__": 1', ''),
    );
    const entry = before && encodeEntry(ASKED, before);
    if (entry === undefined) throw new Error('no entry');
    expect(decodeEntry(ASKED, entry)).toBeDefined();
    for (let length = 0; length < entry.length; length++) {
      expect(decodeEntry(ASKED, entry.subarray(0, length))).toBeUndefined();
    }
  });

  it.each<[string, Asked]>([
    ['other names', { names: ['other.yaml'], cwd: '/work' }],
    ['more names', { names: ['agent.yaml', 'agent.yaml'], cwd: '/work' }],
    ['another folder', { names: ['agent.yaml'], cwd: '/' }],
  ])('is nothing for %s', async (_, asked) => {
    const before = await kept('hooks: {}\n');
    const entry = before && encodeEntry(ASKED, before);
    expect(entry && decodeEntry(asked, entry)).toBeUndefined();
    expect(entryName(asked)).not.toBe(entryName(ASKED));
  });

  it('has a name without anything that a path could be made of', () => {
    expect(entryName({ names: ['../../x', '\0', '💥'], cwd: '/' })).toMatch(/^[0-9a-f]{16}$/);
  });
});
