/**
 * The envelope of an event: read from what a caller sent, completed, and written as the bytes that every hook gets.
 */
import { compact, fieldsOf, isObject, objectText, rawOf, scan, stringIn, textOf, typeOf } from '../../core/json';
import type { Fields, Raw } from '../../core/model';
import { didYouMean } from '../../core/nearest';
import { clean, isBlank } from '../../core/text';
import { EVENTS, type FieldType, normalised, PAYLOADS } from './spec';

export type Envelope = {
  /** PRX's name, normalised. */
  readonly event: string;
  readonly session: string;
  readonly timestamp: string;
  readonly payload: Raw;
  /** Further fields at the top. */
  readonly others: Fields;
  /** The whole of it, one compact line without a line feed: what hooks, files and subscribers get. */
  readonly text: string;
  /** Fields of the payload that are missing or of another type, each a phrase. */
  readonly lacks: readonly string[];
};

/** `why` is a phrase; `event` is PRX's name where it is known all the same. */
export type BadEnvelope = { readonly refused: string; readonly event?: string };

export type EnvelopeHint = {
  /** The event, where the text is its payload or says the same. */
  readonly event?: string;
  /** For an event that has none of its own. */
  readonly session: string;
  readonly timestamp: string;
  /** How messages call the text: `the event on stdin`. */
  readonly what: string;
};

const FIRST = ['event', 'timestamp', 'session_id', 'payload'];
const CONTROL = /[\x00-\x1f\x7f]/;
const ISO = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/;

/**
 * Reads a JSON object with `event`; one without it is the payload of `hint.event`. Empty text is the payload `{}` there.
 * Duplicate keys and invalid UTF-8 are refused; `lacks` is left to the caller to judge.
 */
export function readEnvelope(bytes: Uint8Array, hint: EnvelopeHint): Envelope | BadEnvelope {
  if (isBlank(bytes)) {
    if (hint.event === undefined) return { refused: `${hint.what} is empty; one JSON object is expected` };
    return bare(hint, { text: '{}' });
  }
  const scanned = scan(bytes);
  if (scanned.kind === 'fault') {
    const { line, column, why } = scanned;
    return { refused: `${hint.what} is not valid JSON: line ${line}, column ${column}: ${why}` };
  }
  if (typeOf(scanned.bytes, scanned.root) !== 'object') return { refused: `${hint.what} must be one JSON object` };
  const text = compact(textOf(scanned.bytes, scanned.root));
  const fields = fieldsOf({ text });
  const isEnvelope = fields.some(([key]) => key === 'event');
  if (isEnvelope) return fromFields(fields, hint);
  return hint.event === undefined ? { refused: `${hint.what} has no "event"` } : bare(hint, { text });
}

function bare(hint: EnvelopeHint, payload: Raw): Envelope | BadEnvelope {
  return fromFields([['payload', payload]], hint);
}

function fromFields(fields: Fields, hint: EnvelopeHint): Envelope | BadEnvelope {
  const given = new Map(fields);
  const event = eventIn(given, hint);
  if (typeof event !== 'string') return event;
  const timestamp = given.get('timestamp') ?? rawOf(hint.timestamp);
  const session = given.get('session_id') ?? rawOf(hint.session);
  const payload = given.get('payload') ?? { text: '{}' };
  const why = faultOf(stringIn(timestamp), stringIn(session), payload);
  if (why !== undefined) return { refused: `${hint.what}: ${why}`, event };
  const others = fields.filter(([key]) => !FIRST.includes(key));
  const written = given.get('event');
  return made({
    event: { name: event, raw: written !== undefined && stringIn(written) === event ? written : rawOf(event) },
    timestamp,
    session,
    payload,
    others,
  });
}

type Parts = {
  readonly event: { readonly name: string; readonly raw: Raw };
  readonly timestamp: Raw;
  readonly session: Raw;
  readonly payload: Raw;
  readonly others: Fields;
};

function made({ event, timestamp, session, payload, others }: Parts): Envelope {
  const text = objectText([
    ['event', event.raw],
    ['timestamp', timestamp],
    ['session_id', session],
    ['payload', payload],
    ...others,
  ]);
  return {
    event: event.name,
    session: stringIn(session) ?? '',
    timestamp: stringIn(timestamp) ?? '',
    payload,
    others,
    text,
    lacks: lacking(event.name, payload),
  };
}

/** An envelope of values that are known to be right. */
export function envelopeOf(event: string, timestamp: string, session: string, payload: Raw): Envelope {
  const [name, time, id] = [rawOf(event), rawOf(timestamp), rawOf(session)];
  return made({
    event: { name: event, raw: name },
    timestamp: time,
    session: id,
    payload: { text: compact(payload.text) },
    others: [],
  });
}

function eventIn(given: ReadonlyMap<string, Raw>, { event: asked, what }: EnvelopeHint): string | BadEnvelope {
  const raw = given.get('event');
  const said = raw === undefined ? asked : stringIn(raw);
  if (said === undefined) return { refused: `${what}: "event" must be a string` };
  const name = normalised(said);
  if (!EVENTS.includes(name)) {
    return {
      refused: clean(`${what}: unknown event "${said}"${didYouMean(name, EVENTS)} (there is ${EVENTS.join(', ')})`),
    };
  }
  if (asked === undefined || normalised(asked) === name) return name;
  return { refused: clean(`${what} says it is "${said}", but "${asked}" was asked for`), event: name };
}

function faultOf(timestamp: string | undefined, session: string | undefined, payload: Raw): string | undefined {
  if (timestamp === undefined) return '"timestamp" must be a string';
  if (CONTROL.test(timestamp)) return '"timestamp" has a control character';
  if (!ISO.test(timestamp)) return '"timestamp" must be a date, time and zone, as in 2026-03-21T08:15:30.123Z';
  if (session === undefined) return '"session_id" must be a string';
  if (CONTROL.test(session)) return '"session_id" has a control character';
  return isObject(payload) ? undefined : '"payload" must be an object';
}

/** What the payload of an event does not have as it must. */
export function lacking(event: string, payload: Raw): string[] {
  const fields = new Map(fieldsOf(payload));
  return Object.entries(PAYLOADS.get(event) ?? {}).flatMap(([key, type]) => {
    const value = fields.get(key);
    if (value === undefined) return [`"payload.${key}" (${type}) is missing`];
    return isOfType(value, type) ? [] : [`"payload.${key}" must be ${ARTICLE[type]}`];
  });
}

const ARTICLE: Readonly<Record<FieldType, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
};

function isOfType({ text }: Raw, type: FieldType): boolean {
  switch (type) {
    case 'string':
      return text.startsWith('"');
    case 'object':
      return text.startsWith('{');
    case 'boolean':
      return text === 'true' || text === 'false';
    case 'number':
      return /^[-\d]/.test(text);
  }
}
