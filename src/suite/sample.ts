/**
 * Sample events for a dry run: one for each event that has hooks, and for tool events one for each tool that matchers name.
 */

import { globPattern } from '../core/glob';
import type { Hook, Test } from '../core/model';
import { parsePattern } from '../core/pattern';
import { searchV8 } from '../core/search';
import { lookUp } from '../core/table';
import { CANONICAL_TOOLS, KINDRED_TOOLS } from '../core/tools';
import type { Fields } from './model';

const MCP_TOOLS = ['mcp__github__create_issue', '@github/create_issue'];
const CANDIDATES: readonly string[] = [...CANONICAL_TOOLS, ...KINDRED_TOOLS, ...MCP_TOOLS];

/** Arguments of well-known tools, by hookctl's own name. `{cwd}` is the folder of the event. */
const INPUTS: Readonly<Record<string, Fields>> = {
  bash: { command: 'git push origin main', description: 'Push the branch' },
  powershell: { command: 'Get-ChildItem' },
  read: { file_path: '{cwd}/src/index.ts' },
  write: { file_path: '{cwd}/src/index.ts', content: 'export const answer = 42;\n' },
  edit: { file_path: '{cwd}/src/index.ts', old_string: '41', new_string: '42' },
  notebook: { notebook_path: '{cwd}/a.ipynb', new_source: 'print(42)' },
  delete: { path: '{cwd}/src/old.ts' },
  list: { path: '{cwd}' },
  glob: { pattern: '**/*.ts' },
  grep: { pattern: 'TODO', path: '{cwd}' },
  fetch: { url: 'https://example.com/', prompt: 'What is this page about?' },
  search: { query: 'json schema 2020-12' },
  task: { description: 'Review the change', prompt: 'Review the last commit.' },
  todo: { todos: [{ content: 'Write a test', status: 'pending' }] },
  skill: { skill: 'release' },
  question: { question: 'Which branch?' },
  plan: { plan: '1. Write a test\n2. Make it pass' },
};
const MCP_INPUT: Fields = { title: 'A bug', body: 'Steps to reproduce' };

/** What an event says besides its name, folder and session; `tool` is filled in. */
const FIELDS: Readonly<Record<string, Fields>> = {
  preGeneration: { prompt: 'Add a test for the parser.' },
  postGeneration: { prompt: 'Add a test for the parser.', response: 'I added a test.' },
  subagentStop: { response: 'The review found nothing.' },
  taskStart: { task: { name: '1.2 Add login', spec: '{cwd}/specs/login.md' } },
  taskEnd: { task: { name: '1.2 Add login', spec: '{cwd}/specs/login.md', success: true } },
  fileCreated: { file: { path: '{cwd}/src/index.ts' } },
  fileSaved: { file: { path: '{cwd}/src/index.ts' } },
  fileDeleted: { file: { path: '{cwd}/src/old.ts' } },
  notification: { message: 'Waiting for your answer' },
  error: { message: 'The model did not answer' },
};
const TOOL_EVENTS = [
  ...['preToolCall', 'postToolCall', 'permissionRequest', 'permissionDenied'],
  'claude:PreSkillShellCommand',
];

/** The samples for these hooks, in the order in which their events first appear; `cwd` goes into them. */
export function samplesFor(hooks: readonly Hook[], cwd: string): Fields[] {
  const events = [...new Set(hooks.map((hook) => hook.event))];
  return events.flatMap((event) => {
    const own = hooks.filter((hook) => hook.event === event);
    const paths = event.startsWith('file') ? pathsOf(own) : [];
    if (paths.length > 0) return paths.map((path) => sample(event, { file: { path: `{cwd}/${path}` } }, cwd));
    if (!TOOL_EVENTS.includes(event)) return [sample(event, lookUp(FIELDS, event) ?? {}, cwd)];
    return toolsOf(own).map((tool) => sample(event, { tool: toolCall(event, tool) }, cwd));
  });
}

/** For each hook the first known tool that its matcher finds; what a pattern spells out itself, where none is known. */
function toolsOf(hooks: readonly Hook[]): string[] {
  const tools = hooks.flatMap((hook) => {
    const tests = hook.tests.flatMap(worded).filter(({ of }) => of === 'tool');
    const named = tests
      .flatMap(({ kind, any }) => (kind === 'names' ? any : []))
      .filter((name) => /^@?[\w/-]+$/.test(name));
    const patterns = tests.flatMap(({ kind, any }) => (kind === 'names' ? [] : any.map((one) => patternOf(kind, one))));
    if (tests.length === 0) return ['bash'];
    return named.length > 0 ? named.map(ofGroup) : patterns.slice(0, 1).flatMap(toolsFor);
  });
  return [...new Set(tools)];
}

type Worded = Extract<Test, { readonly any: readonly string[] }>;

function worded(test: Test): readonly Worded[] {
  if (test.kind === 'rule') return [];
  return test.kind === 'either' || test.kind === 'all' ? test.tests.flatMap(worded) : [test];
}

function patternOf(kind: 'glob' | 'regex', written: string): string {
  const pattern = kind === 'glob' ? globPattern(written, 'name') : written;
  return typeof pattern === 'string' ? pattern : '';
}

/** `@server` stands for its tools. */
function ofGroup(name: string): string {
  if (name === '@builtin') return 'bash';
  return name.startsWith('@') && !name.includes('/') ? `${name}/create_issue` : name;
}

/** For each hook a path that its first glob finds. */
function pathsOf(hooks: readonly Hook[]): string[] {
  const globs = hooks.flatMap(({ tests }) =>
    tests.flatMap(worded).flatMap(({ kind, of, any }) => (kind === 'glob' && of === 'place' ? any.slice(0, 1) : [])),
  );
  return [...new Set(globs.map(pathFor))];
}

function pathFor(glob: string): string {
  return glob
    .replace(/^\.?\//, '')
    .replace(/\{([^,{}]*)[^{}]*\}/g, '$1')
    .replaceAll('**/', 'src/')
    .replace(/\*+/g, 'index')
    .replaceAll('?', 'a');
}

function toolsFor(source: string): string[] {
  const pattern = parsePattern(source);
  if (pattern.kind !== 'pattern') return [];
  const words = source.match(/[@\w][\w/-]*/g) ?? [];
  const spelt = words.filter((word) => searchV8(pattern, word));
  const known = CANDIDATES.filter((name) => searchV8(pattern, name));
  return spelt.length > 0 ? spelt : known.slice(0, 1);
}

function toolCall(event: string, name: string): Fields {
  const input = lookUp(INPUTS, canonicalOf(name)) ?? (/^(?:mcp__|@)/.test(name) ? MCP_INPUT : {});
  return event === 'postToolCall' ? { name, input, output: 'done', success: true } : { name, input };
}

/** `Bash`, `NotebookEdit`, `WebFetch`: the canonical name that it begins with, or holds. */
function canonicalOf(name: string): string {
  const lower = name.toLowerCase();
  return (
    CANONICAL_TOOLS.find((tool) => tool === lower) ??
    CANONICAL_TOOLS.find((tool) => lower.startsWith(tool)) ??
    CANONICAL_TOOLS.find((tool) => lower.includes(tool)) ??
    name
  );
}

function sample(event: string, fields: Fields, cwd: string): Fields {
  const text = JSON.stringify({ event, cwd: '{cwd}', session: 'sample', ...fields });
  return JSON.parse(text.replaceAll('{cwd}', JSON.stringify(cwd).slice(1, -1)));
}
