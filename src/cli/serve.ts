/**
 * `hookctl serve`: the HTTP API, the bus, the hooks of every event that comes.
 */
import { EXIT } from '../exit';
import type { Command } from './command';
import { BUS_OPTIONS, LOG_OPTION } from './emit';
import type { Option } from './options';
import { COLOR_OPTION } from './run-options';

export const SERVE_OPTIONS: readonly Option[] = [
  { name: 'listen', value: 'HOST:PORT|none', help: 'where to listen; port 0 is any free one (default 127.0.0.1:8377)' },
  { name: 'socket', value: 'PATH', help: 'listen on this Unix socket too' },
  { name: 'token-file', value: 'FILE', help: 'its first line is the token; nobody else may read it' },
  { name: 'allow-host', value: 'NAME', help: 'another name that clients may call the server by; may be repeated' },
  { name: 'allow-origin', value: 'ORIGIN', help: 'a web page that may call it; may be repeated' },
  { name: 'allow-remote', help: 'listen on an address that others reach: the token travels in clear' },
  ...BUS_OPTIONS,
  { name: 'no-plugins', help: 'leave the plugins beside hooks.json alone' },
  LOG_OPTION,
  COLOR_OPTION,
];

export const serve: Command = {
  name: 'serve',
  summary: 'take events over HTTP, edit hooks, stream events',
  description:
    'Serves one hooks.json: an HTTP API to edit its hooks, to emit events and to watch them, on the loopback and on a Unix socket. Other configs beside it are read only.',
  argument: '[CONFIG...]',
  options: SERVE_OPTIONS,
  help: `
Examples:
  hookctl serve hooks.json
  hookctl serve hooks.json --listen 127.0.0.1:0 --bus nats://127.0.0.1:4222
  hookctl serve hooks.json --listen none --socket /run/user/1000/hooks.sock
  curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:8377/api/hooks

One CONFIG is a hooks.json, which the API edits; it need not exist yet. When it accepts connections, one line of JSON on
stdout says where. The token is in --token-file, $HOOKCTL_TOKEN, or a file of its own that is made at the first start.

Exit codes: 0 stopped by SIGTERM or SIGINT, 1 a config is invalid, 2 bad usage, 3 hookctl itself failed, 143 or 130 stopped by a second signal.`,
  async act(options, io) {
    const { serving } = await import('./serving');
    return serving(options, io).catch((error: unknown) => {
      io.write('stderr', `hookctl serve: internal error: ${error instanceof Error ? error.message : String(error)}\n`);
      return EXIT.own;
    });
  },
};
