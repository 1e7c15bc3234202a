/**
 * Writes `schemas/types.d.ts` from the JSON Schemas. Run as a script: `npm run types`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

const folder = new URL('../schemas/', import.meta.url);
const HEAD =
  '/** What is written in files and streams, generated from the JSON Schemas beside it: `npm run types`. */\n';

/** The types of all schemas. */
export async function typesSource() {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const parts = [];
  for (const name of names.sort()) {
    const schema = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
    const source = await compile({ ...untitled(schema), title: schema.title }, schema.title, {
      bannerComment: '',
      style: { singleQuote: true, printWidth: 120 },
      declareExternallyReferenced: true,
      additionalProperties: false,
      ignoreMinAndMaxItems: true,
    });
    parts.push(
      `export type ${schema.title} = ${schema.title}Schema.${schema.title};\nexport declare namespace ${schema.title}Schema {\n${source}}\n`,
    );
  }
  return HEAD + parts.join('\n');
}

/** Every title, and every reference with a description, would become a type of its own: the definitions alone have names. */
function untitled(schema) {
  if (Array.isArray(schema)) return schema.map(untitled);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref };
  const entries = Object.entries(schema).filter(([key, value]) => key !== 'title' || typeof value !== 'string');
  return Object.fromEntries(entries.map(([key, value]) => [key, key === 'examples' ? value : untitled(value)]));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('types.d.ts', folder), await typesSource());
