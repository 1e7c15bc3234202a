/**
 * From what each hook said to one verdict.
 */
import { fieldsOf, objectText } from './json';
import type { Action, Block, Event, Hook, Outcome, ProcessJob, Raw, Rewrite, Row, Verdict } from './model';
import { joinDistinct } from './text';

/** What one hook said, and who it was. */
export type Said = {
  readonly hook: string;
  readonly at: string;
  readonly outcome: Outcome;
  /** Whose rewrite it is, where a group speaks and the one who decided is not the one who rewrote. */
  readonly rewriter?: { readonly hook: string; readonly at: string };
};

/** The strongest comes first. */
const STRENGTH = ['stop', 'deny', 'defer', 'ask', 'allow'] as const satisfies readonly Action[];

/** Of these the reasons of all hooks that said it count. */
const JOINED: readonly Action[] = ['defer', 'ask'];

/** `file:line` of a hook, as sources and traces tell it. */
export function placeOf({ at }: Hook): string {
  return `${at.file}:${at.line}`;
}

/** What a process runs, in one text: the command of a shell, or a program and its arguments. */
export function commandText({ argv }: ProcessJob): string {
  const [words = []] = argv;
  const isShell = words[1] === '-c' && words.length === 3;
  return isShell ? (words[2] ?? '') : words.join(' ');
}

/** Does it end a chain? */
export function blocks(action: Action | undefined): action is Block {
  return action === 'deny' || action === 'stop';
}

/**
 * What a failure does under the hook's policy: a block where the row lets a synthetic one land, else a warning, or nothing.
 * Every other outcome is left as it is.
 */
export function settle(outcome: Outcome, hook: Hook, row: Row): Outcome {
  if (outcome.kind !== 'failure') return outcome;
  const text = `${hook.label} failed: ${outcome.failure ?? 'unknown'}`;
  if (hook.onFailure === 'ignore') return outcome;
  const block = row.failed ?? row.synthetic;
  if (hook.onFailure === 'block' && block !== 'warning') return { ...outcome, action: block, reason: text };
  return { ...outcome, warnings: [text, ...outcome.warnings] };
}

/**
 * The verdict of a chain: what the hooks said, in the order in which they count, already settled.
 *
 * deny or stop > defer > ask > allow > none. The first block counts and what stands behind it does not. A rewrite withdraws
 * every earlier allow, which never saw that input.
 */
export function fold(said: readonly Said[], row: Row): Verdict {
  const counted = throughFirstBlock(said);
  const last = counted.at(-1);
  const blocked = last !== undefined && blocks(last.outcome.action);
  const dropped = blocked && row.phase === 'before';
  return {
    ...deciding(counted),
    ...(dropped ? {} : { ...contextOf(counted), ...(blocked ? {} : rewriteOf(counted)) }),
    ...extrasOf(counted),
    warnings: [...new Set(counted.flatMap((one) => one.outcome.warnings))],
    losses: [],
  };
}

/**
 * One group that started together, as one thing said. Config order decides, never who finished first.
 *
 * stop > deny > defer > ask > allow > none; of several rewrites the last one remains, with a warning where they differ;
 * an allow is withdrawn where another hook rewrote the input that it saw.
 */
export function mergeGroup(said: readonly Said[]): Said {
  const rewriters = said.filter((one) => one.outcome.rewrite !== undefined);
  const rewriter = rewriters.at(-1);
  const counted = said.map((one) => (rewriter !== undefined && one !== rewriter ? withoutAllow(one) : one));
  const winner = strongest(counted);
  const action = winner?.outcome.action;
  const winners = counted.filter((one) => action !== undefined && one.outcome.action === action);
  const reason = joined(winners.map((one) => one.outcome.reason));
  const response = joined(winners.map((one) => one.outcome.response));
  const outcome: Outcome = {
    kind: winner?.outcome.kind ?? 'none',
    ...(action === undefined ? {} : { action }),
    ...(reason === undefined ? {} : { reason }),
    ...(response === undefined ? {} : { response }),
    ...contextOf(counted),
    ...(rewriter?.outcome.rewrite === undefined ? {} : { rewrite: rewriter.outcome.rewrite }),
    ...extrasOf(counted),
    warnings: [...counted.flatMap((one) => one.outcome.warnings), ...rivals(rewriters)],
  };
  const speaker = winner ?? rewriter ?? said[0];
  return {
    hook: speaker?.hook ?? '',
    at: speaker?.at ?? '',
    outcome,
    ...(rewriter === undefined ? {} : { rewriter: { hook: rewriter.hook, at: rewriter.at } }),
  };
}

