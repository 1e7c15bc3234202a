/**
 * What checks need of the world, and what they make of one file.
 */
import type { Disk } from '../config/find';
import type { FileRead } from '../config/load';
import type { ShellText } from '../core/shell';
import type { World } from '../dialects/dialect';

export type CheckDoors = {
  readonly disk: Disk & { readonly isExecutable: (path: string) => boolean };
  readonly shell: (text: string) => ShellText;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where hookctl stands, absolute: as likely as any folder the one that the agent works in. */
  readonly cwd: string;
  readonly world: World;
};

/** A file that could be parsed, with its hooks. */
export type CheckedFile = Required<Pick<FileRead, 'doc' | 'config'>> & { readonly text: string };
