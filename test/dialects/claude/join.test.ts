import { describe, expect, it } from 'vitest';
import { worldOf } from '../../../src/cli/world';
import { hasError } from '../../../src/core/finding';
import type { Hook } from '../../../src/core/model';
import { authorOf } from '../../../src/dialects';
import { matchesUrl } from '../../../src/dialects/claude/join';
import { realIo } from '../../../src/io';
import { load } from '../../unit/config/disk';
import { eventNamed } from '../../unit/dialects/sample';

const MANAGED = '/work/managed-settings.json';
const PROJECT = '/work/.claude/settings.json';
const LOCAL = '/work/.claude/settings.local.json';

type Settings = Readonly<Record<string, unknown>>;

const command = (text: string) => ({ PreToolUse: [{ hooks: [{ type: 'command', command: text }] }] });
const http = (url: string, more: Settings = {}) => ({
  PreToolUse: [{ hooks: [{ type: 'http', url, headers: { T: '$A$B' }, allowedEnvVars: ['A', 'B'], ...more }] }],
});

async function hooksOf(files: Readonly<Record<string, Settings>>): Promise<readonly Hook[]> {
  const names = Object.keys(files);
  const { hooks, findings } = await load(
    names.map((name) => `claude:${name}`),
    Object.fromEntries(Object.entries(files).map(([name, settings]) => [name, JSON.stringify(settings)])),
  );
  expect(hasError(findings)).toBe(false);
  return hooks;
}

/** Why each hook is off, in the order of the files. */
async function off(files: Readonly<Record<string, Settings>>): Promise<(string | undefined)[]> {
  return (await hooksOf(files)).map((hook) => hook.off);
}

const ONE = { hooks: command('a') };
const TWO = { hooks: command('b') };
const OFF = { disableAllHooks: true };
const ON = { disableAllHooks: false };

describe('switches', () => {
  it.each<[string, Readonly<Record<string, Settings>>, (string | undefined)[]]>([
    ['off in the project', { [PROJECT]: { ...ONE, ...OFF }, [LOCAL]: TWO }, ['disableAllHooks', 'disableAllHooks']],
    ['off in the local file', { [PROJECT]: ONE, [LOCAL]: { ...TWO, ...OFF } }, ['disableAllHooks', 'disableAllHooks']],
    [
      'the local file is stronger',
      { [PROJECT]: { ...ONE, ...OFF }, [LOCAL]: { ...TWO, ...ON } },
      [undefined, undefined],
    ],
    ['whatever the order', { [LOCAL]: { ...TWO, ...ON }, [PROJECT]: { ...ONE, ...OFF } }, [undefined, undefined]],
    ['managed hooks stay on', { [MANAGED]: ONE, [PROJECT]: { ...TWO, ...OFF } }, [undefined, 'disableAllHooks']],
    [
      'but for a managed switch',
      { [MANAGED]: { ...ONE, ...OFF }, [PROJECT]: TWO },
      ['disableAllHooks', 'disableAllHooks'],
    ],
    [
      'a managed switch is the strongest',
      { [MANAGED]: { ...ONE, ...OFF }, [LOCAL]: { ...TWO, ...ON } },
      ['disableAllHooks', 'disableAllHooks'],
    ],
    [
      'managed hooks only',
      { [MANAGED]: { ...ONE, allowManagedHooksOnly: true }, [PROJECT]: TWO },
      [undefined, 'allowManagedHooksOnly'],
    ],
    [
      'nobody else may say so',
      { [MANAGED]: ONE, [PROJECT]: { ...TWO, allowManagedHooksOnly: true } },
      [undefined, undefined],
    ],
  ])('%s', async (_, files, expected) => {
    expect(await off(files)).toEqual(expected);
  });

  it('the same handler twice runs once', async () => {
    expect(await off({ [PROJECT]: ONE, [LOCAL]: ONE })).toEqual([undefined, 'the same as .claude/settings.json:1']);
  });
});

describe('where http hooks may go', () => {
  const jobs = async (files: Readonly<Record<string, Settings>>) => {
    const world = { ...worldOf(realIo()), env: { A: '1', B: '2' } };
    return (await hooksOf(files)).map((hook) => {
      const job = authorOf('claude').job(hook, eventNamed('preToolCall'), world);
      return job.kind === 'http' ? `${job.url} ${job.headers['T']}` : job.kind === 'cannot' ? job.why : job.kind;
    });
  };

  it.each<[string, Readonly<Record<string, Settings>>, string[]]>([
    ['nobody says', { [PROJECT]: { hooks: http('http://h/x') } }, ['http://h/x 12']],
    ['allowed', { [PROJECT]: { hooks: http('http://h/x'), allowedHttpHookUrls: ['http://h/*'] } }, ['http://h/x 12']],
    [
      'not allowed',
      { [PROJECT]: { hooks: http('http://h/x'), allowedHttpHookUrls: ['https://h/*'] } },
      ['URL not allowed: http://h/x'],
    ],
    [
      'an empty list allows none',
      { [PROJECT]: { hooks: http('http://h/x'), allowedHttpHookUrls: [] } },
      ['URL not allowed: http://h/x'],
    ],
    [
      'the lists of all files together',
      {
        [PROJECT]: { hooks: http('http://h/x'), allowedHttpHookUrls: ['http://a/*'] },
        [LOCAL]: { allowedHttpHookUrls: ['http://h/x'] },
      },
      ['http://h/x 12'],
    ],
    ['variables', { [PROJECT]: { hooks: http('http://h/x'), httpHookAllowedEnvVars: ['B', 'C'] } }, ['http://h/x 2']],
    ['no variables', { [PROJECT]: { hooks: http('http://h/x'), httpHookAllowedEnvVars: [] } }, ['http://h/x ']],
    ['commands go on', { [PROJECT]: { hooks: command('a'), allowedHttpHookUrls: [] } }, ['process']],
  ])('%s', async (_, files, expected) => {
    expect(await jobs(files)).toEqual(expected);
  });

  it.each<[string, string, boolean]>([
    ['https://hooks.example.com/*', 'https://hooks.example.com/a?b', true],
    ['https://hooks.example.com/*', 'https://hooks.example.com.evil.org/', false],
    ['HTTPS://Hooks.Example.com/*', 'https://hooks.example.COM/a', true],
    ['https://h/A', 'https://h/a', false],
    ['*', 'http://anything/', true],
    ['http://*/x', 'http://a/y/x', true],
    ['http://a*a', 'http://a', false],
    ['http://a/*/b/*/c', 'http://a/1/b/2/c', true],
    ['http://a/*/b/*/c', 'http://a/1/c/2/b', false],
    ['http://a', 'http://a/', false],
  ])('%s of %s: %s', (glob, url, expected) => {
    expect(matchesUrl(glob, url)).toBe(expected);
  });
});
