import { describe, expect, it } from 'vitest';
import { loadDoors } from '../../../src/cli/load-doors';
import { readSuiteFile } from '../../../src/config/suite';
import { realIo } from '../../../src/io';
import { sentenceOf } from '../../../src/render/findings';
import { diskOf } from '../config/disk';

const FILES = {
  '/work/agent.yaml': 'hooks: {}\n',
  '/work/p.json': '{"event":"preToolCall","tool":{"name":"bash","input":{"command":"ls","list":["a"]}}}',
  '/work/q.json': '{"event":"manual"}',
};

async function read(text: string) {
  const disk = diskOf({ ...FILES, '/work/a.hooktest.yaml': text });
  return readSuiteFile('/work/a.hooktest.yaml', 'a.hooktest.yaml', loadDoors({ ...realIo(), disk }));
}

/** `code line:column sentence` of a suite with one case: its lines, and the rows of its table. */
async function told(lines: string, ...rows: string[]): Promise<string[]> {
  const each = rows.length === 0 ? '' : `\n    each:\n${rows.map((row) => `      - ${row}\n`).join('')}`;
  const expected = lines.includes('expect:') ? '' : '\n    expect: { exit: 0 }';
  const { findings } = await read(`config: agent.yaml\ncases:\n  - name: a\n    ${lines}${each}${expected}`);
  return findings.map((finding) => {
    const { at } = finding;
    return `${finding.code} ${'line' in at ? `${at.line}:${at.column}` : ''} ${sentenceOf(finding)}`;
  });
}

const TOOL = 'event: preToolCall\n    tool: { name: bash, input: { command: ls, list: [a, b], text1: x } }';
const FILE = 'payload: p.json';

