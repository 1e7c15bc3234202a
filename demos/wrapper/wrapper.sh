#!/bin/sh
#
# A small agent that obeys hooks: it asks `hookctl run` at the four points of a turn.
# What the user, the model, the tool and the person at the keyboard do is read from a file.
#
#   sh wrapper.sh [--editor] AGENT TURN
#
# $HOOKCTL is the program, hookctl by default. $WRAPPER_WAIT is how many seconds one answer may take, 120 by default.
# The same as wrapper.cjs, for a shell with Node at hand: json.cjs reads and checks JSON. Variables in CAPITALS hold JSON.

set -u
editor=
if [ "${1-}" = --editor ]; then
  editor=yes
  shift
fi
if [ $# -ne 2 ]; then
  echo 'usage: wrapper.sh [--editor] AGENT TURN' >&2
  exit 1
fi
agent=$1
turn=$2

hookctl=${HOOKCTL:-hookctl}
seconds=${WRAPPER_WAIT:-120}
most_returns=3 # so often in a row a hook may send an answer back
here=$(cd "$(dirname "$0")" && pwd)

# event, out and said are what hookctl read and printed last; notes is its stderr, kept until an answer has been shown;
# history is what the model is given.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
: >"$dir/notes"
: >"$dir/history"

json() {
  node "$here/json.cjs" "$@"
}

# --- The words

say() {
  printf '%s\n' "$1"
}

# Through a pipe: an argument may not be as long as the output of a tool.
text() {
  printf '%s\n' "$1" | json text
}

remember() { # WHO TEXT
  printf '%s: %s\n' "$1" "$2" >>"$dir/history"
}

with_context() { # TEXT CONTEXT
  say "$1"
  [ -z "$2" ] || printf '[context added by a hook]\n%s\n' "$(text "$2")"
}

word() {
  case $action in
    deny) echo denied ;;
    stop) echo stopped ;;
    defer) echo deferred ;;
  esac
}

line_of() { # WHAT
  say "🪝 $1 [$(word) by a hook: $(text "$REASON")]"
}

# hookctl ends its stderr with the same line.
drop() { # LINE
  notes=$(cat "$dir/notes")
  case $notes in
    *"$1") printf '%s' "${notes%"$1"}" >"$dir/notes" ;;
  esac
}

refuse() { # WHAT
  line=$(line_of "$1")
  say "$line"
  drop "$line"
}

# How an editor shows a tool call.
show_call() { # STATUS TITLE
  say "tool call [$1] $2"
}

show_notes() {
  notes=$(cat "$dir/notes")
  [ -z "$notes" ] || say "$notes"
  : >"$dir/notes"
}

# --- Asking hookctl

# Runs hookctl on $dir/event. It ends by itself within its deadline; the watchdog here is for one that does not.
run_hookctl() {
  command -v "$hookctl" >/dev/null 2>&1 || return 127
  "$hookctl" "$@" <"$dir/event" >"$dir/out" 2>"$dir/said" &
  asked=$!
  (
    trap 'kill "$nap"; exit' TERM
    sleep "$((seconds + 5))" &
    nap=$!
    wait "$nap"
    kill -KILL "$asked"
  ) >/dev/null 2>&1 &
  watchdog=$!
  { wait "$asked"; } 2>/dev/null
  code=$?
  kill "$watchdog" 2>/dev/null
  return "$code"
}

# Asks the hooks: sets action (bare) and REASON, RESPONSE, CONTEXT, PROMPT, INPUT, each empty where there is none. Where
# there is no verdict that can be trusted, that is a refusal before a prompt or a tool, and a warning after it.
ask() { # EVENT, as JSON; its name stands in $event
  printf '%s\n' "$1" >"$dir/event"
  : >"$dir/out"
  : >"$dir/said"
  run_hookctl run --deadline "${seconds}s" "$agent"
  code=$?
  cat "$dir/said" >>"$dir/notes"
  action='' REASON='' RESPONSE='' CONTEXT='' PROMPT='' INPUT=''
  why='hookctl did not print a verdict'
  case $code in
    0 | 2)
      why=$(json verdict "$event" "$code" <"$dir/out" 2>&1 >"$dir/verdict") && {
        IFS= read -r action && IFS= read -r REASON && IFS= read -r RESPONSE && IFS= read -r CONTEXT &&
          IFS= read -r PROMPT && IFS= read -r INPUT
      } <"$dir/verdict" && return
      ;;
    126 | 127) why='hookctl cannot be started' ;;
    129 | 1[3-9]? | 2??) why='hookctl was killed' ;;
    *) why="hookctl ended with exit code $code" ;;
  esac
  action='' REASON="\"$why\"" RESPONSE='' CONTEXT='' PROMPT='' INPUT=''
  case $event in
    preGeneration) action=stop ;;
    preToolCall) action=deny ;;
    *) say "warning: $event: $why" >>"$dir/notes" ;;
  esac
}

