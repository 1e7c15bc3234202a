/**
 * Configs, read from the disk and made ready for runs: what is not done again while the cache is fresh.
 */
import { type Loaded, loadConfigs } from '../config/load';
import { watched } from '../config/looks';
import { type ConfigWarning, type EventHooks, type Kept, NO_HOOKS, type Prepared } from '../config/prepared';
import { type Finding, hasError, severityOf } from '../core/finding';
import type { Hook, Test } from '../core/model';
import { compile } from '../core/pattern';
import type { Compiled } from '../core/search';
import type { Io } from '../io';
import { renderFinding, renderFindingLine } from '../render/findings';
import { loadDoors } from './load-doors';
import type { Refusal } from './refusal';

const SHOWN_ERRORS = 20;

/** What was read, or why it cannot be used; and all that either depends on. */
export async function prepare(
  names: readonly string[],
  { cwd, disk }: Pick<Io, 'cwd' | 'disk'>,
): Promise<Kept | (Refusal & Pick<Kept, 'looks'>)> {
  const watch = watched(disk);
  const loaded = await loadConfigs(names, cwd, loadDoors(watch));
  const looks = watch.looks();
  return hasError(loaded.findings)
    ? { ...configProblem(loaded.findings), looks }
    : { prepared: preparedOf(loaded), looks };
}

/** What a run says of its configs. */
export function warningsOf(findings: readonly Finding[]): ConfigWarning[] {
  return findings
    .filter((finding) => severityOf(finding) === 'warning')
    .map((finding) => {
      const event = finding.args['event'];
      return { ...(event === undefined ? {} : { event }), text: renderFindingLine(finding) };
    });
}

function preparedOf({ hooks, switches, findings }: Loaded): Prepared {
  const compiled = new Map<string, Compiled>();
  const events = new Map(
    [...byEvent(hooks)].map(([event, own]) => [event, { hooks: own, patterns: patternsOf(own, compiled) }]),
  );
  return {
    switches,
    warnings: warningsOf(findings),
    events: [...events.keys()],
    hooksOf: (event): EventHooks => events.get(event) ?? NO_HOOKS,
  };
}

function byEvent(hooks: readonly Hook[]): ReadonlyMap<string, readonly Hook[]> {
  const events = new Map<string, Hook[]>();
  for (const hook of hooks) {
    const own = events.get(hook.event);
    if (own === undefined) events.set(hook.event, [hook]);
    else own.push(hook);
  }
  return events;
}

/** `compiled`: those of other events, which are not compiled again. */
function patternsOf(hooks: readonly Hook[], compiled: Map<string, Compiled>): Compiled[] {
  const sources = new Set(hooks.flatMap((hook) => hook.tests.flatMap(patternsIn)));
  return [...sources].map((source) => {
    const one = compiled.get(source) ?? compile(source);
    compiled.set(source, one);
    return one;
  });
}

function patternsIn(test: Test): readonly string[] {
  if (test.kind === 'either') return test.tests.flatMap(patternsIn);
  return test.kind === 'regex' ? [...test.any, ...(test.not ?? [])] : [];
}

function configProblem(findings: readonly Finding[]): Refusal {
  const errors = findings.filter((finding) => severityOf(finding) === 'error');
  const first = errors.slice(0, 1).map(renderFindingLine).join('');
  const more = errors.length < 2 ? '' : ` (and ${errors.length - 1} more)`;
  return {
    why: `the config cannot be used: ${first}${more}`,
    words: [...errors.slice(0, SHOWN_ERRORS).map(renderFinding), ...unshown(errors)].join('\n'),
  };
}

function unshown(errors: readonly Finding[]): string[] {
  const left = errors.length - SHOWN_ERRORS;
  return left > 0 ? [`and ${left} more; "hookctl list" shows all`] : [];
}
