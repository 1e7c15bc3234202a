#!/bin/sh
# Two lines in the format of StatsD-like collectors; they stand in the record of the hook.
read -r event
field() { printf '%s' "$event" | sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }
echo "prx.llm.duration,provider=$(field provider),model=$(field model) $(field duration_ms)"
echo "prx.llm.success,provider=$(field provider) $(field success)"
