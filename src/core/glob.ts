/**
 * Globs as patterns of `core/pattern.ts`, so that they are searched as those are: they cannot hang.
 *
 * `*` and `?` stand for anything but `/` in a path, and for anything in a name. `**` crosses `/`; `**` as a whole segment is any
 * number of folders, none too. `[…]`, `[!…]`, `{a,b}`; a backslash takes the meaning from the next character.
 */

/** What a glob is tried on. A path glob without `/` is tried on the last segment. */
export type GlobOf = 'name' | 'path';

/** Why a text is no glob, as a phrase for people. */
export type GlobFault = { readonly fault: string };

type Cursor = { readonly glob: string; readonly of: GlobOf; at: number; depth: number };

const ANY = '[\\s\\S]';
const PUNCTUATION = /[!-/:-@[-`{-~]/;

/** The pattern of the whole name or path, or why there is none. */
export function globPattern(glob: string, of: GlobOf): string | GlobFault {
  if (glob === '') return { fault: 'it is empty' };
  const bare = of === 'path' ? glob.replace(/^\.?\//, '') : glob;
  const anywhere = of === 'path' && !glob.includes('/');
  const body = sequence({ glob: bare, of, at: 0, depth: 0 });
  return typeof body === 'string' ? `^${anywhere ? `(?:${ANY}*/)?` : ''}${body}$` : body;
}

/** Up to the end, or to what ends a part of `{…}`. */
function sequence(cursor: Cursor): string | GlobFault {
  let pattern = '';
  while (cursor.at < cursor.glob.length) {
    const sign = cursor.glob[cursor.at] ?? '';
    if (cursor.depth > 0 && (sign === ',' || sign === '}')) break;
    const piece = pieceOf(sign, cursor);
    if (typeof piece !== 'string') return piece;
    pattern += piece;
  }
  return pattern;
}

function pieceOf(sign: string, cursor: Cursor): string | GlobFault {
  switch (sign) {
    case '*':
      return stars(cursor);
    case '?':
      cursor.at += 1;
      return cursor.of === 'path' ? '[^/]' : ANY;
    case '[':
      return bracket(cursor);
    case '{':
      return braces(cursor);
    default:
      return literal(cursor);
  }
}

function stars(cursor: Cursor): string {
  const { glob, at } = cursor;
  const [run = ''] = /^\*+/.exec(glob.slice(at)) ?? [];
  cursor.at += run.length;
  if (cursor.of === 'name') return `${ANY}*`;
  if (run.length < 2) return '[^/]*';
  const isSegment = (at === 0 || glob[at - 1] === '/') && glob[cursor.at] === '/';
  if (!isSegment) return `${ANY}*`;
  cursor.at += 1;
  return `(?:${ANY}*/)?`;
}

function bracket(cursor: Cursor): string | GlobFault {
  const [whole, negated, inner] = /^\[([!^]?)(\]?[^\]]*)\]/.exec(cursor.glob.slice(cursor.at)) ?? [];
  if (whole === undefined || inner === undefined || inner === '') return { fault: 'a "[" that is not closed' };
  cursor.at += whole.length;
  const escaped = inner.replace(/[\\\][^/&|~]/g, '\\$&');
  if (negated === '') return `[${escaped}]`;
  return `[^${escaped}${cursor.of === 'path' ? '/' : ''}]`;
}

function braces(cursor: Cursor): string | GlobFault {
  cursor.at += 1;
  cursor.depth += 1;
  const branches: string[] = [];
  for (;;) {
    const branch = sequence(cursor);
    if (typeof branch !== 'string') return branch;
    branches.push(branch);
    const end = cursor.glob[cursor.at];
    if (end === undefined) return { fault: 'a "{" that is not closed' };
    cursor.at += 1;
    if (end === '}') break;
  }
  cursor.depth -= 1;
  return `(?:${branches.join('|')})`;
}

function literal(cursor: Cursor): string {
  if (cursor.glob[cursor.at] === '\\' && cursor.at + 1 < cursor.glob.length) cursor.at += 1;
  const [sign = ''] = [...cursor.glob.slice(cursor.at, cursor.at + 2)];
  cursor.at += sign.length;
  return PUNCTUATION.test(sign) ? `\\${sign}` : sign;
}
