// Takes secrets out of a bash command before it runs, and tells the model which. The rest of the input stays.
const { input } = JSON.parse(require('fs').readFileSync(0, 'utf8')).tool;

let command = input.command;
const taken = [];

// A value that the environment has becomes its variable, so that the command still works (but not in '…', where
// the shell expands nothing). Long values first, as one may contain another; short ones are words, not secrets.
const known = Object.entries(process.env)
  .filter(([name, value]) => /^[A-Za-z_]\w*_(TOKEN|SECRET)$/.test(name) && value.length >= 8)
  .sort(([, a], [, b]) => b.length - a.length);
for (const [name, value] of known) take(`the value of ${name}`, value, `$\{${name}}`);

// Anything else that looks like a secret is lost. Variables and substitutions, `password=$X`, are fine.
take('an AWS access key id', /\b(AKIA|ASIA)[A-Z0-9]{16}\b/g, '[redacted]');
take('a GitHub token', /\b(gh[oprsu]_[A-Za-z0-9]{36,}|github_pat_\w{22,})/g, '[redacted]');
take('an sk- key', /\bsk-[\w-]{20,}/g, '[redacted]');
take('a bearer token', /(?<=authorization:\s*bearer\s+)[\w.~+/=-]+/gi, '[redacted]');
const value = /'[^']+'|"(\\.|[^"\\])+"|(\\[^\s'"]|\$(?!\()|[^\s'"\\$`&;|()])+/; // quoted, or up to where the word ends
take(
  'a password, token or secret',
  new RegExp(`(?<=(passw(or)?d|_token|_secret)=)(?!"?[$\`])(${value.source})`, 'gi'),
  '[redacted]',
);

if (taken.length > 0) {
  const context = `Taken out of the command before it ran: ${taken.join(', ')}. Name secrets by variable instead.`;
  console.log(JSON.stringify({ input: { ...input, command }, context }));
}

function take(what, secret, replacement) {
  const without = command.replaceAll(secret, () => replacement);
  if (without !== command) taken.push(`${what} (now ${replacement})`);
  command = without;
}
