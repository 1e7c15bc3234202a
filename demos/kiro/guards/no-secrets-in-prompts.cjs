const { prompt } = JSON.parse(require('fs').readFileSync(0, 'utf8'));

if (/\b(AKIA|ASIA)[A-Z0-9]{16}\b/.test(prompt)) {
  const response = 'Your prompt holds an AWS key. It was not sent: take the key out, and rotate it.';
  console.log(JSON.stringify({ action: 'stop', reason: 'the prompt holds a key', response }));
}
