import { describe, expect, it } from 'vitest';
import type { Hook } from '../../../src/core/model';
import { helpOf, sentenceOf } from '../../../src/render/findings';
import { EVENT_NAMES } from '../dialects/sample';
import { type Files, load } from './disk';

const HOOK_KEYS = ['name', 'description', 'matcher', 'command', 'wasm', 'onError', 'timeout', 'env', 'enabled'];

/** One hook of preToolCall with these lines beside its command, which stands in line 3. */
const withHook = (...lines: string[]) =>
  `hooks:\n  preToolCall:\n    - command: x\n${lines.map((line) => `      ${line}\n`).join('')}`;

/** `code line:column-endLine:endColumn sentence`. */
async function findingsIn(text: string, name = 'agent.yaml'): Promise<string[]> {
  const { findings } = await load([name], { [`/work/${name}`]: text });
  return findings.map((finding) => {
    const { at } = finding;
    const place = 'line' in at ? `${at.line}:${at.column}-${at.endLine}:${at.endColumn} ` : '';
    return `${finding.code} ${place}${sentenceOf(finding)}`;
  });
}

async function hooksIn(files: Files, names: readonly string[] = Object.keys(files)): Promise<readonly Hook[]> {
  const { hooks, findings } = await load(names, files);
  if (findings.length > 0) throw new Error(findings.map(sentenceOf).join('\n'));
  return hooks;
}

async function hookIn(text: string): Promise<Hook> {
  const [hook] = await hooksIn({ '/work/agent.yaml': text });
  if (hook === undefined) throw new Error('no hook');
  return hook;
}

describe('an agent file without a fault', () => {
  it.each<[string, string]>([
    ['without hooks', 'model: gpt-5\n'],
    ['with null for hooks', 'hooks:\n'],
    ['with no event', 'hooks: {}\n'],
    ['with null for an event', 'hooks:\n  preToolCall:\n'],
    ['with an empty chain', 'hooks:\n  preToolCall: []\n'],
    ['with an end of document', 'hooks: {}\n...\n'],
    ['with a begin of document', '---\nhooks: {}\n'],
    ['with a BOM', '\ufeffhooks: {}\n'],
    ['with CR LF', 'hooks:\r\n  preToolCall: []\r\n'],
    ['in JSON', '{"hooks":{"preToolCall":[]}}'],
    ['whose other keys are its own', 'Hook: 1\nhookz:\n  preToolCall: []\npreToolCall: []\nmcp: [a]\n"": x\n'],
    ['with another spelling of hooks that holds no event', 'HOOKS:\n  on: push\nhook: []\nHook: {}\n'],
  ])('is no finding: %s', async (_, text) => {
    expect(await findingsIn(text)).toEqual([]);
  });
});

