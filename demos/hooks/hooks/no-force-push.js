// Reads one event on stdin, denies a force-push, and has no opinion on anything else.
// It looks at the text of the command: it cannot see through an alias, a variable or a script.
const { command } = JSON.parse(require('fs').readFileSync(0, 'utf8')).tool.input;

const parts = command
  .replace(/\\\n/g, ' ') // a line that goes on
  .replace(/["'\\]/g, '') // git "push" -f
  .split(/[;&|()`\n]+/);
const forced = parts.some(
  (part) => /\bgit\b.*\bpush\b/.test(part) && /\s(--force\S*|--mirror|-[a-z]*f[a-z]*|\+\S+)(\s|$)/i.test(part),
);

if (forced) {
  console.log(JSON.stringify({ action: 'deny', reason: 'force-push is not allowed in this project' }));
}
