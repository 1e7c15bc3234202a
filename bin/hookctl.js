#!/usr/bin/env node
/*
 * Old JavaScript on purpose: it must load in any Node. It refuses a Node that is too old and a build that is missing or does
 * not load, and never lets that open a door: for `run` it answers as hookctl does when it fails itself.
 */
var OLDEST = 20;

/* The events on which a failure of hookctl must not block; everywhere else, and where the event is unknown, it must. */
var OBSERVED = [
  'postToolCall',
  'postGeneration',
  'subagentStop',
  'taskEnd',
  'sessionStart',
  'subagentStart',
  'instructionsLoaded',
  'fileCreated',
  'fileSaved',
  'fileDeleted',
  'manual',
  'permissionDenied',
  'sessionEnd',
  'preCompact',
  'postCompact',
  'notification',
  'error',
  'modelRequest',
  'modelResponse',
  'turnStart',
  'turnEnd'
];

/* Events of Claude Code on which a failure of hookctl must block; elsewhere exit 2 would drive the agent in circles, or do nothing. */
var CLAUDE_GUARDING = [
  'PreToolUse',
  'PostToolBatch',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'PreCompact',
  'PreModelSwitch',
  'PermissionRequest',
  'TaskCreated',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'WorktreeCreate',
  'WorktreeRemove',
  'PreSkillShellCommand'
];

/* Events of Kiro's formats on which a failure of hookctl must block; elsewhere exit 2 would keep the agent working, or do nothing. */
var KIRO_GUARDING = [
  'preToolUse',
  'PreToolUse',
  'preToolCall',
  'userPromptSubmit',
  'UserPromptSubmit',
  'promptSubmit',
  'preGeneration',
  'preTaskExecution',
  'PreTaskExec',
  'taskStart'
];

/* Names that no agent but Kiro sends. */
var KIRO_ALONE = ['preToolUse', 'userPromptSubmit', 'PreTaskExec'];

/* Should everything below be skipped by an early end of the event loop, that is no permission either. */
process.exitCode = isRun() ? 2 : 3;

if (parseInt(process.versions.node, 10) < OLDEST) {
  refuse('Node ' + process.versions.node + ' is too old', 'install Node ' + OLDEST + ' or newer');
} else {
  start();
}

function start() {
  var main;
  try {
    main = require(process.argv[2] === 'emit' ? '../dist/emit.js' : '../dist/run.js').main;
    if (typeof main !== 'function') throw new Error('dist has no main');
  } catch (error) {
    refuse(
      'the build does not load: ' + String(error && error.message).split('\n')[0],
      'run "npm run build", or install hookctl again'
    );
    return;
  }
  main().then(
    function (code) {
      process.exit(code);
    },
    function (error) {
      var why = String(error && error.message).split('\n')[0];
      refuse('internal error: ' + why, 'please report it', error && error.payload);
    }
  );
}

/* `payload`: what stdin held, where it was read before. */
function refuse(why, remedy, payload) {
  var text = why + '; ' + remedy;
  if (!isRun()) {
    say(2, 'hookctl: ' + text + '\n');
    process.exit(3);
  }
  var done = function (name, claude) {
    answer(text, name, claude);
  };
  if (payload) tell(Buffer.from(payload).toString(), done);
  else readEvent(done);
}

/* What hookctl says when it fails itself. `name` is undefined where the event cannot be told for sure. */
function answer(text, name, claude) {
  if (option('as') === 'prx') return answerPrx(text);
  if (/^kiro-/.test(option('as') || '') || KIRO_ALONE.indexOf(name) >= 0) return answerKiro(text, name);
  if (claude || option('as') === 'claude') return answerClaude(text, name);
  var blocks = OBSERVED.indexOf(name) < 0 && option('own-failure') !== 'warn';
  var verdict = name ? { event: name } : {};
  if (blocks) {
    verdict.action = name === 'preGeneration' ? 'stop' : 'deny';
    verdict.reason = 'hookctl: ' + text;
    verdict.source = { kind: 'hookctl' };
  } else {
    verdict.warnings = [text];
  }
  if (option('as') !== 'exit') say(1, JSON.stringify(verdict) + '\n');
  say(2, 'hookctl: ' + text + '\n');
  process.exit(blocks ? 2 : 0);
}

