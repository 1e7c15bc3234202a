/**
 * What a hook can do, told from its text: block, rewrite, or only fail. A guess, good enough for advice.
 */

export type Abilities = {
  readonly blocks: boolean;
  readonly rewrites: boolean;
  /** It ends with 1 where it wants to say no. */
  readonly exitsWith1: boolean;
  /** It blocks whatever it is asked. */
  readonly blocksAlways: boolean;
};

const EXITS = (code: number) =>
  new RegExp(
    `\\b(?:exit|sys\\.exit|process\\.exit|os\\._exit)\\s*\\(?\\s*${code}\\b|process\\.exitCode\\s*=\\s*${code}\\b`,
  );
const EXIT_2 = EXITS(2);
const EXIT_1 = EXITS(1);
/** `"action": "deny"`, `action: 'stop'`, `{"action":"ask"}` in quotes that are escaped. */
const BLOCKING_ACTION = /action\\?["']?\s*[:=]\s*\\?["'](?:deny|stop|ask|defer)\b|\b(?:deny|block)\(/;
/** `{"input":`, `{ prompt: `. */
const REWRITE = /[{,(]\s*\\?["']?(?:input|prompt)\\?["']?\s*:/;
/** `{ input: x } = …` takes a value apart; what is written into a file or a log is no answer. */
const NO_ANSWER =
  /\}\s*=[^=>]|>>|>\s*["']?[\w.$/~]|\b(?:append|write)File|\blog\w*\.|(?<!stdout)\.write\(|console\.error/;
const ALWAYS = /^\s*(?:exit\s+2|echo\s+[^;|&]*(?:>&2)?\s*(?:;|&&)\s*exit\s+2)\s*;?\s*$/;

/** Of a command, and the scripts that it runs. */
export function abilitiesOf(command: string, scripts: readonly string[]): Abilities {
  const texts = [command, ...scripts].map(withoutComments);
  const some = (pattern: RegExp, of: readonly string[] = texts) => of.some((text) => pattern.test(text));
  const blocks = some(EXIT_2, texts.map(withoutMessages)) || some(BLOCKING_ACTION);
  const rewrites = texts.some((text) => text.split('\n').some((line) => REWRITE.test(line) && !NO_ANSWER.test(line)));
  return { blocks, rewrites, exitsWith1: !blocks && some(EXIT_1), blocksAlways: ALWAYS.test(command) };
}

/** What a shell prints is no `exit`. */
function withoutMessages(text: string): string {
  return text.replace(/\b(?:echo|printf)\s+(?:"[^"]*"|'[^']*')/g, '');
}

/** Lines that are nothing but a comment: an example in there is no ability. */
function withoutComments(text: string): string {
  return text.replace(/^\s*(?:#|\/\/|\*).*$/gm, '');
}
