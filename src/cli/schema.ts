/**
 * `hookctl schema NAME`: prints a JSON Schema.
 */
import agent from '../../schemas/agent.json';
import decision from '../../schemas/decision.json';
import event from '../../schemas/event.json';
import prx from '../../schemas/prx.json';
import prxEvent from '../../schemas/prx-event.json';
import prxPlugin from '../../schemas/prx-plugin.json';
import suite from '../../schemas/suite.json';
import verdict from '../../schemas/verdict.json';
import { didYouMean } from '../core/nearest';
import { EXIT } from '../exit';
import type { Io } from '../io';
import { badUsage, type Command } from './command';
import type { ParsedOptions } from './options';
import { COLOR_OPTION } from './run-options';

/** Name → JSON Schema 2020-12. */
export const SCHEMAS: Readonly<Record<string, unknown>> = {
  agent,
  event,
  decision,
  verdict,
  suite,
  prx,
  'prx-event': prxEvent,
  'prx-plugin': prxPlugin,
};
const NAMES = Object.keys(SCHEMAS);

export const schema: Command = {
  name: 'schema',
  summary: 'print a JSON Schema',
  description: `Prints the JSON Schema of one format: ${NAMES.join(', ')}.`,
  argument: 'NAME',
  options: [COLOR_OPTION],
  words: NAMES,
  help: `
Examples:
  hookctl schema agent > agent.schema.json
  hookctl schema verdict

agent: agent files. event: what hooks read. decision: what hooks answer. verdict: what "run" prints. suite: test suites.
prx: hooks.json of PRX. prx-event: its events. prx-plugin: the manifest of its plugins.

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
  const lost = io.write('stdout', `${JSON.stringify(SCHEMAS[name], null, 2)}\n`);
  if (lost === undefined) return EXIT.fine;
  io.write('stderr', `hookctl schema: cannot write stdout: ${lost}\n`);
  return EXIT.own;
}
