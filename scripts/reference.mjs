/**
 * Writes the tables of `schemas/README.md` from the tables of `src/`. Run as a script: `npm run reference`.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const CELL = { yes: 'yes', no: '', nothing: '' };

/** Markdown table of the native events. */
export function eventTable(rows) {
  const actions = ['allow', 'deny', 'ask', 'defer', 'stop'];
  const cells = rows.map((row) => [
    `\`${row.canonical}\``,
    row.matches === 'tool' ? 'yes' : '',
    actions.filter((action) => row.can[action] === 'yes').join(', '),
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

/** Markdown table of the findings. */
export function findingTable(catalogue) {
  return table(
    ['code', 'severity', 'finding'],
    Object.entries(catalogue).map(([code, { severity, title }]) => [code, severity, title]),
  );
}

/** Markdown table of an option table. */
export function runOptionTable(options) {
  return table(
    ['option', 'meaning'],
    options.map(({ name, value, choices, help }) => [
      `\`--${name}${value ? ` ${value}` : ''}\``,
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
  const contents = `export { NATIVE_ROWS } from './src/dialects/_shared/native-rows'; export { CATALOGUE } from './src/core/finding'; export { RUN_OPTIONS } from './src/cli/run-options';`;
  await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'warning',
  });
  const { NATIVE_ROWS, CATALOGUE, RUN_OPTIONS } = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  const tables = {
    events: eventTable(NATIVE_ROWS),
    findings: findingTable(CATALOGUE),
    options: runOptionTable(RUN_OPTIONS),
  };
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
