/**
 * Posts an http hook: bounded in time and in what is read of the answer; redirects are not followed.
 */
import { reasonOf } from '../core/errno';
import type { HttpJob, Result } from '../core/model';

/** More of a body is a failure. */
const MAX_BODY = 1024 * 1024;

/** Never rejects. */
export async function post({ url, headers, body, ms }: HttpJob): Promise<Result> {
  const empty = { out: new Uint8Array(), err: new Uint8Array() };
  try {
    const signal = AbortSignal.timeout(ms);
    const response = await fetch(url, { method: 'POST', headers, body: body.text, redirect: 'manual', signal });
    const bytes = await bodyOf(response);
    if (bytes === undefined)
      return { kind: 'too large', why: `more than ${MAX_BODY / 1024 / 1024} MiB in the answer`, ...empty };
    return { kind: 'answered', status: response.status, body: bytes };
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return { kind: 'timeout', why: `timed out after ${ms} ms`, ...empty };
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { kind: 'not started', why: `no answer from ${url}: ${reasonOf(cause)}`, ...empty };
  }
}

async function bodyOf(response: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