describe('a file that cannot be used', () => {
  it.each<[string, string, string[]]>([
    ['empty', '', ['HK005 1:1-1:1 the file is empty']],
    ['of comments alone', '# nothing\n', ['HK005 1:1-1:1 the file is empty']],
    ['null', 'null\n', ['HK008 1:1-1:5 the file is nothing, but must be a mapping']],
    ['a list', '- a\n', ['HK008 1:1-1:4 the file is a list, but must be a mapping']],
    ['a text', 'hello\n', ['HK008 1:1-1:6 the file is text, but must be a mapping']],
    [
      'with a second document',
      'a: 1\n---\nb: 2\n',
      ['HK004 2:1-2:1 a second document begins here; only the first would be read'],
    ],
    ['with a tab', 'hooks:\n\tpreToolCall: []\n', ['HK002 2:1-2:2 this line is indented with a tab']],
    [
      'with a loop of aliases',
      'hooks: &a\n  preToolCall: *a\n',
      ['HK017 2:16-2:18 the alias *a stands inside of its own anchor'],
    ],
  ])('%s', async (_, text, findings) => {
    expect(await findingsIn(text)).toEqual(findings);
  });

  it.each<[string, string, string[]]>([
    ['empty', '', ['HK005 1:1-1:1 the file is empty']],
    ['with a comment', '{ // hooks\n}', ['HK002 1:3-1:4 a comment (JSON has none)']],
    ['with a trailing comma', '{"a":1,}', ['HK002 1:7-1:8 a trailing comma']],
    ['half', '{\n"hooks":', ['HK002 2:9-2:9 unexpected end']],
    [
      'with a duplicate key',
      '{"é":"😀","hooks":{},\n"\\u0068ooks":{}}',
      ['HK003 2:1-2:13 the key "hooks" stands twice; one of the two would be lost'],
    ],
    ['with two values', '{} {}', ['HK002 1:4-1:5 text after the JSON value']],
    ['an array', '[]', ['HK008 1:1-1:3 the file is a list, but must be a mapping']],
  ])('in JSON: %s', async (_, text, findings) => {
    expect(await findingsIn(text, 'agent.json')).toEqual(findings);
  });

  it('that is no UTF-8 is shown where', async () => {
    const bytes = Uint8Array.from([0x61, 0x3a, 0x0a, 0x23, 0xff]);
    const { findings } = await load(['agent.yaml'], { '/work/agent.yaml': bytes });
    expect(findings).toEqual([
      {
        code: 'HK002',
        at: { file: 'agent.yaml', line: 2, column: 2, endLine: 2, endColumn: 3, source: '#\ufffd', caret: 1 },
        args: { why: 'the file is not valid UTF-8', hint: 'save it as UTF-8' },
      },
    ]);
  });

  it('that cannot be read has no line', async () => {
    const { findings } = await load(['agent.yaml'], { '/work/agent.yaml': { why: 'permission denied' } });
    expect(findings).toEqual([
      { code: 'HK001', at: { file: 'agent.yaml' }, args: { path: 'agent.yaml', why: 'permission denied' } },
    ]);
  });

  it.each([
    ['YAML', 'agent.yaml'],
    ['JSON', 'agent.json'],
  ])('of two thousand hooks with letters beyond ASCII is read in no time: %s', async (_, name) => {
    const text = JSON.stringify(
      { x: 'é'.repeat(40_000), hooks: { manual: Array(2_000).fill({ command: 'x' }) } },
      null,
      1,
    );
    const started = performance.now();
    await load([name], { [`/work/${name}`]: text });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('that aliases blow up is refused', async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const before = level === 0 ? 'x' : `*a${level - 1}`;
      return `a${level}: &a${level} [${Array(8).fill(before).join(', ')}]\n`;
    });
    expect(await findingsIn(levels.join(''))).toContain(
      'HK017 1:1-1:1 the file holds more than 200000 values, its aliases followed',
    );
  });
});

