/**
 * POSIX paths as text. The core knows no disk.
 */

/** The absolute path that `path` names when one stands in the absolute folder `folder`; `.`, `..` and double slashes are resolved. */
export function resolvePath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** The folder of an absolute path. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

/** The last segment. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The absolute `path` as people standing in `folder` write it; outside of the folder it stays absolute. */
export function shownFrom(folder: string, path: string): string {
  if (path === folder) return '.';
  const base = folder === '/' ? '/' : `${folder}/`;
  return path.startsWith(base) && path.length > base.length ? path.slice(base.length) : path;
}
