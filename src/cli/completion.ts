/**
 * `hookctl completion SHELL`: a completion script, made of the tables of commands and options.
 */
import { EXIT } from '../exit';
import type { Io } from '../io';
import { badUsage, type Command } from './command';
import type { Option, ParsedOptions } from './options';
import { COLOR_OPTION } from './run-options';

const SHELLS = { bash, zsh, fish } as const satisfies Record<string, (commands: readonly Command[]) => string>;
const NAMES = Object.keys(SHELLS);

/** The command; `commands` is asked when it runs, for it is one of them. */
export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'print a completion script for a shell',
    description: 'Prints a script that completes commands, options and their values, and files.',
    argument: NAMES.join('|'),
    options: [COLOR_OPTION],
    words: NAMES,
    help: `
Examples:
  source <(hookctl completion bash)                                   bash, in ~/.bashrc
  source <(hookctl completion zsh)                                    zsh, in ~/.zshrc behind compinit
  hookctl completion fish > ~/.config/fish/completions/hookctl.fish   fish

Exit codes: 0 fine, 2 bad usage, 3 hookctl itself failed.`,
    async act({ rest }: ParsedOptions, io: Io) {
      const [shell, ...more] = rest;
      const known = Object.entries(SHELLS).find(([name]) => name === shell);
      if (known === undefined || more.length > 0)
        return badUsage('completion', `name one shell: ${NAMES.join(', ')}`, io);
      const lost = io.write('stdout', known[1](commands()));
      if (lost === undefined) return EXIT.fine;
      io.write('stderr', `hookctl completion: cannot write stdout: ${lost}\n`);
      return EXIT.own;
    },
  };
}

function bash(commands: readonly Command[]): string {
  const cases = commands.map(({ name, options, words }) => {
    const flags = [...options.map((option) => `--${option.name}`), '--help'];
    const values = options.flatMap(({ name: flag, choices }) =>
      choices === undefined
        ? []
        : [`      --${flag}) COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$cur")); return ;;`],
    );
    const valued = options.flatMap(({ name: flag, value, choices }) =>
      value !== undefined && choices === undefined ? [`--${flag}`] : [],
    );
    const files =
      valued.length === 0 ? [] : [`      ${valued.join('|')}) COMPREPLY=($(compgen -f -- "$cur")); return ;;`];
    return [
      `    ${name})`,
      '      case "$prev" in',
      ...[...values, ...files].map((line) => `  ${line}`),
      '        *) ;;',
      '      esac',
      `      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "${flags.join(' ')}" -- "$cur"))`,
      words === undefined
        ? '      else COMPREPLY=($(compgen -f -- "$cur")); fi'
        : `      else COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$cur")); fi`,
      '      ;;',
    ].join('\n');
  });
  return `# bash completion for hookctl
_hookctl() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= word
  COMPREPLY=()
  compopt -o filenames 2>/dev/null
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $word != -* ]]; then command=$word; break; fi
  done
  case "$command" in
    '') COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), '--help', '--version'].join(' ')}" -- "$cur")) ;;
${cases.join('\n')}
  esac
}
complete -F _hookctl hookctl
`;
}

function zsh(commands: readonly Command[]): string {
  const list = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n');
  const cases = commands.map(({ name, options, words }) => {
    const specs = [...options, HELP].map((option) => `        ${quoted(zshSpec(option))}`);
    const files = words === undefined ? "'*:file:_files'" : quoted(`1:name:(${words.join(' ')})`);
    return `      ${name})\n        _arguments \\\n${[...specs, `        ${files}`].join(' \\\n')}\n        ;;`;
  });
  return `#compdef hookctl
_hookctl() {
  local -a commands
  commands=(
${list}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
  else
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
${cases.join('\n')}
    esac
  fi
}
compdef _hookctl hookctl
`;
}

const HELP: Option = { name: 'help', help: 'show help' };

function zshSpec({ name, value, choices, help }: Option): string {
  const text = help.replace(/[[\]:]/g, (sign) => `\\${sign}`);
  if (value === undefined) return `--${name}[${text}]`;
  return `*--${name}=[${text}]:${value.replaceAll(':', '')}:${choices === undefined ? '_files' : `(${choices.join(' ')})`}`;
}

function fish(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const top = commands.map(
    ({ name, summary }) =>
      `complete -c hookctl -n "not __fish_seen_subcommand_from ${names}" -f -a ${name} -d ${quoted(summary)}`,
  );
  const options = commands.flatMap(({ name, options: own, words }) => [
    ...own.map((option) => {
      const values =
        option.value === undefined
          ? ''
          : option.choices === undefined
            ? ' -r'
            : ` -x -a ${quoted(option.choices.join(' '))}`;
      return `complete -c hookctl -n "__fish_seen_subcommand_from ${name}" -l ${option.name}${values} -d ${quoted(option.help)}`;
    }),
    ...(words === undefined
      ? []
      : [`complete -c hookctl -n "__fish_seen_subcommand_from ${name}" -f -a ${quoted(words.join(' '))}`]),
  ]);
  return `# fish completion for hookctl\n${[...top, ...options].join('\n')}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
