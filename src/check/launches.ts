/**
 * Programs that are started without a shell: are they there, and do they get what they read?
 */
import type { Finding } from '../core/finding';
import { nameOf, shownFrom } from '../core/path';
import { decode } from '../core/text';
import type { Doc, WrittenHook } from '../dialects/dialect';
import type { CheckDoors } from './doors';

const HEAD_BYTES = 4_096;

/** What the start of a hook would meet on this machine. */
export function launchFindings({ launch, hook }: WrittenHook, doc: Doc, doors: CheckDoors): Finding[] {
  if (launch === undefined || hook.off !== undefined) return [];
  const { program, cwd } = launch;
  const found = program.text.includes('/')
    ? pathFindings(program.text, launch.written, doors)
    : nameFindings(launch, hook.root, doors);
  return [
    ...found.map((finding) => ({ ...finding, at: doc.place(program.span) })),
    ...folderFindings(cwd, doc, doors),
    ...stdinFindings(launch, doc),
  ];
}

type Launch = NonNullable<WrittenHook['launch']>;

/** A missing program keeps an observer from running, and nothing else: a warning. */
function pathFindings(path: string, written: string, { disk, cwd }: CheckDoors): Omit<Finding, 'at'>[] {
  const script = shownFrom(cwd, path);
  if (disk.kindOf(path) !== 'file') {
    const hint = written.includes(' ') ? 'a space is part of the name; arguments belong in "args"' : 'check its path';
    return [{ code: 'HK022', severity: 'warning', args: { script, hint } }];
  }
  if (!disk.isExecutable(path)) return [{ code: 'HK023', severity: 'warning', args: { script } }];
  const bytes = disk.read(path);
  const head = bytes instanceof Uint8Array ? bytes.subarray(0, HEAD_BYTES) : new Uint8Array();
  const isScript = head.length > 0 && !head.includes(0) && !decode(head).startsWith('#!');
  return isScript ? [{ code: 'HK024', args: { script } }] : [];
}

function nameFindings({ program, path, written }: Launch, root: string, { disk }: CheckDoors): Omit<Finding, 'at'>[] {
  const name = program.text;
  if (path.split(':').some((folder) => disk.isExecutable(`${folder}/${name}`))) return [];
  const isHere = disk.kindOf(`${root}/${name}`) === 'file';
  const hint = isHere
    ? `write ./${name}: a bare name is looked for in ${path}`
    : written.includes(' ')
      ? 'a space is part of the name; arguments belong in "args"'
      : `it is looked for in ${path}`;
  return [{ code: 'HK022', severity: 'warning', args: { script: name, hint } }];
}

function folderFindings(cwd: Launch['cwd'], doc: Doc, { disk }: CheckDoors): Finding[] {
  if (cwd === undefined || disk.kindOf(cwd.path) === 'folder') return [];
  return [{ code: 'HK074', at: doc.place(cwd.span), args: { cwd: cwd.text } }];
}

/** The key is left out, and the program is one that reads. */
function stdinFindings({ program, args, stdin }: Launch, doc: Doc): Finding[] {
  if (stdin !== 'unsaid') return [];
  const name = nameOf(program.text);
  const reads = name === 'jq' || (name === 'curl' && args.some((arg) => arg.includes('@-')));
  return reads ? [{ code: 'HK075', at: doc.place(program.span), args: { program: name } }] : [];
}
