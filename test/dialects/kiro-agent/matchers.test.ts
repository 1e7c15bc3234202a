/**
 * Matchers of the three formats on the tools of every caller, and on files.
 */
import { describe, expect, it } from 'vitest';
import { selectionFor } from '../../../src/cli/doors';
import type { Event } from '../../../src/core/model';
import { plan } from '../../../src/core/plan';
import { roomOf } from '../../../src/dialects';
import { load } from '../../unit/config/disk';
import { encode, eventNamed, HINT, readOk } from '../../unit/dialects/sample';

const FILES = {
  agent: (matcher: unknown) => ['/work/.kiro/agents/a.json', { hooks: { preToolUse: [{ command: 'x', matcher }] } }],
  hook: (toolTypes: unknown) => [
    '/work/.kiro/hooks/a.kiro.hook',
    Object.fromEntries([
      ['name', 'h'],
      ['version', '1'],
      ['when', { type: 'preToolUse', toolTypes }],
      ['then', { type: 'runCommand', command: 'x' }],
    ]),
  ],
  v1: (matcher: unknown) => [
    '/work/.kiro/hooks/a.json',
    {
      version: 'v1',
      hooks: [{ name: 'h', trigger: 'PreToolUse', matcher, action: { type: 'command', command: 'x' } }],
    },
  ],
  v1file: (matcher: unknown) => [
    '/work/.kiro/hooks/a.json',
    {
      version: 'v1',
      hooks: [{ name: 'h', trigger: 'PostFileSave', matcher, action: { type: 'command', command: 'x' } }],
    },
  ],
  hookfile: (patterns: unknown) => [
    '/work/.kiro/hooks/a.kiro.hook',
    Object.fromEntries([
      ['name', 'h'],
      ['version', '1'],
      ['when', { type: 'fileEdited', patterns }],
      ['then', { type: 'runCommand', command: 'x' }],
    ]),
  ],
} satisfies Record<string, (matcher: unknown) => unknown[]>;

/** The tool's payload by who calls: `room:name`. */
function callOf(said: string): Event {
  const [, room = 'mm', name = ''] = /^(?:(claude|kiro-agent|kiro-v1|mm):)?(.*)$/.exec(said) ?? [];
  if (room === 'mm') return eventNamed('preToolCall', { tool: { name, input: {} } });
  const event = room === 'kiro-agent' ? 'preToolUse' : 'PreToolUse';
  const read = roomOf(room)?.readEvent(
    encode(JSON.stringify({ hook_event_name: event, cwd: '/work', tool_name: name, tool_input: {} })),
    HINT,
  );
  if (read === undefined || 'refused' in read) throw new Error(said);
  return read;
}

async function hits(format: keyof typeof FILES, matcher: unknown, event: Event): Promise<boolean> {
  const [path, content] = FILES[format](matcher) as [string, unknown];
  const loaded = await load([path], { [path]: JSON.stringify(content) });
  if (loaded.findings.some(({ severity }) => severity === undefined)) throw new Error(JSON.stringify(loaded.findings));
  const selection = await selectionFor(loaded.hooks, event);
  return plan(loaded.hooks, event, selection).groups.some(({ steps }) => steps.some(({ matched }) => matched));
}

type Row = readonly [
  format: 'agent' | 'hook' | 'v1',
  matcher: unknown,
  hit: readonly string[],
  missed: readonly string[],
];

const K = 'kiro-agent:';
const V = 'kiro-v1:';

