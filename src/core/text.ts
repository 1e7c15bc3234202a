/**
 * Text for people and models: cleaned, cut, joined.
 */

/** Sequences that steer a terminal: CSI, OSC, the other string sequences, then any two-byte escape. Each pattern is linear. */
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*(?:\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
const ANY_CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

/** Without terminal escape sequences and control characters; newline and tab stay, CR LF becomes LF. */
export function clean(text: string): string {
  if (!ANY_CONTROL.test(text)) return text;
  return text.replaceAll('\r\n', '\n').replace(ESCAPES, '').replace(CONTROLS, '');
}

/** The same on one line: names and reasons must not begin a line of their own. */
export function inline(text: string): string {
  return clean(text)
    .trim()
    .replace(/\s*\n\s*/g, ' ⏎ ');
}

/** At most `max` characters (UTF-16 units, never half a pair), the last of them `…` where something was cut. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = isHighSurrogate(text.charCodeAt(max - 2)) ? max - 2 : max - 1;
  return `${text.slice(0, end)}…`;
}

/** The first line that holds more than white space, trimmed; empty where there is none. */
export function firstLine(text: string): string {
  return /\S.*/.exec(text)?.[0].trim() ?? '';
}

/** `Error: no such module`, `KeyError: 'x'`: how Node, Python and others end a crash. */
const NAMES_ERROR = /^[\w.]*(?:Error|Exception)(?: \[\w+\])?: .*/m;

/** The line of a stderr that says most: the one that names an error, else the first. */
export function tellingLine(text: string): string {
  return NAMES_ERROR.exec(text)?.[0].trim() ?? firstLine(text);
}

/** The text, or undefined where it holds nothing but white space. */
export function filled(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text;
}

/** The distinct texts in order, joined. */
export function joinDistinct(texts: readonly string[], between: string): string {
  return [...new Set(texts)].join(between);
}

/** `a`, `a or b`, `a, b or c`. */
export function orList(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Nothing but JSON's white space, behind a BOM at most. */
export function isBlank(bytes: Uint8Array): boolean {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return bytes.subarray(start).every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes as text; what is not UTF-8 becomes U+FFFD. */
export function decode(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
