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
/** `{ input: x } = …` takes a value apart. */
const TAKES_APART = /\}\s*=[^=>]/;
const ALWAYS = /^\s*(?:exit\s+2|echo\s+[^;|&]*(?:>&2)?\s*(?:;|&&)\s*exit\s+2)\s*;?\s*$/;

/** Of a command, and the scripts that it runs. */
export function abilitiesOf(command: string, scripts: readonly string[]): Abilities {
  const texts = [command, ...scripts].map(withoutComments);
  const some = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  const blocks = some(EXIT_2) || some(BLOCKING_ACTION);
  const rewrites = texts.some((text) => text.split('\n').some((line) => REWRITE.test(line) && !TAKES_APART.test(line)));
  return { blocks, rewrites, exitsWith1: !blocks && some(EXIT_1), blocksAlways: ALWAYS.test(command) };
}

/** Of a module, of which nothing but its texts can be told: an exit code is no text. */
export function abilitiesOfModule(text: string): Abilities {
  const [blocks, rewrites] = [BLOCKING_ACTION.test(text), REWRITE.test(text)];
  return { blocks, rewrites, exitsWith1: false, blocksAlways: false };
}

/** Lines that are nothing but a comment: an example in there is no ability. */
function withoutComments(text: string): string {
  return text.replace(/^\s*(?:#|\/\/|\*).*$/gm, '');
}
