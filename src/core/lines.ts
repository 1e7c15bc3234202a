/**
 * Bytes in pieces → lines.
 */

/** One line, without its end; `number` is 1-based. `too long`: it had more than `limit` bytes, and was thrown away. */
export type Line = { readonly number: number } & (
  | { readonly kind: 'line'; readonly bytes: Uint8Array }
  | { readonly kind: 'too long' }
);

const NEWLINE = 0x0a;

/** The lines of the pieces. What stands behind the last newline is a line too, unless it is empty. At most `limit` bytes are held. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Line> {
  const open = new OpenLine(limit);
  for await (const piece of pieces) {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      open.add(piece.subarray(start, end));
      yield open.close();
      start = end + 1;
    }
    open.add(piece.subarray(start));
  }
  if (open.size > 0) yield open.close();
}

class OpenLine {
  size = 0;
  private number = 1;
  private parts: Uint8Array[] = [];

  constructor(private readonly limit: number) {}

  add(part: Uint8Array): void {
    this.size += part.length;
    if (this.size > this.limit) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  close(): Line {
    const { number, size, parts, limit } = this;
    this.number += 1;
    this.size = 0;
    this.parts = [];
    if (size > limit) return { kind: 'too long', number };
    return { kind: 'line', number, bytes: joined(parts, size) };
  }
}

/** A copy: a piece may be used again by who gave it, and must not be kept for the sake of a short line. */
function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
