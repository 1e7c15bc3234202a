import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compact,
  fieldsOf,
  items,
  LIMITS,
  type Limits,
  members,
  objectText,
  type Span,
  scan,
  splice,
  stringOf,
  textOf,
  typeOf,
} from '../../../src/core/json';

const NONE: Limits = { depth: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY, duplicates: 'allow' };

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

// --- JSON texts as trees that keep every character ---

type Written =
  | { kind: 'scalar'; text: string }
  | { kind: 'array'; inner: string; items: { before: string; value: Written; after: string }[] }
  | { kind: 'object'; inner: string; members: WrittenMember[] };
type WrittenMember = { before: string; key: string; colon: string; value: Written; after: string };

const space = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 }) },
);

const hex = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** A string as JSON, each code unit written in one of the possible ways. */
const quoted = (content: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(content, fc.infiniteStream(fc.integer({ min: 0, max: 5 }))).map(([text, ways]) => {
    const parts = [...text].map((character) => {
      const way = ways.next().value;
      const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
      if (way === 0) return units.map(hex).join('');
      if (way === 1)
        return units
          .map((unit) => hex(unit).replace(/[a-f]/g, (digit) => digit.toUpperCase()))
          .join('')
          .replaceAll('\\U', '\\u');
      return character === '/' && way === 2 ? '\\/' : JSON.stringify(character).slice(1, -1);
    });
    return `"${parts.join('')}"`;
  });

const content = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      '\\',
      '/',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      ' ',
      '\n',
      'u',
      '\ud800',
      '\udc00',
      '\ufeff',
      '😀',
      'é',
    ),
    maxLength: 6,
  }),
);
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', '__proto__', '', '1', '0', 'é', '\ud800', '😀') },
  { weight: 1, arbitrary: content },
);
const number = fc.oneof(
  fc.constantFrom('0', '-0', '1.10', '1e999', '-1E+2', '9007199254740993', '0.1e-7', '12345678901234567890.50'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
);

const { value: written } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .oneof(fc.constantFrom('true', 'false', 'null'), number, quoted(content))
      .map((text): Written => ({ kind: 'scalar', text })),
    objectOf(tie('value')),
    fc.record({
      kind: fc.constant('array' as const),
      inner: space,
      items: fc.array(fc.record({ before: space, value: tie('value'), after: space }), { maxLength: 4 }),
    }),
  ),
}));

function objectOf(value: fc.Arbitrary<Written>): fc.Arbitrary<Written> {
  return fc.record({
    kind: fc.constant('object' as const),
    inner: space,
    members: fc.array(
      fc.record({ before: space, key: quoted(key), colon: space.map((text) => `${text}:`), value, after: space }),
      { maxLength: 5 },
    ),
  });
}

const text = fc.tuple(space, written, space).map(([before, value, after]) => before + render(value) + after);

const mark = fc.oneof(
  { weight: 9, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('\ufeff', '\ufeff\ufeff') },
);

function render(value: Written): string {
  if (value.kind === 'scalar') return value.text;
  if (value.kind === 'array') {
    const parts = value.items.map((item) => item.before + render(item.value) + item.after);
    return `[${parts.length === 0 ? value.inner : parts.join(',')}]`;
  }
  const parts = value.members.map((one) => one.before + one.key + one.colon + render(one.value) + one.after);
  return `{${parts.length === 0 ? value.inner : parts.join(',')}}`;
}

// --- mutations ---

type Edit = {
  how: 'delete' | 'insert' | 'replace' | 'duplicate' | 'truncate' | 'space' | 'flip';
  at: number;
  size: number;
  bytes: Uint8Array;
};

const piece = fc.oneof(
  fc
    .constantFrom(
      ...'{}[],:"\\/\'0123456789.eE+-tfnu \n\t\u0000\u001f\u007f',
      'true',
      'null',
      '\\u',
      '\\u0061',
      '\\ud800',
      '//',
      '/*',
      '\ufeff',
      '\u00a0',
      '\u2028',
      'é',
      '😀',
      '"a":',
      '1e5',
    )
    .map(encode),
  fc.uint8Array({ minLength: 1, maxLength: 4 }),
  fc
    .constantFrom(
      [0xc0, 0x80],
      [0xe0, 0x80, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xf0, 0x80, 0x80, 0x80],
      [0xf0, 0x9f],
    )
    .map((bytes) => Uint8Array.from(bytes)),
);
const edit: fc.Arbitrary<Edit> = fc.record({
  how: fc.constantFrom('delete', 'insert', 'replace', 'duplicate', 'truncate', 'space', 'flip'),
  at: fc.nat(),
  size: fc.integer({ min: 1, max: 4 }),
  bytes: piece,
});

