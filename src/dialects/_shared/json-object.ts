/**
 * A JSON object of a payload, by its bytes.
 */
import { type Member, members, raw, type Span, stringOf, typeOf } from '../../core/json';
import type { Raw } from '../../core/model';

/** A scanned value, looked into one level at a time. What is no object has no members; `null` counts as absence. */
export class JsonObject {
  readonly members: readonly Member[];

  constructor(
    readonly bytes: Uint8Array,
    readonly span: Span | undefined,
  ) {
    this.members = span !== undefined && typeOf(bytes, span) === 'object' ? members(bytes, span) : [];
  }

  type(key: string) {
    const span = this.spanOf(key);
    return span === undefined ? 'null' : typeOf(this.bytes, span);
  }

  raw(key: string): Raw | undefined {
    const span = this.spanOf(key);
    return span === undefined || this.type(key) === 'null' ? undefined : raw(this.bytes, span);
  }

  text(key: string): string | undefined {
    const span = this.spanOf(key);
    return span === undefined ? undefined : stringOf(this.bytes, span);
  }

  flag(key: string): boolean | undefined {
    return this.type(key) === 'boolean' ? this.raw(key)?.text === 'true' : undefined;
  }

  inner(key: string): JsonObject {
    return new JsonObject(this.bytes, this.spanOf(key));
  }

  private spanOf(key: string): Span | undefined {
    return this.members.find((member) => member.key === key)?.value;
  }
}
