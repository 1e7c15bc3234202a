/**
 * Who may ask: the checks that come before a route is looked at.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from './refusal';

export type GateSettings = {
  readonly token: string;
  /** Names of the server besides those of the loopback: the one it listens on, and those allowed. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
};

export type Asking = {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  readonly path: string;
  /** The port that it came in by; undefined on a Unix socket, where the name says nothing. */
  readonly port: number | undefined;
};

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

export class Gate {
  private readonly digest: Buffer;

  constructor(private readonly settings: GateSettings) {
    this.digest = digestOf(settings.token);
  }

  /** Throws a `Refusal` where the request may not go on. */
  check({ host, origin, authorization, path, port }: Asking): void {
    if (port !== undefined && !this.isOurs(host, port))
      throw new Refusal(403, `the host ${JSON.stringify(host ?? '')} is not this server's`);
    if (origin !== undefined && !this.settings.origins.includes(origin))
      throw new Refusal(403, `the origin ${JSON.stringify(origin)} is not allowed`);
    if ((path === '/api' || path.startsWith('/api/')) && !this.knows(authorization))
      throw new Refusal(401, 'a token is needed: Authorization: Bearer TOKEN', { 'WWW-Authenticate': 'Bearer' });
  }

  private isOurs(host: string | undefined, port: number): boolean {
    const [, name = '', said] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec((host ?? '').toLowerCase()) ?? [];
    if (name === '' || (said !== undefined && Number(said) !== port)) return false;
    return [...LOOPBACK, ...this.settings.hosts].includes(name);
  }

  /** Digests are of one length, so the time tells nothing of the token's. */
  private knows(authorization: string | undefined): boolean {
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
    return token !== undefined && timingSafeEqual(digestOf(token), this.digest);
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
