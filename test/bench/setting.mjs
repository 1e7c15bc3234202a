/**
 * What is measured: configs, events and commands, in a folder of their own.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = fileURLToPath(new URL('.', import.meta.url));
export const HOOKCTL = join(ROOT, 'bin/hookctl.js');
export const PEERS = join(HERE, 'peers/node_modules');

const ANSWER = `cat >/dev/null; echo '{"action":"allow"}'`;
/** The question that each of the peers answers: may this command run? */
const RISKY = { 'block-no-verify': 'git commit --no-verify -m x', 'cc-safety-net': 'git reset --hard' };

/** Name → `{ argv, input, env, exits }`. `folder` is empty and stays until the end. */
export function commandsIn(folder) {
  const env = { PATH: process.env.PATH, HOME: folder };
  const write = (name, text) => {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const event = JSON.stringify({
    event: 'preToolCall',
    cwd: folder,
    tool: { name: 'bash', input: { command: 'git push origin main' } },
  });
  const node = (...args) => ({ argv: [process.execPath, ...args], env, input: event });
  const run = (config, ...args) => node(HOOKCTL, 'run', ...args, config);
  const hooks = (count, of) =>
    JSON.stringify({ hooks: { preToolCall: Array.from({ length: count }, (_, n) => of(n)) } });
  const many = (n) => ({
    name: `hook ${n}`,
    command: ANSWER,
    matcher: n === 0 ? '^bash$' : `^(read${n}|write${n})$`,
    onError: 'fail',
    timeout: '5s',
  });
  const configs = {
    one: write(
      'one.json',
      hooks(1, () => ({ command: ANSWER })),
    ),
    other: write(
      'other.json',
      hooks(1, () => ({ command: ANSWER, matcher: '^read$' })),
    ),
    six: write('six.json', hooks(6, many)),
    sixYaml: write('six.yaml', yamlOf(6, many)),
    thousand: write('thousand.json', hooks(1_000, many)),
    tenThousand: write('ten-thousand.json', hooks(10_000, many)),
    hundred: write(
      'hundred.json',
      hooks(100, () => ({ command: ANSWER })),
    ),
  };
  const loop = write(
    'loop.sh',
    `e=$(cat)\ni=0\nwhile [ $i -lt $1 ]; do printf '%s\\n' "$e" | sh -c '${ANSWER.replaceAll("'", "'\\''")}' >/dev/null; i=$((i+1)); done\n`,
  );
  const stream = (count, config) => ({
    ...node(HOOKCTL, 'run', '--stream', config),
    input: `${event}\n`.repeat(count),
  });
  return {
    'node -e 0': node('-e', '0'),
    'an empty ESM file': node(write('empty.mjs', '')),
    'sh hook alone': { argv: ['/bin/sh', '-c', ANSWER], env, input: event },
    F_async: node(join(HERE, 'f-async.js'), ANSWER),
    'run, one hook': run(configs.one),
    'run, no hook matches': run(configs.other),
    'run, 6 hooks': run(configs.six),
    'run, 6 hooks, YAML': run(configs.sixYaml),
    'run, 6 hooks, no cache': run(configs.six, '--no-cache'),
    'run, 6 hooks, YAML, no cache': run(configs.sixYaml, '--no-cache'),
    'run, 1,000 hooks': run(configs.thousand),
    'run, 10,000 hooks': { ...run(configs.tenThousand), slow: true },
    'run, 10,000 hooks, no cache': { ...run(configs.tenThousand, '--no-cache'), slow: true },
    'run, chain of 100': { ...run(configs.hundred), slow: true },
    'spawn loop of 1': node(join(HERE, 'spawn-loop.js'), '1', ANSWER),
    'spawn loop of 100': { ...node(join(HERE, 'spawn-loop.js'), '100', ANSWER), slow: true },
    'dash loop of 1': { argv: ['/bin/sh', loop, '1'], env, input: event },
    'dash loop of 100': { argv: ['/bin/sh', loop, '100'], env, input: event, slow: true },
    'dash loop of 1,000': { argv: ['/bin/sh', loop, '1000'], env, input: event, slow: true },
    'stream, 1,000 events, one hook each': { ...stream(1_000, configs.one), slow: true },
    'stream, 10,000 events, no hook': { ...stream(10_000, configs.other), slow: true },
    'stream, 1 event': stream(1, configs.other),
    ...validating(folder, write, env),
    ...peers(folder, write, env),
  };
}

/** Each peer on what it lets pass and on what it stops, beside hookctl as Claude Code calls it, with one sh hook for the same. */
function peers(folder, write, env) {
  if (!existsSync(PEERS)) return {};
  const payload = (command) =>
    JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: 's',
      transcript_path: join(folder, 'transcript'),
      permission_mode: 'default',
      cwd: folder,
      tool_name: 'Bash',
      tool_input: { command },
    });
  const guard = `case $(cat) in *--no-verify* | *'reset --hard'*) echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}' ;; esac`;
  const group = (matcher) => ({ matcher, hooks: [{ type: 'command', command: guard }] });
  const settings = (name, matcher) =>
    write(`${name}/.claude/settings.json`, JSON.stringify({ hooks: { PreToolUse: [group(matcher)] } }));
  const [bash, read] = [settings('bash', 'Bash'), settings('read', 'Read')];
  const programs = {
    'block-no-verify': [join(PEERS, 'block-no-verify/dist/cli.js')],
    'cc-safety-net': [join(PEERS, 'cc-safety-net/dist/bin/cc-safety-net.js'), 'hook', '--claude-code'],
    'hookctl, one hook': [HOOKCTL, 'run', '--as', 'claude', bash],
    'hookctl, no hook matches': [HOOKCTL, 'run', '--as', 'claude', read],
  };
  const asked = { 'git status': 'git status', ...RISKY };
  const commands = Object.entries(programs).flatMap(([name, args]) =>
    Object.entries(asked)
      .filter(([who]) => who === 'git status' || who === name || name === 'hookctl, one hook')
      .map(([, command]) => [
        `${name}: ${command}`,
        { argv: [process.execPath, ...args], env, input: payload(command), exits: [0, 2] },
      ]),
  );
  const gemini = (times) => ({
    argv: [process.execPath, join(HERE, 'gemini.mjs'), String(times), '60000', ANSWER],
    env,
    input: payload('git status'),
    slow: times > 1,
  });
  return {
    ...Object.fromEntries(commands),
    "Gemini CLI's runner, one hook": gemini(1),
    "Gemini CLI's runner, chain of 100": gemini(100),
  };
}

