import { describe, expect, it } from 'vitest';
import { fit } from '../../../src/core/fit';
import { fold, mergeGroup, rewriteEvent, type Said } from '../../../src/core/fold';
import type { Action, Outcome, Verdict } from '../../../src/core/model';
import { rowOf } from '../../../src/dialects';
import { exit } from '../../../src/dialects/exit';
import { eventNamed, rowNamed } from '../dialects/sample';

/** `allow`, `ask:reason`, `+context`, `=1` (a rewrite of the input), `-` (nothing), `allow=1`. */
function said(...all: readonly string[]): Said[] {
  return all.map((text, index) => {
    const [, action, reason, context, value] = /^([a-z]+)?(?::([^+=]*))?(?:\+([^=]*))?(?:=(.*))?$/.exec(text) ?? [];
    const outcome: Outcome = {
      kind: action === undefined ? 'none' : 'decision',
      ...(action === undefined ? {} : { action: actionNamed(action) }),
      ...(reason === undefined ? {} : { reason }),
      ...(context === undefined ? {} : { context }),
      ...(value === undefined ? {} : { rewrite: { field: 'input', how: 'replace', value: { text: value } } }),
      warnings: [],
    };
    return { hook: `h${index}`, at: `agent.yaml:${index + 1}`, outcome };
  });
}

function actionNamed(word: string): Action {
  const action = (['allow', 'deny', 'ask', 'defer', 'stop'] as const).find((one) => one === word);
  if (action === undefined) throw new Error(`no action ${word}`);
  return action;
}

/** In the same short form, and who decided. */
function shown(verdict: Verdict): string {
  const by = verdict.source?.hook === undefined ? '' : `${verdict.source.hook} `;
  const { action = '', reason, context, rewrite } = verdict;
  return `${by}${action}${reason === undefined ? '' : `:${reason}`}${context === undefined ? '' : `+${context}`}${rewrite === undefined ? '' : `=${rewrite.value.text}`}`;
}

describe('the chain of preToolCall', () => {
  it.each<[string[], string]>([
    [[], ''],
    [[''], ''],
    [['allow:ok'], 'h0 allow:ok'],
    [['allow', 'deny:no'], 'h1 deny:no'],
    [['deny:no', 'allow'], 'h0 deny:no'],
    [['deny:one', 'deny:two'], 'h0 deny:one'],
    [['stop:one', 'deny:two'], 'h0 stop:one'],
    [['deny:one', 'stop:two'], 'h0 deny:one'],
    [['ask:sure?', 'allow'], 'h0 ask:sure?'],
    [['allow', 'ask:sure?'], 'h1 ask:sure?'],
    [['ask:one', 'ask:two', 'ask:one'], 'h0 ask:one\ntwo'],
    [['ask:one', 'defer:later'], 'h1 defer:later'],
    [['defer:later', 'ask:one', 'allow'], 'h0 defer:later'],
    [['defer:later', 'deny:no'], 'h1 deny:no'],
    [['+one', '', '+two'], '+one\n\ntwo'],
    [['+one', 'allow', 'ask:sure?+two'], 'h2 ask:sure?+one\n\ntwo'],
    [['+one', 'deny:no+two'], 'h1 deny:no'],
    [['=1', 'deny:no'], 'h1 deny:no'],
    [['=1', ''], '=1'],
    [['=1', '=2', '+more'], '+more=2'],
    [['allow', '=1'], '=1'],
    [['allow=1'], 'h0 allow=1'],
    [['=1', 'allow:seen'], 'h1 allow:seen=1'],
    [['allow:early', '=1', 'allow:late'], 'h2 allow:late=1'],
    [['allow=1', '=2'], '=2'],
    [['ask:sure?', '=1'], 'h0 ask:sure?=1'],
  ])('%j → %j', (chain, verdict) => {
    expect(shown(fold(said(...chain), rowNamed('preToolCall')))).toBe(verdict);
  });
});

describe('the chain of postToolCall', () => {
  it.each<[string[], string]>([
    [['+one', 'deny:no+two', '+three'], 'h1 deny:no+one\n\ntwo'],
    [['+one', '+two'], '+one\n\ntwo'],
  ])('%j → %j', (chain, verdict) => {
    expect(shown(fold(said(...chain), rowNamed('postToolCall')))).toBe(verdict);
  });
});

describe('a merged group', () => {
  const merged = (...all: readonly string[]) => fold([mergeGroup(said(...all))], rowNamed('preToolCall'));

  it.each<[string[], string]>([
    [['', ''], ''],
    [['allow:a', 'deny:no'], 'h1 deny:no'],
    [['deny:one', 'stop:two'], 'h1 stop:two'],
    [['deny:one', 'deny:two', 'deny:one'], 'h0 deny:one\ntwo'],
    [['allow=1', '+more'], 'h0 allow+more=1'],
    [['allow', '=1'], '=1'],
    [['=1', 'allow'], '=1'],
    [['allow=1', '=2'], '=2'],
    [['=1', 'allow=2'], 'h1 allow=2'],
  ])('%j → %j', (group, verdict) => {
    expect(shown(merged(...group))).toBe(verdict);
  });

  it('names the hook that rewrote as the rewriter, also where another one decided', () => {
    expect(merged('ask:sure?', '=1').rewriter).toEqual({ hook: 'h1', at: 'agent.yaml:2' });
  });

  it('whose rewrite a caller cannot be told is denied in the name of the hook that rewrote', () => {
    const told = fit(merged('ask:sure?', '=1'), rowOf(exit, { name: 'preToolCall' }));
    expect(told.reason).toBe('h1 rewrote the arguments of this call, which this caller cannot be told; use instead: 1');
  });
});

describe('a rewrite', () => {
  const tool = { name: 'bash', input: { command: 'ls', n: 1 }, extra: true };
  const event = eventNamed('preToolCall', { tool });

  it.each([
    ['replaces the whole input', 'replace', '{"a":1.10}', '{"a":1.10}'],
    ['is merged into the input, key by key', 'merge', '{"n":2.0,"m":3}', '{"command":"ls","n":2.0,"m":3}'],
    ['merges a key that is special elsewhere', 'merge', '{"__proto__":1}', '{"command":"ls","n":1,"__proto__":1}'],
  ] as const)('%s', (_, how, value, expected) => {
    const after = rewriteEvent(event, { field: 'input', how, value: { text: value } });
    expect(after.tool?.input?.text).toBe(expected);
  });

  it('merged into a tool without input is the input', () => {
    const { input: _, ...bare } = event.tool ?? { name: 'bash' };
    const after = rewriteEvent({ ...event, tool: bare }, { field: 'input', how: 'merge', value: { text: '{"a":1}' } });
    expect(after.tool?.input?.text).toBe('{"a":1}');
  });

  it('replaces the prompt', () => {
    const after = rewriteEvent(eventNamed('preGeneration'), { field: 'prompt', how: 'replace', value: { text: '""' } });
    expect([after.prompt?.text, after.rewritten]).toEqual(['""', 'prompt']);
  });

  it('leaves the event that it was made from as it was', () => {
    rewriteEvent(event, { field: 'input', how: 'replace', value: { text: '{}' } });
    expect([event.tool?.input?.text, event.rewritten]).toEqual(['{"command":"ls","n":1}', undefined]);
  });
});
