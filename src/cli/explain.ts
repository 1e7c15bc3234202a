/**
 * `hookctl explain`: which hooks would run for an event, which not and why, and what each would be given. Runs nothing.
 */
import { everyFinding, loadConfigs } from '../config/load';
import { hasError } from '../core/finding';
import { placeOf } from '../core/fold';
import { misspelt } from '../core/matcher';
import type { Event, Group, Hook, Job, Step } from '../core/model';
import { cheap, parsePattern } from '../core/pattern';
import { plan } from '../core/plan';
import { searchV8 } from '../core/search';
import { decode } from '../core/text';
import { authorOf, subjects } from '../dialects';
import { EXIT } from '../exit';
import type { Io } from '../io';
import { type ExplainedHook, type Explanation, explanationJson, explanationText } from '../render/explanation';
import { renderFinding } from '../render/findings';
import { colorsFor } from './colors';
import { badUsage, type Command, colorWhen } from './command';
import { configNames, NO_CONFIG, selectionFor } from './doors';
import { readEvent } from './event';
import { explainCode, isCode } from './explain-code';
import { onErrorOf, runsOf } from './listed';
import { loadDoors } from './load-doors';
import { lastValue, type ParsedOptions } from './options';
import { FORMAT_OPTION, overwriting, readOutputs, refusedConfigs, writeOutputs } from './outputs';
import { COLOR_OPTION, RUN_OPTIONS, STDIN_IS_EVENT } from './run-options';
import { worldOf } from './world';

const SHARED = ['as', 'event'];

export const explain: Command = {
  name: 'explain',
  summary: 'show which hooks would run for an event, and why; or what a finding means',
  description:
    'Reads one event on stdin and shows which hooks would run, in which order, which would not and why, and what each would be given. Runs nothing. With the code of a finding, such as HK012: what it means, with examples.',
  argument: '[CONFIG...|CODE]',
  options: [...RUN_OPTIONS.filter(({ name }) => SHARED.includes(name)), FORMAT_OPTION, COLOR_OPTION],
  help: `
Examples:
  hookctl explain agent.yaml < event.json
  echo '{"event":"preToolCall","tool":{"name":"bash","input":{"command":"ls"}}}' | hookctl explain agent.yaml --format json
  hookctl explain HK028

CONFIG is an agent file or a folder with one. Without it $HOOKCTL_CONFIG is taken.

Exit codes: 0 fine, 1 a config has errors, 2 bad usage or an event that cannot be read, 3 hookctl itself failed.`,
  act,
};

async function act(options: ParsedOptions, io: Io): Promise<number> {
  const names = configNames(options.rest, io);
  const outputs = readOutputs(options.values.get(FORMAT_OPTION.name) ?? [], ['text', 'json']);
  if ('problem' in outputs) return badUsage('explain', outputs.problem, io);
  const [word, ...others] = options.rest;
  if (word !== undefined && others.length === 0 && isCode(word)) {
    const clash = await overwriting(outputs, {}, io);
    if (clash !== undefined) return badUsage('explain', clash, io);
    return explainCode(word, outputs, await colorsFor(colorWhen(options), 'stdout', io), io);
  }
  if (names.length === 0) return badUsage('explain', NO_CONFIG, io);
  if (names.includes('-')) return badUsage('explain', STDIN_IS_EVENT, io);
  const [as, name] = [lastValue(options, 'as'), lastValue(options, 'event')];
  const asked = {
    ...(as === undefined || as === 'auto' ? {} : { as }),
    ...(name === undefined ? {} : { event: name }),
  };
  const { event, refused } = await readEvent(asked, io);
  if (event === undefined || refused !== undefined) return badUsage('explain', refused ?? 'there is no event', io);
  const loaded = await loadConfigs(names, io.cwd, loadDoors(io));
  const clash = await overwriting(outputs, { configs: names }, io);
  if (clash !== undefined) return badUsage('explain', clash, io);
  for (const finding of everyFinding(loaded)) io.write('stderr', `${renderFinding(finding)}\n`);
  if (hasError(everyFinding(loaded))) return refusedConfigs(everyFinding(loaded), outputs, io);
  const { groups } = plan(loaded.hooks, event, await selectionFor(loaded.hooks, event));
  const explanation = explained(event, loaded.hooks, groups, io);
  const colors = await colorsFor(colorWhen(options), 'stdout', io);
  const render = (format: string) =>
    format === 'json' ? explanationJson(explanation) : explanationText(explanation, colors);
  const lost = writeOutputs(outputs, render, io);
  for (const problem of lost) io.write('stderr', `hookctl explain: ${problem}\n`);
  return lost.length > 0 ? EXIT.own : EXIT.fine;
}

export function explained(event: Event, hooks: readonly Hook[], groups: readonly Group[], io: Io): Explanation {
  const { name, cwd, tool, from } = event;
  const elsewhere = [...new Set(hooks.map((hook) => hook.event))].filter((one) => one !== name);
  return {
    event: {
      name,
      cwd,
      caller: from.room,
      ...(tool === undefined ? {} : { tool: tool.name }),
      ...(tool?.canonical === undefined ? {} : { canonical: tool.canonical }),
    },
    groups: groups.map(({ id, order, steps }) => ({
      id,
      order,
      hooks: steps.map((step) => explainedHook(step, event, io)),
    })),
    ...(groups.length === 0 ? { elsewhere } : {}),
  };
}

function explainedHook({ hook, matched, skipped }: Step, event: Event, io: Io): ExplainedHook {
  const known = { hook: hook.label, at: placeOf(hook), author: hook.author, onError: onErrorOf(hook) };
  if (!matched) return { ...known, selected: false, skipped: `${skipped ?? 'not selected'}${nameHint(hook, event)}` };
  const job = jobOf(hook, event, io);
  return { ...known, selected: true, runs: runsOf(job, io), job };
}

/** The likeliest mistakes: the name is right but for its case, or for a letter. */
function nameHint(hook: Hook, event: Event): string {
  const texts = subjects(hook.author, 'tool', event) ?? [];
  const patterns = hook.tests.flatMap((test) => (test.kind === 'regex' && test.of === 'tool' ? test.any : []));
  const hit = patterns.some((pattern) => texts.some((text) => matchesInAnyCase(pattern, text)));
  if (hit) return '; only the case differs: write it as the agent does, or begin the matcher with (?i)';
  const slip = patterns.flatMap((pattern) => misspelt(pattern, texts) ?? [])[0];
  return slip === undefined ? '' : `; did you mean "${slip.meant}"?`;
}

function matchesInAnyCase(pattern: string, text: string): boolean {
  const parsed = parsePattern(`(?i)${pattern}`);
  return parsed.kind === 'pattern' && cheap(parsed, text.length) && searchV8(parsed, text);
}

/** The job with the text that stdin would hold in the place of `event bytes`. */
function jobOf(hook: Hook, event: Event, io: Io): Job {
  const job = authorOf(hook.author).job(hook, event, worldOf(io));
  if ((job.kind !== 'process' && job.kind !== 'wasm') || job.stdin !== 'event bytes') return job;
  return { ...job, stdin: { text: decode(event.from.bytes ?? new Uint8Array()) } };
}
