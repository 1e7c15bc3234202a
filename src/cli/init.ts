/**
 * `hookctl init`: an agent file, a guard and its suite, that work as they stand.
 */
import { withHook } from '../config/add';
import { parseFile, treeIn } from '../config/parse';
import { didYouMean } from '../core/nearest';
import { resolvePath, shownFrom } from '../core/path';
import { lookUp } from '../core/table';
import { EXIT } from '../exit';
import type { Io } from '../io';
import { badUsage, type Command } from './command';
import { GUARDS, type Guard, suiteOf } from './init-files';
import { lastValue, type Option, type ParsedOptions } from './options';
import { COLOR_OPTION } from './run-options';

const LANGUAGES = Object.keys(GUARDS);

const INIT_OPTIONS: readonly Option[] = [
  { name: 'lang', value: 'LANG', choices: LANGUAGES, help: 'what the guard is written in (default node)' },
  COLOR_OPTION,
];

export const init: Command = {
  name: 'init',
  summary: 'write a small agent file, a guard and a passing suite',
  description:
    'Writes agent.yaml, or adds to it, a guard that refuses a force-push, and its suite. Never overwrites a file.',
  argument: '[FOLDER]',
  options: INIT_OPTIONS,
  help: `
Examples:
  hookctl init
  hookctl init .agent --lang python
  hookctl init --lang wasm
  hookctl validate && hookctl test

Exit codes: 0 fine, 1 a file is there already, 2 bad usage, 3 hookctl itself failed.`,
  act,
};

async function act(options: ParsedOptions, io: Io): Promise<number> {
  const [named = '.', ...more] = options.rest;
  if (more.length > 0) return badUsage('init', 'name one folder', io);
  const folder = resolvePath(io.cwd, named);
  if (io.disk.kindOf(folder) === 'file') return badUsage('init', `${named} is a file, not a folder`, io);
  const lang = lastValue(options, 'lang') ?? 'node';
  const guard = lookUp(GUARDS, lang);
  if (guard === undefined) return badUsage('init', `there is no language "${lang}"${didYouMean(lang, LANGUAGES)}`, io);
  const agent = await agentFile(folder, guard.entry, io);
  if ('problem' in agent) return refused(agent.problem, io);
  const hooks = Object.entries(guard.files).map(([name, content]) => [`hooks/${name}`, content] as const);
  const created = { ...Object.fromEntries(hooks), 'no-force-push.hooktest.yaml': suiteOf(agent.before === undefined) };
  const taken = Object.keys(created).find((name) => io.disk.kindOf(`${folder}/${name}`) !== 'none');
  if (taken !== undefined)
    return refused(`${shownFrom(io.cwd, `${folder}/${taken}`)} is there already; nothing was written`, io);
  const lost = [...Object.entries(created), [agent.name, agent.content] as const].flatMap(([name, content]) => {
    const path = `${folder}/${name}`;
    const problem =
      name === agent.name && agent.before !== undefined
        ? io.replaceFile(path, content, agent.before)
        : io.createFile(path, content);
    if (problem === undefined)
      io.write(
        'stdout',
        `${name === agent.name && agent.before !== undefined ? 'added to' : 'wrote'} ${shownFrom(io.cwd, path)}\n`,
      );
    return problem === undefined ? [] : [`cannot write ${shownFrom(io.cwd, path)}: ${problem}`];
  });
  for (const problem of lost) io.write('stderr', `hookctl init: ${problem}\n`);
  if (lost.length > 0) return EXIT.own;
  io.write('stdout', nextSteps(named, guard.builds));
  return EXIT.fine;
}

function nextSteps(named: string, builds: readonly string[] = []): string {
  const where = named === '.' ? '' : ` ${named}`;
  const enter = named === '.' ? '' : `cd ${named} && `;
  const built =
    builds.length === 0 ? '' : `\nBuild one of them:\n${builds.map((line) => `  ${enter}${line}\n`).join('')}`;
  return `${built}\nNext:\n  hookctl validate${where}\n  hookctl test${where}\n`;
}

/** `before`: what stood there; absent where there was no file. */
type AgentFile = { readonly name: string; readonly content: string; readonly before?: string };

/** A new agent file, or the one that is there with the hook behind its others. */
async function agentFile(
  folder: string,
  entry: Guard['entry'],
  io: Io,
): Promise<AgentFile | { readonly problem: string }> {
  const { parseYaml, yamlLines } = await import('../engines/yaml');
  const hook = { data: entry, lines: yamlLines(entry) };
  const name = ['agent.yaml', 'agent.yml'].find((one) => io.disk.kindOf(`${folder}/${one}`) !== 'none') ?? 'agent.yaml';
  const path = `${folder}/${name}`;
  const shown = shownFrom(io.cwd, path);
  const parse = (text: string) => treeIn(shown, text, parseYaml);
  const isThere = io.disk.kindOf(path) !== 'none';
  const bytes = isThere ? io.disk.read(path) : new Uint8Array();
  if (!(bytes instanceof Uint8Array)) return { problem: `${shown} cannot be read: ${bytes.why}` };
  const { text, tree, faults, comments } = parseFile(shown, bytes, parseYaml);
  if (faults.some(({ code }) => code !== 'empty'))
    return { problem: `${shown} has mistakes; run "hookctl validate" first` };
  const content = withHook({ text, tree, comments: comments() }, 'preToolCall', hook, parse);
  if (content === undefined) return { problem: `${shown}: ${byHand(hook.lines)}` };
  return { name, content, ...(isThere ? { before: text } : {}) };
}

function byHand(lines: readonly string[]): string {
  const [first = '', ...more] = lines;
  const item = [`- ${first}`, ...more.map((line) => `  ${line}`)].map((line) => `\n  ${line}`).join('');
  return `the hook cannot be added without another change (is "hooks" no mapping, or does an alias share the list?); nothing was written. Put it under hooks.preToolCall yourself:${item}`;
}

function refused(problem: string, io: Io): number {
  io.write('stderr', `hookctl init: ${problem}\n`);
  return EXIT.findings;
}