/* Nothing can be blocked there; exit 1 makes PRX log stderr. */
function answerPrx(text) {
  say(2, 'hookctl: ' + text + '\n');
  process.exit(1);
}

/* Exit 2 blocks there on every event that can be blocked but one, which only a decision denies. */
function answerClaude(text, name) {
  var known = name && CLAUDE_GUARDING.indexOf(name) < 0;
  say(2, 'hookctl: ' + text + '\n');
  if (known || option('own-failure') === 'warn') {
    say(1, JSON.stringify({ systemMessage: 'hookctl: ' + text }) + '\n');
    process.exit(0);
  }
  if (name === 'PermissionRequest') {
    var decision = { behavior: 'deny', message: 'hookctl: ' + text };
    say(1, JSON.stringify({ hookSpecificOutput: { hookEventName: name, decision: decision } }) + '\n');
    process.exit(0);
  }
  process.exit(2);
}

/* stdout is empty: at exit 2 Kiro hands the model what stands on stderr. */
function answerKiro(text, name) {
  var known = name && KIRO_GUARDING.indexOf(name) < 0;
  say(2, 'hookctl: ' + text + '\n');
  process.exit(known || option('own-failure') === 'warn' ? 0 : 2);
}

function isRun() {
  return words().indexOf('run') >= 0;
}

/* What stands before "--": behind it there are only files. */
function words() {
  var all = process.argv.slice(2);
  var end = all.indexOf('--');
  return end < 0 ? all : all.slice(0, end);
}

/* The last value of an option. */
function option(name) {
  var value;
  words().forEach(function (word, index, all) {
    if (word === '--' + name) value = all[index + 1];
    else if (word.indexOf('--' + name + '=') === 0) value = word.slice(name.length + 3);
  });
  return value;
}

/* Hands on the name of the event on stdin, if that can be told; a deadline bounds the wait. */
function readEvent(done) {
  /* The Kiro IDE keeps stdin open and says nothing there. */
  if (option('as') === 'kiro-hook') return done(option('event'), false);
  if (require('tty').isatty(0)) return done(undefined);
  var limit = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(option('deadline') || '');
  if (!limit) return tell(readAll(), done);
  var text = '';
  setTimeout(function () {
    done(undefined);
  }, limit[1] * { ms: 1, s: 1000, m: 60000 }[limit[2]]);
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', function (chunk) {
    text += chunk;
  });
  process.stdin.on('error', function () {
    done(undefined);
  });
  process.stdin.on('end', function () {
    tell(text, done);
  });
}

function readAll() {
  try {
    return require('fs').readFileSync(0, 'utf8');
  } catch (_) {
    return undefined;
  }
}

/* The name of the event, and whether it is one of Claude Code's. */
function tell(text, done) {
  var claude = text !== undefined && /"hook_event_name"\s*:/.test(text);
  done(eventIn(text, claude || option('as') === 'claude' ? 'hook_event_name' : 'event'), claude);
}

/* The name that the text and --event agree on; undefined for what is no JSON object, not UTF-8, or names it twice. */
function eventIn(text, key) {
  var asked = option('event');
  if (text === undefined || text.indexOf('\ufffd') >= 0) return undefined;
  if (/^\s*$/.test(text)) return asked;
  if (text.split('"' + key + '"').length > 2) return undefined;
  try {
    var said = JSON.parse(text)[key];
    if (said === undefined || said === null) return asked;
    return typeof said === 'string' && (asked === undefined || asked === said) ? said : undefined;
  } catch (_) {
    return undefined;
  }
}

function say(fd, text) {
  try {
    require('fs').writeSync(fd, text);
  } catch (_) {
    /* Who closed the stream reads the exit code. */
  }
}
