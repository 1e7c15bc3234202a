/**
 * What `hookctl trigger` does.
 */
import { type Loaded, loadConfigs } from '../config/load';
import { hasError } from '../core/finding';
import { blocks } from '../core/fold';
import { didYouMean } from '../core/nearest';
import { resolvePath } from '../core/path';
import { EXIT, SIGNAL_EXIT } from '../exit';
import type { Io } from '../io';
import { renderFinding } from '../render/findings';
import { createExec } from '../runner/exec';
import { badUsage } from './command';
import { configNames, loadDoors, NO_CONFIG } from './doors';
import { judgeEvent, readPayload } from './judge-event';
import { lastValue, type ParsedOptions } from './options';
import { worldOf } from './world';

const GRACE_MS = 2_000;

/** Resolves with the exit code. */
export async function triggering(options: ParsedOptions, io: Io): Promise<number> {
  const asked = askedFor(options, io);
  if ('problem' in asked) return badUsage('trigger', asked.problem, io);
  const loaded = await loadConfigs(asked.configs, io.cwd, loadDoors(io));
  for (const finding of loaded.findings) io.write('stderr', `${renderFinding(finding)}\n`);
  if (hasError(loaded.findings)) return EXIT.findings;
  const own = loaded.hooks.filter((hook) => hook.event === asked.event);
  const hooks = own.filter((hook) => asked.hook === undefined || hook.label === asked.hook);
  if (hooks.length === 0)
    return badUsage(
      'trigger',
      noHook(
        asked,
        own.map((hook) => hook.label),
      ),
      io,
    );
  return fired(asked, { ...loaded, hooks }, io);
}

type Asked = {
  readonly event: string;
  /** The one hook that is meant. */
  readonly hook?: string;
  readonly configs: readonly string[];
  readonly payload: Readonly<Record<string, unknown>>;
};

function askedFor(options: ParsedOptions, io: Io): Asked | { readonly problem: string } {
  const event = lastValue(options, 'event') ?? 'manual';
  const [task, spec] = [lastValue(options, 'task'), lastValue(options, 'spec')];
  const cwd = resolvePath(io.cwd, lastValue(options, 'root') ?? '.');
  if (event === 'manual') {
    const [hook, ...rest] = options.rest;
    const stray = ['task', 'spec'].find((name) => options.values.has(name));
    if (stray !== undefined || options.switches.has('failed'))
      return { problem: `--${stray ?? 'failed'} is for --event taskStart or taskEnd` };
    if (hook === undefined) return { problem: 'name the hook, as in hookctl trigger "Release notes" .kiro' };
    return withConfigs({ event, hook, payload: { event, cwd } }, rest, io);
  }
  if (task === undefined) return { problem: `--event ${event} needs --task NAME` };
  if (event === 'taskStart' && options.switches.has('failed'))
    return { problem: '--failed is for --event taskEnd: a task that only starts has not failed' };
  const said = { name: task, ...(spec === undefined ? {} : { spec: resolvePath(io.cwd, spec) }) };
  const done = event === 'taskEnd' ? { ...said, success: !options.switches.has('failed') } : said;
  return withConfigs({ event, payload: { event, cwd, task: done } }, options.rest, io);
}

function withConfigs(
  asked: Omit<Asked, 'configs'>,
  named: readonly string[],
  io: Io,
): Asked | { readonly problem: string } {
  const configs = configNames(named, io);
  return configs.length === 0 ? { problem: NO_CONFIG } : { ...asked, configs };
}

function noHook({ event, hook }: Asked, labels: readonly string[]): string {
  if (hook === undefined) return `the config has no hook on ${event}`;
  const there = labels.length === 0 ? 'no manual hooks' : labels.map((label) => `"${label}"`).join(', ');
  return `there is no manual hook "${hook}"${didYouMean(hook, labels)} (there is ${there})`;
}

async function fired({ payload }: Asked, loaded: Loaded, io: Io): Promise<number> {
  const exec = createExec(io.env);
  let ended: number | undefined;
  io.onSignal((signal) => {
    ended = SIGNAL_EXIT[signal];
    void exec.endAll(GRACE_MS);
  });
  const read = readPayload(new TextEncoder().encode(JSON.stringify(payload)), 'mm', { cwd: io.cwd, env: io.env });
  if ('refused' in read) return badUsage('trigger', read.refused, io);
  const judged = await judgeEvent(read.room, read.event, loaded, { exec, world: worldOf(io), posts: true });
  const lost = io.write('stdout', judged.reply.stdout);
  if (judged.reply.stderr !== '') io.write('stderr', judged.reply.stderr);
  if (lost !== undefined) io.write('stderr', `hookctl trigger: cannot write stdout: ${lost}\n`);
  if (ended !== undefined) return ended;
  if (lost !== undefined) return EXIT.own;
  const failed = judged.visits.some(({ run }) => run?.read.failure !== undefined);
  return failed || blocks(judged.verdict.action) ? EXIT.findings : EXIT.fine;
}
