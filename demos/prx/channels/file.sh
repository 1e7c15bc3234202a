#!/bin/sh
cat "$ZERO_HOOK_PAYLOAD_FILE" >file.json
