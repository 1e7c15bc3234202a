/**
 * The door to `tinyglobby`: patterns in, files out.
 */
import fs, { type Dirent } from 'node:fs';
import { escapePath, glob } from 'tinyglobby';

const NEVER = ['**/node_modules/**', '**/.git/**'];

/**
 * Absolute paths of what the patterns find below `cwd`, sorted; dot folders included, links to folders not followed. Folders and
 * links to nowhere are among them: something that is called like a config and is none must be told.
 */
export async function filesFor(patterns: readonly string[], cwd: string): Promise<string[]> {
  const found = await glob([...patterns], {
    cwd,
    ignore: NEVER,
    dot: true,
    absolute: true,
    onlyFiles: false,
    fs: { ...fs, readdir: readdirWithLinks as typeof fs.readdir },
    followSymbolicLinks: false,
    expandDirectories: false,
  });
  return found.map((path) => path.replace(/\/$/, '')).sort();
}

type Listed = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

/** Links are listed as files, whatever they lead to: links that are not followed would be left out. */
function readdirWithLinks(folder: string, options: { withFileTypes: true }, done: Listed): void {
  fs.readdir(folder, options, (error, entries) => done(error, error === null ? entries.map(asFile) : entries));
}

function asFile(entry: Dirent): Dirent {
  if (!entry.isSymbolicLink()) return entry;
  return Object.assign(Object.create(entry), { isSymbolicLink: () => false, isFile: () => true });
}

/** A path as a pattern that finds nothing else. */
export function asPattern(path: string): string {
  return escapePath(path);
}
