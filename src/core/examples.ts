/**
 * A bad and a good example of each finding, as agent YAML, unless `shell` says that they are command lines, `suite` that they are test suites,
 * `file` that they stand in a file of another format.
 */
import type { OwnCode } from './finding';

export type Example = {
  readonly bad: string;
  readonly good: string;
  readonly shell?: true;
  readonly suite?: true;
  /** The file that both stand in. */
  readonly file?: string;
};

const hook = (...lines: string[]) => ['hooks:', '  preToolCall:', ...block(lines)].join('\n');
const on = (event: string, ...lines: string[]) => ['hooks:', `  ${event}:`, ...block(lines)].join('\n');
const block = (lines: readonly string[]) =>
  lines.map((line, index) => (index === 0 ? `    - ${line}` : `      ${line}`));
const two = (event: string, first: string, second: string) => `hooks:\n  ${event}:\n    - ${first}\n    - ${second}`;

const suite = (...cases: string[]) => ['config: agent.yaml', 'cases:', ...cases].join('\n');

const action = (...keys: string[]) => `{ "hooks": { "tool_call": [{ ${keys.join(', ')} }] } }`;
const prx = (bad: readonly string[], good: readonly string[]): Example => ({
  file: 'hooks.json',
  bad: action(...bad),
  good: action(...good),
});
const plugin = (...lines: string[]) => ['[plugin]', 'name = "audit"', 'version = "1.0.0"', ...lines].join('\n');
const json = (value: unknown) => JSON.stringify(value, null, 2);
const AGENT_FILE = '.kiro/agents/dev.json';
const V1_FILE = '.kiro/hooks/guard.json';
const entry = (trigger: string, fields: object) => json({ hooks: { [trigger]: [{ matcher: 'fs_write', ...fields }] } });
const v1 = (fields: object, command: string | object = 'cat >/dev/null') =>
  json({
    version: 'v1',
    hooks: [
      {
        name: 'guard',
        trigger: 'PreToolUse',
        ...(JSON.stringify(fields).includes('"trigger"') ? {} : { matcher: 'write' }),
        ...fields,
        action: typeof command === 'string' ? { type: 'command', command } : command,
      },
    ],
  });

const claude = (event: string, handler: object) => json({ hooks: { [event]: [{ hooks: [handler] }] } });

const GUARD = 'command: node "$MM_CONFIG_DIR/guard.cjs"';

