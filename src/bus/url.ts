/**
 * `nats://user:pass@host:4222,other:4222`: where a bus is. What it says of credentials never appears in messages.
 */
export type BusUrl = {
  /** `host:port` each. */
  readonly servers: readonly string[];
  readonly tls: boolean;
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  /** Without credentials, for people. */
  readonly shown: string;
};

const DEFAULT_PORT = 4222;

/** Reads a URL; or says what is wrong with it, without showing what may be secret. */
export function readBusUrl(written: string): BusUrl | { readonly problem: string } {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*?)\/?$/.exec(written) ?? [];
  if (scheme !== 'nats' && scheme !== 'tls') {
    const said = scheme === '' ? 'no scheme' : `the scheme ${scheme}`;
    return { problem: `a bus is nats://HOST:PORT or tls://HOST:PORT; this one has ${said}` };
  }
  const parts = rest.split(',').map((part) => part.replace(/^(?:nats|tls):\/\//, ''));
  const hosts = parts.map((part) => part.slice(part.lastIndexOf('@') + 1));
  const servers = hosts.map(withPort);
  if (servers.some((server) => server === undefined))
    return { problem: 'a bus names its hosts as HOST or HOST:PORT, joined by commas' };
  const [first = ''] = parts;
  const at = first.lastIndexOf('@');
  const known = servers.flatMap((server) => server ?? []);
  return {
    servers: known,
    tls: scheme === 'tls',
    ...credentials(first.slice(0, Math.max(0, at))),
    shown: `${scheme}://${known.join(',')}`,
  };
}

function withPort(host: string): string | undefined {
  const [, name, port] = /^(\[[0-9a-fA-F:]+\]|[\w.-]+)(?::(\d{1,5}))?$/.exec(host) ?? [];
  if (name === undefined || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return undefined;
  return `${name}:${port ?? DEFAULT_PORT}`;
}

function credentials(written: string): Pick<BusUrl, 'user' | 'pass' | 'token'> {
  if (written === '') return {};
  const at = written.indexOf(':');
  if (at < 0) return { token: decoded(written) };
  return { user: decoded(written.slice(0, at)), pass: decoded(written.slice(at + 1)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
