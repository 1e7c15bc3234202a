/**
 * How a `.kiro.hook` is started, and what its end means.
 */
import { objectText, rawOf, stringIn } from '../../core/json';
import type { Event, Hook, Job, Outcome, Raw, Result, Row, Subject } from '../../core/model';
import { decode } from '../../core/text';
import { kiroJob, kiroOutcome, launchOf } from '../_shared/kiro-hooks';
import { filePath, filePaths, kiroStdin } from '../_shared/kiro-payload';
import { toldName, toolGroups, toolNames } from '../_shared/kiro-tools';
import type { Ending, World } from '../dialect';
import { spec } from './spec';

const MAX_VARIABLE_BYTES = 64 * 1_024;
const ENDINGS: Readonly<Record<string, Ending>> = spec.endings;
const OTHERWISE: Ending = { stdout: 'context', exit2: 'told', other: 'told' };

/** `value`: the categories and groups that a tool belongs to. */
export function subjects(of: Subject, event: Event): readonly string[] | undefined {
  if (of === 'tool') return toolNames(event, 'kiro-hook');
  if (of === 'value') return toolGroups(event);
  return filePaths(of, event);
}

export function job(hook: Hook, event: Event, world: World): Job {
  return kiroJob(hook, event, world, {
    shells: [['/bin/sh', '-c']],
    stdin: kiroStdin(event, 'kiro-hook', launchOf(hook).native),
    set: { USER_PROMPT: variableOf(event), KIRO_HOOK_FILE: filePath(event) },
  });
}

/** What the IDE puts into `USER_PROMPT`: a prompt, or a tool call as JSON. */
function variableOf(event: Event): string | undefined {
  if (event.name === 'preGeneration') {
    const text = event.prompt === undefined ? undefined : stringIn(event.prompt);
    return text === undefined ? undefined : cutBytes(text.replaceAll('\0', ''));
  }
  return event.tool === undefined ? undefined : toolText(event, event.tool);
}

function toolText(event: Event, tool: NonNullable<Event['tool']>): string {
  const name: [string, Raw] = ['toolName', rawOf(toldName(tool, event.from.room, 'kiro-hook'))];
  const output = tool.output === undefined ? '' : (stringIn(tool.output) ?? tool.output.text);
  const result = (text: string): [string, Raw][] =>
    event.name === 'postToolCall'
      ? [
          ['toolResult', rawOf(text)],
          ['toolSuccess', rawOf(tool.success ?? true)],
        ]
      : [];
  const whole = objectText([name, ['toolArgs', tool.input ?? rawOf({})], ...result(output)]);
  if (new TextEncoder().encode(whole).length <= MAX_VARIABLE_BYTES) return whole;
  return objectText([name, ['toolArgs', rawOf({})], ...result(''), ['truncated', rawOf(true)]]);
}

function cutBytes(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let end = Math.min(bytes.length, MAX_VARIABLE_BYTES);
  while (end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return decode(bytes.subarray(0, end));
}

export function readOutcome(result: Result, hook: Hook, event: Event, row: Row): Outcome {
  return kiroOutcome(result, hook, event, row, ENDINGS[launchOf(hook).native] ?? OTHERWISE);
}
