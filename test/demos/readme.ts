/**
 * The walk-throughs of the demos: a block that begins with ```sh holds lines `$ command`, each with its output below.
 * A block that needs more than Node and sh begins with ```sh needs=python3.
 */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** Which blocks run: those without `needs` always. */
export type Options = { readonly needs: 'skip' | 'run' };

/** The demos that have a README, by name. */
export function demos(): string[] {
  return readdirSync(join(ROOT, 'demos'))
    .filter((name) => readdirSync(join(ROOT, 'demos', name)).includes('README.md'))
    .sort();
}

/** What the README of a demo shows, and what is real. With `UPDATE=1` that is written, and both are the same. */
export function readmeOf(demo: string, options: Options): { readonly shown: string; readonly real: string } {
  const path = join(ROOT, 'demos', demo, 'README.md');
  const shown = readFileSync(path, 'utf8');
  const real = rendered(shown, options);
  if (process.env['UPDATE'] !== '1') return { shown, real };
  if (real !== shown) writeFileSync(path, real);
  return { shown: real, real };
}

/** The README with the output that its commands have now. What differs only in times stays as it is. */
export function rendered(text: string, { needs }: Options): string {
  const commands: string[] = [];
  eachBlock(text, needs, (block) => {
    commands.push(...block.map(({ command }) => command));
    return block;
  });
  if (commands.length === 0) throw new Error('no block of this README has a command: ```sh, then `$ command`');
  const outputs = run(commands);
  return eachBlock(text, needs, (block) =>
    block.map(({ command, output }) => {
      const now = outputs.shift() ?? '';
      return { command, output: timeless(now) === timeless(output) ? output : now };
    }),
  );
}

type Step = { readonly command: string; readonly output: string };

function eachBlock(text: string, needs: Options['needs'], change: (steps: Step[]) => Step[]): string {
  return text.replace(/^```sh\b(.*)\n([\s\S]*?)^```$/gm, (whole: string, info: string, body: string) => {
    if (!/^( needs=\w+)?$/.test(info)) throw new Error(`not understood: \`\`\`sh${info}`);
    if (!/^\$ /m.test(body) || (info !== '' && needs === 'skip')) return whole;
    const steps = change(stepsOf(body)).map(({ command, output }) => `$ ${command}\n${output}`);
    return `\`\`\`sh${info}\n${steps.join('')}\`\`\``;
  });
}

function stepsOf(body: string): Step[] {
  const [before, ...steps] = body.split(/^\$ /m);
  if (before !== '') throw new Error(`stands before the first command: ${before}`);
  return steps.map((step) => {
    const end = step.indexOf('\n');
    return { command: step.slice(0, end), output: step.slice(end + 1) };
  });
}

const MARK = '\u0001end of step\u0001';

/** What each command prints: one shell for all, in a fresh folder with a copy of the demos and a clean environment. */
function run(commands: readonly string[]): string[] {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'hookctl-demos-')));
  try {
    const folder = join(home, 'hookctl');
    cpSync(join(ROOT, 'demos'), join(folder, 'demos'), { recursive: true });
    for (const name of ['bin', 'tmp']) mkdirSync(join(home, name));
    writeFileSync(join(home, 'bin/hookctl'), `#!/bin/sh\nexec '${process.execPath}' '${ROOT}/bin/hookctl.js' "$@"\n`);
    chmodSync(join(home, 'bin/hookctl'), 0o755);
    const path = [join(home, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
    const env = { PATH: path, HOME: home, TMPDIR: join(home, 'tmp'), LANG: 'C.UTF-8' };
    // The mark keeps `$?` for the next command.
    const script = `mark() { set -- $?; printf '%s' '${MARK}'; return "$1"; }\n${commands.join('\nmark\n')}\nmark\n`;
    const file = join(home, 'output');
    const output = openSync(file, 'a');
    spawnSync('/bin/sh', ['-c', script], { cwd: folder, env, stdio: ['ignore', output, output], timeout: 60_000 });
    closeSync(output);
    const outputs = readFileSync(file, 'utf8').replaceAll(home, '/home/me').split(MARK);
    if (outputs.pop() !== '' || outputs.length !== commands.length)
      throw new Error(`did not end: $ ${commands[outputs.length]}`);
    return outputs.map((text) => text.replace(/[^\n]$/, '$&\n'));
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

function timeless(text: string): string {
  return text.replace(/"(duration_)?ms":\d+(\.\d+)?/g, '"ms":0').replace(/ \(\d+(\.\d+)? ms\)/g, ' (0 ms)');
}
