/**
 * The files of the three formats: hooks, findings that refuse or warn, advice.
 */
import { describe, expect, it } from 'vitest';
import { loadDoors } from '../../../src/cli/doors';
import { findConfigs } from '../../../src/config/find';
import { readConfigFile } from '../../../src/config/load';
import { severityOf } from '../../../src/core/finding';
import type { Hook } from '../../../src/core/model';
import { realIo } from '../../../src/io';
import { renderFindingLine } from '../../../src/render/findings';
import { diskOf } from '../../unit/config/disk';

const AGENT = '.kiro/agents/dev.json';
const HOOK = '.kiro/hooks/h.kiro.hook';
const V1 = '.kiro/hooks/h.json';

async function read(path: string, content: unknown, disk = {}) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const doors = { ...loadDoors(realIo()), disk: diskOf({ [`/work/${path}`]: text, ...disk }) };
  const [file] = findConfigs([path], '/work', doors.disk).files;
  if (file === undefined) throw new Error(path);
  const { room, config, findings } = await readConfigFile(file, doors);
  const told = (all: readonly Parameters<typeof renderFindingLine>[0][]) =>
    all.map((one) => `${severityOf(one)} ${one.code} ${renderFindingLine(one).replace(/^[^ ]* /, '')}`);
  return {
    room: room?.spec.id,
    hooks: config?.hooks ?? [],
    findings: told(findings),
    advice: told(config?.advice ?? []),
  };
}

const launch = (hook: Hook | undefined) => JSON.parse(hook?.written.text ?? '{}');
const agent = (trigger: string, ...entries: unknown[]) => ({
  name: 'dev',
  tools: ['*'],
  hooks: { [trigger]: entries },
});
const hookFile = (when: object, then: object, more: object = {}) =>
  Object.fromEntries([['name', 'H'], ['version', '1'], ['when', when], ['then', then], ...Object.entries(more)]);
const v1 = (...hooks: object[]) => ({ version: 'v1', hooks });
const guard = { name: 'G', trigger: 'PreToolUse', matcher: 'write', action: { type: 'command', command: 'x' } };
const run = { type: 'runCommand', command: 'x' };

describe('hooks', () => {
  it('of an agent file start together, a group a file', async () => {
    const { hooks } = await read(
      AGENT,
      agent('preToolUse', { command: 'guard\nx', timeout_ms: 500 }, { command: 'b', name: 'B', max_output_size: 5 }),
    );
    expect(hooks.map(({ label, group, event, order }) => [label, group, event, order.start])).toEqual([
      ['guard', `kiro-agent ${AGENT}`, 'preToolCall', 'together'],
      ['B', `kiro-agent ${AGENT}`, 'preToolCall', 'together'],
    ]);
    expect(hooks.map(launch)).toEqual([
      { native: 'preToolUse', command: 'guard\nx', ms: 500, cap: 10_240 },
      { native: 'preToolUse', command: 'b', ms: 30_000, cap: 5 },
    ]);
    expect(hooks[0]?.root).toBe('/work');
  });

  it.each([
    [{}, 60_000],
    [{ timeout: 0 }, 'none'],
    [{ timeout: 1.5 }, 1_500],
    [{ timeout: 1e9 }, 86_400_000],
  ])('of a .kiro.hook count in seconds: %j', async (more, ms) => {
    const { hooks } = await read(HOOK, hookFile({ type: 'agentStop' }, { ...run, ...more }));
    expect(launch(hooks[0])).toEqual({ native: 'agentStop', command: 'x', ms });
  });

  it('of a .kiro.hook block when they break before a tool, a prompt, a task, and nowhere else', async () => {
    const policy = async (type: string) => (await read(HOOK, hookFile({ type }, run))).hooks[0]?.onFailure;
    expect(await Promise.all(['preToolUse', 'promptSubmit', 'preTaskExecution'].map(policy))).toEqual([
      'block',
      'block',
      'block',
    ]);
    expect(await Promise.all(['postToolUse', 'agentStop', 'fileEdited', 'userTriggered'].map(policy))).toEqual([
      'warn',
      'warn',
      'warn',
      'warn',
    ]);
  });

  it('of version v1, by every spelling of a trigger', async () => {
    const all = [
      'SessionStart',
      'AgentSpawn',
      'stop',
      'userPromptSubmit',
      'AfterFileEdit',
      'userTriggered',
      'Manual',
      'PreTaskExec',
    ];
    const { hooks } = await read(V1, v1(...all.map((trigger) => ({ ...guard, trigger, matcher: undefined }))));
    expect(hooks.map((hook) => `${hook.event} ${launch(hook).native}`)).toEqual([
      'sessionStart SessionStart',
      'sessionStart SessionStart',
      'postGeneration Stop',
      'preGeneration UserPromptSubmit',
      'fileSaved PostFileSave',
      'manual Manual',
      'manual Manual',
      'taskStart PreTaskExec',
    ]);
  });

  it('get the path of a file by a variable, never as text', async () => {
    const command = `fmt {{filePath}} "{{filePath}}" '{{filePath}}'`;
    const { hooks } = await read(V1, v1({ ...guard, trigger: 'PostFileSave', action: { type: 'command', command } }));
    expect(launch(hooks[0]).command).toBe(`fmt "\${KIRO_HOOK_FILE}" "\${KIRO_HOOK_FILE}" '\${KIRO_HOOK_FILE}'`);
  });

  it('are off where they are switched off', async () => {
    expect((await read(V1, v1({ ...guard, enabled: false }))).hooks[0]?.off).toBe('disabled');
    expect((await read(HOOK, hookFile({ type: 'fileEdited', patterns: [] }, run))).hooks[0]?.off).toBe(
      '"patterns" never match',
    );
  });
});