const TOOLS: readonly Row[] = [
  ['agent', undefined, [`${K}fs_write`, `${K}@git/status`], []],
  ['agent', '*', [`${K}fs_write`, `${K}execute_bash`, `${K}@git/status`], []],
  ['agent', '', [`${K}fs_write`], []],
  ['agent', 'fs_write', [`${K}fs_write`, `${K}write`, 'fs_write', 'write'], [`${K}fs_read`, `${K}FS_WRITE`]],
  ['agent', 'fs_*', [`${K}fs_read`, `${K}fs_write`, `${K}write`], [`${K}execute_bash`]],
  ['agent', 'fs_?ead', [`${K}fs_read`], [`${K}fs_write`]],
  ['agent', '*{read,write}', [`${K}fs_read`], [`${K}execute_bash`]],
  ['agent', 'shell', [`${K}execute_bash`, `${K}shell`, 'claude:Bash', 'bash', `${V}execute_bash`], [`${K}fs_write`]],
  ['agent', '@builtin', [`${K}fs_write`, `${K}execute_bash`], [`${K}@git/status`, 'claude:mcp__git__status']],
  [
    'agent',
    '@git',
    [`${K}@git/status`, 'claude:mcp__git__status'],
    [`${K}@github/status`, `${K}@other/tool`, `${K}fs_write`],
  ],
  ['agent', '@git/status', [`${K}@git/status`, 'claude:mcp__git__status'], [`${K}@git/commit`]],
  ['agent', '@git/*', [`${K}@git/status`, `${K}@git/commit`], [`${K}@other/tool`]],
  ['agent', '@g*', [`${K}@git/status`], [`${K}@other/tool`]],
  ['agent', 'git', [], [`${K}@git/status`]],
  ['agent', 'fs_write', ['claude:Edit', 'claude:Write', 'claude:NotebookEdit', `${V}str_replace`], ['claude:Read']],
  ['hook', undefined, [`${V}fs_write`, `${V}@a/b`], []],
  ['hook', ['*'], [`${V}fs_write`, `${V}@a/b`], []],
  [
    'hook',
    ['write'],
    [`${V}fs_write`, `${V}str_replace`, `${V}delete_file`, `${K}fs_write`, 'claude:Edit'],
    [`${V}read_file`],
  ],
  ['hook', ['read', 'shell'], [`${V}grep_search`, 'claude:Bash', `${V}execute_pwsh`], [`${V}fs_write`]],
  ['hook', ['spec'], [`${V}task_update`], [`${V}fs_write`]],
  ['hook', ['@builtin'], [`${V}fs_write`], [`${V}@a/b`]],
  ['hook', ['@mcp'], [`${V}@a/b`], [`${V}fs_write`]],
  ['hook', ['@powers'], [`${V}@a/b`], [`${V}fs_write`]],
  ['hook', ['@mcp.*sql.*'], [`${V}@db/sql_run`], [`${V}@a/b`, `${V}my_sql`]],
  ['hook', ['@db'], [`${V}@db/run`], [`${V}@a/b`]],
  ['hook', ['fs_append'], [`${V}fs_append`, 'claude:Write'], [`${V}fs_write`]],
  ['hook', ['read_file'], [`${K}fs_read`, 'claude:Read'], ['claude:LS']],
  ['hook', ['fsWrite'], [`${V}fs_write`, `${V}fsWrite`], [`${V}fs_append`]],
  ['hook', ['fs_*'], [`${V}fs_write`, `${V}fs_append`], [`${V}str_replace`]],
  ['hook', [], [], [`${V}fs_write`]],
  ['v1', undefined, [`${V}fs_write`], []],
  ['v1', '*', [`${V}fs_write`, `${V}@a/b`], []],
  [
    'v1',
    'write',
    [`${V}fs_write`, `${V}str_replace`, `${V}@fs/write_file`, 'claude:Edit', `${K}fs_write`],
    [`${V}read_file`],
  ],
  ['v1', 'read|shell', [`${V}read_file`, 'claude:Bash'], [`${V}fs_write`]],
  ['v1', '^fs_write$', [`${V}fs_write`, 'claude:Write'], [`${V}fs_append`]],
  ['v1', '@mcp', [`${V}@a/b`], [`${V}fs_write`]],
  ['v1', '@git', [`${V}@git/status`, 'claude:mcp__git__status'], [`${V}@a/b`]],
  ['v1', '^(?!fs_write$).*', [`${V}read_file`], [`${V}fs_write`]],
  ['v1', 'fs_write', [`${V}fsWrite`], []],
  ['v1', 'FS_WRITE', [], [`${V}fs_write`]],
];

describe('a matcher of tools', () => {
  it.each(TOOLS)('%s %j', async (format, matcher, hit, missed) => {
    for (const name of hit) expect([name, await hits(format, matcher, callOf(name))]).toEqual([name, true]);
    for (const name of missed) expect([name, await hits(format, matcher, callOf(name))]).toEqual([name, false]);
  });

  it('that cannot be shown to be quick runs the hook', async () => {
    const name = `${V}${'a'.repeat(200)}`;
    expect(await hits('v1', '(?=a)((a+)+)+$', callOf(name))).toBe(true);
  });
});

const saved = (path: string, cwd = '/work') => readOk(JSON.stringify({ event: 'fileSaved', cwd, file: { path } }));

describe('a matcher of files', () => {
  it.each([
    ['hookfile', ['*.ts'], ['/work/a.ts', '/work/src/deep/a.ts', 'src/a.ts'], ['/work/a.tsx', '/other/a.ts']],
    ['hookfile', ['src/**/*.ts'], ['/work/src/a.ts', '/work/src/x/y/a.ts'], ['/work/a.ts', '/work/lib/src/a.ts']],
    ['hookfile', ['./src/*.ts'], ['/work/src/a.ts'], ['/work/src/x/a.ts']],
    ['hookfile', ['/src/*'], ['/work/src/.env'], ['/work/src/x/a.ts']],
    ['hookfile', ['**/*'], ['/work/.hidden/a', '/work/a'], ['/elsewhere/a']],
    ['hookfile', ['*.{ts,js}', '!*.d.ts'], ['/work/a.ts', '/work/a.js'], ['/work/a.d.ts', '/work/a.md']],
    ['hookfile', ['[a-c]?.md'], ['/work/x/b1.md'], ['/work/d1.md', '/work/B1.md']],
    ['hookfile', ['!*.d.ts'], [], ['/work/a.ts']],
    ['hookfile', undefined, ['/work/a.ts', '/other/a.ts'], []],
    ['hookfile', null, ['/work/a.ts'], []],
    ['v1file', '\\.ts$', ['/work/a.ts', '/other/a.ts'], ['/work/a.tsx']],
    ['v1file', '^/work/src/', ['/work/src/a', 'src/a'], ['/work/a']],
    ['v1file', '**/*.ts', ['/work/src/a.ts', '/work/a.ts'], ['/work/a.md', '/other/a.ts']],
    ['v1file', '*.md', ['/work/x/a.md'], ['/work/a.ts']],
  ] as const)('%s %j', async (format, matcher, hit, missed) => {
    for (const path of hit) expect([path, await hits(format, matcher, saved(path))]).toEqual([path, true]);
    for (const path of missed) expect([path, await hits(format, matcher, saved(path))]).toEqual([path, false]);
  });
});
