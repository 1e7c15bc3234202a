#!/bin/sh
# Denies a recursive and forced rm. Nothing but sh, sed, tr and grep.
#
# It does not parse JSON; it searches the text of the whole event, which hookctl hands over as one line without
# blanks between the tokens. So it cannot miss the command, but a description that mentions rm -rf is denied too.
# Where it cannot tell, it blocks: a command that is no text, and letters that the caller wrote as \u0072.
set -eu
LC_ALL=C
export LC_ALL

deny() {
  printf '{"action":"deny","reason":"%s"}\n' "$1"
  exit 0
}

event=$(cat)
case $event in
  *'"command":"'*) ;;
  *)
    echo 'the event has no command' >&2
    exit 1 # a failure, which onError: fail turns into a deny
    ;;
esac

# JSON escapes: a line that goes on, backslashes, quotes, tabs, newlines. The order counts.
text=$(
  printf '%s\n' "$event" |
    sed -e 's/\\\\\\n/ /g' -e 's/\\\\//g' -e 's/\\"//g' -e "s/'//g" -e 's/\\t/ /g' -e 's/\\[nr]/;/g'
)
case $text in
  *'\u00'[2-7]*) deny 'the command holds plain characters as \\u escapes, which this guard cannot read' ;;
esac

# The quotes that are left stand around JSON's strings.
if printf '%s\n' "$text" | tr -d '\\' | tr ';&|()`"' '\n\n\n\n\n\n\n' |
  grep -E '(^|[[:space:]/])rm[[:space:]]' |
  grep -E '[[:space:]](-[[:alnum:]_]*[rR]|--r)' |
  grep -Eq '[[:space:]](-[[:alnum:]_]*f|--f)'; then
  deny 'rm -rf is not allowed: remove files by name'
fi