describe('"hooks"', () => {
  const lost = (key: string) =>
    `HK015 1:1-1:${key.length + 1} the key "${key}" holds hooks, but only "hooks" is read: all of them would be off`;

  it.each(['Hooks', 'HOOKS', 'hOoKs', 'hook', 'Hook'])(
    'misspelt as %s would disarm every guard: an error',
    async (key) => {
      expect(await findingsIn(`${key}:\n  preToolCall:\n    - command: x\n`)).toEqual([lost(key)]);
    },
  );

  it('misspelt beside the right one is an error too', async () => {
    expect(await findingsIn('Hooks:\n  sessionEnd: []\nhooks: {}\n')).toEqual([lost('Hooks')]);
  });

  it.each([
    ['a list', 'hooks: []\n', 'HK008 1:8-1:10 "hooks" is a list, but must be a mapping'],
    ['a text', 'hooks: x\n', 'HK008 1:8-1:9 "hooks" is "x", but must be a mapping'],
    [
      'a flat hook',
      'hooks:\n  preToolCall:\n    command: x\n',
      'HK008 3:5-3:15 "preToolCall" is a mapping, but must be a list',
    ],
    [
      'a hook that is a text',
      'hooks:\n  preToolCall:\n    - echo\n',
      'HK008 3:7-3:11 a hook is "echo", but must be a mapping',
    ],
    [
      'a hook that is nothing',
      'hooks:\n  preToolCall:\n    -\n',
      'HK008 3:6-3:6 a hook is nothing, but must be a mapping',
    ],
  ])('with %s', async (_, text, finding) => {
    expect(await findingsIn(text)).toEqual([finding]);
  });

  it.each(EVENT_NAMES)('takes the event %s', async (event) => {
    const [hook] = await hooksIn({ '/work/agent.yaml': `hooks:\n  ${event}:\n    - command: x\n` });
    expect(hook?.event).toBe(event);
  });

  it.each([
    ['preToolcall', 'unknown event "preToolcall"; did you mean "preToolCall"?'],
    ['pre_tool_call', 'unknown event "pre_tool_call"; did you mean "preToolCall"?'],
    ['PreToolUse', 'unknown event "PreToolUse"; did you mean "preToolCall"?'],
    ['toString', 'unknown event "toString"'],
    ['__proto__', 'unknown event "__proto__"'],
    ['nobody:Idle', 'unknown event "nobody:Idle"'],
  ])('refuses the event %s', async (event, sentence) => {
    const end = 3 + event.length;
    expect(await findingsIn(`hooks:\n  ${event}:\n    - command: x\n`)).toEqual([`HK007 2:3-2:${end} ${sentence}`]);
  });

  it('refuses an event that is no text', async () => {
    expect(await findingsIn('hooks:\n  1: []\n')).toEqual(['HK007 2:3-2:4 unknown event "1"']);
  });

  it('says which events there are', async () => {
    const { findings } = await load(['agent.yaml'], { '/work/agent.yaml': 'hooks:\n  x: []\n' });
    expect(findings[0]?.allowed?.toSorted()).toEqual(EVENT_NAMES.toSorted());
  });
});

