/**
 * PRX's payload → event, and the other way round: any caller's event → the envelope that a PRX hook reads.
 */
import { compact, fieldsOf, isObject, objectText, rawOf, splice, stringIn } from '../../core/json';
import type { Event, Raw } from '../../core/model';
import { decode } from '../../core/text';
import type { Hint, Refused } from '../dialect';
import { type Envelope, envelopeOf, lacking, readEnvelope } from './envelope';
import { canonicalOf, canonicalTool, MAX_EVENT_BYTES, nativeOf, PAYLOADS, spec } from './spec';

/** Refused, with the reason: anything but one JSON object, an unknown event, a field of the envelope that is not as it must be. */
export function readEvent(bytes: Uint8Array, hint: Hint): Event | Refused {
  const { env } = hint;
  const asked = hint.event ?? filled(env['ZERO_HOOK_EVENT']);
  const envelope = readEnvelope(bytes, {
    ...(asked === undefined ? {} : { event: prxName(asked) }),
    session: env['HOOKCTL_SESSION'] ?? env['ZERO_HOOK_SESSION'] ?? '',
    timestamp: filled(env['ZERO_HOOK_TIMESTAMP']) ?? hint.now,
    what: 'the event on stdin',
  });
  if (!('refused' in envelope)) return eventOf(envelope, hint.cwd);
  const name = envelope.event === undefined ? undefined : canonicalOf(envelope.event);
  return { refused: envelope.refused, ...(name === undefined ? {} : { event: name }) };
}

/** `--event` may be PRX's name or hookctl's. */
function prxName(said: string): string {
  return nativeOf(said) ?? said;
}

function filled(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}

/** The event of an envelope; fields that its payload lacks are warnings. `cwd` absolute. */
export function eventOf(envelope: Envelope, cwd: string): Event {
  const { event, session, timestamp, payload, others, text, lacks } = envelope;
  const tool = toolOf(event, payload);
  return {
    name: canonicalOf(event) ?? event,
    cwd,
    ...(session === '' ? {} : { session }),
    ...(tool === undefined ? {} : { tool }),
    rest: [['timestamp', rawOf(timestamp)], ['payload', payload], ...others],
    ...(lacks.length === 0 ? {} : { warnings: lacks.map((lack) => `${event}: ${lack}`) }),
    from: { room: spec.id, event, bytes: new TextEncoder().encode(text) },
  };
}

function toolOf(event: string, payload: Raw): Event['tool'] {
  if (event !== 'tool_call_start' && event !== 'tool_call') return undefined;
  const fields = new Map(fieldsOf(payload));
  const [named, input, output, success] = ['tool', 'arguments', 'output', 'success'].map((key) => fields.get(key));
  const name = named === undefined ? undefined : stringIn(named);
  if (name === undefined || name === '') return undefined;
  const canonical = canonicalTool(name);
  return {
    name,
    ...(canonical === undefined ? {} : { canonical }),
    ...(input !== undefined && isObject(input) ? { input } : {}),
    ...(event === 'tool_call' && output !== undefined ? { output } : {}),
    ...(success?.text === 'true' || success?.text === 'false' ? { success: success.text === 'true' } : {}),
  };
}

/** What PRX would send of a native event; as it is, where PRX has no such event. */
export function payload(event: Event): Raw {
  const given = givenTo(event, '2026-01-01T00:00:00.000Z');
  return 'text' in given ? given : { text: decode(event.from.bytes ?? new Uint8Array()) };
}

/** What a PRX hook is given of an event. */
export type Given = {
  readonly event: string;
  readonly session: string;
  readonly timestamp: string;
  readonly text: string;
};

/**
 * The envelope of any caller's event, or why there is none: PRX has no such event, or it is larger than 65,536 bytes.
 * `now` is ISO 8601.
 */
export function givenTo(event: Event, now: string): Given | { readonly why: string } {
  const native = nativeOf(event.name);
  if (native === undefined) return { why: `PRX has no event ${event.name}` };
  const given = event.from.room === spec.id ? ownEnvelope(event) : foreignEnvelope(native, event, now);
  const size = sizeOf(given.text);
  return size > MAX_EVENT_BYTES
    ? { why: `the event has ${size} bytes, and at most ${MAX_EVENT_BYTES} are handed to hooks` }
    : given;
}

function sizeOf(text: string): number {
  return text.length > MAX_EVENT_BYTES ? text.length : new TextEncoder().encode(text).length;
}

/** As it was read, with a rewrite spliced in. */
function ownEnvelope(event: Event): Given {
  const rest = new Map(event.rest);
  const timestamp = stringIn(rest.get('timestamp') ?? { text: '""' }) ?? '';
  const bytes = decode(event.from.bytes ?? new Uint8Array());
  const input = event.rewritten === 'input' ? event.tool?.input : undefined;
  const text = input === undefined ? bytes : splice(bytes, ['payload', 'arguments'], { text: compact(input.text) });
  return { event: event.from.event, session: event.session ?? '', timestamp, text };
}

function foreignEnvelope(native: string, event: Event, now: string): Given {
  const sent = new Map(event.rest).get('payload');
  const fits = sent !== undefined && isObject(sent) && lacking(native, sent).length === 0;
  const session = (event.session ?? '').replace(/[\x00-\x1f\x7f]/g, '');
  const { text } = envelopeOf(native, now, session, fits ? sent : builtPayload(native, event));
  return { event: native, session, timestamp: now, text };
}

const NULL: Raw = { text: 'null' };

/** What the caller says; null, never invented, where it does not. */
function builtPayload(native: string, event: Event): Raw {
  const { tool, session } = event;
  const known: Readonly<Record<string, Raw | undefined>> = {
    tool: tool === undefined ? undefined : rawOf(tool.name),
    arguments: tool?.input,
    success: tool?.success === undefined ? undefined : rawOf(tool.success),
    output: tool?.output === undefined ? undefined : asText(tool.output),
  };
  const agent = native === 'agent_start' ? { agent: rawOf(event.from.room), session: rawOf(session ?? '') } : {};
  const values = { ...(native.startsWith('tool_call') ? known : {}), ...agent };
  const keys = Object.keys(PAYLOADS.get(native) ?? {});
  return { text: objectText(keys.map((key) => [key, new Map(Object.entries(values)).get(key) ?? NULL])) };
}

/** An output that is no string becomes its compact JSON. */
function asText(output: Raw): Raw {
  return stringIn(output) === undefined ? rawOf(compact(output.text)) : output;
}
