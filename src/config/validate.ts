/**
 * From the errors of a JSON Schema validator to one finding a mistake, at the key or value in question.
 */
import type { Finding } from '../core/finding';
import { nearest } from '../core/nearest';
import { orList } from '../core/text';
import { dataOf, entryOf, nodeAt, type Tree, type TreePath, type TreeSpan } from '../core/tree';
import { type SchemaError, validators } from './validators.generated';

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  null: 'nothing',
};

const NO_MERGE = 'YAML 1.2 has no merge keys; write the keys out';

/** Findings of the schema `name`. `judges`: keys whose type the room judges itself. */
export function validate(
  name: string,
  tree: Tree,
  judges: readonly string[],
  place: (span: TreeSpan) => Finding['at'],
): Finding[] {
  const validator = validators[name];
  if (validator === undefined) throw new Error(`no schema "${name}"`);
  if (validator(dataOf(tree))) return [];
  return (validator.errors ?? []).flatMap((error) => findingOf(error, tree, judges, place) ?? []);
}

function findingOf(
  error: SchemaError,
  tree: Tree,
  judges: readonly string[],
  place: (span: TreeSpan) => Finding['at'],
): Finding | undefined {
  const path = pathOf(error.instancePath);
  const node = nodeAt(tree, path) ?? tree;
  const last = path.at(-1);
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params['additionalProperty']);
    const at = place(entryOf(node, key)?.keySpan ?? node.span);
    const allowed = Object.keys(error.parentSchema?.properties ?? {});
    if (last === 'hooks') return unknownEvent(key, entryOf(node, key)?.value, at, allowed);
    return { code: 'HK006', at, args: { key, where: whereOf(path), hint: key === '<<' ? NO_MERGE : '' }, allowed };
  }
  if (typeof path.at(-2) === 'number' && judges.includes(String(last))) return undefined;
  const at = place(node.span);
  if (error.keyword === 'enum') {
    const allowed = Array.isArray(error.params['allowedValues']) ? error.params['allowedValues'].map(String) : [];
    return { code: 'HK009', at, args: { where: whereOf(path), got: gotOf(node) }, allowed };
  }
  if (error.keyword === 'type') return wrongType(error, node, path, at);
  throw new Error(`no sentence for the schema keyword "${error.keyword}"`);
}

/** A text where a list of hooks is expected is a key of a hook that slipped out of it, unless it looks like an event. */
function unknownEvent(event: string, value: Tree | undefined, at: Finding['at'], allowed: readonly string[]): Finding {
  const slipped = value?.kind === 'scalar' && value.value !== null && nearest(event, allowed, 1) === undefined;
  const hint = 'only events stand here; indent what belongs to a hook';
  return slipped ? { code: 'HK007', at, args: { event, hint } } : { code: 'HK007', at, args: { event }, allowed };
}

function wrongType(error: SchemaError, node: Tree, path: TreePath, at: Finding['at']): Finding {
  const types = [error.params['type']]
    .flat()
    .map(String)
    .filter((type) => type !== 'null');
  const wanted = orList(types.map((type) => TYPE_WORDS[type] ?? type));
  const hint = hintFor(types, node, path);
  return {
    code: 'HK008',
    at,
    args: { where: whereOf(path), got: path.length === 0 ? kindOf(node) : gotOf(node), wanted, hint },
    ...(types.includes('boolean') ? { allowed: ['true', 'false'] } : {}),
  };
}

function hintFor(types: readonly string[], node: Tree, path: TreePath): string {
  if (types.includes('array') && node.kind === 'map')
    return 'put "- " before its first key, and indent the others alike';
  if (types.includes('object') && node.kind === 'list') return 'write "key: value" lines, without "- "';
  if (types.includes('object') && typeof path.at(-1) === 'number' && node.kind === 'scalar') {
    return typeof node.value === 'string' && node.value.includes(':')
      ? 'put a space behind the ":"'
      : 'write "command: …"';
  }
  if (!types.includes('string')) return '';
  if (node.kind === 'list' && path.at(-1) === 'matcher') return "put it in quotes; for several names write '^(a|b)$'";
  if (node.kind === 'scalar' && node.value === null) return 'write it, or leave the key out';
  return node.kind === 'scalar' || node.kind === 'map' ? 'put it in quotes' : '';
}

function whereOf(path: TreePath): string {
  const last = path.at(-1);
  if (last === undefined) return 'the file';
  return typeof last === 'number' ? 'a hook' : `"${last}"`;
}

/** A file as a whole may be anything, a list of secrets too: it is not quoted. */
function kindOf(node: Tree): string {
  return node.kind === 'scalar' && typeof node.value === 'string' ? 'text' : gotOf(node);
}

function gotOf(node: Tree): string {
  if (node.kind !== 'scalar') return TYPE_WORDS[node.kind === 'map' ? 'object' : 'array'] ?? node.kind;
  if (node.value === null) return 'nothing';
  return typeof node.value === 'string' ? `"${node.value}"` : String(node.value);
}

/** A JSON pointer as steps; a step of digits is an index. */
function pathOf(pointer: string): TreePath {
  const steps = pointer.split('/').slice(1);
  return steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
}
