/**
 * Which files `hookctl validate` checks.
 */
import { type ConfigFile, type Disk, findConfigs, nameFor } from '../config/find';
import { hasHooks, parseFile } from '../config/parse';
import { isSuite } from '../config/suite';
import type { Finding } from '../core/finding';
import { nameOf, resolvePath, shownFrom } from '../core/path';
import { ROOMS } from '../dialects';
import { namedSo } from '../dialects/detect';
import { asPattern, filesFor } from '../engines/glob';
import { runTool } from '../engines/tools';

/** A config, or a test suite: then without a room. */
export type FoundFile = Omit<ConfigFile, 'room'> & Partial<Pick<ConfigFile, 'room'>>;
export type FoundFiles = { readonly files: readonly FoundFile[]; readonly findings: readonly Finding[] };

const GIT_MS = 10_000;

/** The files that the names stand for; without names every config below `cwd` that git does not ignore. Nothing found is a finding. */
export async function findForValidate(names: readonly string[], cwd: string, disk: Disk): Promise<FoundFiles> {
  if (names.length === 0) return everywhere(cwd, cwd, disk);
  const found = await Promise.all(names.map((name) => findOne(name, cwd, disk)));
  const files = new Map(found.flatMap((one) => one.files.map((file) => [file.path, file])));
  return { files: [...files.values()], findings: found.flatMap((one) => one.findings) };
}

async function findOne(name: string, cwd: string, disk: Disk): Promise<FoundFiles> {
  const path = resolvePath(cwd, name);
  const kind = name === '' ? 'none' : disk.kindOf(path);
  if (kind === 'folder') return everywhere(path, cwd, disk);
  return isPattern(name, kind) ? matching(name, cwd, disk) : asFound([name], cwd, disk);
}

/** A name that nothing has. */
export function isPattern(name: string, kind: ReturnType<Disk['kindOf']>): boolean {
  return kind === 'none' && /[*?[{!(]/.test(name);
}

/** Suites and folders are no configs. A suite that is missing is told as a config would be. */
function asFound(names: readonly string[], cwd: string, disk: Disk): FoundFiles {
  const folders = names.filter((name) => name !== '' && disk.kindOf(resolvePath(cwd, name)) === 'folder');
  const suites = names.filter((name) => isSuite(name) && disk.kindOf(resolvePath(cwd, name)) === 'file');
  const found = findConfigs(
    names.filter((name) => !suites.includes(name) && !folders.includes(name)),
    cwd,
    disk,
  );
  const files = suites.map((name) => {
    const path = resolvePath(cwd, name);
    return { path, shown: shownFrom(cwd, path) };
  });
  const strange = folders.map((name): Finding => {
    const shown = shownFrom(cwd, resolvePath(cwd, name));
    return { code: 'HK001', at: { file: shown }, args: { path: shown, why: 'it is a folder' } };
  });
  return { files: [...found.files, ...files], findings: [...found.findings, ...strange] };
}

async function matching(pattern: string, cwd: string, disk: Disk): Promise<FoundFiles> {
  const paths = await filesFor([pattern], cwd);
  if (paths.length === 0) return nothing(pattern, 'no file matches the pattern');
  return asFound(
    paths.map((path) => nameFor(path, cwd)),
    cwd,
    disk,
  );
}

/** Every config below a folder. */
async function everywhere(folder: string, cwd: string, disk: Disk): Promise<FoundFiles> {
  const own = findConfigs([nameFor(folder, cwd)], cwd, disk).files.map(({ path }) => path);
  const documents = (await filesFor(DOCUMENTS, folder)).filter((path) => isWithHooks(path, disk));
  const found = [...new Set([...own, ...(await filesFor(patternsOf(), folder)), ...documents])].sort();
  const paths = (await withoutIgnored(found, folder)).filter((path) => isKnown(path, disk));
  const shown = shownFrom(cwd, folder);
  if (paths.length === 0)
    return nothing(
      shown,
      `there is no config below ${shown} (${[...patternsOf(), ...DOCUMENTS].join(', ')})${otherFiles(folder, disk)}`,
    );
  return asFound(
    paths.map((path) => nameFor(path, cwd)),
    cwd,
    disk,
  );
}

/** Most documents are none: what cannot be read is no finding. */
function isWithHooks(path: string, disk: Disk): boolean {
  const bytes = disk.kindOf(path) === 'file' ? disk.read(path) : undefined;
  return bytes instanceof Uint8Array && hasHooks(bytes);
}

/** Other agents have files of some names too: what stands in one of those, or its folder, says that it is a config. */
function isKnown(path: string, disk: Disk): boolean {
  const named = ROOMS.filter((room) => namedSo(path, room));
  const isShared = named.every(({ spec }) => spec.config?.shared?.includes(nameOf(path)));
  if (named.length === 0 || !isShared) return true;
  const bytes = disk.read(path);
  const tree = bytes instanceof Uint8Array ? parseFile(path, bytes, 'json').tree : undefined;
  return tree !== undefined && ROOMS.some(({ author }) => author?.claims?.(tree, path));
}

/** Files beside which a config by another name may be. */
function otherFiles(folder: string, disk: Disk): string {
  const names = disk.list(folder);
  const others = 'why' in names ? [] : names.filter((name) => /\.(?:ya?ml|json)$/.test(name)).slice(0, 3);
  return others.length === 0 ? '' : `; name a file of another name, such as ${others.join(' or ')}`;
}

const DOCUMENTS = ROOMS.flatMap(({ spec }) => spec.config?.documents ?? []);
const SUITES = ['.hooktest.yaml', '.hooktest.yml', '.hooktest.json'];

/** As every room names its configs, and suites. */
function patternsOf(): string[] {
  const names = ROOMS.flatMap(({ spec: { config } }) =>
    (config?.names ?? []).map((name) => (config?.beside?.name === name ? `/${config.beside.folder}/*/${name}` : name)),
  );
  const all = [...names, ...SUITES];
  return [...new Set(all)].map((name) => {
    if (name.startsWith('/')) return `**${name.split('*').map(asPattern).join('*')}`;
    return name.startsWith('.') ? `**/*${asPattern(name)}` : `**/${asPattern(name)}`;
  });
}

/** Where git is missing or the folder is in no repository, nothing is ignored. */
async function withoutIgnored(paths: readonly string[], cwd: string): Promise<readonly string[]> {
  if (paths.length === 0) return paths;
  const ran = await runTool('git', ['check-ignore', '-z', '--stdin'], {
    input: `${paths.join('\0')}\0`,
    cwd,
    ms: GIT_MS,
  });
  if (ran === 'missing' || ran.exit !== 0) return paths;
  const ignored = new Set(ran.stdout.split('\0'));
  return paths.filter((path) => !ignored.has(path));
}

function nothing(name: string, why: string): FoundFiles {
  return { files: [], findings: [{ code: 'HK016', at: { file: name }, args: { path: name, why } }] };
}
