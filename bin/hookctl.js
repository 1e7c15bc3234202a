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
    main = require('../dist/run.js').main;
    if (typeof main !== 'function') throw new Error('dist/run.js has no main');
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
      refuse('internal error: ' + String(error && error.message).split('\n')[0], 'please report it');
    }
  );
}

function refuse(why, remedy) {
  var text = why + '; ' + remedy;
  say(2, 'hookctl: ' + text + '\n');
  if (!isRun()) process.exit(3);
  var name = eventName();
  if (OBSERVED.indexOf(name) >= 0) {
    say(1, JSON.stringify({ event: name, warnings: [text] }) + '\n');
    process.exit(0);
  }
  if (/(^| )--own-failure[ =]warn( |$)/.test(process.argv.slice(2).join(' '))) {
    say(1, JSON.stringify({ warnings: [text] }) + '\n');
    process.exit(0);
  }
  var verdict = {
    action: name === 'preGeneration' ? 'stop' : 'deny',
    reason: 'hookctl: ' + text,
    source: { kind: 'hookctl' }
  };
  if (name) verdict = { event: name, action: verdict.action, reason: verdict.reason, source: verdict.source };
  say(1, JSON.stringify(verdict) + '\n');
  process.exit(2);
}

function isRun() {
  return process.argv.slice(2).indexOf('run') >= 0;
}

/* The event that the caller asks about, if it can be told: of stdin, unless that is a terminal, or of --event. */
function eventName() {
  var name = (/(?:^| )--event[ =](\S+)/.exec(process.argv.slice(2).join(' ')) || [])[1];
  try {
    if (require('tty').isatty(0)) return name;
    var said = JSON.parse(require('fs').readFileSync(0, 'utf8')).event;
    return typeof said === 'string' ? said : name;
  } catch (_) {
    return name;
  }
}

function say(fd, text) {
  try {
    require('fs').writeSync(fd, text);
  } catch (_) {
    /* Who closed the stream reads the exit code. */
  }
}
