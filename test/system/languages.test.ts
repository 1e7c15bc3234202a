/**
 * The demos that need Python, jq or curl: the guards of `demos/languages`, and the blocks of READMEs that say so.
 */
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { demos, readmeOf } from '../demos/readme';
import { suites } from '../demos/suites';

beforeAll(() => {
  for (const program of ['python3', 'jq', 'curl']) {
    if (spawnSync(program, ['--version']).status !== 0) throw new Error(`${program} is needed: install it`);
  }
});

describe.each(['python', 'jq'])('languages: %s', (language) => {
  it('passes the suite of all languages', async () => {
    const { passed, failed, errors } = await suites([
      'demos/languages',
      '--config',
      `demos/languages/${language}.agent.yaml`,
    ]);
    expect([failed, errors]).toEqual([0, 0]);
    expect(passed).toBeGreaterThan(30);
  });
});

describe('READMEs show real output, also of blocks with needs', () => {
  it.each(demos())('%s', (demo) => {
    const { shown, real } = readmeOf(demo, { needs: 'run' });
    expect(shown).toBe(real);
  });
});
