#!/bin/sh
#
# Asks hookctl about one event after another, through one process that stays: `hookctl run --stream`.
#
#   sh stream.sh AGENT < commands       one shell command a line; prints "go" or "no" for each
#
# $HOOKCTL is the program, hookctl by default. Where the stream does not answer as it must, a run of its own is asked; where that one
# has no answer either, the answer is no. It reads no JSON: with `--as exit` an answer begins with the event's id and an exit code.

set -u
hookctl=${HOOKCTL:-hookctl}
seconds=${WRAPPER_WAIT:-60}
agent=$1
asked=0
child=

dir=$(mktemp -d) || exit 1
trap 'stop; rm -rf "$dir"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

start() {
  rm -f "$dir/in" "$dir/out"
  mkfifo "$dir/in" "$dir/out" || return 1
  "$hookctl" run --stream --as exit --deadline "${seconds}s" "$agent" <"$dir/in" >"$dir/out" 2>/dev/null &
  child=$!
  exec 3>"$dir/in" 4<"$dir/out"
}

stop() {
  [ -n "$child" ] || return 0
  exec 3>&- 4<&-
  kill "$child" 2>/dev/null
  wait "$child" 2>/dev/null
  child=
}

# hookctl answers within its deadline. The watchdog is for one that does not.
watch() { # PID
  (
    trap 'kill "$nap"; exit' TERM
    sleep "$((seconds + 5))" 3>&- 4<&- &
    nap=$!
    wait "$nap"
    kill -KILL "$1"
  ) 3>&- 4<&- >/dev/null 2>&1 &
  watchdog=$!
}

# One event at a time: the next line is the answer. 0 go on, 2 no, 1 there is no answer that can be trusted.
ask_stream() { # EVENT, as JSON without its first brace
  [ -n "$child" ] || start || return 1
  asked=$((asked + 1))
  # In a shell of its own: a stream that is gone ends who writes to it.
  (printf '{"id":%s,%s\n' "$asked" "$1" >&3) 2>/dev/null || return 1
  watch "$child"
  line=
  IFS= read -r line <&4 || line=
  kill "$watchdog" 2>/dev/null
  case $line in
    "{\"id\":$asked,\"exit\":0,"*'}') return 0 ;;
    "{\"id\":$asked,\"exit\":2,"*'}') return 2 ;;
  esac
  return 1
}

ask_cold() { # EVENT, as JSON without its first brace
  printf '{%s\n' "$1" >"$dir/event"
  "$hookctl" run --as exit --deadline "${seconds}s" "$agent" <"$dir/event" >/dev/null 2>&1 &
  cold=$!
  watch "$cold"
  wait "$cold" 2>/dev/null
  code=$?
  kill "$watchdog" 2>/dev/null
  return "$code"
}

# May it go on?
ask() { # EVENT, as JSON without its first brace
  ask_stream "$1"
  case $? in
    0) return 0 ;;
    2) return 1 ;;
  esac
  stop
  ask_cold "$1"
}

# A text as JSON. Control characters would need more than sed: what holds one is refused.
quoted() { # TEXT
  case $1 in *[[:cntrl:]]*) return 1 ;; esac
  printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"
}

cwd=$(quoted "$PWD") || exit 1
while IFS= read -r command || [ -n "$command" ]; do
  if json=$(quoted "$command") && ask "\"event\":\"preToolCall\",\"cwd\":$cwd,\"tool\":{\"name\":\"bash\",\"input\":{\"command\":$json}}}"; then
    echo go
  else
    echo no
  fi
done
