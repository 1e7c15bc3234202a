/**
 * The door to `chokidar`: which paths on a disk may have changed.
 */
import { watch } from 'chokidar';

export type Watcher = { readonly close: () => Promise<void>; readonly add: (paths: readonly string[]) => void };

export type WatchTold = {
  /** Something happened to a file, or to what stands in a folder. It is told of every file that is there, too, before `ready`. */
  readonly touched: (path: string) => void;
  /** A folder is watched now, or no longer. */
  readonly folder: (path: string, is: 'watched' | 'gone') => void;
  readonly ready: () => void;
  readonly failed: (error: unknown) => void;
};

/**
 * Watches files and folders, absolute. `ignored` is asked before a folder is looked into; `flat`: a folder's own files alone.
 *
 * The library's own events are not complete: of several changes in one folder within a second it tells some. What the system told it is
 * handed on as well, so that who is told looks at the folder.
 */
export function watchPaths(
  paths: readonly string[],
  { ignored, flat }: { readonly ignored: (path: string) => boolean; readonly flat: boolean },
  told: WatchTold,
): Watcher {
  const watcher = watch([...paths], {
    ignored: (path) => ignored(path),
    // What came of an atomic save is seen by comparing before and after.
    atomic: false,
    followSymlinks: false,
    ignorePermissionErrors: true,
    ...(flat ? { depth: 0 } : {}),
  });
  watcher.on('all', (event, path) => {
    if (event === 'addDir') told.folder(path, 'watched');
    else if (event === 'unlinkDir') told.folder(path, 'gone');
    else told.touched(path);
  });
  watcher.on('raw', (_event, name, details) => {
    const watched = watchedIn(details);
    if (watched === undefined) return;
    told.touched(watched);
    if (name !== null && name !== '' && name !== watched) told.touched(`${watched}/${name}`);
  });
  watcher.on('ready', told.ready);
  watcher.on('error', told.failed);
  return { close: () => watcher.close(), add: (more) => void watcher.add([...more]) };
}

/** The file or folder that the system was asked to watch. */
function watchedIn(details: unknown): string | undefined {
  const path =
    typeof details === 'object' && details !== null && 'watchedPath' in details ? details.watchedPath : undefined;
  return typeof path === 'string' ? path : undefined;
}