describe('whose file it is', () => {
  it.each([
    [V1, v1(guard), 'kiro-v1'],
    [AGENT, agent('stop', { command: 'x' }), 'kiro-agent'],
    [AGENT, { name: 'dev', hooks: [guard] }, 'kiro-v1'],
    ['.kiro/agents/agent.json', agent('stop', { command: 'x' }), 'kiro-agent'],
    ['.kiro/hooks/hooks.json', v1(guard), 'kiro-v1'],
    ['.amazonq/cli-agents/q.json', agent('stop', { command: 'x' }), 'kiro-agent'],
    [HOOK, hookFile({ type: 'agentStop' }, run), 'kiro-hook'],
    [V1, hookFile({ type: 'agentStop' }, run), 'kiro-hook'],
    [HOOK, v1(guard), 'kiro-v1'],
    ['any.json', v1(guard), 'kiro-v1'],
    ['any.json', agent('preToolUse', { command: 'x' }), 'kiro-agent'],
    ['any.json', hookFile({ type: 'agentStop' }, run), 'kiro-hook'],
    ['any.json', { hooks: { preToolUse: [{ hooks: [{ type: 'command', command: 'x' }] }] } }, 'claude'],
    ['kiro-agent:any.txt', agent('preToolUse', { command: 'x' }), 'kiro-agent'],
  ])('%s %j: %s', async (path, content, room) => {
    const name = path.replace('kiro-agent:', '');
    const doors = { ...loadDoors(realIo()), disk: diskOf({ [`/work/${name}`]: JSON.stringify(content) }) };
    const [file] = findConfigs([path], '/work', doors.disk).files;
    expect(file === undefined ? undefined : (await readConfigFile(file, doors)).room?.spec.id).toBe(room);
  });

  it('is strict JSON, one value, no key twice', async () => {
    expect((await read(HOOK, '{"name": "x", // comment\n}')).findings[0]).toMatch(/^error HK002/);
    expect((await read(V1, '{"version":"v1","version":"v1","hooks":[]}')).findings[0]).toMatch(/^error HK003/);
  });
});

