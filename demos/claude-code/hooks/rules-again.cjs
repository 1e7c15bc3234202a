// What a compaction tends to lose. Claude Code says in "source" why the session starts.
const { source } = JSON.parse(require('fs').readFileSync(0, 'utf8'));

if (source === 'compact') {
  console.log(
    JSON.stringify({
      context: 'Rules of this project: tests first; never push to main; ask before you add a package.',
    }),
  );
}
