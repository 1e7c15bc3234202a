/**
 * The options of `emit` as it uses them.
 */
import { depthOf } from '../core/depth';
import { canonicalOf, nativeOf } from '../dialects/prx/spec';
import { logPath } from '../emission/log';
import type { Io } from '../io';
import { configNames } from './doors';
import { lastValue, type ParsedOptions } from './options';
import { readToBus, type ToBus } from './publishing';

export type EmitSettings = ToBus & {
  readonly configs: readonly string[];
  readonly event?: string;
  readonly session: string;
  readonly as: string;
  readonly stream: boolean;
  readonly wait: boolean;
  readonly lenient: boolean;
  readonly plugins: boolean;
  readonly depth: number;
  readonly log?: string;
};

/** Or what is wrong with the command line. */
export function readEmitSettings(options: ParsedOptions, io: Io): EmitSettings | { readonly problem: string } {
  const { switches, rest } = options;
  const depth = depthOf(io.env['HOOKCTL_DEPTH']);
  if (depth === undefined)
    return { problem: `HOOKCTL_DEPTH is "${io.env['HOOKCTL_DEPTH']}", but must be a whole number` };
  const problem = clash(options);
  if (problem !== undefined) return { problem };
  const toBus = readToBus(options, io);
  if ('problem' in toBus) return toBus;
  const configs = toBus.server === undefined ? configNames(rest, io) : [];
  if (configs.length === 0 && toBus.server === undefined && toBus.bus === undefined)
    return { problem: 'nothing to do: name a CONFIG, or say --bus or --server' };
  const as = lastValue(options, 'as') ?? 'prx';
  const event = eventName(options, as);
  if (event !== undefined && 'problem' in event) return event;
  const log = logPath(lastValue(options, 'log'), io.env, io.cwd);
  return {
    ...toBus,
    configs,
    ...(event === undefined ? {} : { event: event.name }),
    session: lastValue(options, 'session') ?? io.env['HOOKCTL_SESSION'] ?? io.env['ZERO_HOOK_SESSION'] ?? '',
    as,
    stream: switches.has('stream'),
    wait: switches.has('wait'),
    lenient: switches.has('lenient'),
    plugins: !switches.has('no-plugins'),
    depth,
    ...(log === undefined ? {} : { log }),
  };
}

/** What the server does itself cannot be asked for here. */
function clash({ rest, values, switches }: ParsedOptions): string | undefined {
  if (rest.includes('-')) return 'stdin is the event; a config cannot come from there too';
  if (!values.has('server')) return values.has('token-file') ? '--token-file needs --server' : undefined;
  const [first] = [
    ...(rest.length > 0 ? ['a CONFIG'] : []),
    ...(values.has('bus') ? ['--bus'] : []),
    ...(switches.has('wait') ? ['--wait'] : []),
  ];
  return first === undefined ? undefined : `--server and ${first} exclude each other: the server runs its own hooks`;
}

function eventName(
  options: ParsedOptions,
  as: string,
): { readonly name: string } | { readonly problem: string } | undefined {
  const said = lastValue(options, 'event');
  if (said === undefined || as !== 'prx') return said === undefined ? undefined : { name: said };
  const name = nativeOf(said) ?? said;
  return canonicalOf(name) === undefined ? { problem: `--event ${said}: PRX has no such event` } : { name };
}
