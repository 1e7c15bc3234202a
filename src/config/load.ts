/**
 * From CONFIG to hooks: find, parse, validate, read, join.
 */
import { type Finding, hasError } from '../core/finding';
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
  readonly yaml: () => Promise<(text: string) => Parsed>;
  readonly matcherFault: Doc['matcherFault'];
};

export type Loaded = {
  readonly hooks: readonly Hook[];
  readonly switches: Switches;
  readonly findings: readonly Finding[];
  /** Absolute paths of the files read. */
  readonly files: readonly string[];
};

/** Reads all configs, in the order given. With an error-level finding there are no hooks. One bad file never hides another's findings. */
export async function loadConfigs(names: readonly string[], cwd: string, doors: LoadDoors): Promise<Loaded> {
  const found = findConfigs(names, cwd, doors.disk);
  const read: (FileRead & { readonly file: ConfigFile })[] = [];
  const files = [...found.files];
  for (let file = files.shift(); file !== undefined; file = files.shift()) {
    const one = await readConfigFile(file, doors);
    const more = [...new Set(one.config?.more)].filter(
      (path) => !read.some((other) => other.file.path === path) && path !== file?.path,
    );
    files.unshift(
      ...more.map((path) => ({ path, shown: shownFrom(cwd, path), room: one.room ?? file?.room ?? NATIVE })),
    );
    read.push({ file, ...one });
  }
  const findings = [...found.findings, ...read.flatMap((one) => one.findings)];
  const switches: Switches = Object.assign({}, ...read.map((one) => one.config?.switches));
  return { hooks: hasError(findings) ? [] : joined(read), switches, findings, files: read.map((one) => one.file.path) };
}

/** What came of one file. `doc` and `text` are there where it could be parsed. */
export type FileRead = {
  /** Whose format it was read by. */
  readonly room?: Room;
  readonly config?: ConfigRead;
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
  const isJson = file.path.endsWith('.json') || file.room.spec.config?.json === true;
  const parsed = parseFile(file.shown, bytes, isJson ? 'json' : await doors.yaml());
  const { tree, place, position } = parsed;
  if (tree === undefined) return { parsed, findings: parsed.faults.map((fault) => faultFinding(fault, place)) };
  const room = roomFor(file, tree);
  const { author, spec } = room;
  const valid =
    spec.config === undefined ? { findings: [], tree } : validate(spec.config.schema, tree, spec.config.judges, place);
  if (author === undefined) return { parsed, findings: valid.findings };
  const doc: Doc = {
    file: file.shown,
    root: folderOf(file.path),
    tree: valid.tree,
    position,
    place,
    matcherFault: doors.matcherFault,
  };
  const config = author.readConfig(doc);
  return {
    room,
    config,
    doc,
    parsed,
    findings: inOrder([...valid.findings, ...config.findings, ...strangeEvents(config, doc, room)]),
  };
}

/** Of a file that its name says nothing of, what stands in it; of one of a family, which of them. */
function roomFor({ room, guessed, forced }: ConfigFile, tree: Tree): Room {
  const family = room.spec.config?.family;
  if (forced || (guessed === undefined && family === undefined)) return room;
  const rooms = guessed === undefined ? ROOMS.filter(({ spec }) => spec.config?.family === family) : ROOMS;
  return rooms.find((one) => one.author?.claims?.(tree)) ?? room;
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
