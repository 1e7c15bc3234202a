/** Bytes that a bundle may have: held by `npm test` and by the bench. */
export const BUNDLE_LIMITS = {
  run: 150_000,
  config: 250_000,
  claude: 100_000,
  yaml: 300_000,
  regex: 320_000,
  cli: 560_000,
  sandbox: 20_000,
  'wasm-module': 40_000,
};
