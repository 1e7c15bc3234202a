/**
 * From CONFIG to hooks: find, parse, validate, read, join.
 */
import { type Finding, hasError, type Severity, severityOf } from '../core/finding';
import type { Hook } from '../core/model';
import { folderOf, shownFrom } from '../core/path';
import { entryOf, type Parsed, type Tree } from '../core/tree';
import { isOwnEvent, knownEvents, NATIVE, ROOMS } from '../dialects';
import type { ConfigRead, Doc, Room, Switches } from '../dialects/dialect';
import { type ConfigFile, type Disk, findConfigs } from './find';
import { faultFinding, type ParsedFile, parseFile } from './parse';
import { validate } from './validate';

/** What loading needs from outside. `yaml` is fetched only when a file is YAML. */
export type LoadDoors = {
  readonly disk: Disk;
  /** true: one bad file takes none of the others' hooks away. */
  readonly partial?: boolean;
  /** false: what stands beside a config is left alone. */
  readonly beside?: boolean;
  readonly yaml: () => Promise<(text: string) => Parsed>;
  readonly toml: () => Promise<(text: string) => Parsed>;
  readonly matcherFault: Doc['matcherFault'];
};

export type Loaded = {
  readonly hooks: readonly Hook[];
  readonly switches: Switches;
  readonly findings: readonly Finding[];
  /** Findings of invalid files that hold observers alone: their hooks are left out, and nothing else. */
  readonly observers: readonly (readonly Finding[])[];
  /** Findings of what stands beside a config, such as a plugin, and is left out for them. */
  readonly beside: readonly Finding[];
  /** Absolute paths of the files read. */
  readonly files: readonly string[];
};

/** Reads all configs, in the order given. With an error-level finding there are no hooks. One bad file never hides another's findings. */
export async function loadConfigs(names: readonly string[], cwd: string, doors: LoadDoors): Promise<Loaded> {
  const found = findConfigs(names, cwd, doors.disk);
  const read: (FileRead & { readonly file: ConfigFile })[] = [];
  const files = [...found.files];
  const beside: Finding[] = [];
  for (let file = files.shift(); file !== undefined; file = files.shift()) {
    const one = await readConfigFile(file, doors);
    const more = [...new Set(one.config?.more)].filter(
      (path) => !read.some((other) => other.file.path === path) && path !== file?.path,
    );
    files.unshift(
      ...more.map((path) => ({ path, shown: shownFrom(cwd, path), room: one.room ?? file?.room ?? NATIVE })),
    );
    if (read.some((other) => other.room?.spec.observes && other.file.path === file?.path)) continue;
    read.push({ file, ...one });
    const others = doors.beside === false ? [] : await readBeside(file, one, cwd, doors);
    read.push(...others.filter((other) => !hasError(other.findings)));
    beside.push(...others.flatMap((other) => other.findings));
  }
  const observers = read.filter((one) => isObserversAlone(one) && hasError(one.findings));
  const judged = read.filter((one) => !observers.includes(one));
  const findings = [...found.findings, ...judged.flatMap((one) => one.findings)];
  const used = doors.partial ? judged.filter((one) => !hasError(one.findings)) : judged;
  return {
    hooks: hasError(findings) && !doors.partial ? [] : joined(used),
    switches: Object.assign({}, ...judged.map((one) => one.config?.switches)) as Switches,
    findings,
    observers: observers.map((one) => one.findings),
    beside,
    files: read.map((one) => one.file.path),
  };
}

/** All that is wrong, observers and what stands beside configs included: for who looks at configs and does not judge an event. */
export function everyFinding({ findings, observers, beside }: Loaded): readonly Finding[] {
  return [...findings, ...observers.flat(), ...beside.map((finding) => ({ ...finding, severity: lessened(finding) }))];
}

/** What is left out stops nothing. */
function lessened(finding: Finding): Severity {
  const severity = severityOf(finding);
  return severity === 'error' ? 'warning' : severity;
}

/** Surely a file of a room whose hooks decide nothing: the user says so, or what stands in it does. A name alone is not enough. */
function isObserversAlone({ room, file, tree }: FileRead & { readonly file: ConfigFile }): boolean {
  if (room?.spec.observes !== true) return false;
  return file.forced === true || (tree !== undefined && room.author?.claims?.(tree, file.path) === true);
}

/** `<folder>/<any>/<name>` beside a config, in the order of the names, as the room says. */
async function readBeside(
  file: ConfigFile,
  { room }: FileRead,
  cwd: string,
  doors: LoadDoors,
): Promise<(FileRead & { readonly file: ConfigFile })[]> {
  const beside = room?.spec.config?.beside;
  if (room === undefined || beside === undefined || file.path.endsWith(`/${beside.name}`)) return [];
  const folder = `${folderOf(file.path)}/${beside.folder}`;
  const names = doors.disk.kindOf(folder) === 'folder' ? doors.disk.list(folder) : [];
  const paths = ('why' in names ? [] : [...names].sort()).map((name) => `${folder}/${name}/${beside.name}`);
  const there = paths.filter((path) => doors.disk.kindOf(path) === 'file');
  return Promise.all(
    there.map(async (path) => {
      const own: ConfigFile = { path, shown: shownFrom(cwd, path), room, forced: true };
      return { file: own, ...(await readConfigFile(own, doors)) };
    }),
  );
}

