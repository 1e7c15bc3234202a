/**
 * The JSON Schemas: whole, true to the engine's tables, and true to what the engine reads and writes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { typesSource } from '../scripts/types.mjs';
import { SCHEMAS } from '../src/cli/schema';
import { readNativeEvent } from '../src/dialects/_shared/native-event';
import { NATIVE_ROWS } from '../src/dialects/_shared/native-rows';
import { ANSWER_FIELDS } from '../src/dialects/mm/answer';

const ROOT = join(import.meta.dirname, '..');
const NAMES = Object.keys(SCHEMAS);
type Schema = {
  readonly [key: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};
const schemaOf = (name: string): Schema => JSON.parse(readFileSync(join(ROOT, `schemas/${name}.json`), 'utf8'));
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
const validators = new Map(NAMES.map((name): [string, ValidateFunction] => [name, ajv.compile(schemaOf(name))]));
const errorsOf = (name: string, data: unknown) => {
  const validator = validators.get(name);
  return validator?.(data)
    ? []
    : (validator?.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

/** Every schema of a key, with the JSON pointer to it. */
function keysIn(schema: Schema, pointer: string): [pointer: string, schema: Schema][] {
  return ['properties', 'patternProperties', '$defs'].flatMap((group) =>
    Object.entries((schema[group] ?? {}) as Readonly<Record<string, Schema>>).flatMap(
      ([key, inner]): [string, Schema][] => {
        const path = `${pointer}/${group}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
        return [...(group === '$defs' ? [] : [[path, inner] as [string, Schema]]), ...keysIn(inner, path)];
      },
    ),
  );
}

function resolved(root: Schema, schema: Schema): Schema {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].replace('#/$defs/', '') : undefined;
  return name === undefined ? schema : { ...root.$defs?.[name], ...schema };
}

describe.each(NAMES)('the schema %s', (name) => {
  it('is one of those in the folder', () => {
    expect(readdirSync(join(ROOT, 'schemas'))).toContain(`${name}.json`);
  });

  it('explains every key to people, and gives an example', () => {
    const root = schemaOf(name);
    const poor = keysIn(root, '#').filter(([, key]) => {
      const { title, description, examples } = resolved(root, key) as {
        title?: string;
        description?: string;
        examples?: unknown[];
      };
      return !title || !description || !Array.isArray(examples) || examples.length === 0;
    });
    expect(poor.map(([path]) => path)).toEqual([]);
  });

  it('takes its own examples', () => {
    const root = schemaOf(name);
    const wrong = keysIn(root, '#').flatMap(([pointer, key]) => {
      const { examples } = resolved(root, key) as { examples: unknown[] };
      const validate = ajv.compile({ $ref: `${root['$id']}${pointer}` });
      return examples
        .filter((example) => !validate(example))
        .map((example) => `${pointer}: ${JSON.stringify(example)}`);
    });
    expect(wrong).toEqual([]);
  });
});

describe('the schema of events', () => {
  const { $defs = {}, oneOf } = schemaOf('event');
  it('has a branch for each native event', () => {
    expect(oneOf).toEqual(
      NATIVE_ROWS.map(({ canonical }) => ({ $ref: `#/$defs/${canonical}` })).sort((a, b) => ORDER(a) - ORDER(b)),
    );
  });

  it.each(NATIVE_ROWS.map((row) => [row.canonical, row] as const))(
    '%s: asks for what the engine asks for',
    (name, row) => {
      const branch = $defs[name];
      expect(branch?.required?.includes('tool') ?? false).toBe(row.matches === 'tool');
      const [example] = (branch?.['examples'] ?? []) as Record<string, unknown>[];
      expect(errorsOf('event', example)).toEqual([]);
      const hint = { cwd: '/', env: {}, events: NATIVE_ROWS.map(({ canonical }) => canonical), now: '' };
      const read = (event: unknown) =>
        readNativeEvent(new TextEncoder().encode(JSON.stringify(event)), hint, 'mm', NATIVE_ROWS);
      expect(read(example)).toMatchObject({ name });
      const bare = { event: name, tool: { name: 'bash' } };
      expect('refused' in read(bare)).toBe(errorsOf('event', bare).length > 0);
    },
  );

  function ORDER({ $ref }: { $ref: string }): number {
    return (oneOf as { $ref: string }[]).findIndex((one) => one.$ref === $ref);
  }
});

describe('the schema of decisions', () => {
  it('has the fields that are read, and those that are ignored', () => {
    expect(Object.keys(schemaOf('decision').properties ?? {})).toEqual([
      ...Object.keys(ANSWER_FIELDS),
      'event',
      'source',
      'warnings',
      'trace',
    ]);
  });
});

describe('the schema of verdicts', () => {
  const lines = readdirSync(join(ROOT, 'test/cases'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => parseAllDocuments(readFileSync(join(ROOT, 'test/cases', file), 'utf8')))
    .flatMap((document) => String(document.toJS()?.stdout ?? '').split('\n'))
    .filter((line) => /^\{("event"|"action"|"warnings")/.test(line) && !line.includes('"cwd"') && isJson(line));

  it('fits every verdict of the cases', () => {
    expect(lines.length).toBeGreaterThan(400);
    const wrong = lines.flatMap((line) => {
      const errors = errorsOf('verdict', JSON.parse(line));
      return errors.length === 0 ? [] : [`${line.slice(0, 200)}: ${errors.join('; ')}`];
    });
    expect(wrong).toEqual([]);
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the types', () => {
  it('are those of the schemas (npm run types)', async () => {
    expect(readFileSync(join(ROOT, 'schemas/types.d.ts'), 'utf8')).toBe(await typesSource());
  });
});
