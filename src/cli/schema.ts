/**
 * `hookctl schema NAME`: prints a JSON Schema.
 */
import { didYouMean } from '../core/nearest';
import { decode } from '../core/text';
import { EXIT } from '../exit';
import type { Io } from '../io';
import { badUsage, type Command } from './command';
import type { ParsedOptions } from './options';
import { COLOR_OPTION } from './run-options';

/** Name of a JSON Schema 2020-12 in the folder `schemas` → what it describes. */
export const SCHEMAS: Readonly<Record<string, string>> = {
  agent: 'agent files',
  event: 'what hooks read',
  decision: 'what hooks answer',
  verdict: 'what "run" prints',
  suite: 'test suites',
  claude: "the hooks in Claude Code's settings",
  'kiro-agent': 'agent files of Kiro CLI',
  'kiro-hook': '.kiro.hook files',
  'kiro-v1': "Kiro's hooks of version v1",
  prx: 'hooks.json of PRX',
  'prx-event': 'events of PRX',
  'prx-plugin': 'the manifest of a PRX plugin',
};
const NAMES = Object.keys(SCHEMAS);
const WIDTH = Math.max(...NAMES.map((name) => name.length)) + 2;

export const schema: Command = {
  name: 'schema',
  summary: 'print a JSON Schema',
  description: 'Prints the JSON Schema of one format, for editors and for programs.',
  argument: 'NAME',
  options: [COLOR_OPTION],
  words: NAMES,
  help: `
Names:
${NAMES.map((name) => `  ${name.padEnd(WIDTH)}${SCHEMAS[name]}`).join('\n')}

Examples:
  hookctl schema agent > agent.schema.json
  hookctl schema verdict

Exit codes: 0 fine, 2 bad usage, 3 hookctl itself failed.`,
  act,
};

async function act({ rest }: ParsedOptions, io: Io): Promise<number> {
  const [name, ...more] = rest;
  if (name === undefined || more.length > 0) return badUsage('schema', `name one schema: ${NAMES.join(', ')}`, io);
  if (!Object.hasOwn(SCHEMAS, name)) {
    return badUsage(
      'schema',
      `there is no schema "${name}"${didYouMean(name, NAMES)} (there is ${NAMES.join(', ')})`,
      io,
    );
  }
  const path = `${io.programs.bundles}/../schemas/${name}.json`;
  const bytes = io.disk.kindOf(path) === 'file' ? io.disk.read(path) : { why: 'there is no such file' };
  const lost = bytes instanceof Uint8Array ? io.write('stdout', decode(bytes)) : `${path} cannot be read: ${bytes.why}`;
  if (lost === undefined) return EXIT.fine;
  io.write('stderr', `hookctl schema: ${bytes instanceof Uint8Array ? `cannot write stdout: ${lost}` : lost}\n`);
  return EXIT.own;
}
