/**
 * WebAssembly's binary format, as far as the checks need it: sections, numbers, names, limits.
 */

/** Why a file cannot be run, and what mends it. */
export type ModuleFault = { readonly why: string; readonly hint: string };

/** Thrown within `core/wasm`, and told by it as data. */
export class Unfit extends Error {
  constructor(
    readonly why: string,
    readonly hint: string,
  ) {
    super(why);
  }
}

/** The result, or the fault that was thrown on the way to it. */
export function orFault<T>(read: () => T): T | ModuleFault {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unfit) return { why: error.why, hint: error.hint };
    throw error;
  }
}

function broken(why: string): Unfit {
  return new Unfit(`it is broken: ${why}`, 'build it again');
}

/** One section: its id, its content, and the bytes of it all, as offsets into the file. */
export type Section = { readonly id: number; readonly start: number; readonly content: number; readonly end: number };

/** Of a memory, in pages of 64 KiB, or of a table, in entries. */
export type Limits = { readonly min: number; readonly max?: number };

/** The one flag of limits that hooks may have: others mean shared, of 64 bits, or of another page size. */
export const HAS_MAX = 1;

/** Reads in one pass; whatever is not there throws `Unfit`. */
export class Cursor {
  constructor(
    readonly bytes: Uint8Array,
    public at: number,
    private readonly end: number,
  ) {}

  get atEnd(): boolean {
    return this.at >= this.end;
  }

  byte(): number {
    const byte = this.at < this.end ? this.bytes[this.at] : undefined;
    if (byte === undefined) throw broken(`it ends early, at byte ${this.at}`);
    this.at += 1;
    return byte;
  }

  /** An unsigned LEB128 number of at most 32 bits, at most five bytes long. */
  number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value > 0xffff_ffff) break;
        return value;
      }
    }
    throw broken(`there is no number at byte ${this.at}`);
  }

  name(): string {
    const length = this.number();
    const start = this.at;
    this.skip(length);
    return new TextDecoder().decode(this.bytes.subarray(start, this.at));
  }

  limits(): Limits {
    const flags = this.byte();
    if (flags > HAS_MAX) {
      const why = 'its memory, or a table, is shared or of 64 bits';
      throw new Unfit(why, 'build it for wasm32, without threads');
    }
    const min = this.number();
    return flags === HAS_MAX ? { min, max: this.number() } : { min };
  }

  skip(length: number): void {
    if (length > this.end - this.at) throw broken(`it ends early, at byte ${this.at}`);
    this.at += length;
  }
}

const HEADER_BYTES = 8;
/** What has more was not made by a compiler. */
const MAX_SECTIONS = 10_000;

/** The sections of a core module in the order written. Throws `Unfit`. */
export function sectionsOf(bytes: Uint8Array): Section[] {
  const cursor = new Cursor(bytes, HEADER_BYTES, bytes.length);
  const sections: Section[] = [];
  while (!cursor.atEnd) {
    const start = cursor.at;
    const id = cursor.byte();
    const length = cursor.number();
    const content = cursor.at;
    cursor.skip(length);
    sections.push({ id, start, content, end: cursor.at });
    if (sections.length > MAX_SECTIONS) throw broken(`it has more than ${MAX_SECTIONS} sections`);
  }
  return sections;
}

/** Reads each entry of a section that is a vector, in turn: there may be millions. Throws `Unfit`. */
export function* entriesOf<T>(bytes: Uint8Array, { content, end }: Section, read: (cursor: Cursor) => T): Generator<T> {
  const cursor = new Cursor(bytes, content, end);
  for (let left = cursor.number(); left > 0; left -= 1) yield read(cursor);
  if (!cursor.atEnd) throw broken(`there is more in a section than it says, at byte ${cursor.at}`);
}

/** An unsigned number as LEB128. */
export function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...leb(Math.floor(value / 0x80))];
}
