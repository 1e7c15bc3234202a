import { describe, expect, it } from 'vitest';
import {
  compact,
  fieldsOf,
  isObject,
  items,
  LIMITS,
  type Limits,
  lineAndColumn,
  members,
  objectText,
  raw,
  rawOf,
  type Scanned,
  scan,
  splice,
  stringIn,
  stringOf,
  textOf,
  typeOf,
} from '../../../src/core/json';

const NONE: Limits = { depth: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY, duplicates: 'allow' };

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The bytes of `{"a":…}` texts with raw bytes in between: strings are encoded, numbers are bytes. */
const bytesOf = (...parts: (string | number)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...encode(part)] : [part])));

function scanned(text: string, limits: Limits = LIMITS): Scanned {
  const result = scan(encode(text), limits);
  if (result.kind === 'fault') throw new Error(`${result.why} at ${result.offset}`);
  return result;
}

/** `why` of the fault, or `json`. */
function whyNot(given: string | Uint8Array, limits?: Limits): string {
  const result = scan(typeof given === 'string' ? encode(given) : given, limits);
  return result.kind === 'fault' ? result.why : 'json';
}

const objectOf = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join()}}`;

const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('scan accepts', () => {
  it.each([
    ['{}'],
    ['[]'],
    ['""'],
    ['0'],
    ['-0'],
    ['-0.0e-0'],
    ['1.10'],
    ['1e999'],
    ['1E+2'],
    ['12345678901234567890123'],
    ['true'],
    ['false'],
    ['null'],
    [' \t\r\n[ 1 , { "a" : [ ] , "b" : { } } ]\r\n\t '],
    ['"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uABcd"'],
    ['"\\ud800"'],
    ['"\\udc00\\ud800"'],
    ['"é€😀\u007f\u0080\u2028\uffff"'],
    ['{"__proto__":1,"constructor":2,"":3}'],
    ['{"a":{"a":1},"b":[{"a":1},{"a":1}]}'],
    ['{"A":1,"a":2}'],
  ])('%s', (text) => {
    expect(whyNot(text)).toBe('json');
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it('a byte order mark, once and in front only', () => {
    expect(scan(encode('\ufeff {}'))).toMatchObject({ kind: 'json', root: { start: 4, end: 6 } });
    expect(whyNot('\ufeff\ufeff{}')).toBe("unexpected '\\ufeff'");
    expect(whyNot(' \ufeff{}')).toBe("unexpected '\\ufeff'");
    expect(whyNot('{}\ufeff')).toBe('text after the JSON value');
    expect(whyNot('"\ufeff"')).toBe('json');
  });

  it('gives the bytes themselves and the span without white space', () => {
    const bytes = encode(' \n{"a": 1} \n');
    const result = scan(bytes);
    expect(result).toEqual({ kind: 'json', bytes, root: { start: 2, end: 10 } });
    if (result.kind === 'json') expect(result.bytes).toBe(bytes);
  });

  it('the edges of UTF-8', () => {
    for (const character of ['\u0080', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}']) {
      expect(whyNot(`"${character}"`), character).toBe('json');
    }
  });
});

describe('scan refuses', () => {
  it.each<[string, string, number]>([
    ['', 'empty', 0],
    [' \n ', 'empty', 3],
    ['\ufeff', 'empty', 3],
    ['{', 'unexpected end', 1],
    ['[1,', 'unexpected end', 3],
    ['{"a"', 'unexpected end', 4],
    ['{"a":', 'unexpected end', 5],
    ['{"a":1', 'unexpected end', 6],
    ['{"a":1,', 'unexpected end', 7],
    ['tru', 'unexpected end', 3],
    ['-', 'unexpected end', 1],
    ['1.', 'unexpected end', 2],
    ['1e+', 'unexpected end', 3],
    ['"abc', 'a string that is not closed', 0],
    ['["abc\\', 'a string that is not closed', 1],
    ['["abc\\"', 'a string that is not closed', 1],
    ['["abc\\u12', 'a string that is not closed', 1],
    ['{"a', 'a string that is not closed', 1],
    ['"a\nb"', 'a control character in a string', 2],
    ['"\u0000"', 'a control character in a string', 1],
    ['"\u001f"', 'a control character in a string', 1],
    ['"\\x41"', 'an unknown escape (a backslash is written as two)', 1],
    ['"C:\\Users"', 'an unknown escape (a backslash is written as two)', 3],
    ['"\\U0041"', 'an unknown escape (a backslash is written as two)', 1],
    ['"\\u12G4"', 'a \\u without four hexadecimal digits', 1],
    ['"\\v"', 'an unknown escape (a backslash is written as two)', 1],
    ['"\\u123"', 'a \\u without four hexadecimal digits', 1],
    ['"\\u00"', 'a \\u without four hexadecimal digits', 1],
    ['[1,]', 'a trailing comma', 2],
    ['{"a":1 , }', 'a trailing comma', 7],
    ['[,1]', "unexpected ','", 1],
    ['{,}', "unexpected ','", 1],
    ['[1,,2]', "unexpected ','", 3],
    ['[1 2]', "unexpected '2'", 3],
    ['[1}', "unexpected '}'", 2],
    ['{"a":1]', "unexpected ']'", 6],
    ['[1,}', "unexpected '}'", 3],
    [']', "unexpected ']'", 0],
    ['{"a"}', "unexpected '}'", 4],
    ['{"a" 1}', "unexpected '1'", 5],
    ['{a:1}', "unexpected 'a'", 1],
    ['{1:1}', "unexpected '1'", 1],
    ['{"a":1 "b":2}', `unexpected '"'`, 7],
    ["{'a':1}", 'a key or string in single quotes; JSON has double quotes alone (in Python: json.dumps)', 1],
    ["['a']", 'a key or string in single quotes; JSON has double quotes alone (in Python: json.dumps)', 1],
    ['// x\n{}', 'a comment (JSON has none)', 0],
    ['[1, /* x */ 2]', 'a comment (JSON has none)', 4],
    ['{} // x', 'a comment (JSON has none)', 3],
    ['[1 / 2]', "unexpected '/'", 3],
    ['{} {}', 'text after the JSON value', 3],
    ['{}\n{}\n', 'text after the JSON value', 3],
    ['01', 'text after the JSON value', 1],
    ['[01]', "unexpected '1'", 2],
    ['[-]', "unexpected ']'", 2],
    ['[+1]', "unexpected '+'", 1],
    ['[.5]', "unexpected '.'", 1],
    ['[1.]', "unexpected ']'", 3],
    ['[1.e1]', "unexpected 'e'", 3],
    ['[1e]', "unexpected ']'", 3],
    ['[0x10]', "unexpected 'x'", 2],
    ['[--1]', "unexpected '-'", 2],
    ['NaN', "unexpected 'N'", 0],
    ['[nul]', "unexpected ']'", 4],
    ['[True]', "unexpected 'T'", 1],
    ['[truE]', "unexpected 'E'", 4],
    ['é', "unexpected 'é'", 0],
    ['[😀]', "unexpected '😀'", 1],
    ['“a”', "unexpected '“'", 0],
    ['\u0000', "unexpected '\\u0000'", 0],
    ['[\u00a01]', "unexpected '\\u00a0'", 1],
    ['[\f1]', "unexpected '\\u000c'", 1],
    ['[\u2028]', "unexpected '\\u2028'", 1],
  ])('%j: %s', (text, why, offset) => {
    expect(scan(encode(text), NONE)).toMatchObject({ kind: 'fault', why, offset });
    expect(() => JSON.parse(text.replace(/^\ufeff/, ''))).toThrow();
  });

  it.each<[string, number[]]>([
    ['a continuation byte alone', [0x80]],
    ['overlong, two bytes', [0xc0, 0xaf]],
    ['overlong, two bytes, c1', [0xc1, 0xbf]],
    ['overlong, three bytes', [0xe0, 0x9f, 0xbf]],
    ['overlong, four bytes', [0xf0, 0x8f, 0xbf, 0xbf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a pair of surrogates', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a lead that never was', [0xf5, 0x80, 0x80, 0x80]],
    ['ff', [0xff]],
    ['two bytes cut', [0xc3]],
    ['three bytes cut', [0xe2, 0x82]],
    ['four bytes cut', [0xf0, 0x9f, 0x98]],
    ['a wrong last byte', [0xe2, 0x82, 0x22]],
  ])('invalid UTF-8: %s', (_, broken) => {
    for (const bytes of [
      bytesOf('["é', ...broken, '"]'),
      bytesOf('["é', ...broken),
      bytesOf('{"é', ...broken, '":1}'),
    ]) {
      expect(scan(bytes)).toMatchObject({ kind: 'fault', why: 'invalid UTF-8', offset: 4, line: 1, column: 4 });
    }
    expect(whyNot(bytesOf('[', ...broken, ']'))).toBe('invalid UTF-8');
    expect(whyNot(bytesOf('{} ', ...broken))).not.toBe('json');
  });

  it('UTF-16', () => {
    expect(whyNot(bytesOf(0xff, 0xfe, 0x7b, 0, 0x7d, 0))).toBe('invalid UTF-8');
  });
});

describe('repeated keys', () => {
  it.each<[string, string, number]>([
    ['{"a":1,"a":2}', 'duplicate key "a"', 7],
    ['{"a":1,"\\u0061":2}', 'duplicate key "a"', 7],
    ['{"\\u0061":1,"b":0,"a":2}', 'duplicate key "a"', 18],
    ['{"":1,"":2}', 'duplicate key ""', 6],
    ['[{"x":{"b":1,"c":{"b":0},"b":2}}]', 'duplicate key "b"', 25],
    ['{"__proto__":1,"__proto__":2}', 'duplicate key "__proto__"', 15],
    ['{"é":1,"\\u00e9":2}', 'duplicate key "é"', 8],
    ['{"😀":1,"\\ud83d\\ude00":2}', 'duplicate key "😀"', 10],
    ['{"\\ud800":1,"\\uD800":2}', 'duplicate key "\\ud800"', 12],
    ['{"a/b":1,"a\\/b":2}', 'duplicate key "a/b"', 9],
    ['{"\\n":1,"\\u000a":2}', 'duplicate key "\\n"', 8],
    ['{"\\u001b[31m":1,"\\u001B[31m":2}', 'duplicate key "\\u001b[31m"', 16],
    ['{"\u202e\u007f":1,"\u202e\u007f":2}', 'duplicate key "\\u202e\\u007f"', 10],
    ['{"say \\"x\\"":1,"say \\"x\\"":2}', 'duplicate key "say \\"x\\""', 15],
  ])('%s', (text, why, offset) => {
    expect(scan(encode(text))).toMatchObject({ kind: 'fault', why, offset });
    expect(whyNot(text, { ...LIMITS, duplicates: 'allow' })).toBe('json');
  });

  it.each([
    ['{"a":1,"b":{"a":1},"c":[{"a":1}]}'],
    ['{"a":1,"aa":2,"A":3,"a ":4}'],
    ['{"\\ud800":1,"\\ud801":2,"\\ufffd":3}'],
    ['{"é":1,"e\\u0301":2}'],
    ['{"\\\\u0061":1,"a":2}'],
  ])('are none: %s', (text) => {
    expect(whyNot(text)).toBe('json');
  });

  it('are found at every distance', () => {
    for (const count of [2, 8, 9, 31, 32, 33, 34, 70]) {
      for (const first of new Set([0, 1, Math.floor(count / 2), count - 1])) {
        const text = `${objectOf(count).slice(0, -1)},"k${first}":0}`;
        expect(whyNot(text), `${first} of ${count}`).toBe(`duplicate key "k${first}"`);
        expect(whyNot(text.replace(`,"k${first}":0}`, `,"\\u006b${first}":0}`))).toBe(`duplicate key "k${first}"`);
      }
      expect(whyNot(objectOf(count))).toBe('json');
    }
  });

  it('long ones are cut at 60 characters, not within one', () => {
    const twice = (key: string) => whyNot(`{"${key}":1,"${key}":2}`);
    expect(twice('k'.repeat(60))).toBe(`duplicate key "${'k'.repeat(60)}"`);
    expect(twice('k'.repeat(61))).toBe(`duplicate key "${'k'.repeat(60)}…"`);
    expect(twice('😀'.repeat(60))).toBe(`duplicate key "${'😀'.repeat(60)}"`);
    expect(twice('😀'.repeat(5000))).toBe(`duplicate key "${'😀'.repeat(60)}…"`);
  });
});

describe('limits', () => {
  it('1000 levels of nesting', () => {
    expect(whyNot(nest(1000))).toBe('json');
    expect(scan(encode(nest(1001)))).toMatchObject({ why: 'nesting deeper than 1000', offset: 1000 });
    expect(whyNot(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`)).toBe('json');
    expect(whyNot(`${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`)).toBe('nesting deeper than 1000');
    expect(whyNot(`[${`${nest(999)},`.repeat(50)}1]`)).toBe('json');
  });

  it('can be others', () => {
    expect(whyNot('[[1]]', { ...LIMITS, depth: 2 })).toBe('json');
    expect(whyNot('[[{}]]', { ...LIMITS, depth: 2 })).toBe('nesting deeper than 2');
    expect(whyNot('1', { ...LIMITS, depth: 0 })).toBe('json');
    expect(whyNot('[]', { ...LIMITS, depth: 0 })).toBe('nesting deeper than 0');
    expect(whyNot('[{"a":1,"b":2},{"a":1,"b":2}]', { ...LIMITS, keys: 2 })).toBe('json');
    expect(whyNot('{"a":1,"b":2,"c":3}', { ...LIMITS, keys: 2 })).toBe('more than 2 keys in one object');
    expect(whyNot('{"a":1,"a":2,"a":3}', { depth: 9, keys: 2, duplicates: 'allow' })).toBe(
      'more than 2 keys in one object',
    );
  });

  it('100,000 keys of one object', () => {
    expect(whyNot(objectOf(100_000))).toBe('json');
    expect(whyNot(objectOf(100_001))).toBe('more than 100000 keys in one object');
  });

  it('nesting of any depth ends in an answer', () => {
    const deep = nest(100_000);
    expect(whyNot(deep)).toBe('nesting deeper than 1000');
    expect(whyNot(deep, NONE)).toBe('json');
    expect(whyNot('[{"a":'.repeat(100_000), NONE)).toBe('unexpected end');
    const { bytes, root } = scanned(deep, NONE);
    expect(items(bytes, root)).toEqual([{ start: 1, end: 199_999 }]);
    expect(compact(deep)).toBe(deep);
    expect(fieldsOf({ text: `{"a":${deep}}` })).toEqual([['a', { text: deep }]]);
    expect(splice(`{"a":${deep},"b":1}`, ['b'], { text: '2' })).toBe(`{"a":${deep},"b":2}`);
  });
});