describe('the keys of a hook', () => {
  it.each<[string, string, string[]]>([
    [
      'an unknown one',
      withHook('comand: y'),
      ['HK006 4:7-4:13 unknown key "comand" in a hook; did you mean "command"?'],
    ],
    ['an unknown one near none', withHook('args: []'), ['HK006 4:7-4:11 unknown key "args" in a hook']],
    ['a merge, which YAML 1.2 does not know', withHook('<<: {}'), ['HK006 4:7-4:9 unknown key "<<" in a hook']],
    ['__proto__', withHook('__proto__: 1'), ['HK006 4:7-4:16 unknown key "__proto__" in a hook']],
    [
      'one twice',
      withHook('command: y'),
      ['HK003 4:7-4:14 the key "command" stands twice; one of the two would be lost'],
    ],
    [
      'one twice in other quotes',
      withHook('"command": y'),
      ['HK003 4:7-4:16 the key "command" stands twice; one of the two would be lost'],
    ],
    [
      'neither command nor wasm',
      'hooks:\n  manual:\n    - name: n\n',
      ['HK010 3:7-3:14 a hook needs exactly one of command and wasm; this one has neither'],
    ],
    [
      'an empty hook',
      'hooks:\n  manual:\n    - {}\n',
      ['HK010 3:7-3:9 a hook needs exactly one of command and wasm; this one has neither'],
    ],
    [
      'both command and wasm',
      withHook('wasm: y'),
      ['HK010 3:7-4:14 a hook needs exactly one of command and wasm; this one has both'],
    ],
    [
      'a misspelt command is one mistake',
      'hooks:\n  manual:\n    - comand: x\n',
      ['HK006 3:7-3:13 unknown key "comand" in a hook; did you mean "command"?'],
    ],
    [
      'a command that is a number',
      'hooks:\n  manual:\n    - command: 5\n',
      ['HK008 3:16-3:17 "command" is 5, but must be text'],
    ],
    [
      'a command that is a list',
      'hooks:\n  manual:\n    - command: [a, b]\n',
      ['HK008 3:16-3:22 "command" is a list, but must be text'],
    ],
    [
      'a command that is nothing',
      'hooks:\n  manual:\n    - command:\n',
      ['HK008 3:15-3:15 "command" is nothing, but must be text'],
    ],
    ['a command that is empty', 'hooks:\n  manual:\n    - command: ""\n', ['HK018 3:16-3:18 command is empty']],
    ['a command of white space', 'hooks:\n  manual:\n    - command: " "\n', ['HK018 3:16-3:19 command is empty']],
    [
      'a command with NUL',
      'hooks:\n  manual:\n    - command: "a\\0b"\n',
      ['HK019 3:16-3:22 command holds a NUL character, which no command line and no variable can'],
    ],
    ['a name that is a number', withHook('name: 5'), ['HK008 4:13-4:14 "name" is 5, but must be text']],
    [
      'a description that is a list',
      withHook('description: []'),
      ['HK008 4:20-4:22 "description" is a list, but must be text'],
    ],
    [
      'enabled that is a word',
      withHook('enabled: yes'),
      ['HK008 4:16-4:19 "enabled" is "yes", but must be true or false'],
    ],
    [
      'enabled that is nothing',
      withHook('enabled:'),
      ['HK008 4:15-4:15 "enabled" is nothing, but must be true or false'],
    ],
    [
      'onError in another case',
      withHook('onError: Fail'),
      ['HK009 4:16-4:20 "onError" cannot be "Fail"; did you mean "fail"?'],
    ],
    ['onError near none', withHook('onError: block'), ['HK009 4:16-4:21 "onError" cannot be "block"']],
    ['onError that is no text', withHook('onError: true'), ['HK009 4:16-4:20 "onError" cannot be true']],
    ['onError that is nothing', withHook('onError:'), ['HK009 4:15-4:15 "onError" cannot be nothing']],
    ['env that is a list', withHook('env: [A]'), ['HK008 4:12-4:15 "env" is a list, but must be a mapping']],
    ['env with a number', withHook('env: { A: 1 }'), ['HK008 4:17-4:18 "A" is 1, but must be text']],
    ['env with true', withHook('env: { A: true }'), ['HK008 4:17-4:21 "A" is true, but must be text']],
    [
      'env with a number called as a key that the room judges',
      withHook('env: { timeout: 1 }'),
      ['HK008 4:23-4:24 "timeout" is 1, but must be text'],
    ],
    [
      'env with MM_',
      withHook('env: { MM_X: a }'),
      ['HK014 4:14-4:18 the variable MM_X cannot be set: names that begin with MM_ or HOOKCTL_ are set by hookctl'],
    ],
    [
      'env with HOOKCTL_',
      withHook('env:', '  A: b', '  HOOKCTL_DEPTH: "0"'),
      [
        'HK014 6:9-6:22 the variable HOOKCTL_DEPTH cannot be set: names that begin with MM_ or HOOKCTL_ are set by hookctl',
      ],
    ],
    [
      'env with an empty name',
      withHook('env: { "": a }'),
      ['HK014 4:14-4:16 the variable  cannot be set: this is no name of a variable'],
    ],
    [
      'env with = in a name',
      withHook('env: { "A=B": c }'),
      ['HK014 4:14-4:19 the variable A=B cannot be set: this is no name of a variable'],
    ],
    [
      'env with NUL',
      withHook('env: { A: "a\\0" }'),
      ['HK019 4:14-4:15 a variable holds a NUL character, which no command line and no variable can'],
    ],
    [
      'a column behind characters beyond the basic plane',
      'hooks:\n  manual:\n    - { name: "é😀", comand: x }\n',
      ['HK006 3:21-3:27 unknown key "comand" in a hook; did you mean "command"?'],
    ],
    [
      'many mistakes, in the order of their lines',
      'hooks:\n  manual:\n    - { comand: x }\n    - command: y\n      timeout: 1\n      onEror: fail\n',
      [
        'HK006 3:9-3:15 unknown key "comand" in a hook; did you mean "command"?',
        'HK013 5:16-5:17 the timeout 1 cannot be used: a duration is a number with the unit ms, s or m',
        'HK006 6:7-6:13 unknown key "onEror" in a hook; did you mean "onError"?',
      ],
    ],
  ])('%s', async (_, text, findings) => {
    expect(await findingsIn(text)).toEqual(findings);
  });

  it('says which there are, with the line', async () => {
    const { findings } = await load(['agent.yaml'], { '/work/agent.yaml': withHook('comand: y') });
    expect(findings).toEqual([
      {
        code: 'HK006',
        at: { file: 'agent.yaml', line: 4, column: 7, endLine: 4, endColumn: 13, source: '      comand: y', caret: 6 },
        args: { key: 'comand', where: 'a hook', hint: '' },
        allowed: HOOK_KEYS,
      },
    ]);
  });
});

