/**
 * `if`: one permission rule as a second filter, `Tool` or `Tool(spec)`. It saves starts and is no guard: in doubt the hook runs.
 */

import { fieldsOf, stringIn } from '../../core/json';
import type { Event } from '../../core/model';
import { lookUp } from '../../core/table';

const WRAPPERS = ['timeout', 'time', 'nice', 'nohup', 'stdbuf', 'command', 'builtin', 'noglob', 'xargs'];
const PATH_FIELDS = ['file_path', 'notebook_path', 'path'];
const EDITING = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit'];
const READING = ['Read', 'Glob', 'Grep'];
const FORMER: Readonly<Record<string, string>> = { Task: 'Agent' };

/** Does the rule hold for the event? `names`: what the tool may be called. */
export function holds(rule: string, event: Event, names: readonly string[], project: string): boolean {
  const [, tool = '', spec] = /^\s*([\w-]+)\s*(?:\((.*)\))?\s*$/s.exec(rule) ?? [];
  if (tool === '') return true;
  if (!names.some((name) => isTool(tool, name))) return false;
  if (spec === undefined || spec.trim() === '' || spec.trim() === '*') return true;
  return holdsFor(tool, spec, event, project);
}

function isTool(rule: string, name: string): boolean {
  if (rule === name || (lookUp(FORMER, rule) ?? rule) === (lookUp(FORMER, name) ?? name)) return true;
  if (rule.startsWith('mcp__')) return name === rule || name.startsWith(`${rule.replace(/__\*$/, '')}__`);
  return (rule === 'Edit' && EDITING.includes(name)) || (rule === 'Read' && READING.includes(name));
}

function holdsFor(tool: string, spec: string, event: Event, project: string): boolean {
  const input = new Map(event.tool?.input === undefined ? [] : fieldsOf(event.tool.input));
  const text = (key: string) => {
    const value = input.get(key);
    return value === undefined ? undefined : stringIn(value);
  };
  if (tool === 'Bash' || tool === 'PowerShell') return commandMatches(spec, text('command'));
  if (tool === 'WebFetch' && spec.startsWith('domain:')) return domainMatches(spec.slice(7), text('url'));
  if (tool === 'Agent' || tool === 'Task') return wild(spec, text('subagent_type') ?? '');
  if ([...EDITING, ...READING].includes(tool)) {
    const path = PATH_FIELDS.map(text).find((one) => one !== undefined);
    return path === undefined || pathMatches(spec, path, event.cwd, project);
  }
  const [, key = '', wanted = ''] = /^(\w+):(.*)$/s.exec(spec) ?? [];
  const value = input.get(key);
  if (key === '') return true;
  return value !== undefined && wild(wanted, stringIn(value) ?? value.text);
}

/** A part of the command matches, with and without its wrappers, by its name or its path. What cannot be taken apart runs. */
function commandMatches(spec: string, command: string | undefined): boolean {
  if (command === undefined || isOpen(command)) return true;
  const isDynamic = /\$\(|`|\$\w|\$\{/.test(command);
  if (isDynamic && /\s/.test(spec.replace(/[ :]\*$/, '').trim())) return true;
  return partsOf(command).some((part) => formsOf(part).some((form) => commandWild(oneSpaced(spec), oneSpaced(form))));
}

/** A quote that is never closed. */
function isOpen(command: string): boolean {
  const bare = command.replace(/\\./gs, '').replace(/'[^']*'|"[^"]*"/g, '');
  return /['"]/.test(bare);
}

function oneSpaced(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Split at `&&`, `||`, `;`, `|`, `|&`, `&`, newlines, and into what `$(…)` and backticks hold. */
function partsOf(command: string): string[] {
  const joined = command.replace(/\\\r?\n/g, ' ');
  const inner = [...joined.matchAll(/\$\(([^()]*)\)|`([^`]*)`/g)].map(([, one, other]) => one ?? other ?? '');
  return [joined, ...inner].flatMap((text) => text.split(/&&|\|\||\|&|[;|&\n]/)).map((part) => part.trim());
}

const OPENERS = /^(?:(?:[({!]|if|then|else|elif|do|while|until)\s*(?=\S))+/;
const ASSIGNMENTS = /^(?:\w+=(?:"[^"]*"|'[^']*'|[^\s"'])*\s+)+/;

function formsOf(part: string): string[] {
  const bare = part
    .replace(OPENERS, '')
    .replace(ASSIGNMENTS, '')
    .replace(/\s*[)}]+$/, '');
  const [first = '', ...rest] = bare.split(/\s+/);
  const program = first.replace(/["'\\]/g, '');
  const named = [program, program.slice(program.lastIndexOf('/') + 1)].filter((name) => name !== first);
  const unwrapped = WRAPPERS.includes(program)
    ? formsOf(rest.join(' ').replace(/^(?:-\S+\s+|[\d.]+[smhd]?\s+)*/, ''))
    : [];
  return [part, bare, ...named.map((name) => [name, ...rest].join(' ')), ...unwrapped];
}

/** A trailing ` *` or `:*` needs a word boundary. */
function commandWild(spec: string, command: string): boolean {
  const [, head] = /^(.*?)(?: \*|:\*)$/s.exec(spec) ?? [];
  if (head === undefined) return wild(spec, command);
  return wild(head, command) || wild(`${head} *`, command);
}

/** `*` stands for any characters. */
function wild(pattern: string, text: string): boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return pattern === text;
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

function domainMatches(domain: string, url: string | undefined): boolean {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(url ?? '')?.[1]?.toLowerCase();
  if (host === undefined) return true;
  const wanted = domain.trim().toLowerCase();
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted;
}

/** As gitignore: `//p` absolute, `~/p` home, `/p` below the project, `p` below the event's folder, a bare name at any depth. */
function pathMatches(spec: string, path: string, cwd: string, project: string): boolean {
  if (spec.startsWith('~/')) return gitWild(`**/${spec.slice(2)}`, path.slice(1));
  if (spec.startsWith('//')) return gitWild(spec.slice(2), path.slice(1));
  const base = spec.startsWith('/') ? project : cwd;
  if (!path.startsWith(`${base}/`))
    return !spec.replace(/^\.\//, '').includes('/') && gitWild(`**/${spec}`, path.slice(1));
  const pattern = spec.replace(/^\.?\//, '');
  const anchored = spec.startsWith('/') || pattern.replace(/\/$/, '').includes('/');
  return gitWild(anchored ? pattern : `**/${pattern}`, path.slice(base.length + 1));
}

/** `**` any folders, `*` and `?` within one name; a folder stands for all in it. Linear in the segments. */
function gitWild(pattern: string, path: string): boolean {
  return segments(pattern.replace(/\/$/, '').split('/'), path.split('/'));
}

function segments(pattern: readonly string[], path: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return true;
  if (first === '**') return rest.length === 0 || path.some((_, index) => segments(rest, path.slice(index)));
  const [name, ...deeper] = path;
  return name !== undefined && wild(first.replaceAll('?', '*'), name) && segments(rest, deeper);
}
