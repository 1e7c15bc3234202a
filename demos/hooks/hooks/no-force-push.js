// Reads one event on stdin; denies a force-push; says nothing about anything else.
const event = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const command = event.tool.input.command ?? '';

if (/\bgit\b.*\bpush\b.*(\s--force\b|\s-\w*f)/.test(command)) {
  console.log(JSON.stringify({ action: 'deny', reason: 'force-push is not allowed in this project' }));
}
