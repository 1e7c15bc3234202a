/**
 * Topics of the bus, `prx.lifecycle.tool_call`, and the patterns that subscribe to them.
 */

const TOKENS = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;
const LONGEST = 256;

/** Why a text is no pattern, or undefined: a topic, a prefix that ends in `.*`, or `*`. */
export function patternFault(pattern: string): string | undefined {
  if (pattern === '*') return undefined;
  if (pattern === '') return 'a pattern is not empty';
  if (pattern.length > LONGEST) return `a pattern has at most ${LONGEST} characters`;
  const named = pattern.endsWith('.*') ? pattern.slice(0, -2) : pattern;
  if (TOKENS.test(named)) return undefined;
  return 'a pattern is words of letters, digits, "_" and "-" joined by dots; "*" stands alone, or last behind a dot';
}

/** `*` is everything; one that ends in `.*` is a prefix, the dot included, at any depth; any other is exact. */
export function matchesTopic(pattern: string, topic: string): boolean {
  if (pattern === '*') return true;
  return pattern.endsWith('.*') ? topic.startsWith(pattern.slice(0, -1)) : topic === pattern;
}