function mutate(bytes: Uint8Array, { how, at: position, size, bytes: other }: Edit): Uint8Array {
  const at = position % (bytes.length + 1);
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(at);
  switch (how) {
    case 'delete':
      return Buffer.concat([before, after.subarray(size)]);
    case 'insert':
      return Buffer.concat([before, other, after]);
    case 'replace':
      return Buffer.concat([before, other, after.subarray(size)]);
    case 'duplicate':
      return Buffer.concat([before, after.subarray(0, size), after]);
    case 'truncate':
      return before;
    case 'space':
      return Buffer.concat([before, encode(' '.repeat(size)), after]);
    case 'flip':
      return Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ (1 << size) : byte));
  }
}

const mutated = fc
  .tuple(mark, text, fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([first, whole, edits]) => edits.reduce(mutate, encode(first + whole)));

// --- what JSON.parse says ---

type Parsed = { value: unknown } | undefined;

function parse(bytes: Uint8Array): Parsed {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return undefined;
  }
}

/** The value at a span, by the functions under test; repeated keys as JSON.parse treats them. */
function valueAt(bytes: Uint8Array, span: Span): unknown {
  switch (typeOf(bytes, span)) {
    case 'object':
      return plain(members(bytes, span).map((member) => [member.key, valueAt(bytes, member.value)]));
    case 'array':
      return items(bytes, span).map((item) => valueAt(bytes, item));
    case 'string':
      return stringOf(bytes, span);
    case 'number':
      return Number(textOf(bytes, span));
    case 'boolean':
      return textOf(bytes, span) === 'true';
    case 'null':
      return null;
  }
}

/** An object in which `__proto__` is a key like any other. */
function plain(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [name, value] of entries) {
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return object;
}

function agrees(bytes: Uint8Array): void {
  const parsed = parse(bytes);
  const result = scan(bytes, NONE);
  expect(result.kind, JSON.stringify(result)).toBe(parsed === undefined ? 'fault' : 'json');
  const strict = scan(bytes);
  if (result.kind === 'fault') {
    expect(strict.kind).toBe('fault');
    expect(result.offset).toBeLessThanOrEqual(bytes.length);
    expect(result.why).not.toMatch(/[\p{Cc}\p{Cs}]/u);
  } else {
    expect(isDeepStrictEqual(valueAt(bytes, result.root), parsed?.value)).toBe(true);
    if (strict.kind === 'fault') expect(strict.why).toMatch(/^duplicate key /);
    expect(strict.kind).toBe(repeats(bytes, result.root) ? 'fault' : 'json');
  }
}

/** Has an object in there a key twice? */
function repeats(bytes: Uint8Array, span: Span): boolean {
  const type = typeOf(bytes, span);
  if (type === 'array') return items(bytes, span).some((item) => repeats(bytes, item));
  if (type !== 'object') return false;
  const found = members(bytes, span);
  return new Set(found.map((one) => one.key)).size < found.length || found.some((one) => repeats(bytes, one.value));
}

describe('scan accepts what JSON.parse accepts, and reads the same from it', () => {
  it('arbitrary bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 12 }), agrees), { numRuns: 3000 });
  });

  it('arbitrary pieces of JSON', () => {
    fc.assert(fc.property(fc.array(piece, { maxLength: 8 }).map(Buffer.concat), agrees), { numRuns: 5000 });
  });

  it('bytes in a string', () => {
    const inString = fc
      .array(piece, { maxLength: 4 })
      .map((parts) => Buffer.concat([encode('"'), ...parts, encode('"')]));
    fc.assert(fc.property(inString, agrees), { numRuns: 5000 });
  });

  it('valid texts', () => {
    fc.assert(
      fc.property(text, (whole) => agrees(encode(whole))),
      { numRuns: 3000 },
    );
  });

  it('mutated texts', () => {
    fc.assert(fc.property(mutated, agrees), { numRuns: 6000 });
  });

  it('every byte at every place of the grammar', () => {
    const places =
      '#|# 1|1 #|[1#]|[1 #2]|"#"|"\\#"|"\\u#123"|"\\u0#12"|"\\u00#1"|"\\u000#"|-#|1.#|1e#|1e+#|{#"a":1}|{"a"#:1}|{"a":#1}';
    for (const place of places.split('|')) {
      const [before, after] = place.split('#').map(encode) as [Uint8Array, Uint8Array];
      for (let byte = 0; byte < 0x100; byte++) agrees(Buffer.concat([before, Uint8Array.of(byte), after]));
    }
  });

  it('every lead byte of UTF-8 with the edges of what may follow', () => {
    for (let lead = 0x80; lead < 0x100; lead++) {
      for (const second of [0, 0x22, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff]) {
        for (const rest of [[], [0x80], [0xbf], [0x7f], [0x80, 0x80], [0xbf, 0xbf], [0x80, 0xc0]]) {
          const bytes = Uint8Array.from([0x22, lead, second, ...rest, 0x22]);
          const parsed = parse(bytes);
          if ((scan(bytes).kind === 'json') !== (parsed !== undefined)) agrees(bytes);
        }
      }
    }
  });

  it('nesting that would overflow a call stack', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['[{"a":[', ']}]'],
    ] as const) {
      const deep = encode(`${open.repeat(100_000)}1${close.repeat(100_000)}`);
      expect(scan(deep)).toMatchObject({ kind: 'fault', why: `nesting deeper than ${LIMITS.depth}` });
      expect(scan(deep, NONE).kind).toBe('json');
      expect(scan(deep.subarray(0, -1), NONE).kind).toBe('fault');
    }
  });
});

