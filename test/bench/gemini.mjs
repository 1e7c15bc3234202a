/**
 * Gemini CLI's own hook runner, driven in this process: the hooks of argv one after another, on the event on stdin; prints what it made
 * of the last one.
 *
 *     node gemini.mjs TIMES TIMEOUT_MS COMMAND < event.json
 */
import { readFileSync } from 'node:fs';
import { HookRunner } from './peers/node_modules/@google/gemini-cli-core/dist/src/hooks/hookRunner.js';

const [, , times, timeout, command] = process.argv;
const runner = new HookRunner({
  isTrustedFolder: () => true,
  sanitizationConfig: {
    enableEnvironmentVariableRedaction: false,
    allowedEnvironmentVariables: [],
    blockedEnvironmentVariables: [],
  },
  storage: { getPlansDir: () => '/tmp' },
});
const input = {
  session_id: 's',
  transcript_path: '/tmp/t',
  timestamp: '',
  cwd: '/tmp',
  ...JSON.parse(readFileSync(0, 'utf8')),
};
const hooks = Array.from({ length: Number(times) }, () => ({ type: 'command', command, timeout: Number(timeout) }));
const results = await runner.executeHooksSequential(hooks, 'BeforeTool', input);
const { success, exitCode, output, error } = results.at(-1);
const said = output?.decision ?? output?.hookSpecificOutput?.permissionDecision;
console.log(JSON.stringify({ success, exitCode, said, error: error?.message, stdout: results.at(-1).stdout?.length }));
