/**
 * Every file that configs and suites are made of, so that no report is written over one.
 */
import { checkFile } from '../check';
import { type Disk, findConfigs, namedFrom } from '../config/find';
import { type FileRead, loadConfigs } from '../config/load';
import { readSuiteFile } from '../config/suite';
import { folderOf, resolvePath } from '../core/path';
import type { Tree } from '../core/tree';
import type { WrittenHook } from '../dialects/dialect';
import { readShell } from '../engines/shell';
import type { Io } from '../io';
import { loadDoors } from './load-doors';
import { worldOf } from './world';

/** `configs`: as CONFIG is written, from the folder that hookctl stands in. `suites`: absolute paths. */
export type Named = { readonly configs: readonly string[]; readonly suites: readonly string[] };

/** Absolute paths: configs and what stands beside them, the scripts and modules that their hooks start, suites and their payloads. */
export async function filesOf({ configs, suites }: Named, disk: Disk, io: Io): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  const recorder: Disk = {
    ...disk,
    read: (path, limit) => {
      files.add(path);
      return disk.read(path, limit);
    },
  };
  const doors = loadDoors({ disk: recorder });
  const names = new Set(configs);
  for (const path of suites) {
    const { parsed } = await readSuiteFile(path, path, doors);
    const folder = folderOf(path);
    for (const config of textsOf('config', parsed?.tree)) names.add(namedFrom(config, folder, io.cwd));
    for (const payload of textsOf('payload', parsed?.tree)) files.add(resolvePath(folder, payload));
  }
  // One that cannot be read hides no other.
  for (const name of names) {
    for (const { path } of findConfigs([name], io.cwd, disk).files) files.add(path);
    for (const one of (await loadConfigs([name], io.cwd, doors)).read) lookAtScripts(one, recorder, io);
  }
  return files;
}

/** The texts of a key, wherever it stands: a suite with mistakes names files as well. */
function textsOf(key: string, tree: Tree | undefined): string[] {
  if (tree?.kind === 'list') return tree.items.flatMap(({ value }) => textsOf(key, value));
  if (tree?.kind !== 'map') return [];
  return tree.entries.flatMap((entry) => (entry.key === key ? scalarsOf(entry.value) : textsOf(key, entry.value)));
}

function scalarsOf(tree: Tree): string[] {
  if (tree.kind === 'list') return tree.items.flatMap(({ value }) => scalarsOf(value));
  return tree.kind === 'scalar' && typeof tree.value === 'string' ? [tree.value] : [];
}

/** Hooks that are off have scripts as well. */
function lookAtScripts({ doc, config, parsed }: FileRead, disk: Disk, io: Io): void {
  if (doc === undefined || config === undefined || parsed === undefined) return;
  const written = config.written.map((one): WrittenHook => {
    const { off: _, ...hook } = one.hook;
    return { ...one, hook };
  });
  checkFile(
    { doc, config: { ...config, written }, text: parsed.text },
    {
      disk: { ...disk, isExecutable: io.isExecutable },
      shell: readShell,
      env: io.env,
      cwd: io.cwd,
      world: worldOf(io),
    },
  );
}
