/**
 * The demos under their suites, and single events against their configs.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from './readme';

type Summary = { readonly passed: number; readonly failed: number; readonly errors: number };

/** What `hookctl test` counts. */
export async function suites(words: readonly string[]): Promise<Summary> {
  return JSON.parse(await hookctl(['test', ...words, '--reporter', 'json'], '')).summary;
}

/** What `hookctl run demos/<config>` says about an event. */
export async function verdictOf(config: string, event: string): Promise<{ readonly action?: string }> {
  return JSON.parse(await hookctl(['run', `demos/${config}`], event));
}

function hookctl(words: readonly string[], input: string): Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, 'bin/hookctl.js'), ...words], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.end(input);
  return text(child.stdout);
}
