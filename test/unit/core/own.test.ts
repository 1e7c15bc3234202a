import { describe, expect, it } from 'vitest';
import { ownVerdict } from '../../../src/core/own';
import { BEFORE, EVENT_NAMES, rowNamed } from '../dialects/sample';

const AFTER = EVENT_NAMES.filter((name) => !BEFORE.some((before) => before === name));

describe('hookctl itself failing', () => {
  it.each(BEFORE.map((name) => [name, name === 'preGeneration' ? 'stop' : 'deny'] as const))(
    'on %s is a %s',
    (name, action) =>
      expect(ownVerdict('no config', 'words', rowNamed(name), 'fail')).toEqual({
        action,
        reason: 'hookctl: no config',
        source: { kind: 'hookctl' },
        warnings: [],
        losses: [],
        own: 'words',
      }),
  );

  it('is a deny where the event could not even be read', () => {
    expect(ownVerdict('no config', 'words', undefined, 'fail').action).toBe('deny');
  });

  it.each(AFTER)('on %s is a warning', (name) =>
    expect(ownVerdict('no config', 'words', rowNamed(name), 'fail')).toEqual({
      warnings: ['no config'],
      losses: [],
      own: 'words',
    }),
  );

  it.each([...EVENT_NAMES, undefined])('under --own-failure warn on %s is a warning', (name) =>
    expect(ownVerdict('no config', 'words', name === undefined ? undefined : rowNamed(name), 'warn')).toEqual({
      warnings: ['no config'],
      losses: [],
      own: 'words',
    }),
  );
});
