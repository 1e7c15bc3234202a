// The floor of a chain: a bare script that starts the same hook N times, one after another.
const fs = require('node:fs');
const { spawn } = require('node:child_process');

const event = fs.readFileSync(0);
const [, , times, command] = process.argv;

function next(left) {
  if (left === 0) return;
  const child = spawn('/bin/sh', ['-c', command], { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdout.on('data', () => {});
  child.stderr.on('data', () => {});
  child.on('close', () => next(left - 1));
  child.stdin.end(event);
}
next(Number(times));
