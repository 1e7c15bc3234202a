/**
 * `hookctl list`: what is configured.
 */
import { everyFinding, loadConfigs } from '../config/load';
import { hasError } from '../core/finding';
import { EXIT } from '../exit';
import type { Io } from '../io';
import { renderFinding } from '../render/findings';
import { type Listing, listingJson, listingText } from '../render/listing';
import { colorsFor } from './colors';
import { badUsage, type Command, colorWhen } from './command';
import { configNames, NO_CONFIG } from './doors';
import { listedOf } from './listed';
import { loadDoors } from './load-doors';
import type { ParsedOptions } from './options';
import { FORMAT_OPTION, overwriting, readOutputs, refusedConfigs, writeOutputs } from './outputs';
import { COLOR_OPTION } from './run-options';
import { withStdin } from './stdin-config';

export const list: Command = {
  name: 'list',
  summary: 'show what is configured',
  description:
    'Shows the hooks of the given configs: a banner, then one line a hook with its event, place, matcher, command and policy.',
  argument: '[CONFIG...]',
  options: [FORMAT_OPTION, COLOR_OPTION],
  help: `
Examples:
  hookctl list agent.yaml
  hookctl list agent.yaml team.agent.yaml --format json
  hookctl list . --format text --format json=hooks.json
  hookctl list - < agent.yaml

CONFIG is an agent file, a folder with one, or - for stdin. Without it $HOOKCTL_CONFIG is taken.

Exit codes: 0 fine, 1 a config has errors, 2 bad usage, 3 hookctl itself failed.`,
  act,
};

async function act(options: ParsedOptions, io: Io): Promise<number> {
  const names = configNames(options.rest, io);
  const outputs = readOutputs(options.values.get(FORMAT_OPTION.name) ?? [], ['text', 'json']);
  if ('problem' in outputs) return badUsage('list', outputs.problem, io);
  if (names.length === 0) return badUsage('list', NO_CONFIG, io);
  const input = await withStdin(names, io);
  if ('problem' in input) return badUsage('list', input.problem, io);
  const loaded = await loadConfigs(input.names, io.cwd, { ...loadDoors(io), disk: input.disk });
  const clash = await overwriting(outputs, { configs: input.names, disk: input.disk }, io);
  if (clash !== undefined) return badUsage('list', clash, io);
  for (const finding of everyFinding(loaded)) io.write('stderr', `${renderFinding(finding)}\n`);
  if (hasError(everyFinding(loaded))) return refusedConfigs(everyFinding(loaded), outputs, io);
  const listing: Listing = { switches: loaded.switches, hooks: loaded.hooks.map((hook) => listedOf(hook, io)) };
  const colors = await colorsFor(colorWhen(options), 'stdout', io);
  const lost = writeOutputs(
    outputs,
    (format) => (format === 'json' ? listingJson(listing) : listingText(listing, colors)),
    io,
  );
  for (const problem of lost) io.write('stderr', `hookctl list: ${problem}\n`);
  return lost.length > 0 ? EXIT.own : EXIT.fine;
}
