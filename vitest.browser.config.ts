import { defineConfig } from 'vitest/config'

/** Tests in a real browser, apart from the others because they need Chromium: see scripts/install-browsers.sh. */
export default defineConfig({
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: 'test/support/build.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
