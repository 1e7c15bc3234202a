/**
 * Verdict → what Claude Code reads: one JSON object at exit 0, or nothing; on few events exit 2 with the reason on stderr.
 */
import { objectText, rawOf, stringIn } from '../../core/json';
import type { Event, Fields, Raw, Reply, Verdict } from '../../core/model';
import { OWN, type Style, UNKNOWN } from './spec';

type Part = readonly [key: string, value: Raw | undefined];

/** What a style writes at the top level and in `hookSpecificOutput`; or an exit 2 with that reason. */
type Written = { readonly top?: readonly Part[]; readonly hso?: readonly Part[]; readonly exit2?: string };

const some = (value: unknown): Raw | undefined => (value === undefined ? undefined : rawOf(value));

/** The verdict is fitted already: it says nothing that the event's row cannot. */
export function writeReply(verdict: Verdict, event: Event | undefined): Reply {
  if (event === undefined) return blockedByExit(verdict.reason ?? verdict.own ?? 'hookctl failed');
  const native = event.from.event;
  const own = OWN.get(native) ?? UNKNOWN;
  const written = STYLES[own.style](verdict);
  if (written.exit2 !== undefined) return blockedByExit(written.exit2);
  const warnings = [...verdict.warnings, ...longTexts(verdict)];
  const messages = [...warnings.map((warning) => `hookctl: ${warning}`), ...linesOf(verdict, 'systemMessage')];
  const hso: Part[] = [...(written.hso ?? []), ...extrasFor(verdict)];
  const fields: Part[] = [
    ...(written.top ?? []),
    ['systemMessage', messages.length === 0 || own.mute === true ? undefined : rawOf(messages.join('\n'))],
    ['hookSpecificOutput', hsoOf(native, hso)],
  ];
  return { stdout: objectOf(fields), stderr: words(verdict, own.mute === true ? messages : []), exit: 0 };
}

/** Longer texts are replaced by a file and a preview of 2,000 characters. Source: anthropics/claude-code, issue 91614. */
const MOST_CHARS = 10_000;

function longTexts({ reason, response, context }: Verdict): string[] {
  return Object.entries({ reason, response, context }).flatMap(([key, text = '']) =>
    text.length <= MOST_CHARS
      ? []
      : [`the ${key} has ${text.length} characters; Claude Code shows the first 2,000 alone`],
  );
}

/** The model or the user reads all of stderr then: it holds the reason alone. */
function blockedByExit(reason: string): Reply {
  return { stdout: '', stderr: `${reason}\n`, exit: 2 };
}

const STYLES: Readonly<Record<Style, (verdict: Verdict) => Written>> = {
  tool: (verdict) => ({
    top: stopOf(verdict),
    hso: [...permission(verdict), ['updatedInput', inputOf(verdict)], ['additionalContext', some(verdict.context)]],
  }),
  permission: (verdict) => ({ hso: [['decision', permissionDecision(verdict)]] }),
  prompt: (verdict) => ({
    top: isBlock(verdict)
      ? block(verdict.action === 'stop' ? (verdict.response ?? verdict.reason) : verdict.reason)
      : [],
    hso: [['additionalContext', some(verdict.context)]],
  }),
  block: (verdict) => ({
    top: [...stopOf(verdict), ...(verdict.action === 'deny' ? block(verdict.reason) : [])],
    hso: [['additionalContext', some(verdict.context)]],
  }),
  context: (verdict) => ({ top: stopOf(verdict), hso: [['additionalContext', some(verdict.context)]] }),
  model: (verdict) => ({ hso: permission(verdict) }),
  skill: (verdict) => ({ hso: isBlock(verdict) ? permission(verdict) : [] }),
  decision: (verdict) => ({ top: isBlock(verdict) ? block(verdict.reason) : [] }),
  elicit: (verdict) => ({ hso: isBlock(verdict) ? [['action', rawOf('decline')]] : [] }),
  exit: (verdict) => (isBlock(verdict) ? { exit2: reasonOf(verdict) } : {}),
  'exit or stop': (verdict) => (verdict.action === 'deny' ? { exit2: reasonOf(verdict) } : { top: stopOf(verdict) }),
  none: () => ({}),
};

