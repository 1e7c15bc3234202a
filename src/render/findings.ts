/**
 * Findings as text for people.
 */

import { canonicalEvent } from '../core/events';
import { entryOf, type Finding, severityOf } from '../core/finding';
import { nearest } from '../core/nearest';
import { clean, cut, inline } from '../core/text';

const SOURCE_CHARS = 160;
const ARGUMENT_CHARS = 600;
/** Shown as one mark each, so that the carets stay in place. */
const STEERS = /[\x00-\x1f\x7f-\x9f]/;

/**
 * One finding:
 *
 *     agent.yaml:6:7: error: unknown key "comand" in a hook; did you mean "command"? [HK006]
 *       6 |       comand: node x.js
 *         |       ^^^^^^
 *       = allowed: name, description, …
 */
export function renderFinding(finding: Finding): string {
  const head = `${placeText(finding.at)}: ${severityOf(finding)}: ${sentenceOf(finding)} [${finding.code}]`;
  const help = helpOf(finding);
  return [head, ...sourceLines(finding.at), ...(help === undefined ? [] : [`  = ${help}`])].join('\n');
}

/** The sentence with its place and remedy, on one line. */
export function renderFindingLine(finding: Finding): string {
  const help = suggestionOf(finding) === undefined ? helpOf(finding) : undefined;
  return `${placeText(finding.at)}: ${sentenceOf(finding)}${help === undefined ? '' : ` (${help})`}`;
}

/** The sentence of a finding, with the suggestion where one is near. */
export function sentenceOf(finding: Finding): string {
  const entry = entryOf(finding.code);
  const meant = suggestionOf(finding);
  const sentence = clean(fill(entry.sentence, finding.args)).replaceAll('\n', ' ');
  return sentence + (meant === undefined ? '' : `; did you mean "${meant}"?`);
}

/** What to do about it: the allowed values, or the catalogue's help. */
export function helpOf(finding: Finding): string | undefined {
  const entry = entryOf(finding.code);
  const help = entry.help === undefined ? '' : inline(fill(entry.help, finding.args));
  if (help !== '') return help;
  return finding.allowed === undefined ? undefined : `allowed: ${finding.allowed.join(', ')}`;
}

/** The allowed value that was most likely meant. */
export function suggestionOf({ args, allowed }: Finding): string | undefined {
  const foreign = args['event'] === undefined ? undefined : canonicalEvent(args['event']);
  if (foreign !== undefined && allowed?.includes(foreign)) return foreign;
  const word = args['key'] ?? args['event'] ?? args['got'];
  return word === undefined || allowed === undefined ? undefined : nearest(word.replace(/^"|"$/g, ''), allowed);
}

/** `file:line:column`, or the file alone. */
export function placeText(at: Finding['at']): string {
  const file = inline(at.file);
  return 'line' in at ? `${file}:${at.line}:${at.column}` : file;
}

/** The line with carets below; a window around the place where the line is long. */
function sourceLines(at: Finding['at']): string[] {
  if (!('line' in at)) return [];
  const characters = [...at.source.replaceAll('\t', ' ')].map((one) => (STEERS.test(one) ? '·' : one));
  const from = Math.max(0, Math.min(at.caret - SOURCE_CHARS / 2, characters.length - SOURCE_CHARS));
  const shown = cut(characters.slice(from).join(''), SOURCE_CHARS);
  const length = at.endLine === at.line ? at.endColumn - at.column : characters.length - at.caret;
  const width = Math.max(1, Math.min(length, SOURCE_CHARS - (at.caret - from)));
  const number = String(at.line);
  return [
    `  ${number} | ${shown}`,
    `  ${' '.repeat(number.length)} | ${' '.repeat(at.caret - from)}${'^'.repeat(width)}`,
  ];
}

function fill(template: string, args: Finding['args']): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => cut(args[name] ?? '', ARGUMENT_CHARS));
}