describe('a folder', () => {
  const files = {
    '/work/.kiro/hooks/b.json': '',
    '/work/.kiro/hooks/a.kiro.hook': '',
    '/work/.kiro/hooks/readme.md': '',
    '/work/.kiro/hooks/deep/x.json': '',
    '/work/.kiro/agents/d.json': '',
  };
  it.each([
    ['.kiro/hooks', ['.kiro/hooks/a.kiro.hook', '.kiro/hooks/b.json']],
    ['.kiro', ['.kiro/hooks/a.kiro.hook', '.kiro/hooks/b.json']],
    ['.kiro/agents', ['.kiro/agents/d.json']],
    ['kiro-hook:.kiro/hooks', ['.kiro/hooks/a.kiro.hook']],
  ])('%s', (name, expected) => {
    expect(findConfigs([name], '/work', diskOf(files)).files.map(({ shown }) => shown)).toEqual(expected);
  });

  it('leaves links out, and says so', () => {
    const disk = { ...diskOf(files), isLink: (path: string) => path.endsWith('b.json') };
    const found = findConfigs(['.kiro/hooks'], '/work', disk);
    expect(found.files.map(({ shown }) => shown)).toEqual(['.kiro/hooks/a.kiro.hook']);
    expect(found.findings.map(renderFindingLine)).toEqual([
      '.kiro/hooks/b.json: no Kiro loads this: a link is not followed',
    ]);
  });
});

