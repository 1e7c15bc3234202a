/**
 * A disk in memory, and what loading finds on it.
 */
import { loadDoors } from '../../../src/cli/doors';
import type { Disk } from '../../../src/config/find';
import { type Loaded, loadConfigs } from '../../../src/config/load';
import { realIo } from '../../../src/io';

/** Absolute path → content; `{ why }` cannot be read. A folder is there as soon as something lies in it. */
export type Files = Readonly<Record<string, string | Uint8Array | { readonly why: string }>>;

export function diskOf(files: Files): Disk {
  const paths = Object.keys(files);
  const inside = (folder: string) => paths.filter((path) => path.startsWith(folder === '/' ? '/' : `${folder}/`));
  return {
    kindOf: (path) => (path in files ? 'file' : inside(path).length > 0 ? 'folder' : 'none'),
    list: (folder) => [
      ...new Set(inside(folder).map((path) => path.slice(folder === '/' ? 1 : folder.length + 1).split('/')[0] ?? '')),
    ],
    isLink: () => false,
    read: (path) => {
      const content = files[path];
      if (content === undefined) throw new Error(`nobody asked whether ${path} is there`);
      return typeof content === 'string' ? new TextEncoder().encode(content) : content;
    },
  };
}

/** Loads with the real parsers and engines, standing in `/work`. Of the real world nothing but the disk is asked. */
export function load(names: readonly string[], files: Files): Promise<Loaded> {
  return loadConfigs(names, '/work', loadDoors({ ...realIo(), disk: diskOf(files) }));
}
