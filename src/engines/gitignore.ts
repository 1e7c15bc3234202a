/**
 * The door to `ignore`: one file of patterns as git reads it.
 */
import ignore from 'ignore';

/** `path` is relative to the folder of the patterns, with a slash behind a folder. Undefined: they say nothing of it. */
export type IgnoreRules = (path: string) => boolean | undefined;

export function ignoreRules(text: string): IgnoreRules {
  const rules = ignore().add(text);
  return (path) => {
    const { ignored, unignored } = rules.test(path);
    return ignored ? true : unignored ? false : undefined;
  };
}
