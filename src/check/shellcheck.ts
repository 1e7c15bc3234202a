/**
 * What `shellcheck` says of inline commands and of scripts of the shell, at the place in the file where it is written.
 */
import type { Finding, Severity, ShellcheckCode } from '../core/finding';
import { shownFrom } from '../core/path';
import type { TreeSpan } from '../core/tree';
import type { Doc } from '../dialects/dialect';
import type { Checked } from './index';
import { offsetIn, placesIn } from './positions';

export type RunShellcheck = (
  args: readonly string[],
  input: string,
) => Promise<{ readonly stdout: string } | 'missing'>;

/** Of `shellcheck --format=json1`: lines and columns from 1, a tab is one column (its manual, section FORMATS). */
type Comment = {
  readonly line: number;
  readonly endLine: number;
  readonly column: number;
  readonly endColumn: number;
  readonly level: string;
  readonly code: number;
  readonly message: string;
};

const LEVELS: Readonly<Record<string, Severity>> = {
  error: 'warning',
  warning: 'warning',
  info: 'info',
  style: 'info',
};
/** hookctl runs commands by `sh -c`: they need no #! line. */
const INLINE = ['--format=json1', '--shell=sh', '--exclude=SC2148', '-'];
const OF_SHELL = /^#!.*\b(?:ba|da|k)?sh\b/;

/** Findings of one file's commands. The comments of each distinct text are asked for once. */
export async function shellcheckCommands(
  { known }: Checked,
  text: string,
  comments: (command: string) => Promise<readonly Comment[]>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { written, doc } of known) {
    const { command } = written;
    if (command === undefined) continue;
    const placed = placesIn(text, command);
    for (const comment of await comments(command.text)) {
      const [start, end] = [
        offsetIn(command.text, comment.line, comment.column),
        offsetIn(command.text, comment.endLine, comment.endColumn),
      ];
      findings.push(findingOf(comment, doc.place, placed(start, end)));
    }
  }
  return findings;
}

/** Findings of a script, in the script. */
export async function shellcheckScript(
  path: string,
  text: string,
  cwd: string,
  placeIn: (file: string, text: string) => Doc['place'],
  run: RunShellcheck,
): Promise<Finding[]> {
  if (!OF_SHELL.test(text)) return [];
  const place = placeIn(shownFrom(cwd, path), text);
  const said = await commentsOf(run, ['--format=json1', '-'], text);
  return said.map((comment) => {
    const span = {
      start: offsetIn(text, comment.line, comment.column),
      end: offsetIn(text, comment.endLine, comment.endColumn),
    };
    return findingOf(comment, place, span);
  });
}

/** Asks once a text. */
export function askShellcheck(run: RunShellcheck): (command: string) => Promise<readonly Comment[]> {
  const asked = new Map<string, Promise<readonly Comment[]>>();
  return (command) => {
    const before = asked.get(command) ?? commentsOf(run, INLINE, command);
    asked.set(command, before);
    return before;
  };
}

async function commentsOf(run: RunShellcheck, args: readonly string[], input: string): Promise<readonly Comment[]> {
  const ran = await run(args, input);
  if (ran === 'missing') return [];
  try {
    const { comments } = JSON.parse(ran.stdout) as { readonly comments?: readonly Comment[] };
    return comments ?? [];
  } catch {
    return [];
  }
}

function findingOf({ code, level, message }: Comment, place: Doc['place'], span: TreeSpan): Finding {
  const own: ShellcheckCode = `SC${code}`;
  return { code: own, severity: LEVELS[level] ?? 'warning', at: place(span), args: { code: own, message } };
}
