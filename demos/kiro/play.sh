#!/bin/sh
# Calls the guards of the three files as their agents do, each with a force-push. No Kiro needed; hookctl must be on the PATH.
set -eu
cd "$(dirname "$0")"
command_in() { node -p "JSON.parse(require('fs').readFileSync('$1', 'utf8'))$2"; }
told() { set +e; "$@"; echo "  exit $?"; set -e; }

echo "Kiro CLI: .kiro/agents/dev.json"
echo '{"hook_event_name":"preToolUse","cwd":"/tmp","tool_name":"execute_bash","tool_input":{"command":"git push -f"}}' |
  told sh -c "$(command_in .kiro/agents/dev.json .hooks.preToolUse[0].command)" 2>&1

echo "Kiro IDE from 1.0: .kiro/hooks/project.json"
echo '{"session_id":"s","hook_event_name":"PreToolUse","cwd":"/tmp","tool_name":"execute_bash","tool_input":{"command":"git push -f"}}' |
  told sh -c "$(command_in .kiro/hooks/project.json .hooks[0].action.command)" 2>&1

echo "Kiro IDE before 1.0: .kiro/hooks/guard.kiro.hook"
USER_PROMPT='{"toolName":"execute_bash","toolArgs":{"command":"git push -f"}}' \
  told sh -c "$(command_in .kiro/hooks/guard.kiro.hook .then.command)" 2>&1 </dev/null
