import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../src/core/model';
import { holds } from '../../../../src/dialects/claude/condition';

const event = (name: string, input: unknown): Event => ({
  name: 'preToolCall',
  cwd: '/work/sub',
  tool: { name, input: { text: JSON.stringify(input) } },
  rest: [],
  from: { room: 'claude', event: 'PreToolUse' },
});
const bash = (rule: string, command: unknown) => holds(rule, event('Bash', { command }), ['Bash'], '/work');
const file = (rule: string, tool: string, path: string) =>
  holds(rule, event(tool, { file_path: path }), [tool], '/work');

describe('Bash(…)', () => {
  it.each([
    ['Bash(git push *)', 'git push'],
    ['Bash(git push *)', 'git push origin main'],
    ['Bash(git push:*)', 'git push origin'],
    ['Bash(git push *)', 'cd a && git  push\torigin'],
    ['Bash(git push *)', 'ls; git push'],
    ['Bash(git push *)', 'A=1 B="x y" git push'],
    ['Bash(git push *)', '/usr/bin/git push'],
    ['Bash(git push *)', '"git" push'],
    ['Bash(git push *)', 'timeout 5 git push'],
    ['Bash(git push *)', 'nice -n 5 nohup git push'],
    ['Bash(git push *)', '(git push)'],
    ['Bash(git push *)', 'if true; then git push; fi'],
    ['Bash(git push *)', 'git \\\n push'],
    ['Bash(git push *)', 'echo $(git push)'],
    ['Bash(rm *)', 'echo $(rm -rf x)'],
    ['Bash(rm *)', 'echo `rm x`'],
    ['Bash(git push *)', 'git $CMD'],
    ['Bash(ls)', 'ls'],
    ['Bash(*)', 'anything'],
    ['Bash', 'anything'],
    ['Bash(npm run *:test)', 'npm run a:test'],
    ['Bash(git push *)', 'git "push'],
    ['Bash(git push *)', undefined],
    ['not a rule (', 'x'],
  ])('%s holds for %j', (rule, command) => {
    expect(bash(rule, command)).toBe(true);
  });

  it.each([
    ['Bash(git push *)', 'git status'],
    ['Bash(ls *)', 'lsof'],
    ['Bash(ls)', 'ls -l'],
    ['Bash(rm *)', 'echo $(date)'],
    ['Bash(git push *)', 'git pushy'],
    ['Write', 'git push'],
    ['bash', 'git push'],
  ])('%s does not hold for %j', (rule, command) => {
    expect(bash(rule, command)).toBe(false);
  });
});

describe('paths and other tools', () => {
  it.each<[string, string, string, boolean]>([
    ['Read(src/**)', 'Read', '/work/sub/src/a/b.ts', true],
    ['Read(src/**)', 'Read', '/work/src/a.ts', false],
    ['Read(/src/**)', 'Read', '/work/src/a.ts', true],
    ['Read(//etc/*)', 'Read', '/etc/passwd', true],
    ['Edit(*.ts)', 'Write', '/work/sub/deep/a.ts', true],
    ['Edit(*.ts)', 'Write', '/elsewhere/a.ts', true],
    ['Edit(*.ts)', 'Edit', '/work/sub/a.js', false],
    ['Read(.env)', 'Grep', '/work/sub/x/.env', true],
    ['Edit(./a.ts)', 'Edit', '/work/sub/a.ts', true],
    ['Write(~/.ssh/**)', 'Write', '/home/me/.ssh/id', true],
  ])('%s on %s %s: %s', (rule, tool, path, expected) => {
    expect(file(rule, tool, path)).toBe(expected);
  });

  it.each<[string, string, unknown, boolean]>([
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://Example.com:8080/x' }, true],
    ['WebFetch(domain:*.example.com)', 'WebFetch', { url: 'https://a.example.com/' }, true],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://a.example.com/' }, false],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'nonsense' }, true],
    ['Task(reviewer)', 'Agent', { subagent_type: 'reviewer' }, true],
    ['Agent(reviewer)', 'Task', { subagent_type: 'other' }, false],
    ['mcp__github', 'mcp__github__create', {}, true],
    ['mcp__github__*', 'mcp__github__create', {}, true],
    ['mcp__git', 'mcp__github__create', {}, false],
    ['Glob(pattern:*.ts)', 'Skill', { pattern: 'a.ts' }, false],
    ['Skill(name:rel*)', 'Skill', { name: 'release' }, true],
    ['Skill(name:rel*)', 'Skill', {}, false],
    ['Skill(release)', 'Skill', {}, true],
  ])('%s on %s %j: %s', (rule, tool, input, expected) => {
    expect(holds(rule, event(tool, input), [tool], '/work')).toBe(expected);
  });
});
