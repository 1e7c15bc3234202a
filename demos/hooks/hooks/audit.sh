#!/bin/sh
# Appends one line to the audit log: a tool call whole, of an answer to the user only its size.
# The log may hold secrets, so nobody else may read it. Prints nothing, so it never has an opinion.
umask 077

case $MM_HOOK_EVENT in
  postToolCall) what=$(cat) ;; # the event is one line
  *) what="$(wc -c | tr -d ' ') bytes" ;;
esac

printf '%s %s %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$MM_HOOK_EVENT" "$what" \
  >>"${AUDIT_LOG:-${TMPDIR:-/tmp}/hookctl-audit.log}" || exit 1 # not 2, as sh does: that would be a block
