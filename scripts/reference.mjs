/**
 * Writes the tables of `schemas/README.md` from the tables of `src/`. Run as a script: `npm run reference`.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ACTIONS = ['allow', 'deny', 'ask', 'defer', 'stop'];
const CELL = { yes: 'yes', no: '', nothing: '' };

/** Markdown table of the native events. */
export function eventTable(rows) {
  const cells = rows.map((row) => [
    `\`${row.canonical}\``,
    row.matches === 'tool' ? 'yes' : '',
    ACTIONS.filter((action) => row.can[action] === 'yes').join(', '),
    ['input', 'prompt']
      .filter((field) => row.can[field] === 'yes')
      .map((field) => `\`${field}\``)
      .join(', '),
    CELL[row.can.context],
    row.exit2 === 'deny if said' ? 'deny, with a deny object on stdout; else a failure' : row.exit2,
    row.synthetic,
  ]);
  return table(['event', 'matcher', 'actions', 'rewrite', 'context', 'exit 2', 'failure under `onError: fail`'], cells);
}

/** What a caller can be told on each of its events. */
export function capabilityTable(rows) {
  const said = { yes: 'yes', no: '', nothing: 'silence', 'with allow': 'with an allow' };
  const cells = rows.map((row) => [
    `\`${row.native}\``,
    `\`${row.canonical}\``,
    ...[...ACTIONS, 'input', 'prompt', 'context'].map(
      (what) =>
        `${said[row.can[what]] ?? `→ ${row.can[what]}`}${row.unsure?.[what] === undefined ? '' : ' (in doubt)'}`,
    ),
    row.synthetic,
  ]);
  return table(
    ['event', 'in agent YAML', ...ACTIONS, 'arguments', 'prompt', 'context', 'a broken guard, or hookctl'],
    cells,
  );
}

/** What the end of a hook means on each event of its own format. */
export function endingTable({ rows, endings }) {
  const meant = { deny: 'deny', stop: 'stop', failure: 'failure', told: 'the agent is told' };
  const json = { permission: 'deny, block, ask count; else ', block: 'block with a reason: work on; else ' };
  const cells = rows.map(({ native, canonical }) => {
    const { stdout, reads, exit2, other } = endings[native];
    return [`\`${native}\``, `\`${canonical}\``, `${json[reads] ?? ''}${stdout}`, meant[exit2], meant[other]];
  });
  return table(['trigger', 'in agent YAML', 'exit 0: JSON, text', 'exit 2', 'any other code'], cells);
}

/** What each action of an answer comes to on each event: itself, the word that it is read as, or a failure. */
export function actionTable(rows, slips) {
  const cell = (row, action) => {
    if (row.can[action] === 'yes') return action;
    const meant = slips[row.canonical]?.[action];
    return meant === undefined ? 'failure' : `${meant === 'nothing' ? 'no opinion' : meant} (warning)`;
  };
  const taking = rows.filter((row) => ACTIONS.some((action) => cell(row, action) !== 'failure'));
  const cells = taking.map((row) => [`\`${row.canonical}\``, ...ACTIONS.map((action) => cell(row, action))]);
  return table(
    ['event', ...ACTIONS.map((action) => `\`${action}\``)],
    [...cells, ['every other', ...ACTIONS.map(() => 'failure')]],
  );
}

/** What two answers in a row come to on the event of `row`, computed by the engine's own fold. */
export function chainTable(fold, row) {
  const rewrite = { field: 'input', how: 'replace', value: { text: '{}' } };
  const answers = {
    'no opinion': { kind: 'none' },
    ...Object.fromEntries(ACTIONS.map((action) => [action, { kind: 'decision', action }])),
    rewrite: { kind: 'none', rewrite },
    'allow and rewrite': { kind: 'decision', action: 'allow', rewrite },
    context: { kind: 'none', context: 'C' },
  };
  const said = (outcome, hook) => ({ hook, at: 'agent.yaml:1', outcome: { ...outcome, warnings: [] } });
  const verdict = (first, second) => {
    const { action, rewrite: told, context } = fold([said(first, 'first'), said(second, 'second')], row);
    const parts = [action, told && 'rewrite', context && 'context'].filter(Boolean);
    return parts.length === 0 ? 'no opinion' : parts.join(', ');
  };
  const names = Object.keys(answers);
  const rows = names.map((first) => [
    `**${first}**`,
    ...names.map((second) => verdict(answers[first], answers[second])),
  ]);
  return table(['first ↓, then →', ...names], rows);
}

/** Markdown table of the findings. */
export function findingTable(catalogue) {
  return table(
    ['code', 'severity', 'finding'],
    Object.entries(catalogue).map(([code, { severity, title }]) => [code, severity, title]),
  );
}

