/**
 * The door to `tinyglobby`: patterns in, files out.
 */
import { escapePath, glob } from 'tinyglobby';

const NEVER = ['**/node_modules/**', '**/.git/**'];

/** Absolute paths of the files that the patterns find below `cwd`, sorted; dot folders included, links to folders not followed. */
export async function filesFor(patterns: readonly string[], cwd: string): Promise<string[]> {
  const found = await glob([...patterns], {
    cwd,
    ignore: NEVER,
    dot: true,
    absolute: true,
    followSymbolicLinks: false,
    expandDirectories: false,
  });
  return found.sort();
}

/** A path as a pattern that finds nothing else. */
export function asPattern(path: string): string {
  return escapePath(path);
}
