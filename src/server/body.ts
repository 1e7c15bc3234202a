/**
 * The body of a request: bounded, JSON.
 */
import type { IncomingMessage } from 'node:http';
import { parseFile } from '../config/parse';
import type { Tree } from '../core/tree';
import { Refusal } from './refusal';

const MAX_BYTES = 262_144;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset=(?:utf-8|"utf-8"))?\s*$/i;
const TOO_LARGE = `the body is larger than ${MAX_BYTES} bytes`;

/** All of it. Refused: another type (415), more than 256 KiB (413, before it is read where its length is told). */
export async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  if (!JSON_TYPE.test(request.headers['content-type'] ?? ''))
    throw new Refusal(415, 'the body must be application/json');
  return readAny(request);
}

/** The same, whatever its type. */
export async function readAny(request: IncomingMessage): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES)
    throw new Refusal(413, TOO_LARGE, { Connection: 'close' });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Refusal(413, TOO_LARGE, { Connection: 'close' });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** One JSON value. Refused with 400: empty, not UTF-8, not JSON, a key twice. */
export function readTree(bytes: Uint8Array): Tree {
  const { tree, faults, position } = parseFile('the body', bytes, 'json');
  const [fault] = faults;
  if (fault?.code === 'empty') throw new Refusal(400, 'the body is empty');
  if (fault !== undefined) {
    const { line, column } = position(fault.span.start);
    const why = fault.code === 'duplicate key' ? `duplicate key "${fault.why}"` : fault.why;
    throw new Refusal(400, `the body is not valid JSON: line ${line}, column ${column}: ${why}`);
  }
  if (tree === undefined) throw new Refusal(400, 'the body is empty');
  return tree;
}
