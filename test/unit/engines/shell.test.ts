import { describe, expect, it } from 'vitest';
import { wordValue } from '../../../src/core/shell';
import { readShell } from '../../../src/engines/shell';

const VARIABLES = { DIR: '/conf', A: 'x' };
const values = (text: string) =>
  readShell(text).commands.map(({ words }) => words.map((word) => wordValue(word, VARIABLES) ?? '?'));

describe('the commands of a shell text', () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the shell's
  it.each<[string, string[][]]>([
    ['node "$DIR/hooks/x.js" --a', [['node', '/conf/hooks/x.js', '--a']]],
    ["sh '${DIR}'/$A.sh", [['sh', '${DIR}/x.sh']]],
    ['sh ${DIR}/a ${B}', [['sh', '/conf/a', '?']]],
    ['a || b && c | d; e &', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['if a; then b; else c; fi; while d; do e; done', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['case $x in a) b ;; esac', [['b']]],
    ['f() { a; }; f; (b); { c; }', [['a'], ['b'], ['c']]],
    ['x=$(a $DIR) b >$(c)', [['b'], ['a', '/conf'], ['c']]],
    ['a <<EOF\n$DIR\nEOF\nb', [['a'], ['b']]],
    ['A=1 B=2', [[]]],
    ['', []],
    ['a "', []],
    ['if a', []],
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the shell's
  ])('%s', (text, expected) => {
    expect(values(text)).toEqual(expected.map((one) => expect.arrayContaining(one)));
    expect(values(text).map((one) => one[0])).toEqual(expected.map((one) => one[0]));
  });
});
