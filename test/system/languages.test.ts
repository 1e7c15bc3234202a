/**
 * The demos that need Python or jq: the guards of `demos/languages`, and the blocks of READMEs that say so.
 */
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { demos, readmeOf } from '../demos/readme';
import { CALLS, verdictOf } from '../demos/tables';

beforeAll(() => {
  for (const program of ['python3', 'jq']) {
    if (spawnSync(program, ['--version']).status !== 0) throw new Error(`${program} is needed: install it`);
  }
});

describe.concurrent.each(['python', 'jq'])('languages: %s', (language) => {
  it.each(CALLS)('$input → $action', async (call) => {
    const verdict = await verdictOf(`languages/${language}.agent.yaml`, call);
    expect(verdict.action).toBe(call.action);
  });
});

describe('READMEs show real output, also of blocks with needs', () => {
  it.each(demos())('%s', (demo) => {
    const { shown, real } = readmeOf(demo, { needs: 'run' });
    expect(shown).toBe(real);
  });
});
