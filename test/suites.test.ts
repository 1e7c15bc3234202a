/**
 * The engine under suites in the format that users write: `test/suites/*.hooktest.yaml`.
 */
import { describe, expect, it } from 'vitest';
import { suites } from './demos/suites';

describe('the suites of this folder', () => {
  it('pass', async () => {
    const { passed, failed, errors } = await suites(['test/suites']);
    expect([failed, errors]).toEqual([0, 0]);
    expect(passed).toBeGreaterThan(30);
  });
});
