/**
 * The recipes of `demos/ci`, as far as they can be tried here: the step of the workflow, and pre-commit on a repository.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
let folder = '';
let env: NodeJS.ProcessEnv = {};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hookctl-ci-'));
  mkdirSync(join(folder, 'bin'));
  symlinkSync(join(ROOT, 'bin/hookctl.js'), join(folder, 'bin/hookctl'));
  // The registry may need settings of the machine; only pre-commit's own files go elsewhere.
  const path = `${join(folder, 'bin')}:${process.env['PATH']}`;
  env = { ...process.env, PATH: path, XDG_CACHE_HOME: join(folder, 'cache'), GITHUB_ACTIONS: '' };
  writeFileSync(join(folder, 'bad.agent.yaml'), 'hooks:\n  preToolCal: []\n');
  writeFileSync(join(folder, 'good.agent.yaml'), 'hooks: {}\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sh = (script: string, cwd = folder) => spawnSync('bash', ['-e', '-c', script], { cwd, env, encoding: 'utf8' });

describe('the workflow', () => {
  const workflow = parse(readFileSync(join(ROOT, 'demos/ci/github-workflow.yml'), 'utf8'));
  const { run } = workflow.jobs.validate.steps.find((step: { name?: string }) => step.name === 'validate');

  it('fails on a finding, with annotations and a report to upload', () => {
    const { status, stdout } = sh(run);
    expect(status).toBe(1);
    expect(stdout).toContain('::error file=bad.agent.yaml,line=2,');
    const report = JSON.parse(readFileSync(join(folder, 'hookctl.sarif'), 'utf8'));
    expect(report.runs[0].results.map((one: { ruleId: string }) => one.ruleId)).toEqual(['HK007']);
  });

  it('passes without findings', () => {
    const clean = join(folder, 'clean');
    mkdirSync(clean);
    writeFileSync(join(clean, 'agent.yaml'), 'hooks: {}\n');
    expect(sh(run, clean).status).toBe(0);
  });
});

describe('pre-commit', () => {
  it('installs the hook from the repository and checks what was changed', () => {
    if (spawnSync('pre-commit', ['--version']).status !== 0) throw new Error('pre-commit is needed: install it');
    const source = join(folder, 'source');
    cpSync(ROOT, source, { recursive: true, filter: (path) => !/\/(?:node_modules|dist|\.git)$/.test(path) });
    const commit = 'git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm x';
    expect(sh(commit, source).status).toBe(0);
    const work = join(folder, 'work');
    mkdirSync(work);
    const config = parse(readFileSync(join(ROOT, 'demos/ci/pre-commit-config.yaml'), 'utf8'));
    const rev = sh('git rev-parse HEAD', source).stdout.trim();
    Object.assign(config.repos[0], { repo: source, rev });
    config.default_language_version = { node: 'system' };
    writeFileSync(join(work, '.pre-commit-config.yaml'), JSON.stringify(config));
    for (const name of ['bad', 'good']) cpSync(join(folder, `${name}.agent.yaml`), join(work, `${name}.agent.yaml`));
    expect(sh('git init -q && git add good.agent.yaml .pre-commit-config.yaml', work).status).toBe(0);
    const passed = sh('pre-commit run', work);
    expect([passed.status, passed.stdout]).toEqual([0, expect.stringContaining('Passed')]);
    expect(sh('git add bad.agent.yaml', work).status).toBe(0);
    const failed = sh('pre-commit run', work);
    expect(failed.status).toBe(1);
    expect(failed.stdout).toContain('unknown event "preToolCal"');
  });
});
