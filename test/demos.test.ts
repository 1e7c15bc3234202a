/**
 * The demos do what their READMEs show, and their tables hold. What needs more than Node and sh is a system test.
 *
 * `UPDATE=1 npx vitest run test/demos.test.ts` writes the outputs into the READMEs. Read them before you commit them.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demos, ROOT, readmeOf, rendered } from './demos/readme';
import { suites, verdictOf } from './demos/suites';

if (!existsSync(join(ROOT, 'dist'))) throw new Error('run npm run build first');

describe('READMEs show real output', () => {
  it.each(demos())('%s', (demo) => {
    const { shown, real } = readmeOf(demo, { needs: 'skip' });
    expect(shown).toBe(real);
  });

  it('refuses a README without a command', () => {
    expect(() => rendered('# Nothing\n\n```sh\nls\n```\n', { needs: 'skip' })).toThrow('no block');
    expect(() => rendered('```sh need=jq\n$ true\n```\n', { needs: 'skip' })).toThrow('not understood');
  });

  it('puts other output in place, and knows a shell that ended early', () => {
    const text = '```sh\n$ (exit 3)\n$ echo $? >&2\nfour\n$ printf x\n```\n';
    expect(rendered(text, { needs: 'skip' })).toBe('```sh\n$ (exit 3)\n$ echo $? >&2\n3\n$ printf x\nx\n```\n');
    expect(() => rendered('```sh\n$ exit\n$ true\n```\n', { needs: 'skip' })).toThrow('did not end: $ exit');
  });
});

describe.concurrent('suites', () => {
  it.each([
    ['all demos', []],
    ['the languages, in sh', ['demos/languages', '--config', 'demos/languages/sh.agent.yaml']],
  ])('%s', async (_, words) => {
    const { failed, errors, passed } = await suites(words.length === 0 ? ['demos'] : words);
    expect([failed, errors]).toEqual([0, 0]);
    expect(passed).toBeGreaterThan(30);
  });
});

describe.concurrent('languages: what only the sh guard refuses', () => {
  it.each([
    ['letters as escapes', String.raw`{"command":"\u0072m -rf build"}`],
    ['another text of the event', '{"command":"ls","description":"not rm -rf"}'],
  ])('%s', async (_, input) => {
    const event = `{"event":"preToolCall","tool":{"name":"bash","input":${input}}}`;
    expect((await verdictOf('languages/sh.agent.yaml', event)).action).toBe('deny');
  });
});
