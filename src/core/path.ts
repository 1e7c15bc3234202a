/**
 * POSIX paths as text. The core knows no disk.
 */

/**
 * The absolute path that `path` names when one stands in `folder`, which is absolute and no link. `.` and double slashes are
 * taken out, and a leading `..`. One behind a name stays: the name may be a link, and then `..` is not where the text says.
 */
export function resolvePath(folder: string, path: string): string {
  const parts = path.startsWith('/') ? [] : partsOf(folder);
  let named = false;
  for (const part of partsOf(path)) {
    if (part === '.') continue;
    if (part === '..' && !named) parts.pop();
    else parts.push(part);
    named ||= part !== '..';
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

/** The path below an absolute folder, without a leading slash; undefined where it lies elsewhere. */
export function placeBelow(folder: string, path: string): string | undefined {
  const full = resolvePath(folder, path);
  const start = folder === '/' ? '/' : `${folder.replace(/\/+$/, '')}/`;
  return full.startsWith(start) && full.length > start.length ? full.slice(start.length) : undefined;
}

/** The absolute `path` as people standing in `folder` write it: relative where that is shorter. */
export function shownFrom(folder: string, path: string): string {
  const [from, to] = [partsOf(folder), partsOf(path)];
  const common = to.findIndex((part, index) => part !== from[index]);
  const shared = common < 0 ? to.length : common;
  const relative = [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
  return relative.length < path.length ? relative || '.' : path;
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}
