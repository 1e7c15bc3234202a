// Denies a recursive and forced rm. Plain Node, no packages.
const { command } = JSON.parse(require('fs').readFileSync(0, 'utf8')).tool.input;

const parts = command
  .replace(/\\\n/g, ' ') // a line that goes on
  .replace(/["'\\]/g, '') // "rm" -rf, \rm -rf
  .split(/[;&|()`\n\r]/);
const found = parts.some(
  (part) => /(^|[\s/])rm\s/.test(part) && /\s(-\w*[rR]|--r)/.test(part) && /\s(-\w*f|--f)/.test(part),
);

if (found) {
  console.log(JSON.stringify({ action: 'deny', reason: 'rm -rf is not allowed: remove files by name' }));
}
