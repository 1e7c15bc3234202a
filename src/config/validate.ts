/**
 * From the errors of a JSON Schema validator to one finding a mistake, at the key or value in question.
 */
import type { Finding } from '../core/finding';
import { nearest } from '../core/nearest';
import { orList } from '../core/text';
import { dataOf, entryOf, nodeAt, type Tree, type TreePath, type TreeSpan } from '../core/tree';
import { type SchemaError, type Validator, validators } from './validators.generated';

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  null: 'nothing',
};

const EMPTY = ['minItems', 'minProperties', 'minLength'];
const NO_MERGE = 'YAML 1.2 has no merge keys; write the keys out';

export type Validated = {
  readonly findings: readonly Finding[];
  /** With misspelt keys under the names that were meant, so that what stands below them is read as well. */
  readonly tree: Tree;
};

type Place = (span: TreeSpan) => Finding['at'];

/** Findings of the schema `name`. `judges`: keys whose type the room judges itself. Throws where there is no such schema. */
export function validate(name: string, tree: Tree, judges: readonly string[], place: Place): Validated {
  const validator = validators[name];
  if (validator === undefined) throw new Error(`no schema "${name}"`);
  return validateBy(validator, tree, judges, place);
}

/** The same by a compiled schema. */
export function validateBy(validator: Validator, tree: Tree, judges: readonly string[], place: Place): Validated {
  if (validator(dataOf(tree))) return { findings: [], tree };
  const errors = validator.errors ?? [];
  const findings = errors.flatMap((error) => findingOf(error, tree, judges, place) ?? []);
  const renamed = errors.reduce(withMeantKey, tree);
  if (renamed === tree) return { findings, tree };
  const keys = findings.filter(isUnknownKey);
  const again = validateBy(validator, renamed, judges, place);
  return {
    findings: [...keys, ...again.findings.filter((one) => !keys.some((key) => isSame(key, one)))],
    tree: again.tree,
  };
}

function isUnknownKey({ code }: Finding): boolean {
  return code === 'HK006' || code === 'HK007';
}

function isSame(one: Finding, other: Finding): boolean {
  return one.code === other.code && JSON.stringify(one.at) === JSON.stringify(other.at);
}

/** The tree with the unknown key of an error under the name that was meant, where that is clear and free. */
function withMeantKey(tree: Tree, error: SchemaError): Tree {
  if (error.keyword !== 'additionalProperties') return tree;
  const path = pathOf(error.instancePath);
  const key = String(error.params['additionalProperty']);
  const node = nodeAt(tree, path);
  const meant = node === undefined ? undefined : meantKey(key, node, allowedBy(error));
  return meant === undefined ? tree : renamedAt(tree, path, key, meant);
}

/** The allowed key that a misspelt one stands for: near, and not there yet. */
function meantKey(key: string, map: Tree, allowed: readonly string[]): string | undefined {
  const meant = nearest(key, allowed);
  return meant === undefined || entryOf(map, meant) !== undefined ? undefined : meant;
}

function allowedBy(error: SchemaError): readonly string[] {
  return Object.keys(error.parentSchema?.properties ?? {});
}

function renamedAt(tree: Tree, [step, ...rest]: TreePath, key: string, meant: string): Tree {
  if (tree.kind === 'list') {
    const items = tree.items.map((item, index) =>
      index === step ? { ...item, value: renamedAt(item.value, rest, key, meant) } : item,
    );
    return { ...tree, items };
  }
  if (tree.kind === 'scalar') return tree;
  const entries = tree.entries.map((entry) => {
    if (step !== undefined)
      return entry.key === String(step) ? { ...entry, value: renamedAt(entry.value, rest, key, meant) } : entry;
    return entry.key === key ? { ...entry, key: meant } : entry;
  });
  return { ...tree, entries };
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
    const span = entryOf(node, key)?.keySpan ?? node.span;
    const allowed = allowedBy(error);
    const meant = meantKey(key, node, allowed);
    const fix = meant === undefined ? {} : { fix: { ...span, how: 'rename' as const, text: meant } };
    const at = place(span);
    if (last === 'hooks') return { ...unknownEvent(key, entryOf(node, key)?.value, at, allowed), ...fix };
    return {
      code: 'HK006',
      at,
      args: { key, where: whereOf(path, error), hint: key === '<<' ? NO_MERGE : '' },
      allowed,
      ...fix,
    };
  }
  if (typeof path.at(-2) === 'number' && judges.includes(String(last))) return undefined;
  const at = place(node.span);
  if (error.keyword === 'enum') {
    const allowed = Array.isArray(error.params['allowedValues']) ? error.params['allowedValues'].map(String) : [];
    return {
      code: 'HK009',
      at,
      args: { where: whereOf(path, error), got: gotOf(node) },
      allowed,
      ...caseFix(node, allowed),
    };
  }
  if (error.keyword === 'type') return wrongType(error, node, path, at);
  if (error.keyword === 'required') {
    return { code: 'HK037', at, args: { where: whereOf(path, error), key: String(error.params['missingProperty']) } };
  }
  if (EMPTY.includes(error.keyword)) return { code: 'HK038', at, args: { where: whereOf(path, error) } };
  throw new Error(`no sentence for the schema keyword "${error.keyword}"`);
}

/** A text where a list of hooks is expected is a key of a hook that slipped out of it, unless it looks like an event. */
function unknownEvent(event: string, value: Tree | undefined, at: Finding['at'], allowed: readonly string[]): Finding {
  const slipped = value?.kind === 'scalar' && value.value !== null && nearest(event, allowed, 1) === undefined;
  const hint = 'only events stand here; indent what belongs to a hook';
  return slipped ? { code: 'HK007', at, args: { event, hint } } : { code: 'HK007', at, args: { event }, allowed };
}

/** A word in another case than the allowed one. */
function caseFix(node: Tree, allowed: readonly string[]): Pick<Finding, 'fix'> {
  const said = node.kind === 'scalar' && typeof node.value === 'string' ? node.value.toLowerCase() : undefined;
  const text = allowed.find((word) => word.toLowerCase() === said);
  return text === undefined ? {} : { fix: { ...node.span, how: 'replace', text } };
}

/** A number, or true and false, where a text is wanted: quotes make it one. */
function quoteFix(types: readonly string[], node: Tree): Pick<Finding, 'fix'> {
  const bare = node.kind === 'scalar' && (typeof node.value === 'number' || typeof node.value === 'boolean');
  return bare && types.includes('string') ? { fix: { ...node.span, how: 'quote' } } : {};
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
    args: { where: whereOf(path, error), got: path.length === 0 ? kindOf(node) : gotOf(node), wanted, hint },
    ...(types.includes('boolean') ? { allowed: ['true', 'false'] } : {}),
    ...quoteFix(types, node),
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

function whereOf(path: TreePath, { parentSchema }: SchemaError): string {
  const last = path.at(-1);
  if (last === undefined) return 'the file';
  return typeof last === 'number' ? `a ${parentSchema?.title?.toLowerCase() ?? 'list item'}` : `"${last}"`;
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
