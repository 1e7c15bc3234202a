#!/usr/bin/env node
// Sleeps 30 s, and so does a child in a session of its own that holds all three pipes; both pids go to the file $1, if given.
const child = require('child_process').spawn('sleep', ['30'], { detached: true, stdio: 'inherit' });
const file = process.argv[2];
if (file) require('fs').writeFileSync(file, `${process.pid}\n${child.pid}\n`);
child.unref();
setTimeout(() => {}, 30_000);
