// Reads one event on stdin, denies a force-push, and has no opinion on anything else.
const { command } = JSON.parse(require('fs').readFileSync(0, 'utf8')).tool.input;

const parts = command.split(/[;&|\n]+/);
const forced = parts.some(
  (part) => /\bgit\b.*\bpush\b/.test(part) && /\s(--force\S*|-[a-z]*f[a-z]*|\+\S+)(\s|$)/i.test(part),
);

if (forced) {
  console.log(JSON.stringify({ action: 'deny', reason: 'force-push is not allowed in this project' }));
}
