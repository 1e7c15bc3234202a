/**
 * Compiles the validators of `schemas/*.json` into modules of `src/`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { transformSync } from 'esbuild';

const root = new URL('..', import.meta.url);
/** Schemas that are no config's: what `run` loads has none of them. */
const OTHERS = ['event', 'decision', 'verdict', 'suite'];
/** For editors alone: the room judges its files itself. */
const UNUSED = ['prx', 'prx-event', 'prx-plugin'];
const TARGETS = [
  ['src/config/validators.generated.js', (name) => !OTHERS.includes(name)],
  ['src/config/more-validators.generated.js', (name) => OTHERS.includes(name)],
];
const HEAD = '// Generated from schemas/ by scripts/generate.mjs.\n';

/** The source of a module with the validators of the schemas that `taken` says; each is made when it is first asked for. */
export function validatorsSource(taken) {
  const names = readdirSync(new URL('schemas/', root))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace(/\.json$/, ''))
    .filter((name) => !UNUSED.includes(name) && taken(name));
  const members = names.map(
    (name) => `  get ${key(name)}() { return (made[${key(name)}] ??= make[${key(name)}]()); },\n`,
  );
  const makers = names.map(
    (name) =>
      `  ${key(name)}: () => {\nconst module = { exports: {} };\n${codeOf(name)}\nreturn module.exports;\n  },\n`,
  );
  return `${HEAD}const made = {};\nconst make = {\n${makers.join('')}};\nexport const validators = {\n${members.join('')}};\n`;
}

function key(name) {
  return JSON.stringify(name);
}

function codeOf(name) {
  const schema = plain(JSON.parse(readFileSync(new URL(`schemas/${name}.json`, root), 'utf8')));
  const ajv = new Ajv2020.default({
    allErrors: true,
    allowUnionTypes: true,
    code: { source: true, optimize: 2 },
    unicodeRegExp: true,
    verbose: true,
  });
  const source = standaloneCode.default(ajv, ajv.compile(schema)).replace(/^"use strict";/, '');
  return transformSync(source, { minify: true, target: 'node20' }).code.trim();
}

/** Without what is for people alone: with `verbose` the schema is in the code. */
function plain(schema, isMap = false) {
  if (Array.isArray(schema)) return schema.map((one) => plain(one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([key]) => isMap || !['description', 'examples', 'default'].includes(key),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, plain(value, !isMap && MAPS.includes(key))]));
}

/** Keywords whose keys are names. */
const MAPS = ['properties', 'patternProperties', '$defs'];

export function generate() {
  for (const [target, taken] of TARGETS) writeFileSync(new URL(target, root), validatorsSource(taken));
}
