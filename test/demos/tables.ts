/**
 * Tables of the demos: tool calls and what the hooks say about them.
 */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { limited } from '../harness/limit';
import { ROOT } from './readme';

/** A row of `demos/languages/events.yaml`. */
export type Call = {
  readonly tool?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly action?: 'deny';
};

/** A row of `redact.yaml`. */
export type Redaction = {
  readonly command: string;
  readonly becomes?: string;
  readonly env?: Readonly<Record<string, string>>;
};

export type Verdict = { readonly action?: string; readonly input?: unknown; readonly context?: string };

export const CALLS: readonly Call[] = parse(readFileSync(join(ROOT, 'demos/languages/events.yaml'), 'utf8'));
export const REDACTIONS: readonly Redaction[] = parse(readFileSync(join(import.meta.dirname, 'redact.yaml'), 'utf8'));

const atMostFour = limited(4);

/** What `hookctl run demos/<config>` says about a tool call. The event may be given as text. */
export function verdictOf(config: string, event: string | Call, env: Record<string, string> = {}): Promise<Verdict> {
  const asked = typeof event === 'string' ? event : JSON.stringify(eventOf(event));
  return atMostFour(async () => {
    const args = [join(ROOT, 'bin/hookctl.js'), 'run', join(ROOT, 'demos', config)];
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.stdin.end(asked);
    return JSON.parse(await text(child.stdout));
  });
}

function eventOf({ tool = 'bash', input }: Call) {
  return { event: 'preToolCall', cwd: '/', tool: { name: tool, input } };
}
