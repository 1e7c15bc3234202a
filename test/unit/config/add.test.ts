import { describe, expect, it } from 'vitest';
import { withHook } from '../../../src/config/add';
import { treeIn } from '../../../src/config/parse';
import { parseYaml, yamlLines } from '../../../src/engines/yaml';

const DATA = { name: 'new', matcher: '^bash$' };
const add = (text: string) => {
  const { tree, comments } = parseYaml(text);
  const hook = { data: DATA, lines: yamlLines(DATA) };
  return withHook({ text, tree, comments: comments() }, 'preToolCall', hook, (one) => treeIn('a', one, parseYaml));
};

/** What the lines of `▸` are is added; the rest is the text before. */
const told = (marked: string) => {
  const lines = marked.split('\n');
  return {
    before: lines.filter((line) => !line.startsWith('▸')).join('\n'),
    after: lines.map((line) => line.replace(/^▸/, '')).join('\n'),
  };
};

describe('a hook is added, and every other character stays', () => {
  it.each<[string, string]>([
    ['to an empty file', '▸hooks:\n▸  preToolCall:\n▸    - name: new\n▸      matcher: ^bash$\n'],
    ['to comments alone', '# mine\n▸hooks:\n▸  preToolCall:\n▸    - name: new\n▸      matcher: ^bash$\n'],
    [
      'behind others',
      'hooks:\n  preToolCall:\n    - command: a # x\n▸    - name: new\n▸      matcher: ^bash$\n  stop: []\n',
    ],
    [
      'below comments on them',
      'hooks:\n  preToolCall:\n    - command: a\n      # x\n    # y\n▸    - name: new\n▸      matcher: ^bash$\n  # z\n  stop: []\n',
    ],
    [
      'above a comment in the column of the key',
      'hooks:\n  preToolCall:\n  - command: a\n▸  - name: new\n▸    matcher: ^bash$\n  # z\n  stop: []\n',
    ],
    [
      'above blank lines',
      'hooks:\n  preToolCall:\n    - command: a\n▸    - name: new\n▸      matcher: ^bash$\n\n\nmodel: x\n',
    ],
    [
      'behind a block',
      'hooks:\n  preToolCall:\n    - command: |\n        a\n\n        b\n▸    - name: new\n▸      matcher: ^bash$\n\nmodel: x\n',
    ],
    [
      'behind a block that keeps blank lines',
      'hooks:\n  preToolCall:\n    - command: |+\n        a\n\n▸    - name: new\n▸      matcher: ^bash$\nmodel: x\n',
    ],
    [
      'behind a folded text',
      'hooks:\n  preToolCall:\n    - command: >-\n        a\n          b\n▸    - name: new\n▸      matcher: ^bash$\n',
    ],
    [
      'indented by four',
      'hooks:\n    preToolCall:\n        -   command: a\n            timeout: 1s\n▸        -   name: new\n▸            matcher: ^bash$\n',
    ],
    ['in the column of the key', 'hooks:\n  preToolCall:\n  - command: a\n▸  - name: new\n▸    matcher: ^bash$\n'],
    [
      'to another event’s style',
      'hooks:\n   stop:\n   -  command: a\n▸   preToolCall:\n▸   -  name: new\n▸      matcher: ^bash$\n',
    ],
    [
      'below a key alone',
      'hooks:\n  preToolCall:   # none yet\n▸    - name: new\n▸      matcher: ^bash$\n  stop: []\n',
    ],
    ['below "hooks" alone', 'hooks: # none\n▸  preToolCall:\n▸    - name: new\n▸      matcher: ^bash$\nmodel: 0x1F\n'],
    [
      'to a file without hooks',
      'model: 1e3  \nlist: [ a,b,   c ]\n▸hooks:\n▸  preToolCall:\n▸    - name: new\n▸      matcher: ^bash$\n',
    ],
    [
      'before the end of the document',
      'model: x\n▸hooks:\n▸  preToolCall:\n▸    - name: new\n▸      matcher: ^bash$\n...\n',
    ],
    [
      'to a chain whose hooks have anchors',
      'hooks:\n  preToolCall:\n    - &a\n      command: a\n▸    - name: new\n▸      matcher: ^bash$\n  stop:\n    - *a\n',
    ],
  ])('%s', (_, marked) => {
    const { before, after } = told(marked);
    expect(add(before)).toBe(after);
    expect(add(before.replaceAll('\n', '\r\n'))).toBe(before === '' ? after : after.replaceAll('\n', '\r\n'));
  });

  it.each<[string, string, string]>([
    [
      'no last line break',
      'hooks:\n  preToolCall:\n    - command: a',
      'hooks:\n  preToolCall:\n    - command: a\n    - name: new\n      matcher: ^bash$',
    ],
    [
      'an empty list',
      'hooks:\n  preToolCall: []  # none\n  stop: []\n',
      'hooks:\n  preToolCall:  # none\n    - name: new\n      matcher: ^bash$\n  stop: []\n',
    ],
    ['null', 'hooks: ~\n', 'hooks:\n  preToolCall:\n    - name: new\n      matcher: ^bash$\n'],
    [
      'an empty mapping',
      'hooks: {}\nmodel: x\n',
      'hooks:\n  preToolCall:\n    - name: new\n      matcher: ^bash$\nmodel: x\n',
    ],
    [
      'an empty list with a name',
      'hooks:\n  preToolCall: &a []\n',
      'hooks:\n  preToolCall: &a\n    - name: new\n      matcher: ^bash$\n',
    ],
    [
      'an alias of nothing',
      'x: &h {}\nhooks: *h\n',
      'x: &h {}\nhooks:\n  preToolCall:\n    - name: new\n      matcher: ^bash$\n',
    ],
    ['an empty document', '{}\n', 'hooks:\n  preToolCall:\n    - name: new\n      matcher: ^bash$\n'],
    [
      'brackets',
      'hooks:\n  preToolCall: [ {command: a}, ] # x\n',
      'hooks:\n  preToolCall: [ {command: a}, { "name": "new", "matcher": "^bash$" }, ] # x\n',
    ],
    [
      'brackets on lines',
      'hooks:\n  preToolCall: [\n    {command: a} # x\n  ]\n',
      'hooks:\n  preToolCall: [\n    {command: a},\n    { "name": "new", "matcher": "^bash$" } # x\n  ]\n',
    ],
    [
      'braces',
      '{hooks: {stop: []}}\n',
      '{hooks: {stop: [], preToolCall: [ { "name": "new", "matcher": "^bash$" } ]}}\n',
    ],
    [
      'braces with an empty list',
      '{hooks: {preToolCall: []}}\n',
      '{hooks: {preToolCall: [{ "name": "new", "matcher": "^bash$" }]}}\n',
    ],
    [
      'braces without hooks',
      '{ model: x }\n',
      '{ model: x, hooks: { "preToolCall": [ { "name": "new", "matcher": "^bash$" } ] } }\n',
    ],
  ])('to %s', (_, before, after) => {
    expect(add(before)).toBe(after);
  });

  it.each([
    ['an alias has the list', 'hooks:\n  preToolCall: &p\n    - command: echo\n  taskStart: *p\n'],
    ['an alias has the empty list', 'hooks:\n  preToolCall: &p []\n  taskStart: *p\n'],
    ['it is an alias', 'hooks:\n  taskStart: &p\n    - command: echo\n  preToolCall: *p\n'],
    ['an alias has all hooks', 'hooks: &h\n  preToolCall:\n    - command: echo\nx: *h\n'],
    ['hooks are no mapping', 'hooks: [a]\n'],
    ['the event is no list', 'hooks: { preToolCall: { a: 1 } }\n'],
    ['the document is a list', '- a\n'],
    ['a second document follows', '# x\n---\n...\n'],
  ])('not where %s', (_, text) => {
    expect(add(text)).toBe(undefined);
  });
});
