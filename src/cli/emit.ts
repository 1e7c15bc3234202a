/**
 * `hookctl emit`: fire and forget.
 */
import { ROOM_IDS } from '../dialects';
import { EXIT } from '../exit';
import type { Command } from './command';
import type { Option } from './options';
import { COLOR_OPTION } from './run-options';

export const BUS_OPTIONS: readonly Option[] = [
  { name: 'bus', value: 'URL', help: 'publish to NATS, nats://HOST:PORT[,…] (default $HOOKCTL_BUS)' },
  { name: 'bus-creds', value: 'FILE', help: 'a .creds file for the bus' },
];

export const LOG_OPTION: Option = {
  name: 'log',
  value: 'FILE|none',
  help: 'the run log (default $HOOKCTL_LOG, else prx.jsonl in the state folder)',
};

export const EMIT_OPTIONS: readonly Option[] = [
  { name: 'event', value: 'NAME', help: 'stdin is the payload of this event; empty stdin is {}' },
  { name: 'session', value: 'ID', help: 'the session, for an event that has none' },
  { name: 'as', value: 'DIALECT', choices: ROOM_IDS, help: "stdin is that agent's event (default prx)" },
  { name: 'stream', help: 'one event a line; a bad line is reported, the rest goes on' },
  { name: 'wait', help: 'wait for the hooks, and print one record a hook' },
  { name: 'lenient', help: 'fields that the payload lacks are warnings' },
  ...BUS_OPTIONS,
  { name: 'server', value: 'URL', help: 'hand the event to a running serve: http://HOST:PORT or unix:/PATH' },
  { name: 'token-file', value: 'FILE', help: "holds the server's token" },
  { name: 'no-plugins', help: 'leave the plugins beside hooks.json alone' },
  LOG_OPTION,
  COLOR_OPTION,
];

export const emit: Command = {
  name: 'emit',
  summary: 'start the hooks of one event and return at once',
  description:
    'Reads one event on stdin, publishes it, starts its hooks and returns: nobody waits for them, and they decide nothing. A supervisor keeps their timeouts and writes the run log.',
  argument: '[CONFIG...]',
  options: EMIT_OPTIONS,
  help: `
Examples:
  echo '{"event":"turn_complete","payload":{}}' | hookctl emit hooks.json
  echo '{"tool":"bash","success":true,"output":"ok"}' | hookctl emit hooks.json --event tool_call --wait
  hookctl emit hooks.json --stream --bus nats://127.0.0.1:4222 < events.ndjson
  hookctl emit --server http://127.0.0.1:8377 < event.json

CONFIG is a hooks.json, a folder with one, or any other config: its hooks run too and decide nothing. Without it
$HOOKCTL_CONFIG is taken; with --bus or --server none is needed.

Exit codes:
  0  accepted, whatever the hooks do; also an event that was dropped, and a bus that is away (a warning)
  1  the event or a config was refused; with --stream: at least one
  2  bad usage   3  hookctl itself failed`,
  async act(options, io) {
    const { emitting } = await import('./emitting');
    return emitting(options, io).catch((error: unknown) => {
      io.write('stderr', `hookctl emit: internal error: ${error instanceof Error ? error.message : String(error)}\n`);
      return EXIT.own;
    });
  },
};
