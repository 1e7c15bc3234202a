/**
 * How a hook of version v1 is started, and what its end means.
 */
import { stringIn } from '../../core/json';
import type { Event, Hook, Job, Outcome, Result, Row, Subject } from '../../core/model';
import type { RuleResult } from '../../core/plan';
import { kiroJob, kiroOutcome, launchOf } from '../_shared/kiro-hooks';
import { filePath, filePaths, kiroStdin } from '../_shared/kiro-payload';
import { toolGroups, toolNames } from '../_shared/kiro-tools';
import type { Ending, World } from '../dialect';
import { spec } from './spec';

const ENDINGS: Readonly<Record<string, Ending>> = spec.endings;
const OTHERWISE: Ending = { stdout: 'context', exit2: 'failure', other: 'failure' };

/** `value`: the categories and groups that a tool belongs to. */
export function subjects(of: Subject, event: Event): readonly string[] | undefined {
  if (of === 'tool') return toolNames(event, 'kiro-v1');
  if (of === 'value') return toolGroups(event);
  return filePaths(of, event);
}

/** `confirm`: only Kiro can ask the user; where it has, its answer stands in the payload. */
export function rule(_written: string, hook: Hook, event: Event): RuleResult {
  const { confirm } = launchOf(hook);
  if (confirm === undefined) return true;
  const answer = new Map(event.rest).get('user_decision');
  if (answer === undefined) {
    const skipped = `it asks the user first (${confirm.question}), which hookctl cannot`;
    return { skipped, warning: `${hook.label} was not run: ${skipped}` };
  }
  const id = stringIn(answer) ?? '';
  return confirm.stops.includes(id) ? { skipped: `the user chose "${id}"` } : true;
}

export function job(hook: Hook, event: Event, world: World): Job {
  return kiroJob(hook, event, world, {
    shells: [['/bin/sh', '-c']],
    stdin: kiroStdin(event, 'kiro-v1', launchOf(hook).native),
    set: { WORKSPACE_ROOT: event.cwd, KIRO_HOOK_FILE: filePath(event), KIRO_SESSION_ID: event.session },
  });
}

export function readOutcome(result: Result, hook: Hook, event: Event, row: Row): Outcome {
  return kiroOutcome(result, hook, event, row, ENDINGS[launchOf(hook).native] ?? OTHERWISE);
}