/** The value put in; another one than any text holds. */
const fresh = { kind: 'scalar', text: '[ "new", 1.10 ]' } as const;

/** What splice should do, on the tree. */
function update(value: Written, path: readonly string[]): Written {
  const [name, ...rest] = path;
  if (name === undefined) return fresh;
  if (value.kind === 'array' && isIndex(name, value.items)) {
    const items = value.items.map((one, index) =>
      index === Number(name) ? { ...one, value: update(one.value, rest) } : one,
    );
    return { ...value, items };
  }
  const all = value.kind === 'object' ? value.members : [];
  const last = all.findLastIndex((one) => JSON.parse(one.key) === name);
  if (last === -1) {
    // It goes right behind the last value: the white space before the closing brace stays there.
    const after = all.at(-1)?.after ?? (value.kind === 'object' ? value.inner : '');
    const kept = all.map((one, index) => (index === all.length - 1 ? { ...one, after: '' } : one));
    const added = { before: '', key: JSON.stringify(name), colon: ':', value: update(fresh, rest), after };
    return { kind: 'object', inner: '', members: [...kept, added] };
  }
  const changed = all.map((one, index) => {
    const hit = rest.length === 0 ? JSON.parse(one.key) === name : index === last;
    return hit ? { ...one, value: update(one.value, rest) } : one;
  });
  return { kind: 'object', inner: '', members: changed };
}

function isIndex(name: string, items: readonly unknown[]): boolean {
  return String(Number(name)) === name && Number(name) in items;
}

/** The same on values. */
function updateValue(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return JSON.parse(fresh.text);
  if (Array.isArray(value) && isIndex(name, value))
    return value.map((one, index) => (index === Number(name) ? updateValue(one, rest) : one));
  const isOne = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isOne ? Object.entries(value) : [];
  const old = entries.find(([one]) => one === name)?.[1];
  return plain([...entries, [name, updateValue(old, rest)]]);
}

/** The tree without white space between tokens. */
function bare(value: Written): Written {
  const none = { before: '', after: '' };
  if (value.kind === 'scalar') return value;
  if (value.kind === 'array') {
    return { ...value, inner: '', items: value.items.map((item) => ({ ...none, value: bare(item.value) })) };
  }
  const all = value.members.map((one) => ({ ...none, key: one.key, colon: ':', value: bare(one.value) }));
  return { ...value, inner: '', members: all };
}

/** A path of keys and indices, most of them in the text. */
const pathed = fc
  .tuple(
    objectOf(written),
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 5 }), key), { minLength: 1, maxLength: 4 }),
  )
  .map(([root, choices]): [Written, string[]] => {
    let here: Written | undefined = root;
    const path = choices.map(([choice, way, other]): string => {
      if (here?.kind === 'array' && way > 0 && here.items.length > 0) {
        const index = choice % here.items.length;
        here = here.items[index]?.value;
        return String(index);
      }
      const all: WrittenMember[] = here?.kind === 'object' ? here.members : [];
      const chosen = way === 0 ? undefined : all[choice % all.length];
      here = chosen?.value;
      return chosen === undefined ? other : JSON.parse(chosen.key);
    });
    return [root, path];
  });

describe('rewriting', () => {
  it('splice changes the value at the path and nothing else', () => {
    fc.assert(
      fc.property(pathed, space, space, ([root, path], before, after) => {
        const whole = before + render(root) + after;
        const result = splice(whole, path, { text: fresh.text });
        expect(result).toBe(before + render(update(root, path)) + after);
        expect(isDeepStrictEqual(JSON.parse(result), updateValue(JSON.parse(whole), path))).toBe(true);
      }),
      { numRuns: 2500 },
    );
  });

  it('compact keeps the value, on one line', () => {
    fc.assert(
      fc.property(written, space, space, (value, before, after) => {
        const whole = before + render(value) + after;
        const result = compact(whole);
        expect(result).toBe(render(bare(value)));
        expect(result).not.toMatch(/[\n\r\t]/);
        expect(isDeepStrictEqual(JSON.parse(result), JSON.parse(whole))).toBe(true);
        expect(compact(result)).toBe(result);
      }),
      { numRuns: 3000 },
    );
  });

  it('fields and back', () => {
    fc.assert(
      fc.property(objectOf(written), (root) => {
        const whole = render(root);
        const fields = fieldsOf({ text: whole });
        expect(fields.map(([name, value]) => [name, value.text])).toEqual(
          root.kind === 'object' ? root.members.map((one) => [JSON.parse(one.key), render(one.value)]) : [],
        );
        expect(isDeepStrictEqual(JSON.parse(objectText(fields)), JSON.parse(whole))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
