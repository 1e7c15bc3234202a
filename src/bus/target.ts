/**
 * Where a running `hookctl serve` is reached: over HTTP on a host, or on a Unix socket.
 */
export type Target =
  | { readonly kind: 'http'; readonly host: string; readonly port: number; readonly shown: string }
  | { readonly kind: 'unix'; readonly path: string; readonly shown: string };

/** Reads `http://127.0.0.1:8377` or `unix:/run/h.sock`; undefined for anything else. */
export function targetOf(url: string): Target | undefined {
  const [, path] = /^unix:(?:\/\/)?(\/.+)$/.exec(url) ?? [];
  if (path !== undefined) return { kind: 'unix', path, shown: `unix:${path}` };
  const [, host = '', port = '80'] = /^http:\/\/(\[[0-9a-fA-F:]+\]|[\w.-]+)(?::(\d{1,5}))?\/?$/.exec(url) ?? [];
  if (host === '' || Number(port) > 65_535) return undefined;
  return { kind: 'http', host: host.replace(/^\[|\]$/g, ''), port: Number(port), shown: `http://${host}:${port}` };
}