function validating(folder, write, env) {
  const files = join(folder, 'many');
  const guard = (n, i) =>
    `    - name: guard ${n} ${i}\n      matcher: ^(bash|edit${i})$\n      command: node "$MM_CONFIG_DIR/guard.js" --strict ${n} ${i}\n      onError: fail\n      timeout: 5s\n`;
  for (let n = 0; n < 1_000; n++) {
    const hooks = Array.from({ length: 20 }, (_, i) => guard(n, i));
    write(`many/${n}/agent.yaml`, `hooks:\n  preToolCall:\n${hooks.join('')}`);
  }
  const parse = write(
    'parse.cjs',
    `const { parseDocument } = require(${JSON.stringify(join(ROOT, 'node_modules/yaml'))});
     const { readFileSync } = require('fs');
     for (let n = 0; n < 1000; n++) parseDocument(readFileSync(${JSON.stringify(files)} + '/' + n + '/agent.yaml', 'utf8'));`,
  );
  const validate = [HOOKCTL, 'validate', '--no-scripts', '--no-shellcheck', files];
  return {
    'parse 1,000 files of 20 hooks': { argv: [process.execPath, parse], env, slow: true },
    'validate 1,000 files': { argv: [process.execPath, ...validate], env, slow: true },
  };
}

function yamlOf(count, of) {
  const lines = Array.from({ length: count }, (_, n) =>
    Object.entries(of(n)).map(([key, value], at) => `    ${at === 0 ? '-' : ' '} ${key}: ${JSON.stringify(value)}\n`),
  );
  return `hooks:\n  preToolCall:\n${lines.flat().join('')}`;
}
