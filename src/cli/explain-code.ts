/**
 * `hookctl explain HK012`: what a finding means.
 */
import { EXAMPLES, type Example } from '../core/examples';
import { CATALOGUE, type Entry, isOwn, type OwnCode } from '../core/finding';
import { didYouMean } from '../core/nearest';
import { NATIVE } from '../dialects';
import { EXIT } from '../exit';
import type { Io } from '../io';
import type { Colors } from './colors';
import { badUsage } from './command';
import { type Output, writeOutputs } from './outputs';

/** Is it the code of a finding, or meant to be one? */
export function isCode(word: string): boolean {
  return /^(?:hk|sc)-?\d+$/i.test(word);
}

/** Prints the entry of a code, with examples. */
export function explainCode(word: string, outputs: readonly Output[], colors: Colors, io: Io): number {
  const code = word.toUpperCase().replace('-', '');
  if (/^SC/.test(code))
    return badUsage('explain', `${code} is shellcheck's: https://www.shellcheck.net/wiki/${code}`, io);
  if (!isOwn(code))
    return badUsage('explain', `there is no finding "${code}"${didYouMean(code, Object.keys(CATALOGUE), 1)}`, io);
  const lost = writeOutputs(outputs, (format) => (format === 'json' ? codeJson(code) : codeText(code, colors)), io);
  for (const problem of lost) io.write('stderr', `hookctl explain: ${problem}\n`);
  return lost.length > 0 ? EXIT.own : EXIT.fine;
}

function codeJson(code: OwnCode): string {
  const { severity, title }: Entry = CATALOGUE[code];
  return `${JSON.stringify({ version: 1, code, severity, title, ...told(code), ...EXAMPLES[code] }, null, 2)}\n`;
}

function codeText(code: OwnCode, colors: Colors): string {
  const { severity, title }: Entry = CATALOGUE[code];
  const { says, help } = told(code);
  const { bad, good, file }: Example = EXAMPLES[code];
  return `${[
    colors.bold(`${code} (${severity}): ${title}`),
    '',
    ...(says === undefined ? [] : [`  ${says}`]),
    ...(help === undefined ? [] : [`  ${help}`]),
    ...(says === undefined && help === undefined ? [] : ['']),
    `${colors.red('bad')}${file === undefined ? '' : ` (${file})`}`,
    ...bad.split('\n').map((line) => `    ${line}`),
    '',
    colors.green('good'),
    ...good.split('\n').map((line) => `    ${line}`),
  ].join('\n')}\n`;
}

/** The sentence and the help with … for what differs; nothing where all of it differs. */
function told(code: OwnCode): { readonly says?: string; readonly help?: string } {
  const { sentence, help = '' }: Entry = CATALOGUE[code];
  const words: Readonly<Record<string, string>> = NATIVE.spec.failing ?? {};
  const general = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => words[name] ?? '…');
  const isTold = (text: string) => general(text).replace(/[…\s]/g, '') !== '';
  return {
    ...(isTold(sentence) ? { says: general(sentence) } : {}),
    ...(isTold(help) ? { help: general(help) } : {}),
  };
}
