import { defineConfig } from 'vitest/config';

export default defineConfig({
  define: { BUILD_ID: '"sources"' },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/system/**', '**/node_modules/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    allowOnly: false,
  },
});
