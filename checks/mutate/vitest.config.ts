import { defineConfig } from 'vitest/config'

/** The suites of clients that `check.ts` runs under `standin mutate`. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['suites/*.test.ts'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
})
