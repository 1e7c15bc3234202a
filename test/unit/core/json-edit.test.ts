import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { treeIn } from '../../../src/config/parse';
import { withItem, without } from '../../../src/core/json-edit';

const source = (text: string) => {
  const tree = treeIn('a.json', text, 'json');
  if (tree === undefined) throw new Error('no JSON');
  return { text, tree };
};

const ITEM = { hooks: [1] };

describe('an item that is put into a JSON text', () => {
  it.each<[string, string, string]>([
    [
      'an empty object',
      '{}',
      '{\n  "h": {\n    "E": [\n      {\n        "hooks": [\n          1\n        ]\n      }\n    ]\n  }\n}',
    ],
    [
      'tabs',
      '{\n\t"a": 1\n}\n',
      '{\n\t"a": 1,\n\t"h": {\n\t\t"E": [\n\t\t\t{\n\t\t\t\t"hooks": [\n\t\t\t\t\t1\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}\n',
    ],
    [
      'one line',
      '{"a": 1, "h": {"E": [{"x": 1}]}}',
      '{"a": 1, "h": {"E": [{"x": 1}, {\n  "hooks": [\n    1\n  ]\n}]}}',
    ],
    [
      'a list of lines',
      '{\n  "h": {\n    "E": [\n      { "x": 1 }\n    ]\n  },\n  "b": 2\n}\n',
      '{\n  "h": {\n    "E": [\n      { "x": 1 },\n      {\n        "hooks": [\n          1\n        ]\n      }\n    ]\n  },\n  "b": 2\n}\n',
    ],
    [
      'Windows lines',
      '{\r\n  "h": {}\r\n}\r\n',
      '{\r\n  "h": {\r\n    "E": [\r\n      {\r\n        "hooks": [\r\n          1\r\n        ]\r\n      }\r\n    ]\r\n  }\r\n}\r\n',
    ],
  ])('%s', (_, text, expected) => {
    const put = withItem(source(text), ['h', 'E'], ITEM);
    expect(put).toBe(expected);
    const index = JSON.parse(put).h.E.length - 1;
    const back = without(source(put), ['h', 'E', index]);
    expect(JSON.parse(back).h.E).toEqual(JSON.parse(text).h?.E ?? []);
  });

  it.each(['{"h": 1}', '{"h": []}', '{"h": {"E": {}}}', '[]'])('is refused where something else stands: %s', (text) => {
    expect(() => withItem(source(text), ['h', 'E'], ITEM)).toThrow('to put it into');
  });

  it('goes in and out of any text and leaves the rest alone', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string(),
          fc.json().map((one) => JSON.parse(one)),
        ),
        fc.constantFrom(0, 2, '\t'),
        (data, indent) => {
          const text = JSON.stringify({ ...data, h: { E: [data] } }, null, indent);
          const put = withItem(source(text), ['h', 'E'], ITEM);
          expect(JSON.parse(put)).toEqual({ ...data, h: { E: [data, ITEM] } });
          expect(without(source(put), ['h', 'E', 1])).toBe(text);
        },
      ),
    );
  });
});