describe('line and column', () => {
  it.each<[string, number, number, number]>([
    ['', 0, 1, 1],
    ['abc', 2, 1, 3],
    ['a\nbc', 1, 1, 2],
    ['a\nbc', 2, 2, 1],
    ['a\r\nbc', 4, 2, 2],
    ['é😀x', 6, 1, 3],
    ['\ufeffab', 4, 1, 2],
    ['\ufeffab', 0, 1, 1],
    ['x\n\ufeffa', 5, 2, 2],
    ['ab', 99, 1, 3],
  ])('%j at %i', (text, offset, line, column) => {
    expect(lineAndColumn(encode(text), offset)).toEqual({ line, column });
  });

  it('of a fault', () => {
    expect(scan(encode('{\n  "é😀": nope\n}'))).toEqual({
      kind: 'fault',
      why: "unexpected 'o'",
      offset: 15,
      line: 2,
      column: 10,
    });
  });
});

describe('what stands in a value', () => {
  it('types', () => {
    const { bytes, root } = scanned('[{}, [], "", -1, 0, true, false, null]');
    expect(items(bytes, root).map((span) => typeOf(bytes, span))).toEqual([
      'object',
      'array',
      'string',
      'number',
      'number',
      'boolean',
      'boolean',
      'null',
    ]);
  });

  it('members, one level, in order', () => {
    const { bytes, root } = scanned(
      '\ufeff { "b" : {"x":[1,{"y":"}"}]} ,"\\u0061":1e999 , "__proto__":null, "b":"\\"]" } ',
      NONE,
    );
    const found = members(bytes, root);
    expect(found.map(({ key }) => key)).toEqual(['b', 'a', '__proto__', 'b']);
    expect(found.map(({ keySpan }) => textOf(bytes, keySpan))).toEqual(['"b"', '"\\u0061"', '"__proto__"', '"b"']);
    expect(found.map(({ value }) => textOf(bytes, value))).toEqual(['{"x":[1,{"y":"}"}]}', '1e999', 'null', '"\\"]"']);
    const inner = found[0];
    if (inner === undefined) throw new Error('no member');
    expect(members(bytes, inner.value).map(({ value }) => raw(bytes, value))).toEqual([{ text: '[1,{"y":"}"}]' }]);
  });

  it('nothing in empty ones', () => {
    const { bytes, root } = scanned('[ { \n } , [ \t ] ]');
    const [object, array] = items(bytes, root);
    expect(object && members(bytes, object)).toEqual([]);
    expect(array && items(bytes, array)).toEqual([]);
  });

  it('items as written', () => {
    const { bytes, root } = scanned('[ 12345678901234567890 , 1.10,-0 , 1E+2 , "\\ud800\\u0041" ,[ 1 , 2 ]]');
    expect(items(bytes, root).map((span) => textOf(bytes, span))).toEqual([
      '12345678901234567890',
      '1.10',
      '-0',
      '1E+2',
      '"\\ud800\\u0041"',
      '[ 1 , 2 ]',
    ]);
  });

  it.each<[string, string | undefined]>([
    ['"a\\n\\u00e9é😀"', 'a\néé😀'],
    ['""', ''],
    ['"\\ud800"', '\ud800'],
    ['"\\ud83d\\ude00"', '😀'],
    ['"\\\\"', '\\'],
    ['"\ufeffx"', '\ufeffx'],
    ['1', undefined],
    ['null', undefined],
    ['["a"]', undefined],
    ['{"a":"b"}', undefined],
  ])('strings: %s', (text, expected) => {
    const { bytes, root } = scanned(text);
    expect(stringOf(bytes, root)).toBe(expected);
    expect(stringIn({ text })).toBe(expected);
    expect(stringIn({ text: ` \n${text} ` })).toBe(expected);
  });

  it('text keeps a byte order mark that stands inside', () => {
    const bytes = encode('["\ufeff"]');
    expect(textOf(bytes, { start: 2, end: 5 })).toBe('\ufeff');
    expect(textOf(bytes, { start: 1, end: 6 })).toBe('"\ufeff"');
  });

  it('bytes that are part of a larger buffer', () => {
    const whole = Buffer.from('xx{"a":"b"}yy');
    const bytes = whole.subarray(2, 11);
    const result = scan(bytes);
    expect(result).toMatchObject({ kind: 'json', root: { start: 0, end: 9 } });
    expect(members(bytes, { start: 0, end: 9 }).map(({ value }) => stringOf(bytes, value))).toEqual(['b']);
  });
});

