// For each recorded event: the matching commands of the settings, the event on their stdin, and what they answered.
const { readFileSync } = require('fs');
const { spawnSync } = require('child_process');

const [, , settings, session] = process.argv;
const { hooks } = JSON.parse(readFileSync(settings, 'utf8'));

for (const line of readFileSync(session, 'utf8').split('\n').filter(Boolean)) {
  const event = JSON.parse(line);
  const subject = event.tool_name ?? event.source;
  const groups = (hooks[event.hook_event_name] ?? []).filter(
    ({ matcher }) => !matcher || matcher.split('|').includes(subject),
  );
  const what =
    event.tool_input?.command ??
    event.tool_input?.file_path ??
    event.prompt ??
    event.last_assistant_message ??
    event.source ??
    '';
  console.log(`${event.hook_event_name} ${subject ?? ''} ${JSON.stringify(what)}`.replace(/ +/g, ' '));
  for (const { command } of groups.flatMap((group) => group.hooks)) {
    const ran = spawnSync('/bin/sh', ['-c', command], { input: line, encoding: 'utf8' });
    console.log(
      `  exit ${ran.status}${ran.stdout === '' ? '' : ` ${ran.stdout.trim()}`}${ran.status === 2 ? ` ${ran.stderr.trim()}` : ''}`,
    );
  }
}
