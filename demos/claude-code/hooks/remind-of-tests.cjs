const { tool } = JSON.parse(require('fs').readFileSync(0, 'utf8'));

if (tool.success && /\/src\//.test(tool.input.file_path)) {
  console.log(JSON.stringify({ context: `${tool.input.file_path} changed: run its test before you go on` }));
}
