#!/usr/bin/env node
/*
 * A small agent that obeys hooks: it asks `hookctl run` at the four points of a turn.
 * What the user, the model, the tool and the person at the keyboard do is read from a file.
 *
 *   node wrapper.cjs [--editor] AGENT TURN
 *
 * $HOOKCTL is the program, hookctl by default. $WRAPPER_WAIT is how many seconds one answer may take, 120 by default.
 */
const { spawnSync } = require('child_process');
const { readFileSync } = require('fs');

const args = process.argv.slice(2);
const editor = args[0] === '--editor';
const [agent, turnFile] = editor ? args.slice(1) : args;
if (turnFile === undefined) {
  console.error('usage: wrapper.cjs [--editor] AGENT TURN');
  process.exit(1);
}

const HOOKCTL = process.env.HOOKCTL || 'hookctl';
const WAIT = Number(process.env.WRAPPER_WAIT || 120);
/** So often in a row a hook may send an answer back. */
const MOST_RETURNS = 3;
/** What hookctl says at each point, and with which of it the turn goes on (exit code 0). */
const ACTIONS = {
  preGeneration: ['stop'],
  preToolCall: ['allow', 'ask', 'deny', 'defer', 'stop'],
  postToolCall: ['deny'],
  postGeneration: ['deny'],
};
const GO_ON = [undefined, 'allow', 'ask'];
const WORDS = { deny: 'denied', stop: 'stopped', defer: 'deferred' };

const turn = JSON.parse(readFileSync(turnFile, 'utf8'));
/** What the model is given, in order. */
const history = [];
/** hookctl's stderr, kept until an answer has been shown. */
let notes = '';

const banner = readBanner();
const yolo = banner.startsWith('yolo: on ');
say(banner);
play();
say('--- history');
for (const { who, text } of history) say(`${who}: ${text}`);

function play() {
  say(`> ${turn.prompt}`);
  const before = ask({ event: 'preGeneration', prompt: turn.prompt });
  if (before.action !== undefined) {
    remember('user', `[prompt blocked by a hook: ${before.reason}]`);
    drop(lineOf('prompt', before));
    answer(before.response ?? before.reason);
    return;
  }
  const prompt = before.prompt ?? turn.prompt;
  remember('user', withContext(prompt, before.context));

  if (turn.tool !== undefined) {
    const stopped = callTool(turn.tool.name, turn.tool.input);
    if (stopped !== undefined) {
      answer(stopped);
      return;
    }
  }

  for (let returns = 0; ; returns++) {
    const response = turn.answers[returns] ?? turn.answers.at(-1);
    remember('model', response);
    say(response);
    const after = ask({ event: 'postGeneration', prompt, response });
    if (after.action !== undefined) refuse('postGeneration', after);
    showNotes();
    if (after.action === undefined) return;
    if (returns === MOST_RETURNS) {
      say(`an answer was sent back ${MOST_RETURNS} times in a row: the turn ends`);
      return;
    }
    remember('user', after.reason);
  }
}

/** Calls a tool, if the hooks and the person let it run. Returns the text that ends the turn, where a hook stops it. */
function callTool(name, proposed) {
  const before = ask({ event: 'preToolCall', tool: { name, input: proposed } });
  // From here on there is only the rewritten input: it is what the person is shown and what runs.
  const input = before.input ?? proposed;
  const title = `${name}: ${shown(input)}`;
  remember('model', `calls ${title}`);

  if (before.action in WORDS) {
    const pending = before.action === 'defer';
    if (editor) showCall(pending ? 'pending' : 'failed', `${title} — ${WORDS[before.action]} by a hook`);
    refuse(name, before, { silent: editor });
    remember('tool', pending ? `[pending, did not run: ${before.reason}]` : before.reason);
    return before.action === 'stop' ? (before.response ?? before.reason) : undefined;
  }

  // The hooks come before the permission question. No opinion is not allow, and an ask is asked even with yolo.
  if (before.action === 'ask' || (before.action !== 'allow' && !yolo)) {
    if (!isPermitted(title, before.action === 'ask' ? before.reason : undefined)) {
      if (editor) showCall('failed', `${title} — denied by the user`);
      else say(`${name} [denied by the user]`);
      remember('tool', '[denied by the user]');
      return;
    }
  }

  const output = runTool(name, input);
  if (editor) showCall('completed', title);
  else say(title);
  const after = ask({ event: 'postToolCall', tool: { name, input, output, success: true } });
  if (after.action !== undefined) refuse(name, after);
  const result = after.action === undefined ? output : `${output}\n[feedback by a hook]\n${after.reason}`;
  remember('tool', withContext(withContext(result, before.context), after.context));
}

