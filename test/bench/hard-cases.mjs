/**
 * What hooks and callers do wrong, and what became of it: hookctl, and the peers that can be asked the same.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOOKCTL, PEERS } from './setting.mjs';

const GEMINI = fileURLToPath(new URL('gemini.mjs', import.meta.url));
const LIMIT_MS = 20_000;
const TIMEOUT_MS = 2_000;

/** A hook that goes wrong. Both formats are written, so that each runner finds its own; the grandchild's and the hook's pids go to `pids`. */
const HOOKS = {
  'a background child holds the pipes (sleep 8)': `cat >/dev/null; echo '{"action":"allow","decision":"allow"}'; sleep 8 &`,
  'ignores SIGTERM, timeout 2 s': `trap '' TERM; echo $$ >>pids; cat >/dev/null; i=0; while [ $i -lt 8 ]; do sleep 1; i=$((i+1)); done`,
  'exit 2, and an allow on stdout': `cat >/dev/null; echo '{"action":"allow","decision":"allow"}'; exit 2`,
  'text before a deny': `cat >/dev/null; echo loading; echo '{"action":"deny","decision":"deny","reason":"no"}'`,
  'duplicate keys: deny, then allow': `cat >/dev/null; echo '{"action":"deny","decision":"deny","action":"allow","decision":"allow"}'`,
  '50 MB on stdout': `cat >/dev/null; head -c 50000000 /dev/zero | tr '\\0' x`,
};

const EVENTS = {
  'bad JSON on stdin': '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":',
  'nothing on stdin': '',
  'duplicate keys on stdin: a risky command, then a harmless one': JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    transcript_path: '/tmp/t',
    permission_mode: 'default',
    cwd: '/tmp',
    tool_name: 'Bash',
  }).replace('}', ',"tool_input":{"command":"RISKY","command":"git status"}}'),
};

const RISKY = {
  'block-no-verify': 'git commit --no-verify -m x',
  'cc-safety-net': 'git reset --hard',
  hookctl: 'git reset --hard',
};

/** Rows of `{ case, who, did }`, in words. */
export function hardCases(folder) {
  const env = { PATH: process.env.PATH, HOME: folder };
  const there = existsSync(PEERS);
  return [
    ...Object.entries(HOOKS).flatMap(([name, command]) => [
      { case: name, who: 'hookctl', did: hookctlDid(command, folder, env) },
      ...(there ? [{ case: name, who: "Gemini CLI's runner", did: geminiDid(command, folder, env) }] : []),
    ]),
    ...Object.entries(EVENTS).flatMap(([name, text]) =>
      Object.entries(callers(folder))
        .filter(([who]) => there || who === 'hookctl')
        .map(([who, args]) => ({ case: name, who, did: callerDid(args, text.replace('RISKY', RISKY[who]), env) })),
    ),
  ];
}

function callers(folder) {
  const config = join(folder, 'risky.json');
  const guard = `case $(cat) in *'reset --hard'*) echo '{"action":"deny","reason":"no"}' ;; esac`;
  writeFileSync(config, JSON.stringify({ hooks: { preToolCall: [{ command: guard, onError: 'fail' }] } }));
  return {
    hookctl: [HOOKCTL, 'run', '--as', 'claude', config],
    'block-no-verify': [join(PEERS, 'block-no-verify/dist/cli.js')],
    'cc-safety-net': [join(PEERS, 'cc-safety-net/dist/bin/cc-safety-net.js'), 'hook', '--claude-code'],
  };
}

function hookctlDid(command, folder, env) {
  const config = join(folder, 'hard.json');
  const hook = { name: 'hook', command, onError: 'fail', timeout: `${TIMEOUT_MS}ms` };
  writeFileSync(config, JSON.stringify({ hooks: { preToolCall: [hook] } }));
  const input = JSON.stringify({ event: 'preToolCall', cwd: folder, tool: { name: 'bash', input: {} } });
  const { stdout, words } = ended([HOOKCTL, 'run', config], input, folder, env);
  const { action = 'no opinion', reason } = JSON.parse(stdout);
  return `${action}${action === 'deny' && reason ? ` (${reason.slice(0, 90)})` : ''}, ${words}`;
}

function geminiDid(command, folder, env) {
  const input = JSON.stringify({ hook_event_name: 'BeforeTool', cwd: folder, tool_name: 'Bash', tool_input: {} });
  const { stdout, words } = ended([GEMINI, '1', String(TIMEOUT_MS), command], input, folder, env);
  const line = stdout.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{')) return `no result, ${words}`;
  const { success, said, error } = JSON.parse(line);
  return `${said ?? 'no decision'}, ${success ? 'success' : `no success${error ? ` (${error})` : ''}`}, ${words}`;
}

function callerDid(args, input, env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env,
    input,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
  const denied = status === 2 || /"(permissionDecision|decision)":"(deny|block)"/.test(stdout);
  const first = (stderr.trim() || stdout.trim()).split('\n')[0].slice(0, 80);
  return `${denied ? 'denied' : 'let pass'}, exit ${status}${first === '' ? '' : `: ${first}`}`;
}

/** How long it took, and whether the hook that wrote its pid still lives. */
function ended(args, input, folder, env) {
  const pids = join(folder, 'pids');
  rmSync(pids, { force: true });
  const started = Date.now();
  const { stdout, signal } = spawnSync(process.execPath, args, {
    cwd: folder,
    env,
    input,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 2 ** 28,
  });
  const seconds = ((Date.now() - started) / 1_000).toFixed(1);
  const left =
    existsSync(pids) &&
    readFileSync(pids, 'utf8')
      .trim()
      .split('\n')
      .some((pid) => isAlive(Number(pid)));
  return {
    stdout: stdout ?? '',
    words: `${signal === null ? '' : `stopped by the bench after `}${seconds} s${left ? ', the hook still runs' : ''}`,
  };
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
