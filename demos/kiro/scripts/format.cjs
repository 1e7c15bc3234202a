const { readFileSync, writeFileSync } = require('fs');

const [, , file] = process.argv;
writeFileSync(
  file,
  `${readFileSync(file, 'utf8')
    .replace(/[ \t]+$/gm, '')
    .trimEnd()}\n`,
);
