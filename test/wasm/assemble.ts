/**
 * Makes modules of WebAssembly text, and components of modules.
 */
import wabt from 'wabt';

const FEATURES = { bulk_memory: true, reference_types: true };

/** The module that a text says. */
export async function assemble(name: string, text: string): Promise<Uint8Array> {
  const parsed = (await wabt()).parseWat(name, text, FEATURES);
  try {
    parsed.validate();
    return parsed.toBinary({ write_debug_names: false }).buffer;
  } finally {
    parsed.destroy();
  }
}

/**
 * A component with one core module in it, which exports `<instance>#on-event`, `memory` and `cabi_realloc`. It exports `instance` with
 * `on-event: func(event: string, payload-json: string) -> result<_, string>`. Bytes as in `Binary.md` of the component model.
 */
export function componentOf(core: Uint8Array, instance: string): Uint8Array {
  const call = `${instance}#on-event`;
  const cleanUp = `cabi_post_${call}`;
  const hasCleanUp = new TextDecoder('latin1').decode(core).includes(cleanUp);
  const alias = (sort: number, name: string) => [0x00, sort, 0x01, ...leb(0), ...text(name)];
  const aliases = [
    alias(2, 'memory'),
    alias(0, call),
    alias(0, 'cabi_realloc'),
    ...(hasCleanUp ? [alias(0, cleanUp)] : []),
  ];
  const types = [
    [0x6a, 0x00, 0x01, 0x73],
    [
      0x40,
      ...vector([
        [...text('event'), 0x73],
        [...text('payload-json'), 0x73],
      ]),
      0x00,
      ...leb(0),
    ],
  ];
  const options = [[0x00], [0x03, ...leb(0)], [0x04, ...leb(1)], ...(hasCleanUp ? [[0x05, ...leb(2)]] : [])];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00],
    ...section(1, [...core]),
    ...section(2, vector([[0x00, ...leb(0), ...vector([])]])),
    ...section(6, vector(aliases)),
    ...section(7, vector(types)),
    ...section(8, vector([[0x00, 0x00, ...leb(0), ...vector(options), ...leb(1)]])),
    ...section(5, vector([[0x01, ...vector([[0x00, ...text('on-event'), 0x01, ...leb(0)]])]])),
    ...section(11, vector([[0x00, ...text(instance), 0x05, ...leb(0), 0x00]])),
  ]);
}

/** An unsigned LEB128 number. */
export function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}

export function vector(items: readonly (readonly number[])[]): number[] {
  return [...leb(items.length), ...items.flat()];
}

export function section(id: number, content: readonly number[]): number[] {
  return [id, ...leb(content.length), ...content];
}

function text(name: string): number[] {
  const bytes = [...new TextEncoder().encode(name)];
  return [...leb(bytes.length), ...bytes];
}
