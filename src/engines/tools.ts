/**
 * The door to `execa`: programs that help hookctl, never hooks.
 */
import { execa } from 'execa';

export type ToolRun = { readonly exit: number; readonly stdout: string } | 'missing';

export type ToolOptions = {
  readonly input: string;
  readonly cwd: string;
  readonly ms: number;
  /** Added to hookctl's own. */
  readonly env?: Readonly<Record<string, string>>;
};

/** Runs a program to its end, at most `ms`. Its stderr is thrown away. */
export async function runTool(
  program: string,
  args: readonly string[],
  { input, cwd, ms, env }: ToolOptions,
): Promise<ToolRun> {
  const { exitCode, stdout, code } = await execa(program, args, {
    input,
    cwd,
    timeout: ms,
    reject: false,
    ...(env === undefined ? {} : { env }),
    stderr: 'ignore',
    stripFinalNewline: false,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (code === 'ENOENT') return 'missing';
  return { exit: exitCode ?? -1, stdout };
}
