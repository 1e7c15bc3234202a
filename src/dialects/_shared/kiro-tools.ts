/**
 * Kiro's tools: names in its two worlds (agent files; the IDE and files of version v1), categories, groups.
 */
import type { Event } from '../../core/model';
import { isCanonicalTool } from '../../core/tools';
import type { KiroRoom } from './kiro-rows';

/** A tool: hookctl's name, its category, what agent files call it, what the other two formats call it. The first name is told. */
type Tool = readonly [
  canonical: string,
  category: string | undefined,
  agent: readonly string[],
  ide: readonly string[],
];

const SHELL = ['execute_bash', 'execute_cmd', 'shell'];
const READ = ['fs_read', 'read'];
const WRITE = ['fs_write', 'write'];

/** Of a name that stands in several rows the first one counts as its own. */
const TOOLS: readonly Tool[] = [
  ['bash', 'shell', SHELL, ['execute_bash']],
  ['powershell', 'shell', SHELL, ['execute_pwsh']],
  ['read', 'read', READ, ['read_file', 'read_files']],
  ['list', 'read', READ, ['list_directory']],
  ['grep', 'read', ['grep'], ['grep_search']],
  ['glob', 'read', ['glob'], ['file_search']],
  ['write', 'write', WRITE, ['fs_write', 'fs_append', 'create_file']],
  ['edit', 'write', WRITE, ['str_replace']],
  ['notebook', 'write', WRITE, ['str_replace']],
  ['delete', 'write', WRITE, ['delete_file']],
  ['fetch', 'web', ['web_fetch'], ['web_fetch']],
  ['search', 'web', ['web_search'], ['web_search']],
  ['todo', undefined, ['todo_list', 'todo'], ['todo_list']],
  ['task', undefined, ['subagent', 'use_subagent'], ['invoke_sub_agent']],
  ['', 'read', ['code'], []],
  ['', 'aws', ['use_aws', 'aws'], ['use_aws']],
  ['', 'spec', [], ['task_update', 'task_list', 'task_get']],
];
const MCP = /^@[^/]+\/./;
const FOREIGN_MCP = /^mcp__(.+?)__(.+)$/s;

/** `read`, `write`, `shell`, …: the names that stand for several tools. */
export const CATEGORIES: readonly string[] = [...new Set(TOOLS.flatMap(([, category]) => category ?? []))];
/** Names with an `@` that stand for tools of one source. */
export const GROUPS = ['@builtin', '@mcp', '@powers'] as const;

/** Hookctl's name → the names of one format, as a spec has them. */
export function kiroTools(room: KiroRoom): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(TOOLS.flatMap((tool) => (tool[0] === '' ? [] : [[tool[0], namesIn(tool, room)]])));
}

/** Every name that a format has for a tool. */
export function knownTools(room: KiroRoom): readonly string[] {
  return [...new Set(TOOLS.flatMap((tool) => namesIn(tool, room)))];
}

/** `fsWrite` is `fs_write`. */
export function snakeCase(name: string): string {
  return /^[a-z]+(?:[A-Z][a-z]+)+$/.test(name) ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
}

/** What a caller's tool is called here: the first of hookctl's names, and all of them where there are more. */
export function canonicalOf(name: string, room: KiroRoom): Pick<NonNullable<Event['tool']>, 'canonical' | 'kin'> {
  if (MCP.test(name)) return { kin: [`mcp__${name.slice(1).replace('/', '__')}`] };
  const all = rowsOf(name, room).flatMap(([canonical]) => (canonical === '' ? [] : [canonical]));
  const [canonical] = all;
  if (canonical === undefined) return {};
  return all.length < 2 ? { canonical } : { canonical, kin: all };
}

/** What a hook of the format reads as the tool's name: a Kiro caller's own, and of others the format's. */
export function toldName({ name, canonical }: NonNullable<Event['tool']>, from: string, room: KiroRoom): string {
  if (isKiro(from)) return name;
  const known = canonical ?? (isCanonicalTool(name) ? name : undefined);
  const row = TOOLS.find((tool) => tool[0] === known);
  return (row === undefined ? undefined : namesIn(row, room)[0]) ?? mcpName(name);
}

/** What a matcher of the format is tried on as a name. */
export function toolNames({ tool, from }: Event, room: KiroRoom): readonly string[] | undefined {
  if (tool === undefined) return undefined;
  const name = snakeCase(tool.name);
  const sent = [tool.name, name, mcpName(tool.name)];
  if (isOwn(name, from.room, room)) {
    const cell = room === 'kiro-agent' ? rowsOf(name, room).flatMap((row) => namesIn(row, room)) : [];
    return [...new Set([...sent, ...cell])];
  }
  const rows = rowsBehind({ tool, from });
  const canonicals = [...rows.map(([canonical]) => canonical), tool.canonical ?? ''].filter((one) => one !== '');
  return [...new Set([...sent, ...canonicals, ...rows.flatMap((row) => namesIn(row, room))])];
}

/** The categories, groups and servers that the tool belongs to, as a matcher writes them. */
export function toolGroups(event: Pick<Event, 'tool' | 'from'>): readonly string[] | undefined {
  if (event.tool === undefined) return undefined;
  const name = mcpName(event.tool.name);
  if (MCP.test(name)) return ['@mcp', '@powers', name.slice(0, name.indexOf('/'))];
  return ['@builtin', ...new Set(rowsBehind(event).flatMap(([, category]) => category ?? []))];
}

type Named = { readonly tool: NonNullable<Event['tool']>; readonly from: Event['from'] };

/** The rows of a caller's tool: by its name where the caller is Kiro, else by what it stands for, else by Kiro's name for it. */
function rowsBehind({ tool, from }: Partial<Named> & Pick<Named, 'from'>): readonly Tool[] {
  if (tool === undefined) return [];
  const name = snakeCase(tool.name);
  if (isKiro(from.room)) return rowsOf(name, from.room);
  const known = tool.canonical ?? (isCanonicalTool(name) ? name : undefined);
  const rows = TOOLS.filter(([canonical]) => canonical !== '' && canonical === known);
  return rows.length > 0 ? rows : TOOLS.filter(([, , agent, ide]) => agent.includes(name) || ide.includes(name));
}

/** A name of the format, sent by an agent that has the same tools or, as it stands, by a native caller. */
function isOwn(name: string, from: string, room: KiroRoom): boolean {
  if (isKiro(from)) return (from === 'kiro-agent') === (room === 'kiro-agent');
  return (from === 'mm' || from === 'exit') && rowsOf(name, room).length > 0;
}

function rowsOf(name: string, room: KiroRoom): readonly Tool[] {
  const plain = snakeCase(name);
  const meant = room !== 'kiro-agent' && plain.startsWith('subagent_') ? 'invoke_sub_agent' : plain;
  return TOOLS.filter((tool) => namesIn(tool, room).includes(meant));
}

function namesIn([, , agent, ide]: Tool, room: KiroRoom): readonly string[] {
  return room === 'kiro-agent' ? agent : ide;
}

/** `mcp__server__tool` is `@server/tool`. */
function mcpName(name: string): string {
  const [, server, tool] = FOREIGN_MCP.exec(name) ?? [];
  return server === undefined ? name : `@${server}/${tool}`;
}

function isKiro(room: string): room is KiroRoom {
  return room.startsWith('kiro-');
}
