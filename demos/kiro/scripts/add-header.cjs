const { readFileSync, writeFileSync } = require('fs');

const file = process.env.KIRO_HOOK_FILE;
const text = readFileSync(file, 'utf8');
if (!text.startsWith('// ')) writeFileSync(file, `// (c) the authors\n${text}`);
