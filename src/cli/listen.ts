/**
 * `hookctl listen`: events as JSON lines.
 */
import { EXIT } from '../exit';
import type { Command } from './command';
import { BUS_OPTIONS } from './emit';
import type { Option } from './options';
import { COLOR_OPTION } from './run-options';

export const LISTEN_OPTIONS: readonly Option[] = [
  ...BUS_OPTIONS.map((option) =>
    option.name === 'bus' ? { ...option, help: 'listen on NATS, nats://HOST:PORT[,…] (default $HOOKCTL_BUS)' } : option,
  ),
  { name: 'server', value: 'URL', help: 'listen to a running serve: http://HOST:PORT or unix:/PATH' },
  { name: 'token-file', value: 'FILE', help: "holds the server's token" },
  { name: 'count', value: 'N', help: 'end after so many events' },
  { name: 'timeout', value: 'DURATION', help: 'end with 1 when they have not come by then' },
  COLOR_OPTION,
];

export const listen: Command = {
  name: 'listen',
  summary: 'print events as they come',
  description: 'Prints each event whose topic matches as one line of JSON, from a running serve or from NATS.',
  argument: '[PATTERN...]',
  options: LISTEN_OPTIONS,
  help: `
Examples:
  hookctl listen --server http://127.0.0.1:8377
  hookctl listen prx.lifecycle.tool_call --bus nats://127.0.0.1:4222 | jq .payload
  hookctl listen 'prx.*' --server unix:/run/user/1000/hooks.sock --count 1 --timeout 10s

PATTERN is a topic (prx.lifecycle.tool_call), a prefix that ends in .* (prx.lifecycle.*, the default), or * for everything.

Exit codes: 0 --count events came, 1 --timeout passed, or the server refused, 2 bad usage, 3 hookctl itself failed, 130 ended by SIGINT.`,
  async act(options, io) {
    const { listening } = await import('./listening');
    return listening(options, io).catch((error: unknown) => {
      io.write('stderr', `hookctl listen: internal error: ${error instanceof Error ? error.message : String(error)}\n`);
      return EXIT.own;
    });
  },
};
