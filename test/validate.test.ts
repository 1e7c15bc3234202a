/**
 * The examples of the catalogue: the bad one is found, the good one is not.
 */
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseOptions } from '../src/cli/options';
import { VALIDATE_OPTIONS } from '../src/cli/validate';
import { validating } from '../src/cli/validating';
import { EXAMPLES, type Example } from '../src/core/examples';
import { type Io, realIo } from '../src/io';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookctl-validate-'));
  mkdirSync(join(folder, 'conf'));
  writeFileSync(join(folder, 'conf/guard.cjs'), 'console.log(JSON.stringify({ action: "deny" }));\n');
  const module = (name: string) => join(import.meta.dirname, `wasm/${name}.wasm`);
  copyFileSync(module('trap'), join(folder, 'conf/guard.wasm'));
  copyFileSync(module('reactor'), join(folder, 'conf/library.wasm'));
  for (const name of ['plugin', 'audit']) copyFileSync(module('prx_deny'), join(folder, `conf/${name}.wasm`));
  writeFileSync(join(folder, 'conf/locked.sh'), 'true\n');
  writeFileSync(join(folder, 'conf/plain.sh'), 'true\n');
  chmodSync(join(folder, 'conf/plain.sh'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The codes found in a file of that name. */
async function codesIn(name: string, text: string): Promise<string[]> {
  mkdirSync(dirname(join(folder, 'conf', name)), { recursive: true });
  writeFileSync(join(folder, 'conf', name), `${text}\n`);
  let out = '';
  const write: Io['write'] = (stream, said) => {
    if (stream === 'stdout') out += said;
    return undefined;
  };
  const io: Io = { ...realIo(), cwd: folder, env: { PATH: process.env['PATH'] }, write };
  const options = parseOptions([`conf/${name}`, '--no-shellcheck', '--format', 'json'], VALIDATE_OPTIONS);
  await validating(options, io);
  return JSON.parse(out).findings.map((finding: { code: string }) => finding.code);
}

const WRITTEN = Object.entries(EXAMPLES).filter(([, example]: [string, Example]) => example.shell !== true);

describe('the examples of findings', () => {
  it('are YAML but for two', () => {
    expect(WRITTEN.length).toBe(Object.keys(EXAMPLES).length - 2);
  });

  it.each(WRITTEN)('%s', async (code, { bad, good, suite, file = 'agent.yaml' }: Example) => {
    const name = suite === true ? 'a.hooktest.yaml' : file;
    expect(await codesIn(name, bad)).toContain(code);
    expect(await codesIn(name, good)).toEqual([]);
  });
});
