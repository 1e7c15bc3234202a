/**
 * A trap in words.
 */
import { MEMORY_MIB } from '../core/sandbox';

const MIB = 1024 * 1024;

/** Near its limit the memory is the likeliest reason, and V8 does not say so. */
export function trapOf(error: unknown, memory?: WebAssembly.Memory, memoryMiB = MEMORY_MIB): string {
  const bytes = memory?.buffer.byteLength ?? 0;
  const full =
    bytes > (memoryMiB / 2) * MIB ? ` (its memory had grown to ${Math.ceil(bytes / MIB)} of ${memoryMiB} MiB)` : '';
  return `trap: ${wordsOf(error)}${full}`;
}

function wordsOf(error: unknown): string {
  if (error instanceof RangeError) return 'its stack is full';
  // The transpiler's own words begin so.
  return (error instanceof Error ? error.message : String(error)).replace(/^wasm trap: /, '');
}
