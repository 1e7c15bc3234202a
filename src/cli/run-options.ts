/**
 * The options of `hookctl run`: one table for its parser and for its help.
 */
import { parseDuration } from '../core/duration';
import type { OwnFailure } from '../core/own';
import { ROOM_IDS } from '../dialects';
import { lastValue, type Option, parseOptions } from './options';

export const STDIN_IS_EVENT = 'stdin is the event; a config cannot come from there too';

export const MAX_JOBS = 256;

export const COLOR_OPTION: Option = {
  name: 'color',
  value: 'WHEN',
  choices: ['auto', 'always', 'never'],
  help: 'when to use colour (run never does)',
};

export const RUN_OPTIONS: readonly Option[] = [
  {
    name: 'as',
    value: 'DIALECT',
    choices: ['auto', ...ROOM_IDS],
    help: 'the caller: what the event looks like and what is answered (default auto)',
  },
  { name: 'event', value: 'NAME', help: 'the event, where the payload does not say it' },
  {
    name: 'deadline',
    value: 'DURATION',
    help: 'bound of the whole run, such as 25s: answer before the caller stops waiting',
  },
  {
    name: 'own-failure',
    value: 'MODE',
    choices: ['fail', 'warn'],
    help: 'what happens when hookctl itself fails (default fail)',
  },
  { name: 'stream', help: 'read events until stdin ends, one a line; answer each with one line' },
  { name: 'jobs', value: 'N', help: `with --stream: judge up to N events at once, at most ${MAX_JOBS} (default 1)` },
  {
    name: 'unordered',
    help: 'with --stream: answer each event as soon as it is judged; tell them apart by their "id"',
  },
  { name: 'no-cache', help: 'read the configs anew: use no cache, and keep none' },
  { name: 'wait', help: 'wait for observers (PRX hooks) too, and put how they ended into the trace' },
  { name: 'trace', help: 'put what every hook read, said and took into the verdict' },
  { name: 'display', help: 'one line on stderr for each hook run' },
  COLOR_OPTION,
  { name: 'debug', help: 'the stack of an internal error on stderr' },
];

export type RunOptions = {
  readonly configs: readonly string[];
  /** A room's id, or undefined for auto. */
  readonly as?: string;
  readonly event?: string;
  /** Milliseconds. */
  readonly deadline?: number;
  readonly ownFailure: OwnFailure;
  /** Events one a line: so many at once, answered in the order they came or as they get ready. */
  readonly stream?: { readonly jobs: number; readonly inOrder: boolean };
  readonly cache: boolean;
  readonly wait: boolean;
  readonly trace: boolean;
  readonly display: boolean;
  readonly debug: boolean;
};

/** The options, as far as they could be read, and what is wrong with the command line. */
export type RunArguments = { readonly options: RunOptions; readonly problems: readonly string[] };

export function readRunOptions(argv: readonly string[]): RunArguments {
  const parsed = parseOptions(argv, RUN_OPTIONS);
  const { switches, rest, problems } = parsed;
  const [as, event, limit] = [lastValue(parsed, 'as'), lastValue(parsed, 'event'), lastValue(parsed, 'deadline')];
  const deadline = limit === undefined ? undefined : parseDuration(limit);
  const said = lastValue(parsed, 'jobs');
  const jobs = said !== undefined && /^[1-9]\d{0,2}$/.test(said) ? Number(said) : 1;
  const options: RunOptions = {
    configs: rest,
    ...(as === undefined || as === 'auto' ? {} : { as }),
    ...(event === undefined ? {} : { event }),
    ...(deadline?.kind === 'ms' ? { deadline: deadline.ms } : {}),
    ownFailure: lastValue(parsed, 'own-failure') === 'warn' ? 'warn' : 'fail',
    ...(switches.has('stream') ? { stream: { jobs, inOrder: !switches.has('unordered') } } : {}),
    cache: !switches.has('no-cache'),
    wait: switches.has('wait'),
    trace: switches.has('trace'),
    display: switches.has('display'),
    debug: switches.has('debug'),
  };
  const late =
    deadline?.kind === 'no duration' ? [`--deadline ${limit}: ${deadline.why}${offer(deadline.readings)}`] : [];
  const dash = rest.includes('-') ? [STDIN_IS_EVENT] : [];
  return { options, problems: [...problems, ...late, ...dash, ...streamProblems(said, switches)] };
}

function streamProblems(jobs: string | undefined, switches: ReadonlySet<string>): string[] {
  const alone = [jobs === undefined ? [] : ['--jobs'], switches.has('unordered') ? ['--unordered'] : []].flat();
  if (alone.length > 0 && !switches.has('stream')) return [`${alone.join(' and ')} needs --stream`];
  const fits = jobs === undefined || (/^[1-9]\d{0,2}$/.test(jobs) && Number(jobs) <= MAX_JOBS);
  return fits ? [] : [`--jobs cannot be "${jobs}": it is a whole number from 1 to ${MAX_JOBS}`];
}

function offer(readings: readonly string[]): string {
  return readings.length === 0 ? '' : `; did you mean ${readings.join(', ')}?`;
}
