/**
 * How a hook of an agent file is started, and what its end means.
 */
import { stringIn } from '../../core/json';
import type { Event, Hook, Job, Outcome, Result, Row, Subject } from '../../core/model';
import { decode } from '../../core/text';
import { kiroJob, kiroOutcome, launchOf } from '../_shared/kiro-hooks';
import { kiroStdin } from '../_shared/kiro-payload';
import { toolGroups, toolNames } from '../_shared/kiro-tools';
import type { Ending, World } from '../dialect';
import { spec } from './spec';

const PROMPT_BYTES = 4_096;
const ENDINGS: Readonly<Record<string, Ending>> = spec.endings;
const OTHERWISE: Ending = { stdout: 'dropped', exit2: 'failure', other: 'failure' };

/** `value`: the groups that a tool belongs to. */
export function subjects(of: Subject, event: Event): readonly string[] | undefined {
  if (of === 'tool') return toolNames(event, 'kiro-agent');
  return of === 'value' ? toolGroups(event) : undefined;
}

export function job(hook: Hook, event: Event, world: World): Job {
  return kiroJob(hook, event, world, {
    shells: [
      ['bash', '-c'],
      ['/bin/sh', '-c'],
    ],
    stdin: kiroStdin(event, 'kiro-agent', launchOf(hook).native),
    set: { USER_PROMPT: promptOf(event) },
  });
}

/** Without control characters, cut between two characters. */
function promptOf({ prompt }: Event): string | undefined {
  const text = prompt === undefined ? undefined : stringIn(prompt);
  if (text === undefined) return undefined;
  const bytes = new TextEncoder().encode(text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, ''));
  let end = Math.min(bytes.length, PROMPT_BYTES);
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return decode(bytes.subarray(0, end));
}

export function readOutcome(result: Result, hook: Hook, event: Event, row: Row): Outcome {
  return kiroOutcome(result, hook, event, row, ENDINGS[launchOf(hook).native] ?? OTHERWISE);
}
