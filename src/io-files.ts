/**
 * The part of the world that `install` and `uninstall` need: backups, the programs themselves, a question.
 */
import { realpathSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';

export function backupOf(path: string): string {
  return `${path}.hookctl-backup`;
}

export function removeFile(path: string): void {
  rmSync(path, { force: true });
}

/** Absolute paths of Node, by its name on the PATH where that is the same program, and of hookctl. */
export function programs(path: string): { readonly node: string; readonly hookctl: string } {
  const folders = path.split(':').filter((folder) => folder.startsWith('/'));
  const node = folders.map((folder) => `${folder}/node`).find((file) => realOf(file) === realOf(process.execPath));
  return { node: node ?? process.execPath, hookctl: realOf(process.argv[1] ?? '') ?? '' };
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Asks a person on the terminal; no answer is no. */
export async function confirmed(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return /^y(?:es)?$/i.test((await Promise.race([lines.question(question), ended])).trim());
  } finally {
    lines.close();
  }
}
