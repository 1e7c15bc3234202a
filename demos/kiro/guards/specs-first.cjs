const { task } = JSON.parse(require('fs').readFileSync(0, 'utf8'));

if (task.spec === undefined)
  console.log(JSON.stringify({ action: 'deny', reason: `"${task.name}" stands in no spec; write one first` }));
