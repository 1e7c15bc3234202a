/**
 * Edits of a JSON text: what is not edited stays, byte for byte.
 */
import { describe, expect, it } from 'vitest';
import { has, type Path, withItem, withMember, without, withValue } from '../../../src/server/edit';

const SPREAD = `{
    "x": 1.0,   "hooks" : {
        "a": [
            { "command": "one" , "k":[1,2] }
        ],
        "b": []
    }
}
`;

describe('an edit', () => {
  it.each<[string, () => string, string]>([
    [
      'adds an item as its neighbours are laid out',
      () => withItem(SPREAD, ['hooks', 'a'], { command: 'two', args: ['x'] }),
      SPREAD.replace(
        '"k":[1,2] }',
        `"k":[1,2] },
            {
                "command": "two",
                "args": [
                    "x"
                ]
            }`,
      ),
    ],
    [
      'adds an item to an empty list',
      () => withItem(SPREAD, ['hooks', 'b'], 5),
      SPREAD.replace('"b": []', '"b": [\n            5\n        ]'),
    ],
    [
      'adds a member',
      () => withMember(SPREAD, ['hooks'], 'c', []),
      SPREAD.replace('"b": []', '"b": [],\n        "c": []'),
    ],
    [
      'adds a member to an object on one line',
      () => withMember(SPREAD, ['hooks', 'a', 0], 'enabled', false),
      SPREAD.replace('"k":[1,2] }', '"k":[1,2], "enabled": false }'),
    ],
    ['replaces a value', () => withValue(SPREAD, ['x'], 2), SPREAD.replace('1.0', '2')],
    [
      'replaces an object on one line',
      () => withValue(SPREAD, ['hooks', 'a', 0], { command: 'two' }),
      SPREAD.replace('{ "command": "one" , "k":[1,2] }', '{ "command": "two" }'),
    ],
    [
      'removes the only item',
      () => without(SPREAD, ['hooks', 'a', 0]),
      SPREAD.replace(/\[\n {12}\{.*\}\n {8}\]/, '[]'),
    ],
    ['removes a member', () => without(SPREAD, ['hooks', 'a', 0, 'k']), SPREAD.replace(' , "k":[1,2]', '')],
    ['removes the first member', () => without('{"a":1, "b":2}', ['a']), '{"b":2}'],
    ['removes a middle item', () => without('[1, 2, 3]', [1]), '[1, 3]'],
    [
      'keeps a text on one line there',
      () => withItem('{"hooks":{"a":[1]}}', ['hooks', 'a'], { b: [] }),
      '{"hooks":{"a":[1, { "b": [] }]}}',
    ],
    ['fills an empty object', () => withMember('{}', [], 'hooks', {}), '{"hooks": {}}'],
    ['removes nothing where there is nothing', () => without('{"a":1}', ['b']), '{"a":1}'],
  ])('%s', (_, edit, expected) => {
    expect(edit()).toBe(expected);
  });

  it.each<[Path, boolean]>([
    [['hooks', 'a', 0, 'k', 1], true],
    [['hooks', 'a', 1], false],
    [['x', 'y'], false],
    [[], true],
  ])('has %j: %s', (path, expected) => {
    expect(has(SPREAD, path)).toBe(expected);
  });
});
