/**
 * Builds `dist/`: CommonJS bundles that load one another only when needed.
 *
 *   run.js    the hot path of `hookctl run`, with the native rooms
 *   <room>.js any other room
 *   config.js what reads configs
 *   pattern.js what reads a matcher's pattern
 *   yaml.js   the YAML parser
 *   regex.js  the linear-time matcher engine
 *   stream.js, streams.js  `hookctl run --stream`
 *   engine.js the library
 *   toml.js   the TOML parser
 *   cli.js    every other command, but
 *   check.js  what `validate` does
 *   test.js   what `test` does
 *   emit.js   what `emit` does
 *   listen.js, serve.js   what those commands do
 *   nats.js   the client of NATS
 *   observe.js  hands observers to the supervisor
 *   supervisor.js  keeps the limits of hooks that nobody waits for
 *   install.js  what `install`, `uninstall` and `convert` do
 *   watch.js, trigger.js   what `watch` and `trigger` do
 *   sandbox.js       starts WebAssembly hooks, each in a process of its own:
 *   wasm-module.js   a module
 *   component.js     makes a component loadable, and has it called:
 *   wasm-transpile.js, wasm-component.js
 */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { generate } from './generate.mjs';

/** What goes into a build. */
const SOURCES = ['src', 'schemas', 'scripts', 'package.json', 'package-lock.json'];

const root = fileURLToPath(new URL('..', import.meta.url));
const BUNDLES = {
  run: 'src/main.ts',
  yaml: 'src/engines/yaml.ts',
  config: 'src/cli/prepare.ts',
  pattern: 'src/core/pattern.ts',
  regex: 'src/engines/regex.ts',
  stream: 'src/cli/stream.ts',
  streams: 'src/streams.ts',
  engine: 'src/engine.ts',
  toml: 'src/engines/toml.ts',
  cli: 'src/cli/index.ts',
  check: 'src/cli/validating.ts',
  test: 'src/cli/testing.ts',
  supervisor: 'src/supervisor.ts',
  emit: 'src/emit.ts',
  listen: 'src/cli/listening.ts',
  serve: 'src/cli/serving.ts',
  nats: 'src/engines/nats.ts',
  install: 'src/cli/installing.ts',
  watch: 'src/cli/watching.ts',
  trigger: 'src/cli/triggering.ts',
  observe: 'src/cli/observing.ts',
  sandbox: 'src/runner/sandbox.ts',
  component: 'src/runner/component.ts',
  'wasm-module': 'src/sandbox/module.ts',
};
/** Programs of their own, which load modules that are no CommonJS. */
const LOADERS = {
  'wasm-transpile': 'src/sandbox/transpile.ts',
  'wasm-component': 'src/sandbox/component.ts',
};

generate();

/** Rooms that are in every bundle: whatever fails, they answer. */
const NATIVE = ['mm', 'exit'];
const ROOMS = readdirSync(`${root}src/dialects`, { withFileTypes: true })
  .map(({ name }) => name)
  .filter((name) => existsSync(`${root}src/dialects/${name}/spec.ts`) && !NATIVE.includes(name));
for (const room of ROOMS) BUNDLES[room] = `src/dialects/${room}/index.ts`;

/** What a bundle hands on of a module inside it. */
const INSIDE = { emit: 'src/cli/emitting.ts' };

/** A dynamic import of another bundle's entry stays a `require` of that bundle. */
const lazyBundles = {
  name: 'lazy bundles',
  setup(builder) {
    builder.onResolve({ filter: /^\.\.?\// }, async (args) => {
      if (args.kind !== 'dynamic-import' || args.pluginData === 'again') return undefined;
      const { path } = await builder.resolve(args.path, {
        kind: args.kind,
        resolveDir: args.resolveDir,
        pluginData: 'again',
      });
      const name = Object.keys(BUNDLES).find((key) => path === root + BUNDLES[key] || path === root + INSIDE[key]);
      return name === undefined ? undefined : { path: `./${name}.js`, external: true };
    });
  },
};

const NO_CONFIGS = `export const readConfig = () => { throw new Error('configs are read by config.js'); };`;

