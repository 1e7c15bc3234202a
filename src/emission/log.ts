/**
 * The run log: one JSON line for each thing that happened to an event. Payloads are never written to it.
 */

import { appendFileSync, chmodSync, renameSync, statSync } from 'node:fs';
import { codeOf, reasonOf } from '../core/errno';
import { clean } from '../core/text';
import { makeFolder } from '../make-folder';
import type { HookRecord } from './record';

const MAX_BYTES = 10 * 1024 * 1024;

export type LogLine =
  | {
      readonly kind: 'event';
      readonly event: string;
      readonly session_id: string;
      readonly topic: string;
      readonly bytes: number;
      readonly depth: number;
      readonly hooks: number;
      readonly bus: 'none' | 'published' | 'down';
    }
  | ({ readonly kind: 'hook'; readonly session_id: string } & HookRecord)
  | {
      readonly kind: 'plugin';
      readonly event: string;
      readonly session_id: string;
      readonly plugin: string;
      readonly level: PluginLog['level'];
      readonly message: string;
    }
  | {
      readonly kind: 'drop';
      readonly event?: string;
      readonly session_id?: string;
      readonly reason: 'depth' | 'too-large' | 'no-prx-event' | 'queue-full';
      readonly depth: number;
    }
  | { readonly kind: 'bus'; readonly state: 'up' | 'down'; readonly reason?: string }
  | { readonly kind: 'reload'; readonly generation: number; readonly ok: boolean; readonly reason?: string };

/** What a plugin says to the log. */
export type PluginLog = { readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error'; readonly message: string };

/** The lines of a hook that has ended: what it said, and its end. */
export function hookLines(session: string, record: HookRecord, logs: readonly PluginLog[]): readonly LogLine[] {
  const { event, hook } = record;
  const plugin = hook.replace(/^plugin:/, '');
  return [
    ...logs.map(({ level, message }): LogLine => {
      return { kind: 'plugin', event, session_id: session, plugin, level, message: clean(message) };
    }),
    { kind: 'hook', session_id: session, ...record },
  ];
}

/** Where the log is: `asked` (a file, or `none`), `$HOOKCTL_LOG`, else in the state folder; undefined where none is kept. */
export function logPath(
  asked: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): string | undefined {
  const said = asked ?? env['HOOKCTL_LOG'] ?? '';
  if (said === 'none') return undefined;
  if (said !== '') return said.startsWith('/') ? said : `${cwd}/${said}`;
  const state = stateFolder(env);
  return state === undefined ? undefined : `${state}/prx.jsonl`;
}

/** `$XDG_STATE_HOME/hookctl`, else `~/.local/state/hookctl`; undefined without a home. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const said = env['XDG_STATE_HOME'] ?? '';
  if (said.startsWith('/')) return `${said}/hookctl`;
  const home = env['HOME'] ?? '';
  return home === '' ? undefined : `${home}/.local/state/hookctl`;
}

/** Appends a line; or says why that was impossible. Larger than 10 MiB, the file is renamed to `.1` before. */
export function appendLog(path: string, line: LogLine): string | undefined {
  const { kind, ...rest } = line;
  const text = `${JSON.stringify({ time: new Date().toISOString(), kind, ...rest })}\n`;
  try {
    rotate(path);
    appendFileSync(path, text, { mode: 0o600 });
    return undefined;
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? appendNew(path, text) : `the log ${path} cannot be written: ${reasonOf(error)}`;
  }
}

function appendNew(path: string, text: string): string | undefined {
  try {
    makeFolder(path.slice(0, path.lastIndexOf('/')), 0o700);
    appendFileSync(path, text, { mode: 0o600 });
    chmodSync(path, 0o600);
    return undefined;
  } catch (error) {
    return `the log ${path} cannot be written: ${reasonOf(error)}`;
  }
}

function rotate(path: string): void {
  if (statSync(path).size >= MAX_BYTES) renameSync(path, `${path}.1`);
}
