/**
 * What a file that is said to be WebAssembly is.
 */

/** Larger files are not looked at. */
export const MAX_MODULE_BYTES = 32 * 1024 * 1024;

export type FileKind = 'module' | 'component' | 'text' | 'other';

/** `\0asm`, then a version: of a core module 1, of a component 13 with the layer 1. */
const MAGIC = [0x00, 0x61, 0x73, 0x6d];
const VERSIONS = { module: [1, 0, 0, 0], component: [0x0d, 0, 1, 0] } as const;

export function kindOf(bytes: Uint8Array): FileKind {
  if (!beginsWith(bytes, MAGIC)) return /^\s*(?:;;|\(module|\(component)/.test(headOf(bytes)) ? 'text' : 'other';
  const version = bytes.subarray(MAGIC.length);
  if (beginsWith(version, VERSIONS.module)) return 'module';
  return beginsWith(version, VERSIONS.component) ? 'component' : 'other';
}

function beginsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return bytes.length >= start.length && start.every((byte, index) => bytes[index] === byte);
}

function headOf(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 200));
}
