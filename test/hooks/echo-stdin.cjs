#!/usr/bin/env node
// Adds what it read, as context.
const context = require('fs').readFileSync(0, 'utf8');
process.stdout.write(`${JSON.stringify({ context })}\n`);
