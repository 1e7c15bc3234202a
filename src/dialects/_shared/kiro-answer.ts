/**
 * JSON on the stdout of Kiro's hooks that decides. Kiro itself ignores most of it; what restricts counts here.
 */
import { fieldsOf, isObject, members, raw, scan, stringIn, typeOf } from '../../core/json';
import type { Raw } from '../../core/model';
import { filled } from '../../core/text';

/** `go on`: it has a word of decision that restricts nothing. */
export type Permission = { readonly verb: 'deny' | 'ask' | 'go on'; readonly reason?: string };

const DENYING = ['deny', 'block'];

/** What one JSON object, alone on stdout, says of a call that is about to happen; undefined where it decides nothing. */
export function permissionIn(out: string): Permission | undefined {
  const top = objectIn(out);
  if (top === undefined) return undefined;
  const parts = [top, innerOf(top)];
  const permissions = parts.flatMap((part) => part.get('permissionDecision') ?? []).map(stringIn);
  const decision = top.get('decision');
  if (permissions.length === 0 && decision === undefined) return undefined;
  const said = decision === undefined ? undefined : stringIn(decision);
  const reason = textOf(parts, 'permissionDecisionReason') ?? textOf(parts, 'reason');
  if (permissions.includes('deny') || DENYING.includes(said ?? '')) return permission('deny', reason);
  return permissions.includes('ask') ? permission('ask', textOf(parts, 'permissionDecisionReason')) : { verb: 'go on' };
}

/** The wish of a hook at the end of a turn that the agent goes on; a block without a reason is none. */
export function turnBlockIn(out: string): { readonly reason: string } | 'no reason' | undefined {
  const top = objectIn(out);
  if (top === undefined) return undefined;
  const part = [top, innerOf(top)].find((one) => textOf([one], 'decision') === 'block');
  if (part === undefined) return undefined;
  const reason = textOf([part], 'reason');
  return reason === undefined ? 'no reason' : { reason };
}

type Members = ReadonlyMap<string, Raw>;

function objectIn(out: string): Members | undefined {
  const text = out.trim();
  if (!text.startsWith('{')) return undefined;
  const scanned = scan(new TextEncoder().encode(text));
  if (scanned.kind === 'fault' || typeOf(scanned.bytes, scanned.root) !== 'object') return undefined;
  return new Map(members(scanned.bytes, scanned.root).map(({ key, value }) => [key, raw(scanned.bytes, value)]));
}

function innerOf(top: Members): Members {
  const inner = top.get('hookSpecificOutput');
  return new Map(inner !== undefined && isObject(inner) ? fieldsOf(inner) : []);
}

function textOf(parts: readonly Members[], key: string): string | undefined {
  for (const part of parts) {
    const value = part.get(key);
    const text = value === undefined ? undefined : filled(stringIn(value));
    if (text !== undefined) return text;
  }
  return undefined;
}

function permission(verb: 'deny' | 'ask', reason: string | undefined): Permission {
  return reason === undefined ? { verb } : { verb, reason };
}
