/**
 * Advice about one hook, and about hooks beside one another.
 */
import type { Code, Finding } from '../core/finding';
import { placeOf } from '../core/fold';
import { misspelt, surprises, whyNever } from '../core/matcher';
import type { Row } from '../core/model';
import type { TreeSpan } from '../core/tree';
import { roomOf } from '../dialects';
import type { Doc, Ending, WrittenHook } from '../dialects/dialect';
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

/** The last words of a command that blocks when what stands before them fails; a comment may follow. */
const FALLS_BACK = /\|\|\s*exit\s+2\s*(?:#.*)?$/;

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
  function namesNoTool(known) {
    const found = hasPattern(known) ? misspelt(known.written.matcher?.text ?? '') : undefined;
    return found === undefined ? [] : [told(known, 'HK046', matcherSpan(known), { ...found })];
  },
  function failsOpen(known) {
    const { written, row, can } = known;
    const canSay = roomOf(written.hook.author)?.spec.failing !== undefined;
    if (!canSay || !can.blocks || row.synthetic === 'warning' || isSettled(written)) return [];
    return [told(known, 'HK028', commandSpan(known), failing(known))];
  },
  function exits1(known) {
    const { written, row, can } = known;
    if (!can.exitsWith1 || row.synthetic === 'warning' || isSettled(written)) return [];
    return [told(known, 'HK029', commandSpan(known), {})];
  },
  function crashesOpen(known) {
    const ending = endingOf(known);
    const command = known.written.command?.text.trim() ?? '';
    if (ending?.other !== 'failure' || !isBlock(ending.exit2) || !known.can.blocks || FALLS_BACK.test(command))
      return [];
    return [
      told(known, 'HK056', commandSpan(known), {
        meant: /[;&|\n]/.test(command) ? '( … ) || exit 2' : `${command} || exit 2`,
      }),
    ];
  },
  function blocksSilently(known) {
    const { exitsWith2, speaks } = known.can;
    return isBlock(endingOf(known)?.exit2) && exitsWith2 && !speaks && !onlyFallsBack(known)
      ? [told(known, 'HK057', commandSpan(known), {})]
      : [];
  },
  function decidesUnread(known) {
    const isRead = endingOf(known)?.reads !== 'permission';
    return isRead || !known.can.decides ? [] : [told(known, 'HK058', commandSpan(known), { agent: 'Kiro' })];
  },
  function blocksInVain(known) {
    if (endingOf(known)?.exit2 !== 'failure' || !known.can.exitsWith2) return [];
    return [told(known, 'HK059', commandSpan(known), { event: known.row.native })];
  },
  function loops(known) {
    const isLoop = endingOf(known)?.reads === 'block' && known.can.goesOnAlways;
    return isLoop ? [told(known, 'HK060', commandSpan(known), {})] : [];
  },
  function runsItsEvent(known) {
    return known.can.isShell ? [told(known, 'HK061', commandSpan(known), {})] : [];
  },
  function failsInVain(known) {
    const { written, row } = known;
    if (written.hook.onFailure !== 'block' || written.onFailure === undefined || row.synthetic !== 'warning') return [];
    const { plain, ...words } = failing(known);
    const fix: Finding['fix'] = { ...written.onFailure.span, how: 'replace', text: plain };
    return [{ ...told(known, 'HK036', written.onFailure.span, { event: written.hook.event, ...words }), fix }];
  },
];

/** It says itself what a failure does, or never runs. */
function isSettled({ hook, onFailure }: WrittenHook): boolean {
  return onFailure !== undefined || hook.off !== undefined || hook.onFailure === 'block';
}

/** What the author's format says of the end of the hook. */
function endingOf({ written, row }: Known): Ending | undefined {
  return roomOf(written.hook.author)?.spec.endings?.[row.native];
}

function isBlock(meaning: Ending['exit2'] | undefined): boolean {
  return meaning === 'deny' || meaning === 'stop';
}

/** A block for the case that the guard itself is missing or crashes says all there is to say. */
function onlyFallsBack({ written }: Known): boolean {
  return FALLS_BACK.test(written.command?.text ?? '');
}

/** How the author's format says what a failure does. */
function failing({ written }: Known): { key: string; block: string; warn: string; plain: string } {
  return roomOf(written.hook.author)?.spec.failing ?? { key: '', block: '', warn: '', plain: '' };
}

/** What is wrong with the order of hooks of one chain: of one file, or of files that are used together. */
export function orderFindings(chain: readonly Known[]): Finding[] {
  const guards: Known[] = [];
  let wall: Known | undefined;
  return chain.flatMap((known) => {
    const findings = [...rewritesLate(known, guards), ...neverRuns(known, wall)];
    if (isInTurn(known) && known.written.hook.off === undefined) {
      if (known.can.blocks && !known.can.rewrites) guards.push(known);
      if (isWall(known)) wall ??= known;
    }
    return findings;
  });
}

function rewritesLate(known: Known, guards: readonly Known[]): Finding[] {
  if (!known.can.rewrites || known.row.phase !== 'before') return [];
  const guard = guards.find((one) => mayMeet(one, known));
  return guard === undefined ? [] : [told(known, 'HK030', commandSpan(known), { guard: guard.written.hook.label })];
}

/** Nothing that comes behind it runs. */
function isWall({ can, written, row }: Known): boolean {
  return can.blocksAlways && written.hook.tests.length === 0 && row.exit2 !== 'failure';
}

function neverRuns(known: Known, wall: Known | undefined): Finding[] {
  if (wall === undefined || wall.row.exit2 === 'deny if said') return [];
  return [told(known, 'HK032', commandSpan(known), { first: placeOf(wall.written.hook) })];
}

/** The same event, condition, and thing to run, also in another file. The first one stays. */
export function duplicateFindings(all: readonly Known[]): Finding[] {
  const [same, twins] = [new Map<string, Known>(), new Map<string, Known>()];
  return all.flatMap((known) => {
    if (known.written.hook.off !== undefined) return [];
    const [key, twinKey] = [keyOf(known), twinKeyOf(known)];
    const twin = twinKey === undefined ? undefined : twins.get(twinKey);
    const other = same.get(key) ?? (twin?.written.hook.author === known.written.hook.author ? undefined : twin);
    if (other !== undefined) return [told(known, 'HK031', commandSpan(known), { first: placeOf(other.written.hook) })];
    same.set(key, known);
    if (twinKey !== undefined && twin === undefined) twins.set(twinKey, known);
    return [];
  });
}

function keyOf({ written: { hook, matcher } }: Known): string {
  return JSON.stringify([hook.author, hook.event, matcher?.text ?? '', hook.written.text, hook.root]);
}

/** A format that took over another's has its files' twins: the name counts, not how their conditions are written. */
function twinKeyOf({ written: { hook, command } }: Known): string | undefined {
  const family = roomOf(hook.author)?.spec.config?.family;
  return family === undefined || command === undefined
    ? undefined
    : JSON.stringify([family, hook.event, hook.label, command.text, hook.root]);
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
