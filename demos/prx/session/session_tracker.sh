#!/bin/sh
echo "$1 $ZERO_HOOK_SESSION" >>sessions.log
