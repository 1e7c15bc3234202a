// Kiro CLI deletes by fs_write with a command; the IDE has a tool for it.
const { tool } = JSON.parse(require('fs').readFileSync(0, 'utf8'));

const deletes = tool.name === 'delete_file' || tool.input.command === 'delete';
if (deletes) console.log(JSON.stringify({ action: 'ask', reason: `${tool.input.path} is to be deleted` }));