export const EXAMPLES: Readonly<Record<OwnCode, Example>> = {
  HK001: { shell: true, bad: 'hookctl run agnet.yaml', good: 'hookctl run agent.yaml' },
  HK002: { bad: hook('command: echo "guard: on" >&2'), good: hook('command: |', '  echo "guard: on" >&2') },
  HK003: {
    bad: hook('command: node a.js', 'command: node b.js').replaceAll('node', 'echo'),
    good: two('preToolCall', 'command: echo a.js', 'command: echo b.js'),
  },
  HK004: { bad: 'hooks: {}\n---\nhooks: {}', good: 'hooks: {}' },
  HK005: { bad: '# nothing yet', good: '{}' },
  HK006: { bad: hook('command: echo', 'onerror: warn'), good: hook('command: echo', 'onError: warn') },
  HK007: { bad: on('preToolCal', 'command: echo'), good: on('preToolCall', 'command: echo') },
  HK008: {
    bad: hook('command: echo', 'env: { PORT: 8080 }'),
    good: hook('command: echo', 'env: { PORT: "8080" }'),
  },
  HK009: { bad: hook('command: echo', 'onError: block'), good: hook('command: echo', 'onError: fail') },
  HK010: { bad: hook('name: guard'), good: hook('name: guard', 'command: echo') },
  HK011: { bad: hook('matcher: bash(', 'command: echo'), good: hook('matcher: ^bash$', 'command: echo') },
  HK012: { bad: on('sessionStart', 'matcher: ^bash$', 'command: echo'), good: on('sessionStart', 'command: echo') },
  HK013: { bad: hook('command: echo', 'timeout: 5'), good: hook('command: echo', 'timeout: 5s') },
  HK014: { bad: hook('command: echo', 'env: { MM_MODE: x }'), good: hook('command: echo', 'env: { MODE: x }') },
  HK015: { bad: hook('command: echo').replace('hooks', 'Hooks'), good: hook('command: echo') },
  HK016: { shell: true, bad: 'hookctl validate empty-folder', good: 'hookctl validate agent.yaml' },
  HK017: { bad: hook('matcher: *', 'command: echo'), good: hook('matcher: "*"', 'command: echo') },
  HK018: { bad: hook('command: ""'), good: hook('command: echo') },
  HK019: { bad: hook('command: "echo \\0"'), good: hook('command: "echo"') },
  HK020: {
    bad: hook('wasm: guard.wasm', 'env: { MODE: strict }'),
    good: hook('command: echo', 'env: { MODE: strict }'),
  },
  HK021: { bad: 'preToolCall:\n  - command: echo', good: hook('command: echo') },
  HK022: { bad: hook('command: node "$MM_CONFIG_DIR/gaurd.cjs"'), good: hook(GUARD, 'onError: fail') },
  HK023: { bad: hook('command: $MM_CONFIG_DIR/locked.sh'), good: hook('command: sh $MM_CONFIG_DIR/locked.sh') },
  HK024: { bad: hook('command: $MM_CONFIG_DIR/plain.sh'), good: hook('command: sh $MM_CONFIG_DIR/plain.sh') },
  HK025: { bad: hook('command: pyhton3 -c ""'), good: hook('command: node -e ""') },
  HK026: { bad: hook('matcher: bash,edit', 'command: echo'), good: hook('matcher: ^(bash|edit)$', 'command: echo') },
  HK027: { bad: hook('matcher: Edit', 'command: echo'), good: hook('matcher: ^Edit$', 'command: echo') },
  HK028: { bad: hook(GUARD), good: hook(GUARD, 'onError: fail') },
  HK029: {
    bad: hook('command: |', '  if grep -q force; then exit 1; fi'),
    good: hook('command: |', '  if grep -q force; then exit 2; fi', 'onError: fail'),
  },
  HK030: {
    bad: two('preToolCall', `{ ${GUARD}, onError: fail }`, `command: "echo '{\\"input\\":{}}'"`),
    good: two('preToolCall', `command: "echo '{\\"input\\":{}}'"`, `{ ${GUARD}, onError: fail }`),
  },
  HK031: {
    bad: two('postToolCall', 'command: cat >>log', 'command: cat >>log'),
    good: on('postToolCall', 'command: cat >>log'),
  },
  HK032: {
    bad: two('preToolCall', '{ command: exit 2, onError: fail }', 'command: echo'),
    good: two('preToolCall', '{ matcher: ^bash$, command: exit 2, onError: fail }', 'command: echo'),
  },
  HK033: { bad: hook('command: node guard.cjs', 'onError: fail'), good: hook(GUARD, 'onError: fail') },
  HK034: {
    bad: hook('command: echo # hookctl-ignore HK028 it cannot block'),
    good: hook('command: exit 2 # hookctl-ignore HK028 only advice'),
  },
  HK035: {
    bad: hook('command: exit 2 # hookctl-ignore HK028'),
    good: hook('command: exit 2 # hookctl-ignore HK028 only advice'),
  },
  HK037: {
    bad: 'config: agent.yaml\ncases:\n  - name: a push\n    event: preToolCall',
    good: 'config: agent.yaml\ncases:\n  - name: a push\n    event: preToolCall\n    expect: { action: none }',
    suite: true,
  },
  HK038: {
    bad: 'cases: []',
    good: 'config: agent.yaml\ncases:\n  - { name: a push, event: preToolCall, expect: { action: none } }',
    suite: true,
  },
  HK039: {
    suite: true,
    bad: suite(
      '  - { name: a push, event: manual, expect: { action: none } }',
      '  - { name: a push, event: manual, expect: { exit: 0 } }',
    ),
    good: suite('  - { name: a push, event: manual, expect: { action: none, exit: 0 } }'),
  },
  HK040: {
    suite: true,
    bad: suite('  - { name: a push, expect: { action: none } }'),
    good: suite('  - { name: a push, event: manual, expect: { action: none } }'),
  },
  HK041: {
    suite: true,
    bad: suite('  - { name: a push, event: manual, expect: { reason: /force(/ } }'),
    good: suite('  - { name: a push, event: manual, expect: { reason: /force/ } }'),
  },
  HK042: {
    suite: true,
    bad: suite('  - { name: a push, event: manual, expect: { action: none } }').replace('config: agent.yaml\n', ''),
    good: suite('  - { name: a push, event: manual, expect: { action: none } }'),
  },
  HK070: prx(['"command": "jq . | tee"'], ['"command": "jq"', '"args": ["."]', '"stdin_json": true']),
  HK071: prx(['"command": "env"', '"cwd": "../logs"'], ['"command": "env"', '"cwd": "/tmp"']),
  HK072: {
    file: 'hooks.json',
    bad: `{ "hooks": { "tool_call": [${Array(257).fill('{}').join(', ')}] } }`,
    good: action('"command": "env"'),
  },
  HK073: prx(
    ['"command": "env"', '"env": { "ZERO_HOOK_EVENT": "x" }'],
    ['"command": "env"', '"env": { "MY_EVENT": "x" }'],
  ),
  HK074: prx(['"command": "env"', '"cwd": "no-such-folder"'], ['"command": "env"', '"cwd": "/tmp"']),
  HK075: prx(['"command": "jq"', '"args": ["."]'], ['"command": "jq"', '"args": ["."]', '"stdin_json": true']),
  HK076: prx(['"command": "env"', '"enabled": false'], ['"command": "env"']),
  HK077: { file: 'plugin.toml', bad: plugin('wasm = "../audit.wasm"'), good: plugin('wasm = "audit.wasm"') },
  HK078: {
    file: 'plugin.toml',
    bad: plugin('', '[[capabilities]]', 'type = "hook"', 'events = ["tool_cal"]'),
    good: plugin('', '[[capabilities]]', 'type = "hook"', 'events = ["tool_call"]'),
  },
  HK079: {
    file: 'plugin.toml',
    bad: plugin('', '[permissions]', 'required = ["log", "kv"]'),
    good: plugin('', '[permissions]', 'required = ["log"]', 'optional = ["kv"]'),
  },
  HK049: {
    bad: hook('command: echo "$MM_CONFIG_DIRR"'),
    good: hook('command: echo "$MM_CONFIG_DIR"'),
  },
  HK064: { bad: hook('command: echo "unclosed'), good: hook('command: echo "closed"') },
  HK091: {
    file: 'plugin.toml',
    bad: plugin('', '[resources]', 'max_fuel = 1000000'),
    good: plugin('', '[resources]', 'max_execution_time_ms = 5000'),
  },
  HK043: {
    suite: true,
    bad: suite('  - { name: a push, event: manual, payload: { event: manual }, expect: { action: none } }'),
    good: suite('  - { name: a push, payload: { event: manual }, expect: { action: none } }'),
  },
  HK048: {
    file: '.claude/settings.json',
    bad: claude('SessionStart', { type: 'http', url: 'http://localhost/x' }),
    good: claude('SessionStart', { type: 'command', command: 'cat rules.md' }),
  },
  HK047: {
    suite: true,
    bad: suite('  - { name: a push, payload: payloads/push.json, expect: { action: none } }'),
    good: suite('  - { name: a push, payload: { event: manual }, expect: { action: none } }'),
  },
  HK046: { bad: hook('matcher: ^bsh$', 'command: echo'), good: hook('matcher: ^bash$', 'command: echo') },
  HK044: {
    suite: true,
    bad: suite('  - { name: a push, event: manual, expect: { action: none }, each: [{ session.id: s1 }] }').replace(
      'event: manual',
      'event: manual, session: s0',
    ),
    good: suite('  - { name: a push, event: manual, expect: { action: none }, each: [{ session: s1 }] }'),
  },
  HK045: {
    suite: true,
    bad: suite('  - { name: a push, payload: { event: manual, id: 12345678901234567890 }, expect: { action: none } }'),
    good: suite(
      '  - { name: a push, payload: { event: manual, id: "12345678901234567890" }, expect: { action: none } }',
    ),
  },
  HK090: { bad: hook('wasm: library.wasm'), good: hook('wasm: guard.wasm') },
  HK036: {
    bad: on('sessionStart', 'command: echo', 'onError: fail'),
    good: on('sessionStart', 'command: echo', 'onError: warn'),
  },
  HK050: { file: V1_FILE, bad: v1({ trigger: 'BeforeTool' }), good: v1({}) },
  HK051: {
    file: AGENT_FILE,
    bad: json({ hooks: { preToolUse: [{ matcher: 'fs_write', hooks: [{ type: 'command', command: 'cat' }] }] } }),
    good: entry('preToolUse', { command: 'cat' }),
  },
  HK052: {
    file: AGENT_FILE,
    bad: entry('preToolUse', { command: 'cat', timeout: 5 }),
    good: entry('preToolUse', { command: 'cat', timeout_ms: 5_000 }),
  },
  HK053: {
    file: V1_FILE,
    bad: json(
      Object.fromEntries([
        ['name', 'guard'],
        ['version', '1'],
        ['when', { type: 'promptSubmit' }],
        ['then', { type: 'askAgent', prompt: 'Test first.' }],
      ]),
    ),
    good: v1({ trigger: 'UserPromptSubmit' }, { type: 'agent', prompt: 'Test first.' }),
  },
  HK054: {
    file: V1_FILE,
    bad: v1({ trigger: 'Stop', confirm: { question: 'Deploy?', options: [{ id: 'y', label: 'Yes', run: true }] } }),
    good: v1({ trigger: 'Stop' }),
  },
  HK055: { file: V1_FILE, bad: v1({ matcher: 'fs_*' }), good: v1({ matcher: '^fs_' }) },
  HK056: {
    file: AGENT_FILE,
    bad: entry('preToolUse', { command: 'echo no >&2; exit 2' }),
    good: entry('preToolUse', { command: '{ echo no >&2; exit 2; } || exit 2' }),
  },
  HK057: {
    file: AGENT_FILE,
    bad: entry('preToolUse', { command: 'grep -q secret && exit 2' }),
    good: entry('preToolUse', { command: '{ grep -q secret && { echo "no secrets" >&2; exit 2; }; } || exit 2' }),
  },
  HK058: {
    file: AGENT_FILE,
    bad: entry('preToolUse', { command: `echo '{"permissionDecision":"deny"}' || exit 2` }),
    good: entry('preToolUse', { command: '{ echo "not here" >&2; exit 2; } || exit 2' }),
  },
  HK059: {
    file: AGENT_FILE,
    bad: entry('postToolUse', { command: 'echo late >&2; exit 2' }),
    good: entry('postToolUse', { command: 'echo late >&2' }),
  },
  HK060: {
    file: V1_FILE,
    bad: v1({ trigger: 'Stop' }, `echo '{"decision":"block","reason":"test"}'`),
    good: v1(
      { trigger: 'Stop' },
      `if [ ! -e .tested ]; then touch .tested; echo '{"decision":"block","reason":"test"}'; fi`,
    ),
  },
  HK061: { bad: hook('command: sh'), good: hook('command: sh -c "cat"') },
  HK062: {
    file: AGENT_FILE,
    bad: entry('preToolUse', { command: 'cat', cache_ttl_seconds: 60 }),
    good: entry('preToolUse', { command: 'cat' }),
  },
};
