/**
 * Builds `dist/`: CommonJS bundles that load one another only when needed.
 *
 *   run.js    the hot path of `hookctl run`
 *   yaml.js   the YAML parser
 *   regex.js  the linear-time matcher engine
 *   toml.js   the TOML parser
 *   cli.js    every other command, but
 *   check.js  what `validate` does
 *   test.js   what `test` does
 *   emit.js   what `emit` does
 *   listen.js, serve.js   what those commands do
 *   nats.js   the client of NATS
 *   supervisor.js  keeps the limits of hooks that nobody waits for
 *   install.js  what `install`, `uninstall` and `convert` do
 *   watch.js, trigger.js   what `watch` and `trigger` do
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { generate } from './generate.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const BUNDLES = {
  run: 'src/main.ts',
  yaml: 'src/engines/yaml.ts',
  regex: 'src/engines/regex.ts',
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
};

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

generate();
const staging = `${root}dist.new`;
rmSync(staging, { recursive: true, force: true });
mkdirSync(staging);
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: BUNDLES,
  outdir: staging,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'importMetaUrl' },
  inject: ['scripts/import-meta-url.js'],
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [lazyBundles],
});
writeFileSync(`${staging}/LICENSES.txt`, licenses(metafile));
rmSync(`${root}dist`, { recursive: true, force: true });
renameSync(staging, `${root}dist`);

/** The licences of the packages whose code is in the bundles. */
function licenses({ inputs }) {
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