/**
 * A room is a bundle of its own; in all others stands what recognises its payloads and files, and a `require`. `run` reads no files:
 * whose they are stands in the cache.
 */
const lazyRooms = (bundle) => ({
  name: 'lazy rooms',
  setup(builder) {
    builder.onResolve({ filter: /^\.\/[a-z0-9-]+\.js$/ }, ({ path, kind }) =>
      kind === 'require-call' && ROOMS.includes(path.slice(2, -3)) ? { path, external: true } : undefined,
    );
    if (bundle === 'run') {
      builder.onLoad({ filter: /\/src\/dialects\/[^/]+\/config\.ts$/ }, () => ({ contents: NO_CONFIGS }));
    }
    builder.onLoad({ filter: /\/src\/dialects\/[^/]+\/index\.ts$/ }, async ({ path }) => {
      const room = path.split('/').at(-2);
      if (!ROOMS.includes(room)) return undefined;
      const [[name, { spec, author }]] = Object.entries(await loaded(path));
      const { id, signs, config, payload, observes = false } = spec;
      const claims = bundle !== 'run' && author?.claims !== undefined;
      const known = author === undefined ? 'undefined' : claims ? '{ claims }' : '{}';
      const contents = `import { lazyRoom } from '../lazy';
        ${claims ? `import { claims } from './config';` : ''}
        export const ${name} = lazyRoom(${JSON.stringify({ id, signs, config, payload, observes })}, ${known}, () => require('./${room}.js').${name});`;
      return { contents, loader: 'js' };
    });
  },
});

/** What a module of the sources exports. */
async function loaded(entry) {
  const { outputFiles } = await build({ ...OPTIONS, entryPoints: [entry], write: false });
  const module = { exports: {} };
  new Function('module', 'exports', 'require', outputFiles[0].text)(module, module.exports, createRequire(root));
  return module.exports;
}

const OPTIONS = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  define: { 'import.meta.url': 'importMetaUrl', BUILD_ID: JSON.stringify(buildId()) },
  inject: ['scripts/import-meta-url.js'],
  legalComments: 'none',
  logLevel: 'warning',
};

const staging = `${root}dist.new`;
rmSync(staging, { recursive: true, force: true });
mkdirSync(staging);
const inputs = await Promise.all(Object.keys(BUNDLES).map(bundle));
inputs.push((await build({ ...OPTIONS, entryPoints: LOADERS, outdir: staging, metafile: true })).metafile.inputs);
copyFileSync(`${root}src/public.d.ts`, `${staging}/engine.d.ts`);
writeFileSync(`${staging}/LICENSES.txt`, licenses(Object.assign({}, ...inputs)));
rmSync(`${root}dist`, { recursive: true, force: true });
renameSync(staging, `${root}dist`);

/** Writes one bundle; resolves with its inputs. */
async function bundle(name) {
  const plugins = ROOMS.includes(name) ? [lazyBundles] : [lazyBundles, lazyRooms(name)];
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: { [name]: BUNDLES[name] },
    outdir: staging,
    metafile: true,
    supported: { 'dynamic-import': false },
    plugins,
  });
  return metafile.inputs;
}

/** A digest of the sources: what one build keeps in a cache another one does not trust. */
function buildId() {
  const files = SOURCES.flatMap((name) => {
    if (statSync(root + name).isFile()) return root + name;
    const found = readdirSync(root + name, { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath}/${entry.name}`);
  });
  const digest = createHash('sha256');
  for (const file of files.sort())
    digest
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return digest.digest('hex').slice(0, 32);
}

/** The licences of the packages whose code is in the bundles. */
function licenses(inputs) {
  const names = new Set(
    Object.keys(inputs).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  const require = createRequire(`${root}package.json`);
  return [...names]
    .sort()
    .map((name) => {
      const folder = `${root}node_modules/${name}/`;
      const { version, license } = require(`${folder}package.json`);
      const text = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license']
        .map((file) => tryRead(folder + file))
        .find(Boolean);
      return `${name} ${version} (${license})\n\n${text ?? ''}`;
    })
    .join('\n----\n\n');
}

function tryRead(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