describe('a timeout', () => {
  const why = (got: string, rest: string) => `the timeout ${got} cannot be used: ${rest}`;
  const UNIT = 'a duration is a number with the unit ms, s or m';

  it.each<[string, string, string, string]>([
    ['5', '5', UNIT, 'write 5ms, 5s, 5m'],
    ['"5"', '5', UNIT, 'write 5ms, 5s, 5m'],
    ['1.5', '1.5', UNIT, 'write 1.5ms, 1.5s, 1.5m'],
    ['0', '0', UNIT, 'write for example 5s'],
    ['0s', '0s', 'a duration is longer than zero', 'write for example 5s'],
    ['1h', '1h', UNIT, 'write 60m'],
    ['1441m', '1441m', 'a duration is at most 24 hours', 'write for example 5s'],
    ['-5s', '-5s', UNIT, 'write for example 5s'],
    ['[5s]', 'a list', UNIT, 'write for example 5s'],
    ['{}', 'a map', UNIT, 'write for example 5s'],
    ['true', 'true', UNIT, 'write for example 5s'],
    ['null', 'null', UNIT, 'write for example 5s'],
  ])('%s is refused with its readings', async (written, got, rest, help) => {
    const { findings } = await load(['agent.yaml'], { '/work/agent.yaml': withHook(`timeout: ${written}`) });
    expect(findings.map((one) => [sentenceOf(one), helpOf(one)])).toEqual([[why(got, rest), help]]);
  });

  it.each([
    ['5s', 5_000],
    ['1.5s', 1_500],
    ['500ms', 500],
    ['2m', 120_000],
    ['1440m', 86_400_000],
  ])('%s is taken', async (written, ms) => {
    expect(JSON.parse((await hookIn(withHook(`timeout: ${written}`))).written.text)).toMatchObject({ ms });
  });

  it('is 30 seconds without one', async () => {
    expect(JSON.parse((await hookIn(withHook())).written.text)).toMatchObject({ ms: 30_000 });
  });
});

