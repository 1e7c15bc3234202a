/**
 * What `hookctl convert` does.
 */
import { readScripts } from '../check/scripts';
import { loadConfigs } from '../config/load';
import { hasError } from '../core/finding';
import { placeOf } from '../core/fold';
import type { Hook } from '../core/model';
import { clean } from '../core/text';
import { readShell } from '../engines/shell';
import { EXIT } from '../exit';
import type { Io } from '../io';
import { renderFinding } from '../render/findings';
import { converted } from '../wiring/convert';
import { badUsage } from './command';
import { loadDoors } from './load-doors';
import { lastValue, type ParsedOptions } from './options';
import { worldOf } from './world';

/** Runs the command and resolves with the exit code. */
export async function converting(options: ParsedOptions, io: Io): Promise<number> {
  if (lastValue(options, 'to') === undefined) return badUsage('convert', 'say to which format: --to mm', io);
  if (options.rest.length === 0) return badUsage('convert', 'name the file whose hooks shall be converted', io);
  const loaded = await loadConfigs(options.rest, io.cwd, loadDoors(io));
  for (const finding of loaded.findings) io.write('stderr', `${renderFinding(finding)}\n`);
  if (hasError(loaded.findings)) return EXIT.findings;
  const { hooks, lost } = converted(loaded.hooks, worldOf(io), scriptsOf(io));
  for (const { fields, notes } of hooks) for (const note of notes) warn(`${nameOf(fields)}: ${note}`, io);
  for (const { hook, why } of lost) warn(`${labelOf(hook)} was left out: ${why}`, io);
  const together = new Set(loaded.hooks.filter(({ order }) => order.start === 'together').map(({ event }) => event));
  const several = [...together].filter((event) => loaded.hooks.filter((hook) => hook.event === event).length > 1);
  if (several.length > 0)
    warn(
      `on ${several.join(', ')} the hooks ran side by side, each on the original event; here they run in turn, a deny ends the chain`,
      io,
    );
  const { agentYaml } = await import('../engines/yaml');
  const head = [
    `Converted from ${options.rest.join(', ')}.`,
    ...lost.map(({ hook, why }) => `Left out: ${labelOf(hook)}: ${why}`),
  ].join('\n');
  const fault = io.write('stdout', agentYaml(hooks, clean(head)));
  if (fault !== undefined) return EXIT.own;
  return lost.length > 0 ? EXIT.findings : EXIT.fine;
}

/** What stands in the scripts that a hook runs. */
function scriptsOf(io: Io): (hook: Hook) => readonly string[] {
  const world = worldOf(io);
  const doors = {
    disk: { ...io.disk, isExecutable: io.isExecutable },
    shell: readShell,
    env: io.env,
    cwd: io.cwd,
    world,
  };
  return (hook) => {
    const written: unknown = JSON.parse(hook.written.text);
    const command =
      typeof written === 'object' && written !== null && 'command' in written ? String(written.command) : '';
    const span = { start: 0, end: 0 };
    return [
      ...readScripts({ hook, span, command: { text: command, span } }, readShell(command), doors).scripts.values(),
    ];
  };
}

function nameOf(fields: Readonly<Record<string, unknown>>): string {
  return String(fields['name'] ?? fields['command']).split('\n')[0] ?? '';
}

function labelOf(hook: Hook): string {
  return `${hook.label} (${placeOf(hook)})`;
}

function warn(text: string, io: Io): void {
  io.write('stderr', `warning: ${clean(text)}\n`);
}
