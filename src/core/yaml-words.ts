/**
 * What the errors of the YAML parser mean to who wrote the file.
 */

export type Words = { readonly why: string; readonly hint?: string };

export const INDENTATION: Words = {
  why: 'this line begins in another column than its neighbours',
  hint: 'indent all keys of one mapping alike',
};

const QUOTE = 'put the whole value into single quotes, or write it on lines of its own below "key: |"';

/** The first row whose code and message fit. */
const WORDS: readonly (readonly [code: string, message: RegExp, words: Words])[] = [
  ['TAB_AS_INDENT', /^/, { why: 'this line is indented with a tab', hint: 'indent with spaces' }],
  ['BAD_INDENT', /same column|start at/, INDENTATION],
  ['BAD_INDENT', /end with a \]/, { why: 'a "[" that is never closed', hint: 'close it with "]"' }],
  ['BAD_INDENT', /end with a \}/, { why: 'a "{" that is never closed', hint: 'close it with "}"' }],
  ['BLOCK_AS_IMPLICIT_KEY', /^/, { why: 'a second ": " in one value', hint: QUOTE }],
  ['MULTILINE_IMPLICIT_KEY', /^/, { why: 'a key without a ":"', hint: 'put ":" behind it' }],
  [
    'UNEXPECTED_TOKEN',
    /not a yaml token|block scalar header/i,
    { why: 'behind "|" or ">" the text begins on the next line', hint: QUOTE },
  ],
  ['BAD_ALIAS', /Anchor/, { why: 'an "&" without a name', hint: 'put the value into single quotes' }],
  ['UNEXPECTED_TOKEN', /at node end/, { why: 'the value has ended before this', hint: QUOTE }],
  ['BAD_SCALAR_START', /^/, { why: 'a value cannot begin with this character', hint: 'put it into single quotes' }],
  ['MISSING_CHAR', /closing/, { why: 'a quote that is never closed', hint: 'look further up for where it begins' }],
  ['BAD_DQ_ESCAPE', /^/, { why: 'this escape means nothing in double quotes', hint: 'use single quotes' }],
  [
    'TAG_RESOLVE_FAILED',
    /^/,
    { why: 'the leading "!" makes this a tag, and there is no such tag', hint: 'put it into single quotes' },
  ],
];

/** The words for an error of the package; its own where nothing better is known. */
export function syntaxWords(code: string, message: string): Words {
  const known = WORDS.find((row) => row[0] === code && row[1].test(message));
  return known?.[2] ?? { why: message.charAt(0).toLowerCase() + message.slice(1) };
}
