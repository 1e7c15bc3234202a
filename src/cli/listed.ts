/**
 * A hook as it is shown: what its author's room would do for it, without doing it.
 */
import { showDuration } from '../core/duration';
import { commandText, placeOf } from '../core/fold';
import type { Event, Hook, Job, OnFailure, Test } from '../core/model';
import { shownFrom } from '../core/path';
import { authorOf, roomOf } from '../dialects';
import type { Io } from '../io';
import type { Listed } from '../render/listing';
import { worldOf } from './world';

/** As agent files write it. */
const ON_ERROR = { block: 'fail', warn: 'warn', ignore: 'ignore' } as const satisfies Record<OnFailure, string>;

/** One hook of a listing. */
export function listedOf(hook: Hook, io: Io): Listed {
  const job = authorOf(hook.author).job(hook, bareEvent(hook), worldOf(io));
  const isObserver = roomOf(hook.author)?.spec.observes === true;
  const matcher = isObserver ? undefined : hook.tests.map(testText).join(' and ') || everyTool(hook);
  return {
    event: hook.event,
    ...nativeOf(hook),
    at: placeOf(hook),
    hook: hook.label,
    author: hook.author,
    ...(matcher === undefined ? {} : { matcher }),
    runs: runsOf(job, io),
    onError: ON_ERROR[hook.onFailure],
    ...('ms' in job ? { timeout: job.ms === 'none' ? 'none' : showDuration(job.ms) } : {}),
    ...(hook.off === undefined ? {} : { off: hook.off }),
  };
}

/** Its author's own name for the event, where that is another one. */
function nativeOf({ author, event }: Hook): Pick<Listed, 'native'> {
  const rows = roomOf(author)?.spec.rows.filter(({ canonical }) => canonical === event) ?? [];
  const [row] = rows;
  return row === undefined || row.native === event || rows.length > 1 ? {} : { native: row.native };
}

export function onErrorOf(hook: Hook): string {
  return ON_ERROR[hook.onFailure];
}

/** What a job runs, in one text. */
export function runsOf(job: Job, io: Io): string {
  switch (job.kind) {
    case 'process':
      return commandText(job);
    case 'http':
      return job.url;
    case 'wasm':
      return shownFrom(io.cwd, job.module);
    case 'component':
      return shownFrom(io.cwd, job.component);
    case 'say':
      return `ask agent: ${job.context}`;
    case 'cannot':
      return job.why;
  }
}

/** No matcher means every tool, where there are tools. */
function everyTool(hook: Hook): string | undefined {
  const row = roomOf(hook.author)?.spec.rows.find(({ canonical }) => canonical === hook.event);
  return row?.matches === 'tool' ? '*' : undefined;
}

function bareEvent(hook: Hook): Event {
  return { name: hook.event, cwd: hook.root, rest: [], from: { room: hook.author, event: hook.event } };
}

function testText(test: Test): string {
  if (test.kind === 'rule') return test.rule;
  if (test.kind === 'either') return [...new Set(test.tests.map(testText))].join(' or ');
  if (test.kind === 'all') return test.tests.map(testText).join(' and ');
  const not = test.not === undefined || test.not.length === 0 ? '' : ` but not ${test.not.join(' ')}`;
  return test.any.join(' ') + not;
}
