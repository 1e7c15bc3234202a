import { describe, expect, it } from 'vitest';
import type { Result, WasmJob } from '../../../src/core/model';
import { runSandboxed } from '../../../src/runner/sandbox';
import { ended, WORLD } from '../dialects/sample';
import { fakeExec } from './fake-exec';

const JOB: WasmJob = {
  kind: 'wasm',
  module: '/conf/guard.wasm',
  stdin: 'event bytes',
  newline: true,
  ms: 5_000,
  graceMs: 2_000,
};

describe('the process of a module', () => {
  it('has nothing of the user, and limits', async () => {
    const exec = fakeExec({ '/conf/guard.wasm': ended(0) });
    await runSandboxed(JOB, new TextEncoder().encode('{}'), exec, WORLD);
    expect(exec.started).toMatchObject([
      {
        stdin: '{}',
        job: {
          argv: [
            [
              '/bin/sh',
              '-c',
              'ulimit -c 0; ulimit -d 1048576 2>/dev/null; exec "$@"',
              'sh',
              '/bin/node',
              '--liftoff-only',
              '--max-old-space-size=64',
              '/dist/wasm-module.js',
              '/conf/guard.wasm',
            ],
          ],
          cwd: ['/'],
          env: { from: 'none', drop: [], set: {} },
          newline: true,
          ms: 5_000,
          graceMs: 2_000,
          wait: true,
          reports: true,
        },
      },
    ]);
  });
});

describe('what came of it is what its process says', () => {
  it.each<[string, number, string, Partial<Result>]>([
    ['an end', 0, '{"kind":"ended","exit":0}\n', { kind: 'ended', exit: 0 }],
    ['exit 2', 0, '{"kind":"ended","exit":2}\n', { kind: 'ended', exit: 2 }],
    ['an exit code that a process cannot have', 0, '{"kind":"ended","exit":256}\n', { kind: 'ended', exit: 256 }],
    ['a refusal', 0, '{"kind":"refused","why":"no"}\n', { kind: 'not started', why: 'no' }],
    ['a trap', 0, '{"kind":"trapped","why":"trap: \\u001b[1mx"}\n', { kind: 'failed', why: 'trap: x' }],
    ['an error of a component', 0, '{"kind":"erred","why":"blocked"}\n', { kind: 'failed', why: 'blocked' }],
    [
      'logs before it',
      0,
      '{"kind":"log","level":"info","message":"x"}\n{"kind":"ended","exit":0}\n',
      { kind: 'ended' },
    ],
    ['nothing, with exit 2', 2, '', { kind: 'failed', why: 'its sandbox broke, with exit 2' }],
    ['nothing, with exit 0', 0, '', { kind: 'failed', why: 'its sandbox broke, with exit 0' }],
    ['no line of it', 0, 'oh\nnull\n{}\n', { kind: 'failed', why: 'its sandbox broke, with exit 0' }],
    ['half of it', 0, '{"kind":"ended","exit":0}', { kind: 'failed', why: 'its sandbox broke, with exit 0' }],
  ])('%s', async (_, exit, report, result) => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const ending: Result = { kind: 'ended', exit, out: bytes('out'), err: bytes(''), report: bytes(report) };
    const ran = await runSandboxed(JOB, undefined, fakeExec({ [JOB.module]: ending }), WORLD);
    expect(ran.result).toMatchObject(result);
    expect('out' in ran.result && new TextDecoder().decode(ran.result.out)).toBe('out');
  });

  it('a process that was killed', async () => {
    const killed: Result = { kind: 'killed', why: 'killed by SIGABRT', out: new Uint8Array(), err: new Uint8Array() };
    const ran = await runSandboxed(JOB, undefined, fakeExec({ [JOB.module]: killed }), WORLD);
    expect(ran.result).toEqual(killed);
  });
});
