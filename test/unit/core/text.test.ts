import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clean, cut, decode, filled, firstLine, isBlank, joinDistinct, orList } from '../../../src/core/text';

const ESC = '\x1b';
const bytesOf = (...bytes: number[]) => Uint8Array.from(bytes);

describe('clean', () => {
  it.each([
    ['leaves plain text', 'a b\tc\nd é 😀 \u00a0\u2028', 'a b\tc\nd é 😀 \u00a0\u2028'],
    ['removes a colour', `${ESC}[31mred${ESC}[0m`, 'red'],
    ['removes many parameters', `${ESC}[38;2;1;2;3;4:5mx`, 'x'],
    ['removes a private mode', `${ESC}[?1049hx${ESC}[?25l`, 'x'],
    ['removes intermediate bytes', `${ESC}[1 qx${ESC}[!p`, 'x'],
    ['removes an eight-bit CSI', '\x9b31mred\x9b0m', 'red'],
    ['removes a title set with BEL', `${ESC}]0;owned\x07x`, 'x'],
    ['removes a title set with ST', `${ESC}]2;owned${ESC}\\x`, 'x'],
    ['removes an eight-bit OSC with an eight-bit ST', '\x9d0;owned\x9cx', 'x'],
    ['removes a link but not its text', `${ESC}]8;;http://evil${ESC}\\click${ESC}]8;;${ESC}\\`, 'click'],
    ['removes the clipboard', `${ESC}]52;c;ZXZpbA==\x07x`, 'x'],
    ['removes a device control string', `${ESC}P1$r0m${ESC}\\x`, 'x'],
    [
      'removes an application command, privacy message and start of string',
      `${ESC}_a${ESC}\\${ESC}^b${ESC}\\${ESC}Xc${ESC}\\x`,
      'x',
    ],
    ['removes an eight-bit device control string', '\x90q\x9cx', 'x'],
    ['removes a full reset', `a${ESC}cb`, 'ab'],
    ['removes a character set', `a${ESC}(0b`, 'ab'],
    ['removes a cursor save', `a${ESC}7b${ESC}8c`, 'abc'],
    ['removes a lone escape at the end', `a${ESC}`, 'a'],
    ['removes a CSI that is not finished', `a${ESC}[12;3`, 'a'],
    ['removes escapes in a row', `${ESC}${ESC}${ESC}[31mx`, 'x'],
    ['leaves nothing that could become a sequence', `${ESC}${ESC}[[31mx`, '31mx'],
    ['removes an escape that a control splits', `${ESC}\x00[31mx`, '[31mx'],
    ['removes backspaces', 'safe\b\b\b\bevil', 'safeevil'],
    ['removes NUL, BEL, VT, FF and DEL', 'a\0b\x07c\vd\fe\x7ff', 'abcdef'],
    ['removes C1 controls', 'a\x80b\x85c\x8dd\x9fe'.replace('\x9f', ''), 'abcde'],
    ['makes CR LF one newline', 'a\r\nb\r\n', 'a\nb\n'],
    ['removes a lone CR, which would overwrite the line', 'safe\revil', 'safeevil'],
    ['keeps a newline behind a sequence', `a${ESC}[0m\r\nb`, 'a\nb'],
    ['keeps the empty text', '', ''],
  ])('%s', (_, text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  it('leaves no control character but newline and tab, whatever the text', () => {
    const nasty = fc.string({
      unit: fc.oneof(
        fc.constantFrom(...`${ESC}\x9b\x9d\x90\x9c\x07\r\n\t\\[]();?0123mhPX^_ `),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      ),
      maxLength: 40,
    });
    fc.assert(
      fc.property(nasty, (text) => {
        expect(clean(text)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves a text without control characters as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        if (!/\p{Cc}/u.test(text)) expect(clean(text)).toBe(text);
      }),
    );
  });

  it.each([
    ['escapes', ESC],
    ['unfinished title sets', `${ESC}]`],
    ['unfinished device controls', `${ESC}P`],
    ['unfinished CSIs', `${ESC}[0;`],
    ['eight-bit CSIs', '\x9b1'],
  ])('takes a megabyte of %s in no time', (_, piece) => {
    const started = performance.now();
    clean(piece.repeat(1_000_000 / piece.length));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('cut', () => {
  it.each<[string, number, string]>([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['', 3, ''],
    ['ab😀', 4, 'ab😀'],
    ['ab😀c', 4, 'ab…'],
    ['a😀bc', 4, 'a😀…'],
    ['abcdef', 1, '…'],
  ])('%j to %i: %j', (text, max, expected) => {
    expect(cut(text, max)).toBe(expected);
  });

  it('never leaves half a pair, never more than asked for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 12 }), (text, max) => {
        const short = cut(text, max);
        expect(short.length <= max && !/\p{Cs}/u.test(short)).toBe(true);
      }),
    );
  });
});

describe('the first line', () => {
  it.each([
    ['a\nb', 'a'],
    ['\n  \n\t a b \nc', 'a b'],
    ['', ''],
    [' \n\t', ''],
    ['a\r\nb', 'a'],
    ['a\u2028b', 'a'],
  ])('of %j is %j', (text, expected) => {
    expect(firstLine(text)).toBe(expected);
  });
});

describe('small things', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    [' \n', undefined],
    [' a ', ' a '],
  ])('filled(%j) is %j', (text, expected) => {
    expect(filled(text)).toBe(expected);
  });

  it('joins distinct texts in their order', () => {
    expect(joinDistinct(['b', 'a', 'b', 'c', 'a'], '\n')).toBe('b\na\nc');
  });

  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a or b'],
    [['a', 'b', 'c'], 'a, b or c'],
  ])('orList(%j) is %j', (words, expected) => {
    expect(orList(words)).toBe(expected);
  });

  it.each<[string, Uint8Array, boolean]>([
    ['nothing', bytesOf(), true],
    ['white space', bytesOf(0x20, 0x09, 0x0a, 0x0d), true],
    ['a BOM', bytesOf(0xef, 0xbb, 0xbf), true],
    ['a BOM and white space', bytesOf(0xef, 0xbb, 0xbf, 0x0a), true],
    ['two BOMs', bytesOf(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf), false],
    ['half a BOM', bytesOf(0xef, 0xbb), false],
    ['a vertical tab', bytesOf(0x0b), false],
    ['NUL', bytesOf(0), false],
    ['a letter', bytesOf(0x20, 0x61), false],
  ])('%s is blank or not', (_, bytes, expected) => {
    expect(isBlank(bytes)).toBe(expected);
  });

  it.each<[string, Uint8Array, string]>([
    ['UTF-8', bytesOf(0xc3, 0xa9), 'é'],
    ['a BOM stays', bytesOf(0xef, 0xbb, 0xbf, 0x61), '\ufeffa'],
    ['what is no UTF-8 is replaced', bytesOf(0x61, 0xff, 0x62), 'a\ufffdb'],
  ])('decode: %s', (_, bytes, expected) => {
    expect(decode(bytes)).toBe(expected);
  });
});
