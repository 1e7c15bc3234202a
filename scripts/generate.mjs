/**
 * Compiles the validators of `schemas/*.json` into modules of `src/`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';

const root = new URL('..', import.meta.url);
/** Schemas that are no config's: what `run` loads has none of them. */
const OTHERS = ['event', 'decision', 'verdict', 'suite'];
const TARGETS = [
  ['src/config/validators.generated.js', (name) => !OTHERS.includes(name)],
  ['src/config/more-validators.generated.js', (name) => OTHERS.includes(name)],
];

/** The source of a module with the validators of the schemas that `taken` says. */
export function validatorsSource(taken) {
  const schemas = readdirSync(new URL('schemas/', root))
    .filter((name) => name.endsWith('.json') && taken(name.replace(/\.json$/, '')))
    .map((name) => [name.replace(/\.json$/, ''), JSON.parse(readFileSync(new URL(`schemas/${name}`, root), 'utf8'))]);
  const ajv = new Ajv2020.default({
    allErrors: true,
    allowUnionTypes: true,
    code: { source: true, esm: true, optimize: 2 },
    unicodeRegExp: true,
    verbose: true,
    schemas: schemas.map(([, schema]) => schema),
  });
  const exportsById = Object.fromEntries(schemas.map(([name, schema]) => [name, schema.$id]));
  const code = standaloneCode.default(ajv, exportsById);
  const table = schemas.map(([name]) => `${JSON.stringify(name)}: ${name}`).join(', ');
  return `// Generated from schemas/ by scripts/generate.mjs.\n${code}\nexport const validators = { ${table} };\n`;
}

export function generate() {
  for (const [target, taken] of TARGETS) writeFileSync(new URL(target, root), validatorsSource(taken));
}