describe('a path of a row is used, or is an error', () => {
  it.each<[string, string, string[], string[]]>([
    [
      'one that a later one replaces',
      TOOL,
      ['{ tool.input.command: x, tool.input: {} }'],
      ['HK044 7:11 tool.input.command leads nowhere: "tool.input" comes behind it and replaces it'],
    ],
    [
      'one that a later one replaces in a file',
      FILE,
      ['{ payload.tool.input.command: x, payload.tool: {} }'],
      ['HK044 6:11 payload.tool.input.command leads nowhere: "payload.tool" comes behind it and replaces it'],
    ],
    [
      'one that another payload replaces',
      FILE,
      ['{ payload.event: x, payload: { event: manual } }'],
      ['HK044 6:11 payload.event leads nowhere: "payload" comes behind it and replaces it'],
    ],
    [
      'an empty part',
      TOOL,
      ['{ tool.input..command: x }', '{ tool.input.: x }', '{ .tool: x }'],
      [
        'HK044 7:11 tool.input..command leads nowhere: a part of it is empty',
        'HK044 8:11 tool.input. leads nowhere: a part of it is empty',
        'HK044 9:11 .tool leads nowhere: a part of it is empty',
      ],
    ],
    [
      'an empty part in a file',
      FILE,
      ['{ payload..tool: x }', '{ payload.tool.input..command: x }'],
      [
        'HK044 6:11 payload..tool leads nowhere: a part of it is empty',
        'HK044 7:11 payload.tool.input..command leads nowhere: a part of it is empty',
      ],
    ],
    [
      'an odd number of an item',
      TOOL,
      ['{ tool.input.list.01: x }', '{ tool.input.list.2: x }', '{ tool.input.list.-1: x }'],
      [
        'HK044 7:11 tool.input.list.01 leads nowhere: "list" is a list of 2, and there is no item 01',
        'HK044 8:11 tool.input.list.2 leads nowhere: "list" is a list of 2, and there is no item 2',
        'HK044 9:11 tool.input.list.-1 leads nowhere: "list" is a list of 2, and there is no item -1',
      ],
    ],
    [
      'a slip of a key that other rows have',
      'event: preToolCall\n    tool: { name: bash }',
      ['{ tool.input.command: x }', '{ tool.input.comand: y }', '{ tool.input.command: z }'],
      ['HK006 8:11 unknown key "comand" in a row of "each"; did you mean "command"?'],
    ],
    [
      'a slip before those',
      'event: preToolCall\n    tool: { name: bash }',
      ['{ tool.input.comand: x }', '{ tool.input.command: y }', '{ tool.input.command: z }'],
      ['HK006 7:11 unknown key "comand" in a row of "each"; did you mean "command"?'],
    ],
    [
      'a slip on the way',
      'payload: { event: manual }',
      ['{ payload.extra.a: x }', '{ payload.extr.a: y }'],
      ['HK006 7:11 unknown key "extr" in a row of "each"; did you mean "extra"?'],
    ],
    [
      'a slip in a file',
      FILE,
      ['{ payload.tool.input.path: x }', '{ payload.tool.input.pathh: y }'],
      ['HK006 7:11 unknown key "pathh" in a row of "each"; did you mean "path"?'],
    ],
    [
      'keys that a row has both',
      'event: preToolCall\n    tool: { name: bash }',
      ['{ tool.input.names: x, tool.input.name: y }', '{ tool.input.name: z }'],
      [],
    ],
    ['keys with numbers', TOOL, ['{ tool.input.text2: x }', '{ tool.input.text3: x }'], []],
    [
      'a payload beside an event',
      TOOL,
      ['{ payload.x: 1 }'],
      [
        'HK043 7:11 "event" would be dropped: beside "payload" it has no effect',
        'HK043 7:11 "tool" would be dropped: beside "payload" it has no effect',
      ],
    ],
    [
      'an event beside a payload',
      FILE,
      ['{ prompt: x }'],
      ['HK043 6:11 "prompt" would be dropped: beside "payload" it has no effect'],
    ],
    [
      'an error beside others',
      'event: manual\n    expect: { action: none }',
      ['{ expect.error: /x/ }'],
      ['HK043 7:11 "action" would be dropped: beside "error" it has no effect'],
    ],
    [
      'both in the case',
      'event: manual\n    payload: p.json',
      [],
      ['HK043 4:5 "event" would be dropped: beside "payload" it has no effect'],
    ],
    [
      'a number that would be another one, in a file',
      FILE,
      ['{ payload.n: 9007199254740993 }'],
      ['HK045 6:22 the number 9007199254740993 would be read as 9007199254740992'],
    ],
  ])('%s', async (_, lines, rows, findings) => {
    expect(await told(lines, ...rows)).toEqual(findings);
  });

  it.each<[string, string, string, unknown]>([
    [
      'in a payload that the row has',
      FILE,
      '{ payload: { event: manual }, payload.a.b: 1 }',
      { kind: 'fields', fields: { event: 'manual', a: { b: 1 } } },
    ],
    [
      'in a file that the row names',
      'payload: { event: manual }',
      '{ payload: q.json, payload.a.b: 1 }',
      { kind: 'file', path: 'q.json', over: [{ path: ['a', 'b'], value: 1 }] },
    ],
    [
      'behind the one that it refines',
      FILE,
      '{ payload.a: {b: 1}, payload.a.c: 2 }',
      {
        kind: 'file',
        path: 'p.json',
        over: [
          { path: ['a'], value: { b: 1 } },
          { path: ['a', 'c'], value: 2 },
        ],
      },
    ],
    [
      'into a value that the row put into a file',
      FILE,
      '{ payload.tool.input.command: [x], payload.tool.input.command.0: y }',
      {
        kind: 'file',
        path: 'p.json',
        over: [
          { path: ['tool', 'input', 'command'], value: ['x'] },
          { path: ['tool', 'input', 'command', '0'], value: 'y' },
        ],
      },
    ],
  ])('is put %s', async (_, lines, row, payload) => {
    const { cases, findings } = await read(
      `config: agent.yaml\ncases:\n  - name: a\n    ${lines}\n    each: [ ${row} ]\n    expect: { exit: 0 }\n`,
    );
    expect(findings).toEqual([]);
    expect(cases?.map((one) => one.payload)).toEqual([payload]);
  });
});

describe('a text between slashes', () => {
  it.each<[string, string[]]>([
    [
      '{ reason: /tmp/img }',
      ['HK041 5:23 /tmp/img is no regular expression: "img" are no flags for a search (there is i, m, s and u)'],
    ],
    ['{ input: { path: /tmp/img, list: [/a(b/] } }', []],
    [
      '{ input: { contains: { path: /tmp/img } } }',
      ['HK041 5:42 /tmp/img is no regular expression: "img" are no flags for a search (there is i, m, s and u)'],
    ],
    ['{ input: { contains: /tmp/img, b: 1 } }', []],
    ['{ reply: { list: [/a(b/], c: 1 } }', []],
    ['{ reply: { a: { b: /c(d/ } } }', ['HK041 5:32 /c(d/ is no regular expression: Unterminated group']],
    ['{ ran: [/a(b/], skipped: [/tmp/img], failed: [//] }', []],
    ['{ warnings: [/a(b/] }', ['HK041 5:26 /a(b/ is no regular expression: Unterminated group']],
  ])('is a pattern where texts are searched, in %s', async (expected, findings) => {
    expect(await told(`event: preToolCall\n    expect: ${expected}`)).toEqual(findings);
  });
});
