/**
 * The door to `chokidar`: which paths on a disk may have changed.
 */
import { watch } from 'chokidar';

export type Watcher = { readonly close: () => Promise<void>; readonly add: (paths: readonly string[]) => void };

export type WatchTold = {
  /** Something happened to a path. It is told of every path that is there, too, before `ready`. */
  readonly touched: (path: string) => void;
  readonly ready: () => void;
  readonly failed: (error: unknown) => void;
};

/** Watches files and folders, absolute. `ignored` is asked before a folder is looked into; `flat`: a folder's own files alone. */
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
    if (event === 'add' || event === 'change' || event === 'unlink') told.touched(path);
  });
  watcher.on('ready', told.ready);
  watcher.on('error', told.failed);
  return { close: () => watcher.close(), add: (more) => void watcher.add([...more]) };
}
