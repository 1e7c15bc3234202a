// Adds the project's rules to every prompt. It needs nothing from the event, so it does not read it.
const rules = require('fs').readFileSync(`${process.env.MM_CONFIG_DIR}/rules.md`, 'utf8').trim();

if (rules !== '') {
  console.log(JSON.stringify({ context: `Rules of this project:\n${rules}` }));
}