/** The page of findings: what each means, with a bad and a good example. */
export function findingsPage(catalogue, examples, words) {
  const told = (text) => text.replace(/\{(\w+)\}/g, (_, name) => words[name] ?? '…');
  const fence = (text, language) => `\`\`\`${language}\n${text}\n\`\`\``;
  const entries = Object.entries(catalogue).map(([code, { severity, title, sentence, help = '' }]) => {
    const { bad, good, shell, file } = examples[code];
    const language = shell ? 'sh' : (file?.split('.').pop() ?? 'yaml');
    const short = (text) => (text.length > 2_000 ? `${text.slice(0, 100)} …` : text);
    const where = file === undefined ? '' : ` (\`${file}\`)`;
    const says = [sentence, help].map(told).filter((text) => text.replace(/[…\s]/g, '') !== '');
    const lines = says.map((text) => `> ${text}`).join('\n>\n');
    return [
      `## ${code}: ${title}`,
      `*${severity}*`,
      lines,
      `Bad${where}:`,
      fence(short(bad), language),
      'Good:',
      fence(good, language),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  });
  return `# Findings\n\nWhat \`hookctl validate\` finds. For the errors up to HK021 \`hookctl run\` refuses a config; from HK022 on, only \`validate\` looks. \`hookctl explain HK028\` prints one of these.\n\n${entries.join('\n\n')}\n`;
}

/** Markdown table of names and what they mean. */
export function meaningTable(head, meanings) {
  return table(
    [head, 'meaning'],
    Object.entries(meanings).map(([name, meaning]) => [`\`${name}\``, meaning]),
  );
}

/** Markdown table of an option table. */
export function runOptionTable(options) {
  return table(
    ['option', 'meaning'],
    options.map(({ name, short, value, choices, help }) => [
      `\`${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}\``,
      choices ? `${help}: ${choices.join(', ')}` : help,
    ]),
  );
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

async function write() {
  const { build } = await import('esbuild');
  const root = fileURLToPath(new URL('..', import.meta.url));
  const outfile = `${root}dist.reference.mjs`;
  const contents = `export { NATIVE_ROWS, SLIPS } from './src/dialects/_shared/native-rows'; export { CATALOGUE } from './src/core/finding'; export { RUN_OPTIONS } from './src/cli/run-options'; export { fold } from './src/core/fold'; export { ANSWER_FIELDS } from './src/dialects/mm/answer'; export { ENVIRONMENT } from './src/dialects/mm/wire'; export { EXAMPLES } from './src/core/examples'; export { VALIDATE_OPTIONS } from './src/cli/validate'; export { WATCH_OPTIONS } from './src/cli/watch'; export { TRIGGER_OPTIONS } from './src/cli/trigger'; export { TEST_OPTIONS } from './src/cli/test'; export { spec as mm } from './src/dialects/mm/spec'; export { spec as claude } from './src/dialects/claude/spec'; export { spec as kiroAgent } from './src/dialects/kiro-agent/spec'; export { spec as kiroHook } from './src/dialects/kiro-hook/spec'; export { spec as kiroV1 } from './src/dialects/kiro-v1/spec'; export { ENVIRONMENT as PRX_ENVIRONMENT } from './src/dialects/prx/wire'; export { EMIT_OPTIONS } from './src/cli/emit'; export { LISTEN_OPTIONS } from './src/cli/listen'; export { SERVE_OPTIONS } from './src/cli/serve';`;
  await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'warning',
  });
  const {
    NATIVE_ROWS,
    SLIPS,
    CATALOGUE,
    RUN_OPTIONS,
    fold,
    ANSWER_FIELDS,
    ENVIRONMENT,
    EXAMPLES,
    VALIDATE_OPTIONS,
    WATCH_OPTIONS,
    TRIGGER_OPTIONS,
    TEST_OPTIONS,
    PRX_ENVIRONMENT,
    EMIT_OPTIONS,
    LISTEN_OPTIONS,
    SERVE_OPTIONS,
    mm,
    claude,
    ...kiro
  } = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  const tables = {
    events: eventTable(NATIVE_ROWS),
    actions: actionTable(NATIVE_ROWS, SLIPS),
    chains: chainTable(fold, NATIVE_ROWS[0]),
    environment: meaningTable('variable', ENVIRONMENT),
    answer: meaningTable('field', ANSWER_FIELDS),
    findings: findingTable(CATALOGUE),
    'claude can': capabilityTable(claude.rows),
    ...Object.fromEntries(
      Object.values(kiro).flatMap((spec) => [
        [`${spec.id} can`, capabilityTable(spec.rows)],
        [`${spec.id} ends`, endingTable(spec)],
      ]),
    ),
    options: runOptionTable(RUN_OPTIONS),
    'validate options': runOptionTable(VALIDATE_OPTIONS),
    'test options': runOptionTable(TEST_OPTIONS),
    'watch options': runOptionTable(WATCH_OPTIONS),
    'trigger options': runOptionTable(TRIGGER_OPTIONS),
    'prx environment': meaningTable('variable', PRX_ENVIRONMENT),
    'emit options': runOptionTable(EMIT_OPTIONS),
    'listen options': runOptionTable(LISTEN_OPTIONS),
    'serve options': runOptionTable(SERVE_OPTIONS),
  };
  writeFileSync(`${root}schemas/findings.md`, findingsPage(CATALOGUE, EXAMPLES, mm.failing));
  const page = `${root}schemas/README.md`;
  let text = readFileSync(page, 'utf8');
  for (const [name, rows] of Object.entries(tables)) {
    text = text.replace(
      new RegExp(`(<!-- ${name} -->\n).*?(<!-- /${name} -->)`, 's'),
      (_, open, close) => `${open}\n${rows}\n\n${close}`,
    );
  }
  writeFileSync(page, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await write();
