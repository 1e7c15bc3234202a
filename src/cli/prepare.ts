/**
 * Configs, read from the disk and made ready for runs: what is not done again while the cache is fresh.
 */
import { type Loaded, loadConfigs } from '../config/load';
import { watched } from '../config/looks';
import type { ConfigWarning, Kept, Prepared, Section } from '../config/prepared';
import { indexOf } from '../config/sections';
import { type Finding, hasError, severityOf } from '../core/finding';
import type { Hook } from '../core/model';
import { compile } from '../core/pattern';
import { patternsIn } from '../core/plan';
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
export function warningsOf({ findings, observers, beside }: Loaded): ConfigWarning[] {
  const warnings = findings.filter((finding) => severityOf(finding) === 'warning');
  return [
    ...warnings.map((finding) => {
      const event = finding.args['event'];
      return { ...(event === undefined ? {} : { event }), text: renderFindingLine(finding) };
    }),
    ...unstartedOf(observers).map((text) => ({ text })),
    ...beside.filter(isError).map((finding) => ({ text: `${renderFindingLine(finding)}; the plugin was left out` })),
  ];
}

function unstartedOf(observers: Loaded['observers']): string[] {
  return observers.map((findings) => {
    const first = findings.find(isError);
    return `${first === undefined ? '' : renderFindingLine(first)}; its hooks were not started`;
  });
}

function isError(finding: Finding): boolean {
  return severityOf(finding) === 'error';
}

function preparedOf(loaded: Loaded): Prepared {
  const { hooks, switches, observers } = loaded;
  const compiled = new Map<string, Compiled>();
  const sections = new Map([...byEvent(hooks)].map(([event, own]) => [event, sectionOf(own, compiled)]));
  return {
    switches,
    warnings: warningsOf(loaded),
    unstarted: unstartedOf(observers),
    events: [...sections.keys()],
    section: (event) => sections.get(event),
  };
}

/** In the order of the plan: by phase, as written within. */
function byEvent(hooks: readonly Hook[]): ReadonlyMap<string, readonly Hook[]> {
  const events = new Map<string, Hook[]>();
  for (const hook of hooks.toSorted((a, b) => a.phase - b.phase)) {
    const own = events.get(hook.event);
    if (own === undefined) events.set(hook.event, [hook]);
    else own.push(hook);
  }
  return events;
}

/** `compiled`: patterns that were met before, which are not compiled again. */
function sectionOf(hooks: readonly Hook[], compiled: Map<string, Compiled>): Section {
  const kept = hooks.map((hook) => ({ hook, patterns: patternsOf(hook, compiled) }));
  const at = (number: number) => {
    const one = kept[number];
    if (one === undefined) throw new Error(`there is no hook ${number}`);
    return one;
  };
  return { index: indexOf(hooks), at };
}

function patternsOf(hook: Hook, compiled: Map<string, Compiled>): Compiled[] {
  return hook.tests.flatMap(patternsIn).map((source) => {
    const one = compiled.get(source) ?? compile(source);
    compiled.set(source, one);
    return one;
  });
}

function configProblem(findings: readonly Finding[]): Refusal {
  const errors = findings.filter(isError);
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
