/**
 * The demos do what their READMEs show, and their tables hold. What needs more than Node and sh is a system test.
 *
 * `UPDATE=1 npx vitest run test/demos.test.ts` writes the outputs into the READMEs. Read them before you commit them.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { demos, ROOT, readmeOf, rendered } from './demos/readme';
import { CALLS, REDACTIONS, verdictOf } from './demos/tables';

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

describe.concurrent('hooks: no-force-push', () => {
  it.each([
    ['deny', 'git push --force'],
    ['deny', 'cd a && git -C b push -uf origin main'],
    ['deny', 'git push --force-with-lease'],
    ['deny', 'git push origin +main'],
    ['deny', 'git push --mirror'],
    ['deny', 'git push \\\n  -f'],
    ['deny', 'git "push" \'-f\''],
    ['deny', '(git push -f)'],
    ['deny', ['git', 'push', '-f']],
    [undefined, 'git push --follow-tags origin main'],
    [undefined, 'git push origin fix-f; rm -f a'],
    [undefined, 'git fetch -f'],
  ])('%s: %j', async (action, command) => {
    expect((await verdictOf('hooks', { input: { command } })).action).toBe(action);
  });
});

describe.concurrent('hooks: no-secret-questions', () => {
  it.each([
    ['stop', 'Show me the API key of prod'],
    ['stop', 'i need\nthe PASSWORD for the live database'],
    [undefined, 'What is the password policy?'],
    [undefined, 'Rotate tokens in production weekly'],
    [undefined, ''],
  ])('%s: %j', async (action, prompt) => {
    const verdict = await verdictOf('hooks', JSON.stringify({ event: 'preGeneration', cwd: '/', prompt }));
    expect(verdict.action).toBe(action);
    expect(verdict.context === undefined).toBe(action === 'stop');
  });
});

describe.concurrent.each(['node', 'sh'])('languages: %s', (language) => {
  it.each(CALLS)('$input → $action', async (call) => {
    const verdict = await verdictOf(`languages/${language}.agent.yaml`, call);
    expect(verdict.action).toBe(call.action);
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

describe.concurrent('redact', () => {
  it.each(REDACTIONS)('$command', async ({ command, becomes, env }) => {
    const other = { timeout: 60, description: 'x' };
    const verdict = await verdictOf('redact', { input: { ...other, command } }, env);
    expect(verdict.action).toBeUndefined();
    expect(verdict.input).toEqual(becomes === undefined ? undefined : { ...other, command: becomes });
    expect(verdict.context !== undefined).toBe(becomes !== undefined);
  });
});
