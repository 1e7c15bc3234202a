/**
 * Whether the WebAssembly modules that hooks name can be run. They are read, never run, and never compiled.
 */
import type { Finding } from '../core/finding';
import { nearest } from '../core/nearest';
import { folderOf, nameOf, resolvePath, shownFrom } from '../core/path';
import { MEMORY_MIB } from '../core/sandbox';
import { commandOf } from '../core/wasm/command';
import { type FileKind, kindOf, MAX_MODULE_BYTES } from '../core/wasm/kind';
import type { WrittenHook } from '../dialects/dialect';
import type { CheckDoors } from './doors';

export type ModuleRead = {
  readonly findings: readonly Omit<Finding, 'at'>[];
  /** Its bytes as text, one character each: what it says stands in there. */
  readonly text?: string;
};

/** What is wrong with a hook's module. */
export function readModule(written: WrittenHook, { disk, cwd }: CheckDoors): ModuleRead {
  const { module, hook } = written;
  if (module === undefined) return { findings: [] };
  const path = resolvePath(hook.root, module.text);
  const told = (why: string, hint: string): ModuleRead => ({
    findings: [{ code: 'HK090', args: { module: shownFrom(cwd, path), why, hint } }],
  });
  if (disk.kindOf(path) === 'none') return told('there is no such file', missingHint(path, module.text, disk));
  const bytes = disk.read(path, MAX_MODULE_BYTES);
  if (!(bytes instanceof Uint8Array)) return told(bytes.why, 'check the path');
  if (module.kind === 'component') {
    const kind = kindOf(bytes);
    return kind === 'component' ? { findings: [] } : told(NO_COMPONENT[kind].why, NO_COMPONENT[kind].hint);
  }
  const command = commandOf(bytes, MEMORY_MIB);
  if (!('module' in command)) return told(command.why, command.hint);
  return { findings: [], text: new TextDecoder('latin1').decode(bytes) };
}

const NO_COMPONENT: Readonly<Record<Exclude<FileKind, 'component'>, { readonly why: string; readonly hint: string }>> =
  {
    module: {
      why: 'it is a core module, not a component',
      hint: 'make a component of it with "wasm-tools component new"',
    },
    text: { why: 'it is WebAssembly text', hint: 'assemble it' },
    other: { why: 'it is no WebAssembly', hint: 'build a component' },
  };

const SOURCES = ['.c', '.cpp', '.rs', '.zig', '.go', '.ts', '.wat'];

/** It may not have been built yet, or be called otherwise. */
function missingHint(path: string, written: string, disk: CheckDoors['disk']): string {
  if (written.includes('$') || written.startsWith('~'))
    return 'the path is taken as it is written, relative to the folder of the file';
  const listed = disk.list(folderOf(path));
  const names = 'why' in listed ? [] : listed;
  const stem = nameOf(path).replace(/\.wasm$/, '');
  const sources = SOURCES.map((ending) => `${stem}${ending}`).filter((name) => names.includes(name));
  if (sources.length > 0) return `build it from ${sources.join(' or ')}, which is there`;
  const meant = nearest(
    nameOf(path),
    names.filter((name) => name.endsWith('.wasm')),
  );
  if (meant !== undefined) return `did you mean "${meant}"?`;
  return 'the path is relative to the folder of the file';
}
