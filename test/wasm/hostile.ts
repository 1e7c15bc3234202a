/**
 * Modules that are made to break what runs them.
 */
import { leb, section, vector } from './assemble';

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const I32 = 0x7f;
const BLOCK = [0x02, 0x40];
/** `i32.const 0`, `br_if 0`. */
const BRANCH = [0x41, 0x00, 0x0d, 0x00];
const END = 0x0b;

/** 350 KB that a compiler works on for minutes: at each of 50,000 branches it looks at 40,000 locals. */
export function compileBomb(locals = 40_000, depth = 50_000): Uint8Array {
  const opened = Array.from({ length: depth }, () => [...BLOCK, ...BRANCH]).flat();
  const body = [...vector([[...leb(locals), I32]]), ...opened, ...new Array<number>(depth + 1).fill(END)];
  return Uint8Array.from([
    ...HEADER,
    ...section(1, vector([[0x60, 0x00, 0x00]])),
    ...section(3, vector([[0x00]])),
    ...section(5, vector([[0x00, 0x01]])),
    ...section(7, vector([exported('_start', 0), exported('memory', 2)])),
    ...section(10, [...leb(1), ...leb(body.length), ...body]),
  ]);
}

/** One or two bytes behind its header, and sometimes its length, are others. The same `seed` gives the same bytes. */
export function mutated(bytes: Uint8Array, seed: number): Uint8Array {
  const random = randomFrom(seed);
  const copy = Uint8Array.from(bytes);
  for (let left = 1 + random(2); left > 0; left -= 1)
    copy[HEADER.length + random(copy.length - HEADER.length)] = random(256);
  return random(8) === 0 ? copy.subarray(0, random(copy.length)) : copy;
}

function exported(name: string, kind: number): number[] {
  return [name.length, ...new TextEncoder().encode(name), kind, 0];
}

/** Whole numbers below a limit (mulberry32). */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
