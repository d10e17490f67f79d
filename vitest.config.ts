import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**'],
    globalSetup: 'test/support/build.ts',
    // Long enough for a loaded machine: the tests are limited by their work, not by the time it takes.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'threads',
    // Left alone, one processor is kept free: on a machine of two the other would do everything.
    maxWorkers: '100%',
  },
})
