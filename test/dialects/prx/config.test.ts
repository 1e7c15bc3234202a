/**
 * hooks.json: what an action may be, and that the JSON Schema for editors says the same.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import { describe, expect, it } from 'vitest';
import { parseFile } from '../../../src/config/parse';
import { severityOf } from '../../../src/core/finding';
import type { Tree } from '../../../src/core/tree';
import { claims, readFile } from '../../../src/dialects/prx/config';
import { encode } from '../../unit/dialects/sample';

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../../schemas/prx.json'), 'utf8'));
const fits = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(schema);

function treeOf(data: unknown): Tree {
  const { tree } = parseFile('hooks.json', encode(JSON.stringify(data)), 'json');
  if (tree === undefined) throw new Error('not JSON');
  return tree;
}

const errorsOf = (data: unknown) =>
  readFile(treeOf(data))
    .slips.filter((slip) => severityOf(slip) === 'error')
    .map(({ code, field }) => `${code} ${field}`);
const action = (keys: object) => ({ hooks: { error: [{ command: 'true', ...keys }] } });

describe('what is accepted', () => {
  it.each([
    {},
    { args: ['$(x)', '; rm', '*', ''] },
    { command: ' /opt/my hooks/audit ' },
    { command: './a-b_c.d+e=f@g,h:i%j^k' },
    { cwd: 'sub/..' },
    { cwd: 'a/../b' },
    { cwd: './x/./y' },
    { cwd: '..x' },
    { cwd: '/anywhere' },
    { cwd: null },
    { timeout_ms: 1 },
    { timeout_ms: 300_000 },
    { timeout_ms: null },
    { env: { A: '', 'a b': 'é' } },
    { stdin_json: true, enabled: false },
  ])('%j', (keys) => {
    expect(errorsOf(action(keys))).toEqual([]);
    expect(fits(action(keys))).toBe(true);
  });
});

describe('what is refused, by the schema too where a schema can say it', () => {
  it.each([
    [{ command: '' }, 'HK018', true],
    [{ command: 7 }, 'HK008', true],
    [{ command: null }, 'HK008', true],
    ...[...';&|<>$`\\"\'(){}[]*?!#~', '\n', '\t', '\u007f'].map(
      (sign) => [{ command: `x${sign}y` }, 'HK070', true] as const,
    ),
    [{ args: null }, 'HK008', true],
    [{ args: 'x' }, 'HK008', true],
    [{ args: ['a\0'] }, 'HK019', true],
    [{ env: null }, 'HK008', true],
    [{ env: { 'A=B': '' } }, 'HK014', true],
    [{ env: { '': '' } }, 'HK014', true],
    [{ env: { A: 'a\0' } }, 'HK019', true],
    [{ cwd: '..' }, 'HK071', false],
    [{ cwd: 'a/../../b' }, 'HK071', false],
    [{ cwd: './../x' }, 'HK071', false],
    [{ cwd: '/a/..' }, 'HK071', false],
    [{ cwd: '' }, 'HK018', true],
    [{ cwd: 'a\0' }, 'HK019', true],
    [{ timeout_ms: 0 }, 'HK013', true],
    [{ timeout_ms: 1.5 }, 'HK013', true],
    [{ timeout_ms: 300_001 }, 'HK013', true],
    [{ timeout_ms: '5s' }, 'HK013', true],
    [{ stdin_json: 'yes' }, 'HK008', true],
    [{ enabled: null }, 'HK008', true],
  ] as const)('%j', (keys, code, isInSchema) => {
    expect(errorsOf(action(keys)).map((error) => error.split(' ')[0])).toEqual([code]);
    expect(fits(action(keys))).toBe(!isInSchema);
  });

  it('names the character and where it stands', () => {
    const [slip] = readFile(treeOf(action({ command: '  é|x' }))).slips;
    expect(slip?.args).toEqual({ character: '|', position: '4' });
  });

  it('offers the milliseconds of a text with a unit', () => {
    const hints = ['5s', '1.5m', ' 20 ', '1h'].map(
      (limit) => readFile(treeOf(action({ timeout_ms: limit }))).slips[0]?.args['hint'],
    );
    expect(hints).toEqual(['write 5000', 'write 90000', 'write 20', '']);
  });
});

describe('what is left out with a warning', () => {
  it.each([
    'LD_PRELOAD',
    'ld_library_path',
    'DYLD_INSERT_LIBRARIES',
    'Dyld_Library_Path',
    'Path',
    'HOME',
    'hookctl_depth',
  ])('%s', (name) => {
    const { actions, slips } = readFile(treeOf(action({ env: { [name]: 'x', A: '1' } })));
    expect(slips.map((slip) => [slip.code, severityOf(slip)])).toEqual([['HK014', 'warning']]);
    expect(actions[0]?.action.env).toEqual({ A: '1' });
  });
});

describe('defaults', () => {
  it('are the limit of the action, of the file, of PRX', () => {
    const limits = (top: object) =>
      readFile(treeOf({ ...top, hooks: { error: [{ command: 'x', timeout_ms: 5 }, { command: 'x' }] } })).actions.map(
        ({ ms }) => ms,
      );
    expect(limits({})).toEqual([5, 30_000]);
    expect(limits({ timeout_ms: 100 })).toEqual([5, 100]);
  });

  it('switch off by the action and by the file', () => {
    const off = (top: object, own: object) => readFile(treeOf({ ...top, ...action(own) })).actions[0]?.off;
    expect([off({}, {}), off({}, { enabled: false }), off({ enabled: false }, { enabled: true })]).toEqual([
      undefined,
      'disabled',
      'disabled',
    ]);
  });
});

describe('whose file it is', () => {
  it.each([
    ['an action of PRX', { hooks: { 'Tool-Call': [{ command: 'x' }] } }, 'x.json', true],
    ['an action of PRX among others', { hooks: { odd: [], error: [{ command: 'x' }] } }, 'x.json', true],
    [
      'a key that is wrong beside one that is right',
      { hooks: { tool_cal: [{ command: 'x' }], error: [{ command: 'x' }] } },
      'x.json',
      true,
    ],
    ['YAML', { hooks: { tool_call: [{ command: 'x' }] } }, 'x.yaml', false],
    ['no event of PRX', { hooks: { preToolCall: [{ command: 'x' }] } }, 'x.json', false],
    [
      'an event that both have, in the words of agent files',
      { hooks: { error: [{ command: 'x', onError: 'warn' }] } },
      'x.json',
      false,
    ],
    ['handlers one level deeper', { hooks: { error: [{ hooks: [{ command: 'x' }] }] } }, 'x.json', false],
    ['empty lists', { hooks: { tool_call: [] } }, 'x.json', false],
    ['no hooks', {}, 'x.json', false],
  ])('%s: %j in %s', (_, data, file, expected) => {
    expect(claims(treeOf(data), file)).toBe(expected);
  });
});
