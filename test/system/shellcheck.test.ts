/**
 * What shellcheck finds in commands and scripts, at its place in the YAML and in the script.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../../bin/hookctl.js');
let folder = '';

beforeAll(() => {
  if (spawnSync('shellcheck', ['--version']).status !== 0) throw new Error('shellcheck is needed: install it');
  folder = mkdtempSync(join(tmpdir(), 'hookctl-shellcheck-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function found(yaml: string, ...more: string[]): string[] {
  writeFileSync(join(folder, 'agent.yaml'), yaml);
  const args = [PROGRAM, 'validate', 'agent.yaml', '--format', 'json', ...more];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  type Found = { code: string; file: string; line: number; column: number; endLine: number; endColumn: number };
  return JSON.parse(stdout).findings.map(
    ({ code, file, line, column, endLine, endColumn }: Found) =>
      `${file}:${line}:${column}-${endLine}:${endColumn} ${code}`,
  );
}

describe('shellcheck', () => {
  it('an inline command on one line', () => {
    expect(found('hooks:\n  postToolCall:\n    - command: x=$(cat); echo $x\n')).toEqual([
      'agent.yaml:3:31-3:33 SC2086',
    ]);
  });

  it('a line of a block', () => {
    expect(
      found('hooks:\n  postToolCall:\n    - command: |\n        x=$(cat)\n        [ -n "$x" ] &&\n          echo $x\n'),
    ).toEqual(['agent.yaml:6:16-6:18 SC2086']);
  });

  it('a script, once though two hooks run it', () => {
    writeFileSync(join(folder, 'guard.sh'), '#!/bin/sh\nx=$(cat)\necho $x\n');
    const hook = 'command: sh "$MM_CONFIG_DIR/guard.sh"';
    expect(found(`hooks:\n  postToolCall: [{ ${hook} }]\n  postGeneration: [{ ${hook} }]\n`)).toEqual([
      'guard.sh:3:6-3:8 SC2086',
    ]);
  });

  it('is silenced by a comment, and by --no-shellcheck', () => {
    const command = 'hooks:\n  postToolCall:\n    - command: x=$(cat); echo $x';
    expect(found(`${command} # hookctl-ignore SC2086 words are wanted\n`)).toEqual([]);
    expect(found(`${command}\n`, '--no-shellcheck')).toEqual([]);
    expect(found(`${command} # hookctl-ignore SC2046 not this one\n`)).toEqual([
      'agent.yaml:3:31-3:33 SC2086',
      'agent.yaml:3:34-3:70 HK034',
    ]);
  });

  it('letters beyond ASCII', () => {
    expect(found('hooks:\n  postToolCall:\n    - command: "x=$(cat); echo é $x"\n')).toEqual([
      'agent.yaml:3:34-3:36 SC2086',
    ]);
  });
});
