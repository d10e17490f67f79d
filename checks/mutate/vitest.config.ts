import { defineConfig } from 'vitest/config'

/** The suites of clients that `check.ts` runs under `standin mutate`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['suites/*.test.ts'],
    // A busy machine is no weakness of a client.
    testTimeout: 60_000,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
