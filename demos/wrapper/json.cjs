/*
 * JSON for wrapper.sh. Values come and go as JSON on one line each, which a shell variable holds without loss.
 *
 *   node json.cjs fields KEY... <FILE       one line for each key (`a.b` is b in a): its value, or nothing
 *   node json.cjs verdict EVENT CODE <FILE  checks what hookctl printed and its exit code; six lines: the bare action,
 *                                           then reason, response, context, prompt, input. Else why not on stderr, exit 1
 *   node json.cjs text <FILE                a text for people: bare, control characters made visible
 *   node json.cjs input <FILE               a tool's input for people: its command alone, or all where there is more to it
 */
const [command, ...args] = process.argv.slice(2);
const read = () => require('fs').readFileSync(0, 'utf8');
/** What hookctl says at each point, and with which of it the turn goes on (exit code 0). */
const ACTIONS = {
  preGeneration: ['stop'],
  preToolCall: ['allow', 'ask', 'deny', 'defer', 'stop'],
  postToolCall: ['deny'],
  postGeneration: ['deny'],
};
const GO_ON = [undefined, 'allow', 'ask'];
const lines = (values) => process.stdout.write(values.map((value) => `${value ?? ''}\n`).join(''));

if (command === 'fields') lines(fields(JSON.parse(read()), args));
else if (command === 'verdict') lines(verdict(args[0], Number(args[1]), read()));
else if (command === 'text') lines([visible(JSON.parse(read()))]);
else if (command === 'input') lines([visible(shown(JSON.parse(read())))]);
else fail(`no such command: ${command}`);

function fields(object, keys) {
  return keys.map((key) => {
    const value = key.split('.').reduce((inner, part) => inner?.[part], object) ?? undefined;
    return JSON.stringify(value);
  });
}

function verdict(event, code, printed) {
  if (!/^[^\n]+\n$/.test(printed)) fail('hookctl did not print one line');
  const verdict = parse(printed);
  const { action, reason } = verdict ?? {};
  const texts = [reason, verdict?.response, verdict?.context, verdict?.prompt];
  const valid =
    isObject(verdict) &&
    verdict.event === event &&
    (action === undefined || ACTIONS[event].includes(action)) &&
    (code === 0) === GO_ON.includes(action) &&
    (action === undefined || action === 'allow' || reason !== undefined) &&
    texts.every((text) => text === undefined || typeof text === 'string') &&
    (verdict.input === undefined || isObject(verdict.input));
  if (!valid) fail('hookctl did not print a verdict');
  return [action, ...fields(verdict, ['reason', 'response', 'context', 'prompt', 'input'])];
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

function shown(input) {
  const alone = typeof input.command === 'string' && Object.keys(input).length === 1;
  return alone ? input.command : JSON.stringify(input);
}

/** What a person permits is what they see. */
function visible(text) {
  return text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f]/g, (char) => `\\u${hex(char)}`);
}

function hex(char) {
  return char.charCodeAt(0).toString(16).padStart(4, '0');
}

function fail(why) {
  process.stderr.write(`${why}\n`);
  process.exit(1);
}
