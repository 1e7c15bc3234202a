/**
 * Durations as people write them: `500ms`, `1.5s`, `2m`.
 */

const UNITS = { ms: 1, s: 1_000, m: 60_000 } as const satisfies Record<string, number>;
const WRITTEN = /^(\d+(?:\.\d+)?|\.\d+)(ms|s|m)$/;
const LONGEST_MS = 24 * 60 * 60_000;

/** Milliseconds; or why it is no duration, and what it could mean. */
export type Duration =
  | { readonly kind: 'ms'; readonly ms: number }
  | { readonly kind: 'no duration'; readonly why: string; readonly readings: readonly string[] };

/** Reads a positive number with a unit `ms`, `s` or `m`, at most 24 hours. */
export function parseDuration(written: string): Duration {
  const [, digits = '', unit = ''] = WRITTEN.exec(written.trim()) ?? [];
  const factor = unitFactor(unit);
  if (factor === undefined) return noDuration('a duration is a number with the unit ms, s or m', readings(written));
  const ms = Math.round(Number(digits) * factor * 1_000) / 1_000;
  if (ms <= 0) return noDuration('a duration is longer than zero', []);
  if (ms > LONGEST_MS) return noDuration('a duration is at most 24 hours', []);
  return { kind: 'ms', ms };
}

/** `5s`, `1.5s`, `300ms`: the shortest that people write. */
export function showDuration(ms: number): string {
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms >= 1_000 && ms % 100 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
}

function unitFactor(unit: string): number | undefined {
  return Object.entries(UNITS).find(([name]) => name === unit)?.[1];
}

function noDuration(why: string, offered: readonly string[]): Duration {
  return { kind: 'no duration', why, readings: offered };
}

/** What a number without a unit, or with another one, may have meant. */
function readings(written: string): string[] {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(written.trim()) ?? [];
  if (number === '' || Number(number) === 0) return [];
  const word = unit.toLowerCase();
  if (/^(h|hr|hrs|hours?)$/.test(word)) return Number(number) <= 24 ? [`${Number(number) * 60}m`] : [];
  if (/^(sec|secs|seconds?)$/.test(word)) return [`${number}s`];
  if (/^(min|mins|minutes?)$/.test(word)) return [`${number}m`];
  if (/^(msec|msecs|millis|milliseconds?)$/.test(word)) return [`${number}ms`];
  return Object.keys(UNITS).map((name) => `${number}${name}`);
}
