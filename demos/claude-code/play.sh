#!/bin/sh
# Plays a recorded session through the commands of .claude/settings.json, as Claude Code would run them: no Claude Code needed.
#
#   sh play.sh        $HOOKCTL_BIN: a folder with hookctl to put before the PATH
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export CLAUDE_PROJECT_DIR="$here"
node "$here/play.cjs" "$here/.claude/settings.json" "$here/session.ndjson"