/** The event with the rewrite applied to its field. */
export function rewriteEvent(event: Event, rewrite: Rewrite): Event {
  if (rewrite.field === 'prompt') return { ...event, prompt: rewrite.value, rewritten: 'prompt' };
  if (event.tool === undefined) return event;
  const input = rewrite.how === 'merge' ? merged(event.tool.input, rewrite.value) : rewrite.value;
  return { ...event, tool: { ...event.tool, input }, rewritten: 'input' };
}

function throughFirstBlock(said: readonly Said[]): readonly Said[] {
  const first = said.findIndex((one) => blocks(one.outcome.action));
  return first < 0 ? said : said.slice(0, first + 1);
}

/** Action, reason, response and source of the strongest thing said. */
function deciding(said: readonly Said[]): Pick<Verdict, 'action' | 'reason' | 'response' | 'asked' | 'source'> {
  const rewrittenAt = said.findLastIndex((one) => one.outcome.rewrite !== undefined);
  const standing = said.map((one, index) => (index < rewrittenAt ? withoutAllow(one) : one));
  const winner = strongest(standing);
  if (winner === undefined) return {};
  const { action, response, kind } = winner.outcome;
  if (action === undefined || kind === 'none') return {};
  const speakers = JOINED.includes(action) ? standing.filter((one) => one.outcome.action === action) : [winner];
  const reason = joined(speakers.map((one) => one.outcome.reason));
  const asked =
    action === 'defer'
      ? joined(standing.map((one) => (one.outcome.action === 'ask' ? one.outcome.reason : undefined)))
      : undefined;
  return {
    action,
    ...(reason === undefined ? {} : { reason }),
    ...(response === undefined ? {} : { response }),
    ...(asked === undefined ? {} : { asked }),
    source: { hook: winner.hook, at: winner.at, kind },
  };
}

function strongest(said: readonly Said[]): Said | undefined {
  for (const action of STRENGTH) {
    const first = said.find((one) => one.outcome.action === action);
    if (first !== undefined) return first;
  }
  return undefined;
}

function withoutAllow(one: Said): Said {
  if (one.outcome.action !== 'allow') return one;
  const { action: _allow, reason: _reason, ...outcome } = one.outcome;
  return { ...one, outcome: { ...outcome, kind: 'none' } };
}

function contextOf(said: readonly Said[]): Pick<Verdict, 'context'> {
  const texts = said.flatMap((one) => one.outcome.context ?? []);
  return texts.length === 0 ? {} : { context: texts.join('\n\n') };
}

function rewriteOf(said: readonly Said[]): Pick<Verdict, 'rewrite' | 'rewriter'> {
  const last = said.findLast((one) => one.outcome.rewrite !== undefined);
  if (last?.outcome.rewrite === undefined) return {};
  return { rewrite: last.outcome.rewrite, rewriter: last.rewriter ?? { hook: last.hook, at: last.at } };
}

function extrasOf(said: readonly Said[]): Pick<Verdict, 'extras'> {
  const extras = said.flatMap((one) => one.outcome.extras ?? []);
  return extras.length === 0 ? {} : { extras };
}

function rivals(rewriters: readonly Said[]): string[] {
  const values = new Set(rewriters.map((one) => one.outcome.rewrite?.value.text));
  if (values.size < 2) return [];
  const names = rewriters.map((one) => one.hook).join(', ');
  return [`${names} rewrite the same input; the last one, ${rewriters.at(-1)?.hook}, remains`];
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const said = texts.filter((text) => text !== undefined);
  return said.length === 0 ? undefined : joinDistinct(said, '\n');
}

function merged(base: Raw | undefined, over: Raw): Raw {
  const members = new Map(base === undefined ? [] : fieldsOf(base));
  for (const [key, value] of fieldsOf(over)) members.set(key, value);
  return { text: objectText([...members]) };
}