describe('Raw', () => {
  it('of own data', () => {
    expect(rawOf({ a: [1, null, 'é\ud800'] })).toEqual({ text: '{"a":[1,null,"é\\ud800"]}' });
    expect(rawOf(null)).toEqual({ text: 'null' });
    expect(() => rawOf(undefined)).toThrow(TypeError);
  });

  it('fields', () => {
    expect(fieldsOf({ text: ' { "a" : 1.10 , "__proto__":{ "x": 1e999 }, "a":"\\ud800" , "\\u0062":[ ]}\n' })).toEqual([
      ['a', { text: '1.10' }],
      ['__proto__', { text: '{ "x": 1e999 }' }],
      ['a', { text: '"\\ud800"' }],
      ['b', { text: '[ ]' }],
    ]);
    for (const text of ['[1]', '"{}"', '1', 'null', '{ }']) expect(fieldsOf({ text })).toEqual([]);
  });

  it('is an object', () => {
    expect(['{}', ' \n{"a":1}', '[]', '"{"', 'null', '1'].map((text) => isObject({ text }))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('object text', () => {
    expect(objectText([])).toBe('{}');
    const fields = [
      ['a"\n', { text: '1.10' }],
      ['__proto__', { text: '[ 1 ]' }],
      ['a', { text: '9007199254740993' }],
      ['a', { text: 'null' }],
      ['\ud800', { text: '"\\ud800"' }],
    ] as const;
    expect(objectText(fields)).toBe(
      '{"a\\"\\n":1.10,"__proto__":[ 1 ],"a":9007199254740993,"a":null,"\\ud800":"\\ud800"}',
    );
    expect(fieldsOf({ text: objectText(fields) })).toEqual(fields);
  });
});

describe('compact', () => {
  it.each([
    ['{"a":1}', '{"a":1}'],
    [' {\r\n\t"a b" : [ 1 , 2.50 , -0e1 ] ,\n "c" : " x\\n\\" : y " } \n', '{"a b":[1,2.50,-0e1],"c":" x\\n\\" : y "}'],
    ['["\\\\" , " " ]', '["\\\\"," "]'],
    ['["\\\\\\" , " , 1 ]', '["\\\\\\" , ",1]'],
    [' "é 😀\u2028\u00a0" ', '"é 😀\u2028\u00a0"'],
    ['\n1e999\n', '1e999'],
    ['[ "\ufeff" ]', '["\ufeff"]'],
  ])('%j', (text, expected) => {
    expect(compact(text)).toBe(expected);
    expect(JSON.parse(expected)).toEqual(JSON.parse(text));
  });
});

describe('splice', () => {
  it.each<[string, string[], string]>([
    ['{"a":1}', ['a'], '{"a":NEW}'],
    [' {\n "a" : 1.10 ,\t"b":[ 1e999 ] }\n', ['a'], ' {\n "a" : NEW ,\t"b":[ 1e999 ] }\n'],
    ['{"a":{"b":{"c":1,"d":2}},"z":1}', ['a', 'b', 'c'], '{"a":{"b":{"c":NEW,"d":2}},"z":1}'],
    ['{"\\u0061":1}', ['a'], '{"\\u0061":NEW}'],
    ['{"a":" \\"}, "}', ['a'], '{"a":NEW}'],
    // Missing keys.
    ['{}', ['a'], '{"a":NEW}'],
    ['{ }', ['a'], '{"a":NEW }'],
    ['{ "b": 1 }', ['a'], '{ "b": 1,"a":NEW }'],
    ['{"b":1,"c" : 2\n}', ['a'], '{"b":1,"c" : 2,"a":NEW\n}'],
    ['{}', ['a', 'b', 'c'], '{"a":{"b":{"c":NEW}}}'],
    ['{"a":{"x":[]}}', ['a', 'b', 'c'], '{"a":{"x":[],"b":{"c":NEW}}}'],
    ['{}', ['a"\n', '\ud800'], '{"a\\"\\n":{"\\ud800":NEW}}'],
    ['{"é":"😀\ufeff"}', ['ü'], '{"é":"😀\ufeff","ü":NEW}'],
    // What is in the way.
    ['{"a": 1 }', ['a', 'b'], '{"a": {"b":NEW} }'],
    ['{"a":[{"b":1}],"c":2}', ['a', 'b', 'c'], '{"a":{"b":{"c":NEW}},"c":2}'],
    ['{"a":null}', ['a', 'b'], '{"a":{"b":NEW}}'],
    [' [1] ', ['a'], ' {"a":NEW} '],
    // Items of lists.
    ['{"a":[1, {"b":[2]}]}', ['a', '1', 'b', '0'], '{"a":[1, {"b":[NEW]}]}'],
    ['{"a":[1, 2 ]}', ['a', '1'], '{"a":[1, NEW ]}'],
    ['{"a":[1]}', ['a', '1'], '{"a":{"1":NEW}}'],
    // Keys that are special elsewhere.
    ['{"__proto__":{"x":1}}', ['__proto__', 'x'], '{"__proto__":{"x":NEW}}'],
    ['{}', ['__proto__', 'x'], '{"__proto__":{"x":NEW}}'],
    ['{"":{"":1}}', ['', ''], '{"":{"":NEW}}'],
    ['{"10":1,"2":1}', ['10'], '{"10":NEW,"2":1}'],
    // Repeated keys.
    ['{"a":1, "b":2, "\\u0061" : {"a":3}}', ['a'], '{"a":NEW, "b":2, "\\u0061" : NEW}'],
    ['{"a":{"b":1},"a":{"b":2}}', ['a', 'b'], '{"a":{"b":1},"a":{"b":NEW}}'],
    ['{"a":{"b":1},"a":2}', ['a', 'b'], '{"a":{"b":1},"a":{"b":NEW}}'],
    ['{"a":{"b":1,"b":2},"c":3}', ['a', 'b'], '{"a":{"b":NEW,"b":NEW},"c":3}'],
    // The whole.
    [' {"a":1}\n', [], ' NEW\n'],
    ['\ufeff{"a":1}', ['a'], '\ufeff{"a":NEW}'],
  ])('%j at %j', (text, path, expected) => {
    for (const value of ['1', '{"x":[1.10]}', '"$& \\ud800"']) {
      expect(splice(text, path, { text: value })).toBe(expected.split('NEW').join(value));
    }
  });

  it('keeps numbers, escapes and order', () => {
    const rest = '"n":12345678901234567890.10,"e":1e999,"s":"\\ud800\\u0041","10":0,"2":0,"__proto__":[]';
    expect(splice(`{${rest},"x":0}`, ['x'], rawOf({ y: 1 }))).toBe(`{${rest},"x":{"y":1}}`);
  });
});