# The first line of `hookctl list`. Where there is none, every call needs a permission.
read_banner() {
  : >"$dir/event"
  : >"$dir/out"
  banner=
  run_hookctl list "$agent" && IFS= read -r banner <"$dir/out"
  case $banner in
    'yolo: on | hooks: '* | 'yolo: off | hooks: '*) ;;
    *) banner='yolo: off | hooks: unknown' ;;
  esac
}

# --- The pretend agent: what a real one has in place of this

read_turn() {
  json fields prompt tool.name tool.input output person <"$turn" >"$dir/turn" || exit 1
  {
    IFS= read -r USER_PROMPT
    IFS= read -r TOOL
    IFS= read -r PROPOSED
    IFS= read -r OUTPUT
    IFS= read -r PERSON
  } <"$dir/turn"
}

# The answer with that number, or the last.
read_response() { # NUMBER
  NEXT=$(json fields "answers.$1" <"$turn")
  RESPONDED=${NEXT:-$RESPONDED}
}

is_permitted() { # TITLE, and REASON where a hook asks
  person=$(text "${PERSON:-\"no\"}")
  if [ "$action" = ask ]; then
    say "$1 — $(text "$REASON") — run it? $person"
  else
    say "$1 — run it? $person"
  fi
  [ "$person" = yes ]
}

# --- A turn

play() {
  user_prompt=$(text "$USER_PROMPT")
  say "> $user_prompt"
  event=preGeneration
  ask "{\"event\":\"preGeneration\",\"prompt\":$USER_PROMPT}"
  if [ -n "$action" ]; then
    remember user "[prompt blocked by a hook: $(text "$REASON")]"
    drop "$(line_of prompt)"
    text "${RESPONSE:-$REASON}"
    show_notes
    return
  fi
  GIVEN=${PROMPT:-$USER_PROMPT}
  remember user "$(with_context "$(text "$GIVEN")" "$CONTEXT")"

  if [ -n "$TOOL" ]; then
    call_tool
    if [ "$action" = stop ]; then
      text "${RESPONSE:-$REASON}"
      show_notes
      return
    fi
  fi

  returns=0
  while :; do
    read_response "$returns"
    response=$(text "$RESPONDED")
    remember model "$response"
    say "$response"
    event=postGeneration
    ask "{\"event\":\"postGeneration\",\"prompt\":$GIVEN,\"response\":$RESPONDED}"
    [ -z "$action" ] || refuse postGeneration
    show_notes
    [ -n "$action" ] || return
    if [ "$returns" -eq "$most_returns" ]; then
      say "an answer was sent back $most_returns times in a row: the turn ends"
      return
    fi
    remember user "$(text "$REASON")"
    returns=$((returns + 1))
  done
}

# Calls the tool, if the hooks and the person let it run. Leaves action=stop where a hook ends the turn.
call_tool() {
  tool=$(text "$TOOL")
  event=preToolCall
  ask "{\"event\":\"preToolCall\",\"tool\":{\"name\":$TOOL,\"input\":$PROPOSED}}"
  # From here on there is only the rewritten input: it is what the person is shown and what runs.
  RUN=${INPUT:-$PROPOSED}
  shown=$(printf '%s\n' "$RUN" | json input) || action=deny REASON='"the input cannot be shown"'
  title="$tool: $shown"
  remember model "calls $title"

  case $action in
    deny | stop | defer)
      status=failed
      result=$(text "$REASON")
      if [ "$action" = defer ]; then
        status=pending
        result="[pending, did not run: $result]"
      fi
      if [ -n "$editor" ]; then
        show_call "$status" "$title — $(word) by a hook"
        drop "$(line_of "$tool")"
      else
        refuse "$tool"
      fi
      remember tool "$result"
      return
      ;;
  esac

  # The hooks come before the permission question. No opinion is not allow, and an ask is asked even with yolo.
  if [ "$action" = ask ] || { [ "$action" != allow ] && [ -z "$yolo" ]; }; then
    if ! is_permitted "$title"; then
      if [ -n "$editor" ]; then show_call failed "$title — denied by the user"; else say "$tool [denied by the user]"; fi
      remember tool '[denied by the user]'
      return
    fi
  fi

  # A real agent runs $RUN here; the pretend one has its output already.
  if [ -n "$editor" ]; then show_call completed "$title"; else say "$title"; fi
  before=$CONTEXT
  event=postToolCall
  ask "{\"event\":\"postToolCall\",\"tool\":{\"name\":$TOOL,\"input\":$RUN,\"output\":$OUTPUT,\"success\":true}}"
  result=$(text "$OUTPUT")
  if [ -n "$action" ]; then
    refuse "$tool"
    result=$(printf '%s\n[feedback by a hook]\n%s' "$result" "$(text "$REASON")")
    action=
  fi
  remember tool "$(with_context "$(with_context "$result" "$before")" "$CONTEXT")"
}

RESPONDED='""'
read_turn
read_banner
yolo=
case $banner in 'yolo: on '*) yolo=yes ;; esac
say "$banner"
play
say '--- history'
cat "$dir/history"
