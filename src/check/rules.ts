/**
 * Advice about one hook, and about hooks beside one another.
 */
import type { Code, Finding } from '../core/finding';
import { placeOf } from '../core/fold';
import { surprises, whyNever } from '../core/matcher';
import type { Row } from '../core/model';
import type { TreeSpan } from '../core/tree';
import { roomOf } from '../dialects';
import type { Doc, WrittenHook } from '../dialects/dialect';
import type { Abilities } from './guards';

/** A hook with what is known of it. */
export type Known = { readonly written: WrittenHook; readonly row: Row; readonly can: Abilities; readonly doc: Doc };

/** The row of a hook's event in its author's room, or what any unknown event takes. */
export function authorRow({ hook }: WrittenHook): Row | undefined {
  return roomOf(hook.author)?.spec.rows.find((row) => row.canonical === hook.event);
}

/** What one hook does not say as it means it. */
export function ruleFindings(known: Known): Finding[] {
  return RULES.flatMap((rule) => rule(known));
}

const RULES: readonly ((known: Known) => Finding[])[] = [
  function neverMatches(known) {
    const never = whyNever(known.written.matcher?.text ?? '');
    if (never === undefined || !hasPattern(known)) return [];
    return [told(known, 'HK026', matcherSpan(known), { matcher: quoted(known), ...never })];
  },
  function matchesMore(known) {
    const found = hasPattern(known) ? surprises(known.written.matcher?.text ?? '') : undefined;
    if (found === undefined) return [];
    const args = { matcher: quoted(known), names: found.names.join(', '), anchored: found.anchored };
    return [told(known, 'HK027', matcherSpan(known), args)];
  },
  function failsOpen(known) {
    const { written, row, can } = known;
    if (!can.blocks || row.synthetic === 'warning' || written.onFailure !== undefined) return [];
    return [told(known, 'HK028', commandSpan(known), failing(known))];
  },
  function exits1(known) {
    const { written, row, can } = known;
    if (!can.exitsWith1 || row.synthetic === 'warning' || written.hook.onFailure === 'block') return [];
    return [told(known, 'HK029', commandSpan(known), {})];
  },
  function failsInVain(known) {
    const { written, row } = known;
    if (written.hook.onFailure !== 'block' || written.onFailure === undefined || row.synthetic !== 'warning') return [];
    const { plain, ...words } = failing(known);
    const fix: Finding['fix'] = { ...written.onFailure.span, how: 'replace', text: plain };
    return [{ ...told(known, 'HK036', written.onFailure.span, { event: written.hook.event, ...words }), fix }];
  },
];

/** How the author's format says what a failure does. */
function failing({ written }: Known): { key: string; block: string; warn: string; plain: string } {
  return roomOf(written.hook.author)?.spec.failing ?? { key: '', block: '', warn: '', plain: '' };
}

/** What is wrong with the order of hooks of one chain: of one file, or of files that are used together. */
export function orderFindings(chain: readonly Known[]): Finding[] {
  return chain.flatMap((known, index) => {
    const before = chain.slice(0, index).filter((one) => isInTurn(one) && one.written.hook.off === undefined);
    return [...rewritesLate(known, before), ...neverRuns(known, before)];
  });
}

function rewritesLate(known: Known, before: readonly Known[]): Finding[] {
  const guard = before.find((one) => one.can.blocks && !one.can.rewrites && mayMeet(one, known));
  if (!known.can.rewrites || guard === undefined || known.row.phase !== 'before') return [];
  return [told(known, 'HK030', commandSpan(known), { guard: guard.written.hook.label })];
}

function neverRuns(known: Known, before: readonly Known[]): Finding[] {
  const wall = before.find(
    (one) => one.can.blocksAlways && one.written.hook.tests.length === 0 && one.row.exit2 !== 'failure',
  );
  if (wall === undefined || wall.row.exit2 === 'deny if said') return [];
  return [told(known, 'HK032', commandSpan(known), { first: placeOf(wall.written.hook) })];
}

/** The same event, condition, and thing to run, also in another file. The first one stays. */
export function duplicateFindings(all: readonly Known[]): Finding[] {
  const first = new Map<string, Known>();
  return all.flatMap((known) => {
    const { hook, matcher } = known.written;
    const key = JSON.stringify([hook.author, hook.event, matcher?.text ?? '', hook.written.text, hook.root]);
    const other = hook.off === undefined ? first.get(key) : undefined;
    if (hook.off === undefined && other === undefined) first.set(key, known);
    return other === undefined
      ? []
      : [told(known, 'HK031', commandSpan(known), { first: placeOf(other.written.hook) })];
  });
}

/** Only in agent YAML is a matcher a pattern. */
function hasPattern({ written }: Known): boolean {
  return written.hook.tests.some((test) => test.kind === 'regex' && test.of === 'tool');
}

function isInTurn({ written }: Known): boolean {
  return written.hook.order.start === 'in turn';
}

/** Two matchers that name different tools never meet; any others may. */
function mayMeet(one: Known, other: Known): boolean {
  const [names, others] = [namesOf(one), namesOf(other)];
  return names === undefined || others === undefined || names.some((name) => others.includes(name));
}

function namesOf({ written }: Known): readonly string[] | undefined {
  const [, names] = /^\^\(?(?:\?:)?([\w|]+)\)?\$$/.exec(written.matcher?.text ?? '') ?? [];
  return names?.split('|');
}

function quoted({ written }: Known): string {
  return JSON.stringify(written.matcher?.text ?? '');
}

function matcherSpan({ written }: Known): TreeSpan {
  return written.matcher?.span ?? written.span;
}

function commandSpan({ written }: Known): TreeSpan {
  return written.command?.span ?? written.module?.span ?? written.span;
}

function told({ doc }: Known, code: Code, span: TreeSpan, args: Finding['args']): Finding {
  return { code, at: doc.place(span), args };
}