/** What came of one file. `doc` and `text` are there where it could be parsed. */
export type FileRead = {
  /** Whose format it was read by. */
  readonly room?: Room;
  readonly config?: ConfigRead;
  readonly tree?: Tree;
  readonly doc?: Doc;
  /** As it is written; absent where it could not be read. */
  readonly parsed?: ParsedFile;
  readonly findings: readonly Finding[];
};

/** Reads, parses and validates one file. It never throws because of what stands in it. */
export async function readConfigFile(file: ConfigFile, doors: LoadDoors): Promise<FileRead> {
  const bytes = doors.disk.read(file.path);
  if (!(bytes instanceof Uint8Array)) {
    return { findings: [{ code: 'HK001', at: { file: file.shown }, args: { path: file.shown, why: bytes.why } }] };
  }
  const parsed = parseFile(file.shown, bytes, await parserFor(file, doors));
  const { tree, place, position } = parsed;
  if (tree === undefined) {
    const faults = parsed.faults.map((fault) => faultFinding(fault, place));
    return { ...(file.forced === undefined ? {} : { room: file.room }), parsed, findings: faults };
  }
  const room = roomFor(file, tree);
  const { author, spec } = room;
  const judges = spec.config?.judges ?? 'all';
  const valid =
    spec.config === undefined || judges === 'all'
      ? { findings: [], tree }
      : validate(spec.config.schema, tree, judges, place);
  if (author === undefined) return { parsed, findings: valid.findings };
  const doc: Doc = {
    file: file.shown,
    root: folderOf(file.path),
    tree: valid.tree,
    size: bytes.length,
    hasBom: bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf,
    position,
    place,
    matcherFault: doors.matcherFault,
  };
  const config = author.readConfig(doc);
  return {
    room,
    config,
    tree,
    doc,
    parsed,
    findings: inOrder([...valid.findings, ...config.findings, ...strangeEvents(config, doc, room)]),
  };
}

/** Of a file that its name says nothing of, what stands in it; of one of a family, which of them. */
function roomFor({ path, room, guessed, forced }: ConfigFile, tree: Tree): Room {
  const family = room.spec.config?.family;
  if (forced || (guessed === undefined && family === undefined)) return room;
  const rooms = guessed === undefined ? ROOMS.filter(({ spec }) => spec.config?.family === family) : ROOMS;
  return rooms.find((one) => one.author?.claims?.(tree, path)) ?? room;
}

/** JSON is read strictly. */
async function parserFor({ path, room }: ConfigFile, doors: LoadDoors): Promise<'json' | ((text: string) => Parsed)> {
  if (path.endsWith('.toml')) return doors.toml();
  return path.endsWith('.json') || room.spec.config?.json === true ? 'json' : doors.yaml();
}

/** An event that only one agent has must be one that a room knows. */
function strangeEvents(config: ConfigRead, doc: Doc, { spec }: Room): Finding[] {
  const events = new Set(config.hooks.map((hook) => hook.event));
  const foreign = [...events].filter((event) => !spec.rows.some((row) => row.canonical === event));
  if (foreign.length === 0) return [];
  const known = knownEvents();
  const strange = new Set(foreign.filter((event) => !known.includes(event) && !isOwnEvent(event)));
  const hooks = entryOf(doc.tree, 'hooks')?.value;
  return [...strange].flatMap((event): Finding[] => {
    const key = entryOf(hooks, event);
    const reported = !event.includes(':');
    return key === undefined || reported
      ? []
      : [{ code: 'HK007', at: doc.place(key.keySpan), args: { event }, allowed: known }];
  });
}

/** The hooks of all files in the order given; a room may have rules across its own files. */
function joined(read: readonly FileRead[]): Hook[] {
  const hooks = new Map(read.map(({ config }) => [config, config?.hooks ?? []]));
  for (const room of new Set(read.flatMap((one) => one.room ?? []))) {
    const configs = read.flatMap((one) => (one.room === room && one.config !== undefined ? [one.config] : []));
    const own = room.author?.join?.(configs) ?? configs.map((config) => config.hooks);
    for (const [index, config] of configs.entries()) hooks.set(config, own[index] ?? []);
  }
  return read.flatMap(({ config }) => hooks.get(config) ?? []);
}

/** By line. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  const line = (finding: Finding) => ('line' in finding.at ? finding.at.line : 0);
  return findings.toSorted((a, b) => line(a) - line(b));
}
