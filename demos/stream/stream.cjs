// Asks hookctl about one event after another, through one process that stays: `hookctl run --stream`.
//
//   node stream.cjs AGENT < commands       one shell command a line; prints "go" or "no: <reason>" for each
//
// $HOOKCTL is the program, hookctl by default. Where the stream does not answer as it must, a run of its own is asked; where that one
// has no answer either, the answer is no.
const { spawn } = require('child_process');
const { createInterface } = require('readline');

const HOOKCTL = process.env.HOOKCTL || 'hookctl';
const DEADLINE_SECONDS = Number(process.env.WRAPPER_WAIT || 60);
// hookctl answers within its deadline. This is for one that does not.
const PATIENCE_MS = (DEADLINE_SECONDS + 5) * 1000;
const DEADLINE = ['--deadline', `${DEADLINE_SECONDS}s`];
const ACTIONS = [undefined, 'allow', 'deny', 'ask', 'defer', 'stop'];

class Hooks {
  constructor(configs) {
    this.configs = configs;
    this.asked = 0;
  }

  // The verdict on an event. It never rejects: what is not known is denied.
  async ask(event) {
    try {
      return await this.askStream(event);
    } catch {
      this.close();
    }
    try {
      return await this.askCold(event);
    } catch (error) {
      return { event: event.event, action: 'deny', reason: `hookctl has no answer: ${error.message}` };
    }
  }

  close() {
    const { child } = this;
    if (!child) return;
    this.child = undefined;
    const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
    child.once('close', () => clearTimeout(timer));
    child.kill('SIGTERM');
  }

  // One event at a time: the next line is the answer.
  askStream(event) {
    if (!this.child) this.start();
    const { child, lines } = this;
    const id = ++this.asked;
    return new Promise((resolve, reject) => {
      const done = (act, value) => {
        clearTimeout(timer);
        lines.removeAllListeners('line');
        child.removeAllListeners('gone');
        act(value);
      };
      const timer = setTimeout(() => done(reject, new Error('no answer in time')), PATIENCE_MS);
      child.once('gone', () => done(reject, new Error('it is gone')));
      lines.once('line', (line) => {
        try {
          const { id: said, ...verdict } = checked(line, event);
          if (said !== id) throw new Error('the answer to another event');
          done(resolve, verdict);
        } catch (error) {
          done(reject, error);
        }
      });
      child.stdin.write(`${JSON.stringify({ ...event, id })}\n`);
    });
  }

  start() {
    const child = spawn(HOOKCTL, ['run', '--stream', ...DEADLINE, ...this.configs], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const gone = () => {
      if (this.child === child) this.child = undefined;
      child.emit('gone');
    };
    child.on('error', gone);
    child.on('close', gone);
    child.stdin.on('error', () => {});
    this.lines = createInterface({ input: child.stdout });
    this.child = child;
  }

  askCold(event) {
    return new Promise((resolve, reject) => {
      const child = spawn(HOOKCTL, ['run', ...DEADLINE, ...this.configs], { stdio: ['pipe', 'pipe', 'ignore'] });
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      const out = [];
      child.stdout.on('data', (chunk) => out.push(chunk));
      child.stdin.on('error', () => {});
      child.on('error', reject);
      child.on('close', (code) => {
        clearTimeout(timer);
        try {
          const verdict = checked(Buffer.concat(out).toString(), event);
          const blocks = ['deny', 'stop', 'defer'].includes(verdict.action);
          if (code !== (blocks ? 2 : 0)) throw new Error(`exit code ${code}`);
          resolve(verdict);
        } catch (error) {
          reject(error);
        }
      });
      child.stdin.end(JSON.stringify(event));
    });
  }
}

// A verdict that can be trusted. Throws for anything else.
function checked(line, event) {
  const verdict = JSON.parse(line);
  const known = verdict !== null && typeof verdict === 'object' && !Array.isArray(verdict);
  if (!known || !ACTIONS.includes(verdict.action)) throw new Error('no verdict');
  if (verdict.event !== event.event && verdict.action !== 'deny') throw new Error('the verdict on another event');
  return verdict;
}

module.exports = { Hooks };

async function main(configs) {
  const hooks = new Hooks(configs);
  for await (const command of createInterface({ input: process.stdin })) {
    const event = { event: 'preToolCall', cwd: process.cwd(), tool: { name: 'bash', input: { command } } };
    const { action, reason } = await hooks.ask(event);
    // A real wrapper asks its user at "ask", and runs the rewritten input where there is one.
    console.log(action === undefined || action === 'allow' ? 'go' : `no: ${reason}`);
  }
  hooks.close();
}

if (require.main === module) main(process.argv.slice(2));