describe('a matcher', () => {
  it.each<[string, string[]]>([
    ['(a', ['HK011 4:16-4:18 the matcher "(a" cannot be used: unclosed group']],
    ['(?!a)b', ['HK011 4:16-4:22 the matcher "(?!a)b" cannot be used: look-ahead is not supported']],
    ['(?<=a)b', ['HK011 4:16-4:23 the matcher "(?<=a)b" cannot be used: look-behind is not supported']],
    ['(a)\\1', ['HK011 4:16-4:21 the matcher "(a)\\\\1" cannot be used: back-references are not supported']],
    ['*', ['HK017 4:16-4:17 * is an alias without an anchor']],
    ['*bash', ['HK017 4:16-4:21 the alias *bash has no anchor']],
    ['5', ['HK008 4:16-4:17 "matcher" is 5, but must be text']],
    ['[a]', ['HK008 4:16-4:19 "matcher" is a list, but must be text']],
  ])('%s is refused', async (written, findings) => {
    expect(await findingsIn(withHook(`matcher: ${written}`))).toEqual(findings);
  });

  it('of more than 1,000 bytes is refused, of 1,000 taken', async () => {
    const codes = await Promise.all(
      [`${'é'.repeat(500)}a`, 'é'.repeat(500)].map(
        async (matcher) => (await findingsIn(withHook(`matcher: ${matcher}`))).length,
      ),
    );
    expect(codes).toEqual([1, 0]);
  });

  it('that is an unquoted * is told to be quoted', async () => {
    const { findings } = await load(['agent.yaml'], { '/work/agent.yaml': withHook('matcher: *') });
    expect(findings.map(helpOf)).toEqual(['YAML reads a leading * as an alias; put the text in quotes: "*"']);
  });

  it.each(['^bash$', '(?i)BASH', 'a|b', '[a-z]+\\b', '(?:a|b){2,3}', 'git.*push'])(
    '%s is a pattern on the tool',
    async (written) => {
      expect((await hookIn(withHook(`matcher: '${written}'`))).tests).toEqual([
        { kind: 'regex', of: 'tool', any: [written] },
      ]);
    },
  );

  it.each(['""', '"*"'])('%s is every tool', async (written) => {
    expect((await hookIn(withHook(`matcher: ${written}`))).tests).toEqual([]);
  });

  const TOOL_EVENTS = ['preToolCall', 'postToolCall', 'permissionRequest', 'permissionDenied'];

  it.each(EVENT_NAMES)('on %s tests the tool, or is a warning where there is none', async (event) => {
    const text = `hooks:\n  ${event}:\n    - command: x\n      matcher: ^bash$\n`;
    const warning = `HK012 4:7-4:14 ${event} has no tool, so the matcher has no effect and the hook always runs`;
    expect(await findingsIn(text)).toEqual(TOOL_EVENTS.includes(event) ? [] : [warning]);
  });

  it('without effect does not keep the hook from running', async () => {
    const { hooks } = await load(['agent.yaml'], {
      '/work/agent.yaml': 'hooks:\n  manual:\n    - command: x\n      matcher: ^bash$\n',
    });
    expect(hooks.map((hook) => hook.tests)).toEqual([[]]);
  });

  it('that cannot be used is an error on an event without tools too', async () => {
    expect(await findingsIn('hooks:\n  manual:\n    - command: x\n      matcher: (a\n')).toEqual([
      'HK011 4:16-4:18 the matcher "(a" cannot be used: unclosed group',
    ]);
  });
});

describe('a hook', () => {
  it('has all that the file says', async () => {
    const text = [
      'hooks:',
      '  preToolCall:',
      '    - name: no-force-push',
      '      description: for people',
      '      matcher: ^bash$',
      '      command: node "$MM_CONFIG_DIR/hooks/x.js"',
      '      onError: fail',
      '      timeout: 5s',
      '      env: { MODE: strict, EMPTY: "", __proto__: p }',
      '      enabled: true',
    ].join('\n');
    const [hook] = await hooksIn({ '/work/sub/agent.yaml': text }, ['sub/agent.yaml']);
    expect(hook).toEqual({
      author: 'mm',
      at: { file: 'sub/agent.yaml', line: 3, column: 5 },
      label: 'no-force-push',
      event: 'preToolCall',
      tests: [{ kind: 'regex', of: 'tool', any: ['^bash$'] }],
      group: 'mm',
      order: { start: 'in turn', sees: 'rewritten', afterBlock: 'end', decides: true },
      phase: 0,
      onFailure: 'block',
      root: '/work/sub',
      written: {
        text: '{"command":"node \\"$MM_CONFIG_DIR/hooks/x.js\\"","ms":5000,"env":{"MODE":"strict","EMPTY":"","__proto__":"p"}}',
      },
    });
  });

  it.each([
    ['fail', 'block'],
    ['warn', 'warn'],
    ['ignore', 'ignore'],
  ])('with onError %s', async (written, onFailure) => {
    expect((await hookIn(withHook(`onError: ${written}`))).onFailure).toBe(onFailure);
  });

  it('warns by default when it fails', async () => {
    expect((await hookIn(withHook())).onFailure).toBe('warn');
  });

  it('that is disabled is off', async () => {
    expect((await hookIn(withHook('enabled: false'))).off).toBe('disabled');
  });

  it.each<[string, string, string]>([
    ['its name', 'hooks:\n  manual:\n    - { name: n, command: x }\n', 'n'],
    [
      'the first line of its command',
      'hooks:\n  manual:\n    - command: |\n        \n        first\n        second\n',
      'first',
    ],
    ['60 characters of it', `hooks:\n  manual:\n    - command: ${'x'.repeat(61)}\n`, `${'x'.repeat(59)}…`],
    ['its command where the name is empty', 'hooks:\n  manual:\n    - { name: "", command: x }\n', 'x'],
    ['its name without terminal sequences', 'hooks:\n  manual:\n    - { name: "\\e[31mred", command: x }\n', 'red'],
  ])('is called by %s', async (_, text, label) => {
    expect((await hookIn(text)).label).toBe(label);
  });

  it.each<[string, string, string, string]>([
    ['its dash', 'agent.yaml', 'hooks:\n  manual:\n    # note\n    - # note\n      command: x\n', '4:5'],
    ['its dash on a line of its own', 'agent.yaml', 'hooks:\n  manual:\n    -\n      command: x\n', '3:5'],
    ['its brace in a flow list', 'agent.yaml', 'hooks: { manual: [ { command: x } ] }\n', '1:20'],
    ['its brace in JSON', 'agent.json', '{"hooks":{"manual":[\n {"command":"x"}]}}', '2:2'],
    ['its dash behind CR LF', 'agent.yaml', 'hooks:\r\n  manual:\r\n    - command: x\r\n', '3:5'],
  ])('stands at %s', async (_, name, text, place) => {
    const [hook] = await hooksIn({ [`/work/${name}`]: text });
    expect(`${hook?.at.line}:${hook?.at.column}`).toBe(place);
  });

  it('may be an alias, at the place of the alias', async () => {
    const hooks = await hooksIn({
      '/work/agent.yaml': 'guard: &g\n  command: x\nhooks:\n  preToolCall:\n    - *g\n  manual:\n    - *g\n',
    });
    expect(hooks.map(({ event, at }) => `${event} ${at.line}`)).toEqual(['preToolCall 5', 'manual 7']);
  });
});

