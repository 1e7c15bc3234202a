/**
 * The caller's side: the IDE hands over a text in a variable, or nothing, and reads an exit code, stderr and stdout.
 */
import { rawOf, scan, typeOf } from '../../core/json';
import type { Event, Reply, Verdict } from '../../core/model';
import { decode, isBlank } from '../../core/text';
import { JsonObject } from '../_shared/json-object';
import { eventOf, type KiroCaller, namesOf, outputOf } from '../_shared/kiro-event';
import { kiroReply } from '../_shared/kiro-reply';
import { canonicalOf } from '../_shared/kiro-tools';
import type { Hint, Refused } from '../dialect';
import { ROWS } from './spec';

const CALLER: KiroCaller = { room: 'kiro-hook', rows: ROWS, aliases: {} };
const NO_TOOL =
  'the Kiro IDE handed over no tool (several builds of 0.11 and 0.12 hand over {}), so the call cannot be judged; update the IDE, or use the hook without tools';
const IDE_KEYS = ['toolName', 'toolArgs', 'toolResult', 'toolSuccess'];

/** The IDE does not say which event it is: `--event` must. Nothing handed over is an event without a payload. */
export function readEvent(bytes: Uint8Array, hint: Hint): Event | Refused {
  if (hint.event === undefined)
    return { refused: 'a hook of the Kiro IDE must say which event it is for: add --event, as in --event preToolUse' };
  const { native, name } = namesOf(hint.event, CALLER);
  const object = objectIn(bytes);
  const event: Event = { ...eventOf(object, name, hint, 'kiro-hook'), from: { room: 'kiro-hook', event: native } };
  if (name === 'preToolCall' || name === 'postToolCall') {
    const tool = event.tool ?? toolOf(object);
    const rest = event.rest.filter(([key]) => !IDE_KEYS.includes(key));
    return tool === undefined ? { refused: NO_TOOL, event: name } : { ...event, tool, rest };
  }
  if (name !== 'preGeneration' || object.text('prompt') !== undefined || isBlank(bytes)) return event;
  return { ...event, rest: [], prompt: rawOf(decode(bytes)) };
}

export function writeReply(verdict: Verdict, event: Event | undefined): Reply {
  return kiroReply(verdict, event, 'exit');
}

/** Without members where it is none. */
function objectIn(bytes: Uint8Array): JsonObject {
  const scanned = scan(bytes);
  const isObject = scanned.kind === 'json' && typeOf(scanned.bytes, scanned.root) === 'object';
  return isObject ? new JsonObject(scanned.bytes, scanned.root) : new JsonObject(bytes, undefined);
}

function toolOf(object: JsonObject): Event['tool'] {
  const name = object.text('toolName') ?? '';
  if (name === '') return undefined;
  const [result, success] = [object.raw('toolResult'), object.flag('toolSuccess')];
  return {
    name,
    ...canonicalOf(name, 'kiro-hook'),
    input: object.raw('toolArgs') ?? rawOf({}),
    ...(result === undefined ? {} : outputOf(result)),
    ...(success === undefined ? {} : { success }),
  };
}
