#!/bin/sh
# Watches a copy of this folder while two files are written. hookctl must be on the PATH.
set -eu
copy=$(mktemp -d)
cp -R "$(dirname "$0")/." "$copy"
cd "$copy"
mkdir src
hookctl watch .kiro/hooks/header.kiro.hook .kiro/hooks/project.json >lines 2>words &
watch=$!
until grep -q 'Ctrl-C' words; do sleep 0.1; done
echo 'let a = 1;  ' >src/a.js
until [ "$(wc -l <lines)" -ge 1 ]; do sleep 0.1; done
echo 'let b = 2;  ' >>src/a.js
until [ "$(wc -l <lines)" -ge 2 ]; do sleep 0.1; done
kill -INT "$watch"
wait "$watch" || true
sed -e 's/"ms":[0-9]*/"ms":0/' -e "s|$(pwd -P)|…|g" lines
cat src/a.js
rm -rf "$copy"
