/**
 * From the folded verdict to what the caller can be told about that event. Downgrades go towards safety only.
 */
import { blocks } from './fold';
import { compact, stringIn } from './json';
import type { Action, Block, Can, Rewrite, Row, Verdict } from './model';
import { clean } from './text';

/**
 * The verdict that the row can express. Every loss is a line in `losses`. It is a warning too where what a hook said is dropped;
 * none where it is told in a stricter word, or where silence means the same.
 */
export function fit(verdict: Verdict, row: Row): Verdict {
  return unsure(bare(fitContext(fitAction(fitRewrite(verdict, row), row), row), row), row);
}

/** It is told all the same: another version of the agent may act on it. */
function unsure(verdict: Verdict, row: Row): Verdict {
  const said = [verdict.action, verdict.context === undefined ? undefined : ('context' as const)];
  const doubts = said.flatMap((what) => (what === undefined ? [] : (row.unsure?.[what] ?? [])));
  return doubts.filter((doubt) => !verdict.losses.includes(doubt)).reduce(lose, verdict);
}

/** A block before the fact carries nothing else. */
function bare(verdict: Verdict, row: Row): Verdict {
  if (row.phase !== 'before' || !blocks(verdict.action)) return verdict;
  const { rewrite: _rewrite, rewriter: _rewriter, context: _context, ...rest } = verdict;
  return rest;
}

/** A rewrite that cannot be told would let the old input run: it becomes a block that shows the new one. */
function fitRewrite(verdict: Verdict, row: Row): Verdict {
  const { rewrite, rewriter, ...rest } = verdict;
  if (rewrite === undefined) return verdict;
  const can = row.can[rewrite.field];
  if (can === 'yes' || (can === 'with allow' && verdict.action === 'allow')) return verdict;
  const action = blockFor(can, row);
  const what = rewrite.field === 'input' ? 'arguments of this call' : 'prompt';
  if (action === undefined) return lose(withoutAllow(rest), `the rewritten ${what} cannot be told on ${row.native}`);
  const reason = `${rewriter?.hook ?? 'a hook'} rewrote the ${what}, which this caller cannot be told; use instead: ${clean(shown(rewrite))}`;
  return { ...note(rest, `rewrite → ${action}`), action, reason, source: { ...rewriter, kind: 'decision' } };
}

function shown({ field, value }: Rewrite): string {
  return (field === 'prompt' ? stringIn(value) : undefined) ?? compact(value.text);
}

/** What was allowed is the new input, which the caller does not get. */
function withoutAllow(verdict: Verdict): Verdict {
  if (verdict.action !== 'allow') return verdict;
  const { action: _action, reason: _reason, source: _source, ...rest } = verdict;
  return rest;
}

function fitAction(verdict: Verdict, row: Row): Verdict {
  if (verdict.action === undefined) return verdict;
  const can = row.can[verdict.action];
  if (can === 'yes') return verdict;
  const { action, reason, response, source, ...rest } = verdict;
  if (action === 'allow') return note(rest, `allow cannot be told on ${row.native}`);
  if (can === 'nothing') return note(rest, `${action} is silence on ${row.native}`);
  const instead = isAction(can) ? can : blockFor(can, row);
  if (instead === undefined) {
    const words = reason === undefined ? '' : `: ${reason}`;
    const whose = source?.hook === undefined ? '' : ` of ${source.hook}`;
    return lose(rest, `the ${action}${whose} cannot be told on ${row.native}${words}`);
  }
  return { ...note(verdict, `${action} → ${instead}`), action: instead };
}

function fitContext(verdict: Verdict, row: Row): Verdict {
  const can = row.can.context;
  if (verdict.context === undefined || can === 'yes' || (can === 'with allow' && verdict.action === 'allow'))
    return verdict;
  const { context, ...rest } = verdict;
  if (isAction(can) && can === verdict.action) {
    return { ...rest, reason: [verdict.reason, context].filter((text) => text !== undefined).join('\n\n') };
  }
  if (isAction(can) && blocks(can) && verdict.action === undefined) {
    return { ...note(rest, `context → ${can}`), action: can, reason: context, source: { kind: 'decision' } };
  }
  return lose(rest, `the added context (${context.length} chars) cannot be told on ${row.native}`);
}

/** The block that the row has for something that must not pass. */
function blockFor(can: Can, row: Row): Block | undefined {
  if (isAction(can) && blocks(can)) return can;
  if (row.synthetic !== 'warning') return row.synthetic;
  if (row.can.deny === 'yes') return 'deny';
  return row.can.stop === 'yes' ? 'stop' : undefined;
}

function isAction(can: Can): can is Action {
  return can === 'allow' || can === 'deny' || can === 'ask' || can === 'defer' || can === 'stop';
}

function note<V extends Verdict>(verdict: V, loss: string): V {
  return { ...verdict, losses: [...verdict.losses, loss] };
}

function lose<V extends Verdict>(verdict: V, loss: string): V {
  return { ...note(verdict, loss), warnings: [...verdict.warnings, loss] };
}
