// Denies `git push --force`: reads the event on stdin, answers on stdout.
const { command } = JSON.parse(require('fs').readFileSync(0, 'utf8')).tool.input;

if (/\bgit\s+push\b.*(\s-f\b|--force\b)/.test(command)) {
  console.log(JSON.stringify({ action: 'deny', reason: 'force-push is not allowed' }));
}
