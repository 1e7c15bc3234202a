/**
 * Holds the layer table of `src/README.md` against the import lines of `src/`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

type Import = { readonly file: string; readonly target: string; readonly typeOnly: boolean };

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'));
const IMPORTS = FILES.flatMap(importsOf);

/** What a file of each layer may import, by the start of the path below `src/`. Types may come from one layer more. */
const LAYERS: readonly {
  readonly layer: RegExp;
  readonly may: readonly RegExp[];
  readonly types?: readonly RegExp[];
}[] = [
  { layer: /^core\//, may: [/^core\//] },
  { layer: /^engines\//, may: [/^core\//] },
  { layer: /^dialects\/_shared\//, may: [/^core\//, /^dialects\/(_shared\/|dialect$)/] },
  { layer: /^dialects\/(?!_shared\/)[^/]+\//, may: [/^core\//, /^dialects\/([^/]+\/|dialect$)/] },
  { layer: /^dialects\/[^/]+$/, may: [/^core\//, /^dialects\//] },
  {
    layer: /^config\//,
    may: [/^core\//, /^dialects\/(index|detect|dialect)$/, /^config\//, /^suite\/(read|rows)$/],
    types: [/^suite\/model$/],
  },
  { layer: /^runner\//, may: [/^core\//, /^dialects\/(index|dialect)$/, /^runner\//, /^(regular-file|make-folder)$/] },
  {
    layer: /^emission\//,
    may: [/^core\//, /^dialects\/(index|dialect)$/, /^runner\//, /^emission\//, /^make-folder$/],
  },
  { layer: /^bus\//, may: [/^(core|engines|bus)\//] },
  {
    layer: /^server\//,
    may: [
      /^(core|engines|config|render|runner|emission|bus|server)\//,
      /^dialects\/(index|dialect|prx\/[a-z]+)$/,
      /^(whole-file|make-folder)$/,
    ],
  },
  { layer: /^check\//, may: [/^core\//, /^dialects\/(index|dialect)$/, /^check\//], types: [/^config\/(find|load)$/] },
  { layer: /^suite\//, may: [/^core\//, /^suite\//] },
  { layer: /^watch\//, may: [/^core\//, /^watch\//] },
  { layer: /^render\//, may: [/^core\//, /^render\//], types: [/^suite\/(model|coverage)$/] },
  {
    layer: /^cli\//,
    may: [
      /^(core|engines|dialects|config|check|suite|wiring|runner|emission|bus|server|watch|render|cli)\//,
      /^(exit|io-files|whole-file)$/,
    ],
    types: [/^(io|streams)$/],
  },
  { layer: /^wiring\//, may: [/^core\//, /^dialects\/(index|dialect)$/, /^wiring\//] },
  { layer: /^sandbox\//, may: [/^core\//, /^sandbox\//, /^(regular-file|make-folder)$/] },
  { layer: /^(regular-file|make-folder)\.ts$/, may: [/^core\//] },
  { layer: /^whole-file\.ts$/, may: [/^core\//, /^make-folder$/] },
  { layer: /^io-files\.ts$/, may: [/^core\//] },
  {
    layer: /^io\.ts$/,
    may: [/^(exit|cache|streams|regular-file|make-folder)$/, /^core\//],
    types: [/^config\/find$/, /^dialects\/dialect$/],
  },
  { layer: /^cache\.ts$/, may: [/^make-folder$/] },
  { layer: /^streams\.ts$/, may: [/^core\//] },
  { layer: /^exit\.ts$/, may: [] },
  { layer: /^engine\.ts$/, may: [/^(cli|core|dialects)\//, /^io$/], types: [/^public$/] },
  { layer: /^public\.d\.ts$/, may: [] },
  { layer: /^supervisor\.ts$/, may: [/^emission\//, /^io$/] },
  { layer: /^emit\.ts$/, may: [/^cli\/emitting$/, /^(main|io)$/] },
  { layer: /^main\.ts$/, may: [/^cli\//, /^(io|exit)$/] },
];

/** The one file of `src/` that may import each package. */
const PACKAGES: Readonly<Record<string, string>> = {
  yaml: 'engines/yaml.ts',
  re2js: 'engines/regex.ts',
  unbash: 'engines/shell.ts',
  execa: 'engines/tools.ts',
  tinyglobby: 'engines/glob.ts',
  diff: 'engines/diff.ts',
  'smol-toml': 'engines/toml.ts',
  '@nats-io/transport-node': 'engines/nats.ts',
  chokidar: 'engines/watcher.ts',
  ignore: 'engines/gitignore.ts',
  commander: 'cli/index.ts',
  picocolors: 'cli/colors.ts',
};

const NODE_ALLOWED: Readonly<Record<string, readonly string[]>> = {
  'io.ts': ['node:fs', 'node:net', 'node:tty'],
  'io-files.ts': ['node:fs', 'node:readline/promises'],
  'whole-file.ts': ['node:crypto', 'node:fs'],
  // The package's own access to the disk, with links in it.
  'engines/glob.ts': ['node:fs'],
  'cache.ts': ['node:fs'],
  'streams.ts': ['node:fs', 'node:net'],
  'regular-file.ts': ['node:fs'],
  'make-folder.ts': ['node:fs'],
  'sandbox/streams.ts': ['node:fs'],
  'sandbox/load.ts': ['node:url'],
  'sandbox/transpile.ts': ['node:fs'],
  'sandbox/component.ts': ['node:fs', 'node:v8'],
  'runner/component.ts': ['node:crypto'],
  'runner/component-cache.ts': ['node:fs', 'node:os'],
  'runner/transpiler.ts': ['node:fs', 'node:module'],
  'runner/exec.ts': ['node:fs', 'node:child_process'],
  'runner/payload-file.ts': ['node:crypto', 'node:fs'],
  'runner/private-folder.ts': ['node:fs'],
  'bus/client.ts': ['node:http'],
  'bus/token.ts': ['node:fs'],
  'bus/workspace.ts': ['node:crypto', 'node:fs'],
  'cli/publishing.ts': ['node:crypto'],
  'cli/serving.ts': ['node:crypto'],
  'server/gate.ts': ['node:crypto'],
  'server/hooks.ts': ['node:crypto'],
  'server/server.ts': ['node:http'],
  'server/sockets.ts': ['node:fs', 'node:net'],
  'server/store.ts': ['node:fs'],
  'server/token.ts': ['node:crypto', 'node:fs'],
  'emission/hand.ts': ['node:child_process'],
  'emission/log.ts': ['node:fs'],
};

describe('layers', () => {
  it('finds the sources', () => {
    expect(FILES.length).toBeGreaterThan(20);
    expect(IMPORTS.length).toBeGreaterThan(50);
  });

  it.each(FILES)('%s belongs to exactly one layer', (file) => {
    expect(LAYERS.filter(({ layer }) => layer.test(file))).toHaveLength(1);
  });

  it('imports go down only', () => {
    const wrong = IMPORTS.filter((one) => one.target.startsWith('src:') && !allowed(one));
    expect(wrong).toEqual([]);
  });

  it('a room imports no other room', () => {
    const rooms = IMPORTS.filter(({ file }) => /^dialects\/[^_/][^/]*\//.test(file));
    const wrong = rooms.filter(({ file, target }) => {
      const other = /^src:dialects\/([^_/][^/]*)\//.exec(target)?.[1];
      return other !== undefined && other !== file.split('/')[1];
    });
    expect(wrong).toEqual([]);
  });

  it('each package has one door', () => {
    const outside = IMPORTS.filter(
      ({ target }) =>
        !target.startsWith('src:') && !target.startsWith('node:') && !/\.json$|^\.\.\/schemas\//.test(target),
    );
    expect(outside.filter(({ file, target }) => PACKAGES[target] !== file)).toEqual([]);
    expect(new Set(outside.map(({ target }) => target))).toEqual(new Set(Object.keys(PACKAGES)));
  });

  it('Node stands at the rim only', () => {
    const node = IMPORTS.filter(({ target, typeOnly }) => target.startsWith('node:') && !typeOnly);
    expect(node.filter(({ file, target }) => !NODE_ALLOWED[file]?.includes(target))).toEqual([]);
  });

  it('process and console are used at the rim only', () => {
    const users = FILES.filter((file) => /\b(process|console)\.(?!kill\b)[a-zA-Z]/.test(code(file)));
    // The guards that `init` writes are texts.
    // A sandbox is a program of its own.
    const own = (file: string) => file !== 'cli/init-files.ts' && !file.startsWith('sandbox/');
    expect(users.filter(own)).toEqual(['cache.ts', 'io-files.ts', 'io.ts', 'whole-file.ts']);
    expect(FILES.filter((file) => /\bprocess\.kill\b/.test(code(file)))).toEqual(['whole-file.ts', 'runner/exec.ts']);
  });

  it('no folder is called utils, helpers, common or lib', () => {
    expect(FILES.filter((file) => /(^|\/)(utils?|helpers?|common|lib)(\/|\.ts$)/.test(file))).toEqual([]);
  });

  it('functions stay small', () => {
    const long = FILES.flatMap((file) =>
      functionLengths(code(file))
        .filter(({ lines }) => lines > 50)
        .map((one) => ({ file, ...one })),
    );
    expect(long).toEqual([]);
  });
});

function allowed({ file, target, typeOnly }: Import): boolean {
  const rule = LAYERS.find(({ layer }) => layer.test(file));
  const path = target.slice('src:'.length);
  return [...(rule?.may ?? []), ...(typeOnly ? (rule?.types ?? []) : [])].some((pattern) => pattern.test(path));
}

function importsOf(file: string): Import[] {
  const text = code(file);
  const statics = [...text.matchAll(/^(import|export)\s+(type\s+)?([^;]*?)\s*from\s+'([^']+)';/gms)].map(
    ([, , type, names = '', target = '']) => ({
      file,
      target: resolved(file, target),
      typeOnly: type !== undefined || onlyTypes(names),
    }),
  );
  const dynamic = [...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, target = '']) => ({
    file,
    target: resolved(file, target),
    typeOnly: false,
  }));
  return [...statics, ...dynamic];
}

function onlyTypes(names: string): boolean {
  const inner = /^\{(.*)\}$/s.exec(names.trim())?.[1];
  return inner?.split(',').every((name) => name.trim() === '' || name.trim().startsWith('type ')) === true;
}

function resolved(file: string, target: string): string {
  if (!target.startsWith('.')) return target;
  const path = normalize(join(dirname(file), target)).replaceAll('\\', '/');
  if (path.startsWith('..')) return path;
  return `src:${FILES.includes(`${path}/index.ts`) ? `${path}/index` : path}`;
}

function code(file: string): string {
  return readFileSync(join(SRC, file), 'utf8');
}

/** Formatted code: a function begins with its head at some indentation and ends with a brace at the same. */
function functionLengths(text: string): { readonly name: string; readonly lines: number }[] {
  const lines = text.split('\n');
  return lines.flatMap((line, start) => {
    const [, indent, name] =
      /^( *)(?:export )?(?:async )?(?:function (\w+)|(?:private |static )?(?:async )?(?!if|for|while|switch|return)\w+\([^;]*\)[^;]*\{$)/.exec(
        line,
      ) ?? [];
    if (indent === undefined) return [];
    const end = lines.findIndex((other, index) => index > start && other.replace(/,$/, '') === `${indent}}`);
    return end < 0 ? [] : [{ name: name ?? line.trim(), lines: end - start + 1 }];
  });
}