describe('what refuses a file', () => {
  it.each<[string, string, unknown, RegExp]>([
    [
      'another case',
      AGENT,
      agent('AgentSpawn', { command: 'x' }),
      /HK007 unknown event "AgentSpawn".*write "agentSpawn"/,
    ],
    ["v1's name", AGENT, agent('SessionStart', { command: 'x' }), /a trigger of kiro-v1 files; write "agentSpawn"/],
    ["the IDE's name", AGENT, agent('agentStop', { command: 'x' }), /a trigger of kiro-hook files; write "stop"/],
    [
      'a trigger that it does not have',
      AGENT,
      agent('fileEdited', { command: 'x' }),
      /files of kiro-agent have nothing of the kind/,
    ],
    ['a typo', AGENT, agent('preTolUse', { command: 'x' }), /did you mean "preToolUse"/],
    [
      "Claude's groups",
      AGENT,
      agent('preToolUse', { matcher: 'x', hooks: [] }),
      /HK051 these are Claude Code's groups/,
    ],
    ['a list', AGENT, { hooks: [{ event: 'preToolUse', command: 'x' }] }, /HK051 "hooks" is a list/],
    [
      'the profile format',
      AGENT,
      { hooks: { ctx: { trigger: 'per_prompt', type: 'inline', command: 'x' } } },
      /HK051 this is the profile format of 2025/,
    ],
    ['no command', AGENT, agent('stop', { matcher: 'x' }), /HK037 an entry needs the key "command"/],
    ['a blank command', AGENT, agent('stop', { command: ' ' }), /HK018 command is empty/],
    ['a NUL', AGENT, agent('stop', { command: 'a\0' }), /HK019/],
    [
      'no time',
      AGENT,
      agent('stop', { command: 'x', timeout_ms: 0 }),
      /HK013 the timeout 0 cannot be used: it would end the hook at once/,
    ],
    ['half a millisecond', AGENT, agent('stop', { command: 'x', timeout_ms: 1.5 }), /HK008.*whole number/],
    ['time as text', AGENT, agent('stop', { command: 'x', timeout_ms: '5' }), /HK008/],
    ['less than nothing', AGENT, agent('stop', { command: 'x', max_output_size: -1 }), /HK009/],
    [
      'a type',
      AGENT,
      agent('stop', { command: 'x', type: 'inline' }),
      /HK051 an entry of the type "inline" is not run/,
    ],
    [
      'a glob that is none',
      AGENT,
      agent('preToolUse', { command: 'x', matcher: 'fs_*{a' }),
      /HK011.*"\{" that is not closed/,
    ],
    [
      'a version as a number',
      HOOK,
      { ...hookFile({ type: 'agentStop' }, run), version: 1 },
      /HK008 "version" is 1, but must be text/,
    ],
    [
      'no version',
      HOOK,
      { ...hookFile({ type: 'agentStop' }, run), version: undefined },
      /HK037 the file needs the key "version"/,
    ],
    [
      'a name of another format',
      HOOK,
      hookFile({ type: 'fileSave' }, run),
      /HK007 unknown event "fileSave".*(fileEdited|did you mean)/,
    ],
    ['PascalCase', HOOK, hookFile({ type: 'PostFileSave' }, run), /a trigger of kiro-v1 files; write "fileEdited"/],
    ['stop', HOOK, hookFile({ type: 'stop' }, run), /a trigger of kiro-agent files; write "agentStop"/],
    [
      "v1's action",
      HOOK,
      hookFile({ type: 'agentStop' }, { type: 'command', command: 'x' }),
      /HK051 "command" is no action.*write "runCommand"/,
    ],
    [
      'nothing to run',
      HOOK,
      hookFile({ type: 'agentStop' }, { type: 'runCommand' }),
      /HK037 a hook with "runCommand" needs the key "command"/,
    ],
    [
      'nothing to ask',
      HOOK,
      hookFile({ type: 'agentStop' }, { type: 'askAgent', prompt: '' }),
      /HK018 prompt is empty/,
    ],
    ['a negative limit', HOOK, hookFile({ type: 'agentStop' }, { ...run, timeout: -1 }), /HK013/],
    [
      'a pattern that is none',
      HOOK,
      hookFile({ type: 'fileEdited', patterns: ['[a'] }, run),
      /HK011.*"\[" that is not closed/,
    ],
    ['a regex that is none', HOOK, hookFile({ type: 'preToolUse', toolTypes: ['@mcp(('] }, run), /HK011/],
    ['patterns that are no texts', HOOK, hookFile({ type: 'fileEdited', patterns: [1] }, run), /HK008/],
    ['another version', V1, { ...v1(guard), version: 'v2' }, /HK009 "version" cannot be "v2"; did you mean "v1"/],
    ['a number for the version', V1, { ...v1(guard), version: 1 }, /HK008/],
    ['no version', V1, { hooks: [guard] }, /HK037 the file needs the key "version"/],
    ['no hooks', V1, v1(), /HK038 "hooks" is empty/],
    [
      'event for trigger',
      V1,
      v1({ ...guard, trigger: undefined, event: 'PreToolUse' }),
      /HK051 "event" is not read.*write "trigger"/,
    ],
    ['no trigger', V1, v1({ ...guard, trigger: undefined }), /HK037 a hook needs the key "trigger"/],
    ['no name', V1, v1({ ...guard, name: undefined }), /HK037 a hook needs the key "name"/],
    ['an empty name', V1, v1({ ...guard, name: '' }), /HK018 name is empty/],
    ['no action', V1, v1({ ...guard, action: undefined }), /HK037 a hook needs the key "action"/],
    ["the IDE's action", V1, v1({ ...guard, action: { type: 'askAgent', prompt: 'x' } }), /HK051.*write "agent"/],
    ["Claude's action", V1, v1({ ...guard, action: { type: 'prompt', prompt: 'x' } }), /HK051.*write "agent"/],
    ['a matcher that is a mapping', V1, v1({ ...guard, matcher: { tool: 'x' } }), /HK008/],
    ['a matcher that does not compile', V1, v1({ ...guard, matcher: 'a(' }), /HK011/],
    ['a fraction of a second', V1, v1({ ...guard, timeout: 1.5 }), /HK008/],
  ])('%s', async (_, path, content, expected) => {
    const { findings } = await read(path, content);
    expect(findings.filter((one) => one.startsWith('error')).join('\n')).toMatch(expected);
  });
});

