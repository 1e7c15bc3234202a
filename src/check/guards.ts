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
  readonly exitsWith2: boolean;
  /** It writes to stderr. */
  readonly speaks: boolean;
  /** It decides by JSON in the words of Claude Code and Kiro. */
  readonly decides: boolean;
  /** The same at the end of every turn, whatever happened. */
  readonly goesOnAlways: boolean;
  /** It is a shell, and what comes on stdin is its script. */
  readonly isShell: boolean;
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

/** `echo oops >&2`, `sys.stderr`. */
const SPEAKS = />\s*&\s*2|\/dev\/stderr|console\.(?:error|warn)\(|\bstderr\b/;
const DECIDES = /permissionDecision|\\?["']decision\\?["']\s*:\s*\\?["'](?:block|deny)/;
const CONDITION = /\bif\b|\bcase\b|&&|\|\||\[ |(?:^|[;&|(])\s*test\b/;
const SHELL = /^\s*(?:\/\S*\/)?(?:ba|da|z|k)?sh\s*$/;

/** Of a command, and the scripts that it runs. */
export function abilitiesOf(command: string, scripts: readonly string[]): Abilities {
  const texts = [command, ...scripts].map(withoutComments);
  const some = (pattern: RegExp, of: readonly string[] = texts) => of.some((text) => pattern.test(text));
  const said = texts.map(withoutMessages);
  const blocks = some(EXIT_2, said) || some(BLOCKING_ACTION);
  const rewrites = texts.some((text) => text.split('\n').some((line) => REWRITE.test(line) && !NO_ANSWER.test(line)));
  return {
    blocks: blocks || some(DECIDES),
    rewrites,
    exitsWith1: !blocks && some(EXIT_1),
    blocksAlways: ALWAYS.test(command),
    exitsWith2: some(EXIT_2, said),
    speaks: some(SPEAKS),
    decides: some(DECIDES),
    goesOnAlways: scripts.length === 0 && DECIDES.test(command) && !CONDITION.test(command),
    isShell: SHELL.test(command),
  };
}

/** What a shell prints is no `exit`. */
function withoutMessages(text: string): string {
  return text.replace(/\b(?:echo|printf)\s+(?:"[^"]*"|'[^']*')/g, '');
}

/** Lines that are nothing but a comment: an example in there is no ability. */
function withoutComments(text: string): string {
  return text.replace(/^\s*(?:#|\/\/|\*).*$/gm, '');
}
