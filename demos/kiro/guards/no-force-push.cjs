const { command } = JSON.parse(require('fs').readFileSync(0, 'utf8')).tool.input;

if (typeof command !== 'string') throw new Error('the command is no text');
if (/\bgit\b.*\bpush\b.*(\s--force\b|\s-\w*f)/s.test(command)) {
  console.log(JSON.stringify({ action: 'deny', reason: 'force-push is not allowed; push to a branch of your own' }));
}
