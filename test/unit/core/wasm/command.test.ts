import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandOf } from '../../../../src/core/wasm/command';
import { limitedModule } from '../../../../src/core/wasm/limit';
import { assemble, leb, section, vector } from '../../../wasm/assemble';

const WASM = join(import.meta.dirname, '../../../wasm');
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const START = '(func (export "_start"))';
const MEMORY = '(memory (export "memory") 1)';

describe('why a file is no hook', () => {
  it.each([
    ['deny_force_push', undefined],
    ['trap', undefined],
    ['foreign_import', 'it imports the function "system" of "env", which hooks do not get'],
    ['reactor', 'it exports no function "_start": it is a library (a reactor), not a command'],
    ['big_initial', 'it wants 2048 MiB of memory to begin with, but may have 64 MiB'],
    ['prx_deny', 'it is a component, not a core module'],
  ])('%s', (name, why) => {
    expect(whyNot(readFileSync(join(WASM, `${name}.wasm`)))).toBe(why);
  });

  it.each([
    ['nothing', '', 'it is no WebAssembly'],
    ['a script', '#!/bin/sh\n', 'it is no WebAssembly'],
    ['text', '(module (memory 1))', 'it is WebAssembly text, not a module'],
    ['text behind a comment', '  ;; guard\n(module)', 'it is WebAssembly text, not a module'],
  ])('%s', (_, text, why) => {
    expect(whyNot(new TextEncoder().encode(text))).toBe(why);
  });

  it.each([
    ['no memory', START, 'it exports no memory "memory"'],
    ['a memory that is a function', `${START} (func (export "memory"))`, 'it exports no memory "memory"'],
    ['a start that is a memory', '(memory (export "_start") 1)', 'it exports no function "_start"'],
    [
      'an imported memory',
      `(import "wasi_snapshot_preview1" "memory" (memory 1)) ${START}`,
      'it imports the memory "memory" of "wasi_snapshot_preview1", which hooks do not get',
    ],
    [
      'a function that WASI does not have',
      `(import "wasi_snapshot_preview1" "fd_reed" (func)) ${MEMORY} ${START}`,
      'it imports the function "fd_reed" of "wasi_snapshot_preview1", which hooks do not get; did you mean "fd_read"?',
    ],
    ['a table', `(table 100001 funcref) ${MEMORY} ${START}`, 'it wants a table of 100001 entries, but may have 100000'],
  ])('%s', async (_, text, why) => {
    expect(whyNot(await assemble('test', `(module ${text})`))).toBe(why);
  });

  it.each([
    ['a section that ends early', [...HEADER, 5, 9, 1], 'it is broken: it ends early, at byte 10'],
    [
      'a number of six bytes',
      [...HEADER, 5, 0xff, 0xff, 0xff, 0xff, 0xff, 0],
      'it is broken: there is no number at byte 14',
    ],
    [
      'a number beyond 32 bits',
      [...HEADER, 5, 0xff, 0xff, 0xff, 0xff, 0x1f],
      'it is broken: there is no number at byte 14',
    ],
    [
      'more sections than anybody needs',
      [...HEADER, ...new Array(20_002).fill(0)],
      'it is broken: it has more than 10000 sections',
    ],
  ])('%s', (_, bytes, why) => {
    expect(whyNot(Uint8Array.from(bytes))).toBe(why);
  });

  it.each([
    ['shared', [0x03, 1, 1], 'its memory, or a table, is shared or of 64 bits'],
    ['of 64 bits', [0x04, 1], 'its memory, or a table, is shared or of 64 bits'],
    ['with more in its section', [0x00, 1, 7], 'it is broken: there is more in a section than it says, at byte 13'],
  ])('a memory %s', (_, memory, why) => {
    expect(whyNot(command(section(5, vector([memory]))))).toBe(why);
  });

  it('two memories', () => {
    expect(
      whyNot(
        command(
          section(
            5,
            vector([
              [0, 1],
              [0, 1],
            ]),
          ),
        ),
      ),
    ).toBe('it has more than 1 memory');
  });
});

describe('what a module may allocate', () => {
  it.each([
    ['no maximum', [0x00, 1], [0x01, 1, 0x80, 0x08]],
    ['a larger one', [0x01, 1, 0x80, 0x80, 0x04], [0x01, 1, 0x80, 0x08]],
    ['a smaller one', [0x01, 1, 3], [0x01, 1, 3]],
  ])('%s of memory', (_, written, limited) => {
    expect(bounded(command(section(5, vector([written]))))).toEqual([...command(section(5, vector([limited])))]);
  });

  it('of each table', () => {
    const tables = (...limits: number[][]) => command(section(4, vector(limits)), section(5, vector([[1, 1, 3]])));
    expect(bounded(tables([0x70, 0, 5], [0x6f, 1, 1, ...leb(900_000)]))).toEqual([
      ...tables([0x70, 1, 5, ...leb(100_000)], [0x6f, 1, 1, ...leb(100_000)]),
    ]);
  });

  it('every memory of a component, which may import others', () => {
    const core = Uint8Array.from([
      ...HEADER,
      ...section(
        5,
        vector([
          [0, 1],
          [0, 2],
        ]),
      ),
    ]);
    const limited = limitedModule(core, { memoryMiB: 1, memories: 10 });
    expect('module' in limited && [...limited.module]).toEqual([
      ...HEADER,
      ...section(
        5,
        vector([
          [1, 1, 16],
          [1, 2, 16],
        ]),
      ),
    ]);
  });

  it('what else is in it stays as it is', () => {
    const bytes = readFileSync(join(WASM, 'probe.wasm'));
    const command = commandOf(bytes, 64);
    if (!('module' in command)) throw new Error(command.why);
    expect(Math.abs(command.module.length - bytes.length)).toBeLessThan(8);
    expect(Buffer.from(command.module).subarray(-1_000)).toEqual(bytes.subarray(-1_000));
  });
});

function whyNot(bytes: Uint8Array): string | undefined {
  const command = commandOf(bytes, 64);
  return 'why' in command ? command.why : undefined;
}

function bounded(bytes: Uint8Array): number[] | string {
  const command = commandOf(bytes, 64);
  return 'why' in command ? command.why : [...command.module];
}

/** A command with sections of its own before its exports. */
function command(...sections: readonly (readonly number[])[]): Uint8Array {
  const name = (text: string, kind: number) => [text.length, ...new TextEncoder().encode(text), kind, 0];
  return Uint8Array.from([
    ...HEADER,
    ...sections.flat(),
    ...section(7, vector([name('_start', 0), name('memory', 2)])),
  ]);
}
