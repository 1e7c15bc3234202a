/**
 * The system's error codes in words for people.
 */
const REASONS: Readonly<Record<string, string>> = {
  E2BIG: 'the command line or its variables are too long for the system',
  EACCES: 'permission denied',
  EAGAIN: 'the system has no process left',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was cut',
  EADDRINUSE: 'the address is in use',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'there is no such host',
  EISDIR: 'it is a folder',
  ELOOP: 'its links run in a circle',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many open files',
  ENOENT: 'there is no such file',
  ENOMEM: 'the system has no memory left',
  ENOSPC: 'the device is full',
  ENOTDIR: 'a part of its path is no folder',
  EPIPE: 'its reader is gone',
};

/** The code of a system error, or an empty text. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Why it failed, in words. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code !== '') return REASONS[code] ?? code;
  return error instanceof Error ? error.message : String(error);
}
