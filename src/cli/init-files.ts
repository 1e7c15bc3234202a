/**
 * What `hookctl init` writes.
 */

export type Guard = {
  readonly name: string;
  readonly content: string;
  /** The hook, as it stands in the agent file. */
  readonly entry: Readonly<Record<string, string>>;
};

const REASON = 'force-push is not allowed in this project';

function guard(name: string, program: string, content: string): Guard {
  const command = `${program} "$MM_CONFIG_DIR/hooks/${name}"`;
  return {
    name,
    content,
    entry: { name: 'no-force-push', matcher: '^bash$', command, onError: 'fail', timeout: '10s' },
  };
}

/** Language → guard. */
export const GUARDS: Readonly<Record<string, Guard>> = {
  node: guard(
    'no-force-push.cjs',
    'node',
    `// Reads one event on stdin. Prints a decision, or nothing: no opinion.
const event = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const { command } = event.tool.input;

if (typeof command !== 'string') throw new Error('the command is no text'); // a failure: "onError: fail" blocks
if (/\\bgit\\b.*\\bpush\\b.*(\\s--force\\b|\\s-\\w*f)/s.test(command)) {
  console.log(JSON.stringify({ action: 'deny', reason: '${REASON}' }));
}
`,
  ),
  python: guard(
    'no-force-push.py',
    'python3',
    `# Reads one event on stdin. Prints a decision, or nothing: no opinion.
import json
import re
import sys

command = json.load(sys.stdin)["tool"]["input"]["command"]  # a missing one is a failure: "onError: fail" blocks

if re.search(r"\\bgit\\b.*\\bpush\\b.*(\\s--force\\b|\\s-\\w*f)", command, re.S):
    print(json.dumps({"action": "deny", "reason": "${REASON}"}))
`,
  ),
  sh: guard(
    'no-force-push.sh',
    'sh',
    `#!/bin/sh
# Reads one event on stdin. Exit 2 is a deny with the reason on stderr; exit 0 without output is no opinion.
# The event is looked at as text: in doubt it denies.
set -eu
event=$(cat)

if printf '%s\\n' "$event" | grep -Eq 'git.*push.*[[:space:]](--force|-[[:alpha:]]*f)'; then
  echo '${REASON}' >&2
  exit 2
fi
`,
  ),
};

/** The suite of the guard; `alone`: no other hook stands beside it. */
export function suiteOf(alone: boolean): string {
  return alone ? SUITE : SUITE.replace(/, (?:ran|skipped): \[[\w-]+\]/g, '');
}

const SUITE = `# yaml-language-server: $schema=node_modules/hookctl/schemas/suite.json
config: agent.yaml
cases:
  - name: a force-push is denied
    event: preToolCall
    tool: { name: bash, input: { command: git push } }
    expect: { action: deny, reason: /force-push/, ran: [no-force-push] }
    each:
      - { tool.input.command: git push --force }
      - { tool.input.command: git push -f origin main }
      - { tool.input.command: git -C app push --force-with-lease }
  - name: a plain push passes
    event: preToolCall
    tool: { name: bash, input: { command: git push origin main } }
    expect: { action: none, ran: [no-force-push] }
  - name: another tool is not looked at
    event: preToolCall
    tool: { name: read, input: { file_path: README.md } }
    expect: { action: none, skipped: [no-force-push] }
`;
