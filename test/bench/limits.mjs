/** Bytes that a bundle may have: held by `npm test` and by the bench. */
export const BUNDLE_LIMITS = {
  run: 155_000,
  config: 250_000,
  claude: 110_000,
  yaml: 300_000,
  regex: 320_000,
  cli: 500_000,
  sandbox: 20_000,
  'wasm-module': 40_000,
};