describe('the switches', () => {
  it.each<[string, object]>([
    ['displayHooks: true\nyolo: false\n', { displayHooks: true, yolo: false }],
    ['displayHooks: false\n', { displayHooks: false }],
    ['model: x\n', {}],
  ])('%j', async (text, switches) => {
    expect((await load(['agent.yaml'], { '/work/agent.yaml': text })).switches).toEqual(switches);
  });

  it.each([
    ['displayHooks: yes\n', 'HK008 1:15-1:18 "displayHooks" is "yes", but must be true or false'],
    ['yolo: 1\n', 'HK008 1:7-1:8 "yolo" is 1, but must be true or false'],
  ])('of the wrong type: %j', async (text, finding) => {
    expect(await findingsIn(text)).toEqual([finding]);
  });
});

describe('several files', () => {
  const hook = (name: string) => `hooks:\n  preToolCall:\n    - { name: ${name}, command: x }\n`;
  const files = {
    '/work/b.agent.yaml': hook('b'),
    '/work/a.agent.yaml': hook('a'),
    '/etc/agent.json': '{"hooks":{"preToolCall":[{"command":"c"}]}}',
  };

  it('are joined in the order given', async () => {
    const hooks = await hooksIn(files, ['b.agent.yaml', '/etc/agent.json', 'a.agent.yaml']);
    expect(hooks.map(({ label, at, root }) => `${label} ${at.file} ${root}`)).toEqual([
      'b b.agent.yaml /work',
      'c /etc/agent.json /etc',
      'a a.agent.yaml /work',
    ]);
  });

  it('one bad one hides no finding of another, and leaves no hook', async () => {
    const { hooks, findings } = await load(['a.yaml', 'b.yaml', 'c.yaml'], {
      '/work/a.yaml': withHook('onEror: fail'),
      '/work/b.yaml': '',
      '/work/c.yaml': hook('c'),
    });
    expect([hooks, findings.map((finding) => `${finding.code} ${finding.at.file}`)]).toEqual([
      [],
      ['HK006 a.yaml', 'HK005 b.yaml'],
    ]);
  });

  it('a warning leaves all hooks', async () => {
    const { hooks, findings } = await load(['a.yaml'], {
      '/work/a.yaml': 'hooks:\n  manual:\n    - { command: x, matcher: a }\n    - command: y\n',
    });
    expect([hooks.length, findings.map((finding) => finding.code)]).toEqual([2, ['HK012']]);
  });
});
