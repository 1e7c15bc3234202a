/**
 * What is configured, as text and as JSON.
 */
import { clean, firstLine } from '../core/text';
import type { Paint } from './paint';

export type Listed = {
  readonly event: string;
  /** What its author calls the event. */
  readonly native?: string;
  readonly at: string;
  readonly hook: string;
  readonly author: string;
  readonly matcher?: string;
  /** The command, the URL, the module, the prompt. */
  readonly runs: string;
  readonly onError: string;
  readonly timeout?: string;
  /** Why it never runs. */
  readonly off?: string;
};

export type Listing = {
  readonly switches: { readonly displayHooks?: boolean; readonly yolo?: boolean };
  readonly hooks: readonly Listed[];
};

/** `yolo: on | hooks: preToolCall×2, postToolCall×1`, then one line a hook. */
export function listingText(listing: Listing, paint: Paint): string {
  const rows = listing.hooks.map(cellsOf);
  const widths = rows.reduce<number[]>(
    (most, cells) => cells.map((cell, n) => Math.max(cell.length, most[n] ?? 0)),
    [],
  );
  const lines = rows.map((cells, index) => {
    const text = cells
      .flatMap((cell, n) => (widths[n] === 0 ? [] : [cell.padEnd(widths[n] ?? 0)]))
      .join('  ')
      .trimEnd();
    return listing.hooks[index]?.off === undefined ? text : paint.dim(text);
  });
  return [paint.bold(bannerOf(listing)), ...lines].map((line) => `${line}\n`).join('');
}

/** `{"version":1,"yolo":…,"displayHooks":…,"hooks":[…],"summary":{"hooks":N,"off":N,"events":{…}}}`. */
export function listingJson({ switches, hooks }: Listing): string {
  const off = hooks.filter((hook) => hook.off !== undefined).length;
  const summary = { hooks: hooks.length, off, events: Object.fromEntries(countsOf(hooks)) };
  const { yolo = false, displayHooks = false } = switches;
  return `${JSON.stringify({ version: 1, yolo, displayHooks, hooks, summary }, null, 2)}\n`;
}

/** The banner that an agent shows. */
export function bannerOf({ switches, hooks }: Listing): string {
  const counts = [...countsOf(hooks.filter((hook) => hook.off === undefined))].map(
    ([event, count]) => `${event}×${count}`,
  );
  return `yolo: ${switches.yolo === true ? 'on' : 'off'} | hooks: ${counts.length === 0 ? 'none' : counts.join(', ')}`;
}

function cellsOf({ event, native, at, hook, matcher, runs, onError, timeout, off }: Listed): string[] {
  const command = clean(firstLine(runs));
  const name = hook === command || command.startsWith(hook.replace(/…$/, '')) ? '' : hook;
  const policy = `onError: ${onError}`;
  const limit = timeout === undefined ? '' : `timeout: ${timeout}`;
  const named = native === undefined ? event : `${event} (${native})`;
  return [named, at, off === undefined ? '' : `off: ${off}`, matcher ?? '', policy, limit, name, command].map(clean);
}

function countsOf(hooks: readonly Listed[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { event } of hooks) counts.set(event, (counts.get(event) ?? 0) + 1);
  return counts;
}
