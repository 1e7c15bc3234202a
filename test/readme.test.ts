/**
 * What the README shows is what a reader gets: its guard, its event, its output.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PROGRAM = join(ROOT, 'bin/hookctl.js');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'hookctl-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [EVENT = ''] = /(?<=echo ')\{"event":"preToolCall","tool".*?(?=' > event\.json)/.exec(README) ?? [];

describe('the README', () => {
  it('shows what its first command prints', () => {
    const [, input = ''] = /echo '(\{.*?\})' \| node bin\/hookctl\.js run demos\/hooks\/agent\.yaml/.exec(README) ?? [];
    const ran = run(['run', 'demos/hooks/agent.yaml'], input, ROOT);
    expect([ran.stdout.trim(), ran.status]).toEqual([blocks('json')[0], 2]);
    expect(README).toContain(ran.stderr.trim());
  });

  it('has an agent file without findings', () => {
    writeFileSync(join(folder, 'agent.yaml'), blocks('yaml')[0] ?? '');
    expect(run(['list', 'agent.yaml'], '')).toMatchObject({ status: 0, stderr: '' });
  });

  it('shows what explain says of a misspelt matcher', () => {
    writeFileSync(join(folder, 'agent.yaml'), (blocks('yaml')[0] ?? '').replace('^bash$', '^bsh$'));
    expect(run(['explain', 'agent.yaml'], EVENT).stdout.trim()).toBe(blocks('')[0]);
  });

  it('has a suite that passes with a guard like that of the example', () => {
    const guard = `command: 'grep -q "curl.*sh" && echo "{\\"action\\":\\"deny\\",\\"reason\\":\\"download it\\"}"; exit 0'`;
    writeFileSync(join(folder, 'agent.yaml'), (blocks('yaml')[0] ?? '').replace(/command: .*/, guard));
    writeFileSync(join(folder, 'a.hooktest.yaml'), blocks('yaml')[1] ?? '');
    const { status, stdout } = run(['test', 'a.hooktest.yaml'], '');
    expect([status, stdout]).toEqual([0, expect.stringContaining('2 passed')]);
  });

  it('shows what the guard of the example denies', () => {
    const answer = '{"action":"deny","reason":"download it, read it, then run it"}';
    const agent = (blocks('yaml')[0] ?? '').replace(/command: .*/, `command: echo '${answer}'`);
    writeFileSync(join(folder, 'agent.yaml'), agent);
    expect(run(['run', 'agent.yaml'], EVENT).stdout.trim()).toBe(blocks('json')[1]);
  });
});

/** The texts of the fenced blocks of a language. */
function blocks(language: string): string[] {
  return [...README.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, name, text = '']) =>
    name === language ? [text.trim()] : [],
  );
}

function run(args: readonly string[], input: string, cwd = folder) {
  return spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd,
    input,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NO_COLOR: '1' },
  });
}