function isBlock({ action }: Verdict): boolean {
  return action === 'deny' || action === 'stop';
}

/** `continue: false` ends the agent's turn. */
function stopOf({ action, reason, response }: Verdict): Part[] {
  if (action !== 'stop') return [];
  return [
    ['continue', rawOf(false)],
    ['stopReason', some(response ?? reason)],
  ];
}

function block(reason: string | undefined): Part[] {
  return [
    ['decision', rawOf('block')],
    ['reason', rawOf(reason ?? 'blocked by a hook')],
  ];
}

/** By the reference a call may still end while the agent stops: a stop is a deny as well. A defer counts in few runs: an ask beside it is told in its place. */
function permission({ action, reason, response, asked }: Verdict): Part[] {
  if (action === undefined) return [];
  const said = action === 'stop' ? 'deny' : action === 'defer' && asked !== undefined ? 'ask' : action;
  const why = action === 'stop' ? (reason ?? response) : said === 'ask' && asked !== undefined ? asked : reason;
  return [
    ['permissionDecision', rawOf(said)],
    ['permissionDecisionReason', some(why)],
  ];
}

function permissionDecision(verdict: Verdict): Raw | undefined {
  const { action, reason, response } = verdict;
  if (action === 'allow') {
    return rawFrom([
      ['behavior', rawOf('allow')],
      ['updatedInput', inputOf(verdict)],
      ['updatedPermissions', extra(verdict, 'updatedPermissions')],
    ]);
  }
  if (!isBlock(verdict)) return undefined;
  const interrupt = action === 'stop' ? rawOf(true) : extra(verdict, 'interrupt');
  return rawFrom([
    ['behavior', rawOf('deny')],
    ['message', some(reason ?? response)],
    ['interrupt', interrupt],
  ]);
}

function inputOf({ rewrite }: Verdict): Raw | undefined {
  return rewrite?.field === 'input' ? rewrite.value : undefined;
}

function reasonOf({ reason, response }: Verdict): string {
  return reason ?? response ?? 'blocked by a hook';
}

/** What Claude's own hooks said that nothing else can carry, and that stands in `hookSpecificOutput`. */
const IN_HSO = [
  'updatedToolOutput',
  'updatedMCPToolOutput',
  'classifierContext',
  'watchPaths',
  'sessionTitle',
  'initialUserMessage',
  'displayContent',
  'reloadSkills',
  'retry',
  'suppressOriginalPrompt',
];

function extrasFor(verdict: Verdict): Part[] {
  return IN_HSO.map((key): Part => [key, extra(verdict, key)]);
}

function extra({ extras }: Verdict, key: string): Raw | undefined {
  return (extras ?? []).findLast(([name]) => name === key)?.[1];
}

function linesOf({ extras }: Verdict, key: string): string[] {
  return (extras ?? []).flatMap(([name, value]) => (name === key ? (stringIn(value) ?? []) : []));
}

function hsoOf(native: string, parts: readonly Part[]): Raw | undefined {
  const text = objectOf(parts);
  return text === '' ? undefined : rawFrom([['hookEventName', rawOf(native)], ...parts]);
}

function rawFrom(parts: readonly Part[]): Raw {
  return { text: objectText(present(parts)) };
}

/** Empty where nothing is to be said. */
function objectOf(parts: readonly Part[]): string {
  const fields = present(parts);
  return fields.length === 0 ? '' : `${objectText(fields)}\n`;
}

function present(parts: readonly Part[]): Fields {
  return parts.flatMap(([key, value]): [string, Raw][] => (value === undefined ? [] : [[key, value]]));
}

/** At exit 0 stderr is free for people; it ends in the debug log. */
function words(verdict: Verdict, messages: readonly string[]): string {
  return [...(verdict.own === undefined ? [] : [verdict.own]), ...(verdict.display ?? []), ...messages]
    .map((line) => `${line}\n`)
    .join('');
}
