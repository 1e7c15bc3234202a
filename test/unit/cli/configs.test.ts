import { describe, expect, it } from 'vitest';
import { Configs } from '../../../src/cli/configs';
import type { Event } from '../../../src/core/model';
import { realIo } from '../../../src/io';
import { diskOf, type Files } from '../config/disk';

const AGENT = 'hooks: { preToolCall: [{ matcher: "^bash$", command: guard }, { matcher: "(a+)+$", command: slow }] }\n';

const eventOf = (name: string): Event => ({
  name,
  cwd: '/work',
  rest: [],
  from: { room: 'mm', event: name },
});

/** A world with this disk and a cache in memory. */
function world(files: Files, covers: (path: string) => boolean = () => true) {
  const entries = new Map<string, Uint8Array>();
  const reads: string[] = [];
  const disk = diskOf(files);
  const io = {
    ...realIo(),
    cwd: '/work',
    disk: {
      ...disk,
      read(path: string) {
        reads.push(path);
        return disk.read(path);
      },
    },
    cache: {
      read: (name: string) => entries.get(name),
      write: (name: string, entry: Uint8Array) => entries.set(name, entry),
      covers,
    },
  };
  return { io, entries, reads };
}

describe('configs', () => {
  it('say the same from the cache as from the disk', async () => {
    const { io, entries } = world({ '/work/agent.yaml': AGENT });
    const first = await new Configs(['agent.yaml'], io, true).for(eventOf('preToolCall'), true);
    expect(entries.size).toBe(1);
    expect(await new Configs(['agent.yaml'], io, true).for(eventOf('preToolCall'), true)).toEqual(first);
    expect(first).toMatchObject({ hooks: [{ label: 'guard' }, { label: 'slow' }] });
    expect(first).toMatchObject({ patterns: [{ source: '^bash$', emit: expect.anything() }, { source: '(a+)+$' }] });
  });

  it('of an event without hooks say nothing', async () => {
    const { io } = world({ '/work/agent.yaml': AGENT });
    for (const _ of [1, 2]) {
      expect(await new Configs(['agent.yaml'], io, true).for(eventOf('manual'), true)).toMatchObject({
        hooks: [],
        patterns: [],
      });
    }
  });

  it('are read again by the same one when they changed, and refused while they are broken', async () => {
    const files: Record<string, string> = { '/work/agent.yaml': AGENT };
    const { io } = world(files);
    const configs = new Configs(['agent.yaml'], io, false);
    const first = await configs.for(eventOf('preToolCall'), true);
    expect(await configs.for(eventOf('preToolCall'), true)).toEqual(first);
    files['/work/agent.yaml'] = 'hooks: { preToolCal: [] }';
    for (const _ of [1, 2])
      expect(await configs.for(eventOf('preToolCall'), true)).toMatchObject({
        why: expect.stringContaining('preToolCal'),
      });
    files['/work/agent.yaml'] = 'hooks: {}';
    expect(await configs.for(eventOf('preToolCall'), true)).toMatchObject({ hooks: [] });
  });

  it.each<[what: string, names: string[], files: Files, fixed: string]>([
    ['the file that is named', ['agent.yaml'], { '/work/agent.yaml': AGENT }, '/work/agent.yaml'],
    ['its folder', ['agent.yaml'], { '/work/agent.yaml': AGENT }, '/work'],
    [
      'one of several',
      ['other.yaml', 'mm:agent.yaml'],
      { '/work/agent.yaml': AGENT, '/work/other.yaml': 'hooks: {}' },
      '/work/agent.yaml',
    ],
    ['the folder that is named', ['g'], { '/work/g/agent.yaml': AGENT }, '/work/g'],
    ['a file in it', ['g'], { '/work/g/agent.yaml': AGENT }, '/work/g/agent.yaml'],
  ])('are neither kept nor taken where the user cannot change %s', async (_, names, files, fixed) => {
    const owned = world(files);
    await new Configs(names, owned.io, true).for(eventOf('preToolCall'), true);
    const foreign = world(files, (path) => path !== fixed);
    for (const [name, entry] of owned.entries)
      foreign.entries.set(
        name,
        Buffer.from(Buffer.from(entry).toString('latin1').replace('"label":"guard"', '"label":"GUARD"'), 'latin1'),
      );
    const said = () => new Configs(names, foreign.io, true).for(eventOf('preToolCall'), true);
    expect(await said()).toMatchObject({ hooks: [{ label: 'guard' }, {}] });
    const changeable = world(files);
    for (const [name, entry] of foreign.entries) changeable.entries.set(name, entry);
    expect(await new Configs(names, changeable.io, true).for(eventOf('preToolCall'), true)).toMatchObject({
      hooks: [{ label: 'GUARD' }, {}],
    });
    foreign.entries.clear();
    await said();
    expect(foreign.entries.size).toBe(0);
  });
});
