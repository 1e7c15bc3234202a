/**
 * What a module must be to run as a hook: a WASI preview 1 command that imports nothing else.
 */
import { didYouMean } from '../nearest';
import { Cursor, entriesOf, type ModuleFault, orFault, type Section, sectionsOf, Unfit } from './bytes';
import { type FileKind, kindOf } from './kind';
import { limited } from './limit';
import { PREVIEW1, PREVIEW1_NAMES } from './preview1';

const IMPORTS = 2;
const EXPORTS = 7;
const KINDS = ['function', 'table', 'memory', 'global', 'tag'];
const FUNCTION = KINDS.indexOf('function');
const MEMORY = KINDS.indexOf('memory');

const WASI = 'build it for WASI preview 1, as a command: wasm32-wasi, wasm32-wasip1';

const NOT_A_MODULE: Readonly<Record<Exclude<FileKind, 'module'>, ModuleFault>> = {
  component: { why: 'it is a component, not a core module', hint: WASI },
  text: { why: 'it is WebAssembly text, not a module', hint: 'assemble it, for example with wat2wasm' },
  other: { why: 'it is no WebAssembly', hint: 'check the path' },
};

/** The module as it may run, with at most `memoryMiB` of memory, or why it may not. Nothing is compiled. */
export function commandOf(bytes: Uint8Array, memoryMiB: number): { readonly module: Uint8Array } | ModuleFault {
  const kind = kindOf(bytes);
  if (kind !== 'module') return NOT_A_MODULE[kind];
  return orFault(() => {
    const sections = sectionsOf(bytes);
    for (const section of sections) {
      if (section.id === IMPORTS) checkImports(bytes, section);
    }
    checkExports(bytes, sections);
    return { module: limited(bytes, sections, { memoryMiB, memories: 1 }) };
  });
}

/** Stops at the first that is none of WASI's functions: what follows a kind that it does not know cannot be read. */
function checkImports(bytes: Uint8Array, section: Section): void {
  const cursor = new Cursor(bytes, section.content, section.end);
  for (let left = cursor.number(); left > 0; left -= 1) {
    const [from, name, kind] = [cursor.name(), cursor.name(), cursor.byte()];
    if (from !== PREVIEW1 || kind !== FUNCTION || !PREVIEW1_NAMES.includes(name)) throw foreign(from, name, kind);
    cursor.number();
  }
}

function foreign(from: string, name: string, kind: number): Unfit {
  const shown = `${KINDS[kind] ?? 'thing'} ${JSON.stringify(name)} of ${JSON.stringify(from)}`;
  const meant = from === PREVIEW1 && kind === FUNCTION ? didYouMean(name, PREVIEW1_NAMES) : '';
  return new Unfit(`it imports the ${shown}, which hooks do not get${meant}`, WASI);
}

function checkExports(bytes: Uint8Array, sections: readonly Section[]): void {
  const found = new Set<string>();
  for (const section of sections.filter(({ id }) => id === EXPORTS)) {
    for (const { name, kind } of entriesOf(bytes, section, readExport)) {
      if (kind === FUNCTION && (name === '_start' || name === '_initialize')) found.add(name);
      if (kind === MEMORY && name === 'memory') found.add(name);
    }
  }
  const library = found.has('_initialize') ? ': it is a library (a reactor), not a command' : '';
  if (!found.has('_start')) throw new Unfit(`it exports no function "_start"${library}`, WASI);
  if (!found.has('memory')) throw new Unfit('it exports no memory "memory"', WASI);
}

function readExport(cursor: Cursor): { readonly name: string; readonly kind: number } {
  const [name, kind] = [cursor.name(), cursor.byte()];
  cursor.number();
  return { name, kind };
}
