#!/bin/sh
# One line for each tool that ran. The folder is the one of hooks.json; an event of more than 8,192 bytes stands in the file alone.
if [ -n "${ZERO_HOOK_PAYLOAD-}" ]; then
  echo "$ZERO_HOOK_PAYLOAD" >>"$AUDIT_LOG"
else
  { cat "$ZERO_HOOK_PAYLOAD_FILE" && echo; } >>"$AUDIT_LOG"
fi
