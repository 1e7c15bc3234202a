// Stops one kind of question before it reaches the model: the one for a secret of the live system.
const { prompt } = JSON.parse(require('fs').readFileSync(0, 'utf8'));

const signs = [
  /\b(what|show|tell|give|print|send|need)\b/i,
  /\b(prod|production|live)\b/i,
  /\b(passwords?|passphrases?|secrets?|tokens?|credentials|(api|private) keys?)\b/i,
];

if (signs.every((sign) => sign.test(prompt))) {
  const reason = 'the prompt asks for a secret of the live system';
  const response = 'Secrets of the live system are not for chats. The team keeps them in the vault.';
  console.log(JSON.stringify({ action: 'stop', reason, response }));
}
