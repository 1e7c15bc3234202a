const { file_path: path } = JSON.parse(require('fs').readFileSync(0, 'utf8')).tool.input;

if (/(^|\/)\.env(\.|$)/.test(path)) {
  console.log(JSON.stringify({ action: 'ask', reason: `${path} may hold secrets` }));
}
