/**
 * What the native callers say to people on stderr.
 */

import type { Action, Event, Verdict } from '../../core/model';
import { clean } from '../../core/text';

const DONE: Readonly<Partial<Record<Action, string>>> = { deny: 'denied', stop: 'stopped', defer: 'deferred' };

/** `🪝 bash [denied by a hook: <reason>]`. */
export function blockLine(verdict: Verdict, event: Event | undefined): string {
  const what = event?.tool?.name ?? (event?.name === 'preGeneration' ? 'prompt' : (event?.name ?? 'event'));
  const done = DONE[verdict.action ?? 'deny'] ?? 'denied';
  return `🪝 ${clean(what)} [${done} by a hook: ${verdict.reason ?? verdict.response ?? ''}]`;
}

/** One line a warning. */
export function warningLines(verdict: Verdict): string[] {
  return verdict.warnings.map((warning) => `hookctl: warning: ${warning}`);
}
