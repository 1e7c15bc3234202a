/**
 * A plan that was not run, as text and as JSON.
 */
import { showDuration } from '../core/duration';
import type { Job, Order, Raw } from '../core/model';
import { clean, cut } from '../core/text';
import type { Paint } from './paint';

export type ExplainedHook = {
  readonly hook: string;
  readonly at: string;
  readonly author: string;
  readonly onError: string;
} & (
  | { readonly selected: true; readonly runs: string; readonly job: Job }
  | { readonly selected: false; readonly skipped: string }
);

export type Explanation = {
  readonly event: {
    readonly name: string;
    readonly cwd: string;
    /** Id of the room that the payload was read by. */
    readonly caller: string;
    readonly tool?: string;
    readonly canonical?: string;
  };
  readonly groups: readonly { readonly id: string; readonly order: Order; readonly hooks: readonly ExplainedHook[] }[];
  /** Where the event has no hooks: the events that have some. */
  readonly elsewhere?: readonly string[];
};

const STDIN_CHARS = 400;

/** The event, then each hook in order: what it would be given, or why it is skipped. */
export function explanationText({ event, groups, elsewhere }: Explanation, paint: Paint): string {
  const hooks = groups.flatMap((group) => group.hooks);
  const selected = hooks.filter((hook) => hook.selected).length;
  const tool = event.tool === undefined ? '' : ` ${event.tool}`;
  const head = `${event.name}${tool} (read as ${event.caller}): ${selected} of ${hooks.length} ${hooks.length === 1 ? 'hook' : 'hooks'} would run`;
  const blocks = groups.flatMap(({ id, order, hooks: own }) => [
    '',
    paint.dim(`${id}: ${orderText(order)}`),
    ...own.flatMap((hook, index) => hookLines(hook, index + 1, paint)),
  ]);
  return [paint.bold(clean(head)), ...blocks, ...elsewhereLines(event.name, elsewhere)]
    .map((line) => `${line}\n`)
    .join('');
}

/** `{"version":1,"event":{…},"groups":[…],"summary":{"hooks":N,"selected":N,"skipped":N}}`; a `job` is data, nothing of it was done. */
export function explanationJson({ event, groups, elsewhere }: Explanation): string {
  const hooks = groups.flatMap((group) => group.hooks);
  const selected = hooks.filter((hook) => hook.selected).length;
  const summary = { hooks: hooks.length, selected, skipped: hooks.length - selected };
  return `${JSON.stringify({ version: 1, event, groups, elsewhere, summary }, null, 2)}\n`;
}

function elsewhereLines(event: string, elsewhere: readonly string[] | undefined): string[] {
  if (elsewhere === undefined) return [];
  const others =
    elsewhere.length === 0 ? 'and there are none at all' : `hooks are configured for ${elsewhere.join(', ')}`;
  return [clean(`no hook is configured for ${event}; ${others}`)];
}

function orderText({ start, sees, afterBlock, decides }: Order): string {
  const block = afterBlock === 'end' ? 'a block ends the chain' : 'a block stops no other of them';
  return `start ${start}, see the ${sees} event, ${block}${decides ? '' : ', decide nothing'}`;
}

function hookLines(hook: ExplainedHook, number: number, paint: Paint): string[] {
  const title = `${number}. ${hook.hook} (${hook.at})`;
  if (!hook.selected) return [paint.dim(`${clean(title)} skipped: ${clean(hook.skipped)}`)];
  return [
    `${paint.green(clean(title))} would run`,
    ...jobLines(hook.job, hook.onError).map((line) => `     ${clean(line)}`),
  ];
}

function jobLines(job: Job, onError: string): string[] {
  switch (job.kind) {
    case 'process':
      return processLines(job, onError);
    case 'http':
      return [
        `POST ${job.url}`,
        `body     ${shown(job.body.text)}`,
        `timeout  ${showDuration(job.ms)}, onError ${onError}`,
      ];
    case 'wasm':
      return [
        `module   ${job.module}`,
        `timeout  ${showDuration(job.ms)}, onError ${onError}`,
        `stdin    ${shown(textOf(job.stdin))}`,
      ];
    case 'component':
      return [`module   ${job.component}`, `timeout  ${showDuration(job.ms)}`, `payload  ${shown(job.payload.text)}`];
    case 'say':
      return [`tells the agent: ${shown(job.context)}`];
    case 'cannot':
      return [job.why];
  }
}

function processLines(job: Extract<Job, { kind: 'process' }>, onError: string): string[] {
  const limit = job.ms === 'none' ? 'no timeout' : showDuration(job.ms);
  return [
    `command  ${job.argv[0]?.map((word) => shown(word)).join(' ') ?? ''}`,
    `folder   ${[...new Set(job.cwd)].join(', else ')}`,
    `timeout  ${limit}, onError ${onError}`,
    ...Object.entries(job.env.set).map(([name, value]) => `env      ${name}=${shown(value)}`),
    ...(job.payloadFile === undefined ? [] : [`file     ${job.payloadFile.variable} names one with the event`]),
    `stdin    ${shown(textOf(job.stdin))}`,
    ...(job.wait ? [] : ['end      nobody waits for it']),
  ];
}

function textOf(stdin: string | Raw): string {
  return typeof stdin === 'string' ? stdin : stdin.text;
}

function shown(text: string): string {
  return cut(clean(text).replaceAll('\n', '\\n'), STDIN_CHARS);
}
