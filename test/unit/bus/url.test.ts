import { describe, expect, it } from 'vitest';
import { targetOf } from '../../../src/bus/target';
import { readBusUrl } from '../../../src/bus/url';

describe('a bus', () => {
  it.each([
    ['nats://127.0.0.1', { servers: ['127.0.0.1:4222'], tls: false, shown: 'nats://127.0.0.1:4222' }],
    ['nats://a:1,b:2', { servers: ['a:1', 'b:2'], tls: false, shown: 'nats://a:1,b:2' }],
    ['nats://u:p%40ss@h:1', { servers: ['h:1'], tls: false, user: 'u', pass: 'p@ss', shown: 'nats://h:1' }],
    ['nats://t0ken@h', { servers: ['h:4222'], tls: false, token: 't0ken', shown: 'nats://h:4222' }],
    ['tls://[::1]:5', { servers: ['[::1]:5'], tls: true, shown: 'tls://[::1]:5' }],
  ])('%s', (url, expected) => {
    expect(readBusUrl(url)).toEqual(expected);
  });

  it.each(['http://h', 'h:4222', 'nats://', 'nats://h:0', 'nats://h:70000', 'nats://a b', ''])(
    '%j is none, and no secret is told',
    (url) => {
      expect(readBusUrl(url)).toEqual({ problem: expect.stringMatching(/^a bus /) });
      expect(JSON.stringify(readBusUrl('nats://u:s3cret@a b'))).not.toContain('s3cret');
    },
  );
});

describe('a server', () => {
  it.each([
    ['http://127.0.0.1:8377', { kind: 'http', host: '127.0.0.1', port: 8377, shown: 'http://127.0.0.1:8377' }],
    ['http://[::1]:1/', { kind: 'http', host: '::1', port: 1, shown: 'http://[::1]:1' }],
    ['unix:/run/h.sock', { kind: 'unix', path: '/run/h.sock', shown: 'unix:/run/h.sock' }],
    ['https://h', undefined],
    ['unix:h', undefined],
    ['http://h/x', undefined],
    ['http://u:p@h', undefined],
  ])('%s', (url, expected) => {
    expect(targetOf(url)).toEqual(expected);
  });
});