describe('what switches a hook off is a warning of every run', () => {
  it('an unknown trigger of v1 drops that hook alone', async () => {
    const { hooks, findings } = await read(V1, v1({ ...guard, trigger: 'BeforeTool' }, guard));
    expect(hooks).toHaveLength(1);
    expect(findings[0]).toMatch(/^warning HK050 "BeforeTool" is no trigger, so this hook is dropped/);
  });

  it.each([
    ['fs_write|fs_read', /write an entry for each of fs_write, fs_read/],
    ['^fs_write$', /write "fs_write"/],
    ['.*', /write "\*"/],
  ])('a regular expression in an agent file: %s', async (matcher, hint) => {
    const { findings } = await read(AGENT, agent('preToolUse', { command: 'x', matcher }));
    expect(findings).toEqual([expect.stringMatching(/^warning HK026 .*can never match/)]);
    expect(findings[0]).toMatch(hint);
  });

  it.each([[{ type: 'fileEdited', patterns: ['!*.ts'] }], [{ type: 'preToolUse', toolTypes: [] }]])(
    '%j',
    async (when) => {
      expect((await read(HOOK, hookFile(when, run))).findings).toEqual([expect.stringMatching(/^warning HK026/)]);
    },
  );
});

describe('advice', () => {
  it.each<[string, string, unknown, RegExp]>([
    [
      'an unknown key',
      AGENT,
      agent('stop', { command: 'x', colour: 1 }),
      /warning HK006 unknown key "colour" in an entry/,
    ],
    [
      "another format's unit",
      AGENT,
      agent('stop', { command: 'x', timeout: 5 }),
      /warning HK052 about "timeout": agent files count in milliseconds/,
    ],
    [
      'a short time',
      AGENT,
      agent('stop', { command: 'x', timeout_ms: 30 }),
      /30 ms is very short; in seconds it would be 30000 ms/,
    ],
    [
      'an empty matcher',
      AGENT,
      agent('preToolUse', { command: 'x', matcher: '' }),
      /warning HK055 about "": Kiro would never run the hook/,
    ],
    [
      'a matcher without tools',
      AGENT,
      agent('stop', { command: 'x', matcher: 'fs_write' }),
      /warning HK012 stop has no tool/,
    ],
    [
      'an unknown tool',
      AGENT,
      agent('preToolUse', { command: 'x', matcher: 'fs_wirte' }),
      /HK055 about "fs_wirte".*write "fs_write"/,
    ],
    ['a cache', AGENT, agent('stop', { command: 'x', cache_ttl_seconds: 60 }), /info HK062 hookctl keeps no cache/],
    [
      'a late hook',
      AGENT,
      agent('stop', { command: 'x', only_when_turn_complete: true }),
      /warning HK062 hookctl runs the hook at once/,
    ],
    ['a path at home', AGENT, agent('stop', { command: '/home/me/x.sh' }), /info HK062 \/home\/me\/x.sh is not there/],
    [
      'milliseconds?',
      HOOK,
      hookFile({ type: 'agentStop' }, { ...run, timeout: 5_000 }),
      /HK052 about "timeout": 5000 s is 83 min; in milliseconds it would be 5 s/,
    ],
    [
      'the wrong key',
      HOOK,
      hookFile({ type: 'agentStop' }, { ...run, timeout_ms: 5 }),
      /HK052 about "timeout_ms": .kiro.hook files count in seconds/,
    ],
    ['every file', HOOK, hookFile({ type: 'fileEdited' }, run), /HK055 about fileEdited: without "patterns"/],
    ['every tool', HOOK, hookFile({ type: 'preToolUse' }, run), /info HK062 without "toolTypes"/],
    [
      'patterns elsewhere',
      HOOK,
      hookFile({ type: 'agentStop', patterns: ['*'] }, run),
      /HK006 unknown key "patterns" in a hook on agentStop/,
    ],
    [
      'tools elsewhere',
      HOOK,
      hookFile({ type: 'fileEdited', patterns: ['*'], toolTypes: ['write'] }, run),
      /HK006 unknown key "toolTypes"/,
    ],
    [
      'a category with a typo',
      HOOK,
      hookFile({ type: 'preToolUse', toolTypes: ['wriet'] }, run),
      /HK055 about "wriet".*write "write"/,
    ],
    [
      'powers',
      HOOK,
      hookFile({ type: 'preToolUse', toolTypes: ['@powers'] }, run),
      /info HK062 powers cannot be told apart/,
    ],
    [
      'a command beside a prompt',
      HOOK,
      hookFile({ type: 'agentStop' }, { type: 'askAgent', prompt: 'x', command: 'y' }),
      /HK006 unknown key "command" in a hook with "askAgent"/,
    ],
    ['a prompt at every end', HOOK, hookFile({ type: 'agentStop' }, { type: 'askAgent', prompt: 'x' }), /HK060/],
    [
      'filePath',
      HOOK,
      hookFile({ type: 'fileEdited', patterns: ['*'] }, { ...run, command: 'x {{filePath}}' }),
      /HK055 about "\{\{filePath\}\}"/,
    ],
    [
      'a user that starts it',
      HOOK,
      hookFile({ type: 'userTriggered' }, run),
      /info HK062 Kiro IDE 1 has no hooks that a user starts/,
    ],
    ['the wrong place', V1, hookFile({ type: 'agentStop' }, run), /HK053 no Kiro loads this: a hook of this format/],
    ['v1 in a .kiro.hook', HOOK, v1(guard), /HK053 no Kiro loads this: a \*.kiro.hook file has one hook/],
    ['a subfolder', '.kiro/hooks/deep/h.json', v1(guard), /HK053 .*subfolders/],
    ['the settings', '.kiro/settings/hooks.json', v1(guard), /HK053 .*not from .kiro\/settings/],
    [
      'a timeout in the action',
      V1,
      v1({ ...guard, action: { ...guard.action, timeout: 5 } }),
      /HK052 about "timeout": inside of "action"/,
    ],
    [
      'a glob',
      V1,
      v1({ ...guard, matcher: 'fs_*' }),
      /HK055 about "fs_\*": it is a regular expression.*write "fs_\.\*"/,
    ],
    ['a glob of files', V1, v1({ ...guard, trigger: 'PostFileSave', matcher: '**/*.ts' }), /HK055 .*read as a glob/],
    ['an unknown part', V1, v1({ ...guard, matcher: 'write|shel' }), /HK055 about "shel".*write "shell"/],
    ['an empty matcher', V1, v1({ ...guard, matcher: '' }), /HK055 about ""/],
    ['a matcher elsewhere', V1, v1({ ...guard, trigger: 'Stop' }), /HK012 Stop has no tool/],
    [
      'quotes',
      V1,
      v1({ ...guard, trigger: 'PostFileSave', action: { type: 'command', command: "x '{{filePath}}'" } }),
      /in single quotes/,
    ],
    ['no file', V1, v1({ ...guard, action: { type: 'command', command: 'x {{filePath}}' } }), /PreToolUse has no file/],
    [
      'a question elsewhere',
      V1,
      v1({ ...guard, confirm: { question: 'q', options: [{ id: 'a', label: 'A', run: true }] } }),
      /HK006 unknown key "confirm"/,
    ],
    [
      'a question',
      V1,
      v1({
        ...guard,
        trigger: 'Stop',
        matcher: undefined,
        confirm: { question: 'q', options: [{ id: 'a', label: 'A', run: true }] },
      }),
      /HK054/,
    ],
    ['a prompt at every end', V1, v1({ ...guard, trigger: 'Stop', action: { type: 'agent', prompt: 'x' } }), /HK060/],
  ])('%s', async (_, path, content, expected) => {
    const { advice, findings } = await read(path, content);
    expect(findings.filter((one) => one.startsWith('error'))).toEqual([]);
    expect(advice.join('\n')).toMatch(expected);
  });

  it('is none for files as they should be', async () => {
    expect((await read(AGENT, agent('preToolUse', { command: 'x', matcher: 'fs_write' }))).advice).toEqual([]);
    expect(
      (
        await read(
          HOOK,
          hookFile({ type: 'fileEdited', patterns: ['*.ts'] }, run, { shortName: 's', workspaceFolderName: 'w' }),
        )
      ).advice,
    ).toEqual([]);
    expect((await read(V1, v1(guard))).advice).toEqual([]);
  });
});