// --- Asking hookctl

/**
 * Asks the hooks. Returns the verdict; where there is none that can be trusted, a refusal before a prompt or a tool, and
 * a warning after it.
 */
function ask(event) {
  const ran = hookctl(['run', '--deadline', `${WAIT}s`, agent], `${JSON.stringify(event)}\n`);
  notes += ran.stderr ?? '';
  try {
    return readVerdict(event.event, ran);
  } catch (error) {
    if (event.event === 'preGeneration') return { action: 'stop', reason: error.message };
    if (event.event === 'preToolCall') return { action: 'deny', reason: error.message };
    notes += `warning: ${event.event}: ${error.message}\n`;
    return {};
  }
}

/** hookctl ends by itself within its deadline; the timeout here is for one that does not. */
function hookctl(argv, input) {
  const options = { input, encoding: 'utf8', maxBuffer: 2 ** 28, timeout: (WAIT + 5) * 1000, killSignal: 'SIGKILL' };
  return spawnSync(HOOKCTL, argv, options);
}

/** The verdict, every part of it checked. Throws for anything that hookctl would not print by itself. */
function readVerdict(event, { status, signal, stdout }) {
  if (signal !== null || status > 128) throw new Error('hookctl was killed');
  if (status === null || status === 126 || status === 127) throw new Error('hookctl cannot be started');
  if (status !== 0 && status !== 2) throw new Error(`hookctl ended with exit code ${status}`);
  if (!/^[^\n]+\n$/.test(stdout)) throw new Error('hookctl did not print one line');
  const verdict = parse(stdout);
  const { action, reason } = verdict ?? {};
  const texts = [reason, verdict?.response, verdict?.context, verdict?.prompt];
  const valid =
    isObject(verdict) &&
    verdict.event === event &&
    (action === undefined || ACTIONS[event].includes(action)) &&
    (status === 0) === GO_ON.includes(action) &&
    (action === undefined || action === 'allow' || reason !== undefined) &&
    texts.every((text) => text === undefined || typeof text === 'string') &&
    (verdict.input === undefined || isObject(verdict.input));
  if (!valid) throw new Error('hookctl did not print a verdict');
  return verdict;
}

/** The first line of `hookctl list`. Where there is none, every call needs a permission. */
function readBanner() {
  const { status, stdout } = hookctl(['list', agent], '');
  const [first] = (stdout ?? '').split('\n');
  return status === 0 && /^yolo: (on|off) \| hooks: /.test(first) ? first : 'yolo: off | hooks: unknown';
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// --- The words

function withContext(text, context) {
  return context === undefined ? text : `${text}\n[context added by a hook]\n${context}`;
}

function lineOf(what, { action, reason }) {
  return `🪝 ${what} [${WORDS[action]} by a hook: ${reason}]`;
}

function refuse(what, verdict, { silent = false } = {}) {
  const line = lineOf(what, verdict);
  if (!silent) say(line);
  drop(line);
}

/** hookctl ends its stderr with the same line. */
function drop(line) {
  if (notes.endsWith(`${line}\n`)) notes = notes.slice(0, -line.length - 1);
}

/** How an editor shows a tool call. */
function showCall(status, title) {
  say(`tool call [${status}] ${title}`);
}

function answer(text) {
  say(text);
  showNotes();
}

function showNotes() {
  if (notes !== '') say(notes.replace(/\n$/, ''));
  notes = '';
}

/** Control characters are made visible: what a person permits is what they see. */
function say(text) {
  const visible = text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, (char) => `\\u${hex(char)}`);
  process.stdout.write(`${visible}\n`);
}

function hex(char) {
  return char.charCodeAt(0).toString(16).padStart(4, '0');
}

/** The command alone, or the whole input where there is more to it. */
function shown(input) {
  const alone = typeof input.command === 'string' && Object.keys(input).length === 1;
  return alone ? input.command : JSON.stringify(input);
}

// --- The pretend agent: what a real one has in place of this

function remember(who, text) {
  history.push({ who, text });
}

function isPermitted(title, reason) {
  const person = turn.person ?? 'no';
  say(`${title}${reason === undefined ? '' : ` — ${reason}`} — run it? ${person}`);
  return person === 'yes';
}

function runTool() {
  return turn.output;
}
