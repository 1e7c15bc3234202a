import { describe, expect, it } from 'vitest';
import { abilitiesOf } from '../../../src/check/guards';

describe('what a hook can do', () => {
  it.each([
    'exit 2',
    'sys.exit(2)',
    'process.exit(2);',
    'process.exitCode = 2',
    `echo '{"action":"deny"}'`,
    `print(json.dumps({"action": "stop"}))`,
    `process.stdout.write(JSON.stringify({ action: 'deny', reason }))`,
    `jq -c '{action:"ask"}'`,
    'printf "{\\"action\\":\\"deny\\"}"',
  ])('%s: block', (text) => {
    expect(abilitiesOf('x', [text]).blocks).toBe(true);
    expect(abilitiesOf(text, []).blocks).toBe(true);
  });

  it.each([
    'exit 20',
    'echo "would exit 2" >&2',
    'exit 0',
    '# exit 2',
    '// {"action":"deny"}',
    '{"action":"allow"}',
    'console.log("no action")',
  ])('%s: not block', (text) => {
    expect(abilitiesOf(text, []).blocks).toBe(false);
  });

  it.each([
    `echo '{"input":{}}'`,
    'JSON.stringify({ input: x })',
    `json.dumps({"prompt": p})`,
    `jq -c '{input:(.tool.input)}'`,
  ])('%s: rewrite', (text) => {
    expect(abilitiesOf(text, []).rewrites).toBe(true);
  });

  it.each([
    'const { input: { command } } = event.tool',
    'json.load(sys.stdin)["tool"]["input"]',
    'event.tool.input.command',
    `jq -c '{event, input: .tool.input}' >> log`,
    'f.write(json.dumps({"tool": name, "input": i}))',
    "appendFileSync('log', JSON.stringify({ input }))",
    'logger.info({"input": i})',
  ])('%s: not rewrite', (text) => {
    expect(abilitiesOf(text, []).rewrites).toBe(false);
  });

  it('exit 1 counts where nothing blocks', () => {
    expect(abilitiesOf('grep x && exit 1', []).exitsWith1).toBe(true);
    expect(abilitiesOf('grep x && exit 1', ['exit 2']).exitsWith1).toBe(false);
  });

  it.each([
    ['exit 2', true],
    ['echo no >&2; exit 2', true],
    ['grep x && exit 2', false],
    ['exit 2 # why', false],
  ])('%s blocks always: %s', (command, expected) => {
    expect(abilitiesOf(command, []).blocksAlways).toBe(expected);
  });
});
