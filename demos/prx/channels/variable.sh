#!/bin/sh
printf '%s' "$ZERO_HOOK_PAYLOAD" >variable.json
