// The floor: a bare script that reads stdin, starts one hook in its own group, and prints what it said.
const fs = require('node:fs');
const { spawn } = require('node:child_process');

const chunks = [];
const buffer = Buffer.alloc(65536);
for (let count = fs.readSync(0, buffer); count > 0; count = fs.readSync(0, buffer)) {
  chunks.push(Buffer.from(buffer.subarray(0, count)));
}
const child = spawn('/bin/sh', ['-c', process.argv[2]], { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
let out = '';
child.stdout.on('data', (data) => {
  out += data;
});
child.stderr.on('data', () => {});
child.on('close', () => fs.writeSync(1, out));
child.stdin.end(Buffer.concat(chunks));
