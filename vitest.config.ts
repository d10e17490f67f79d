import { defineConfig } from 'vitest/config'
import { complaintOfOldNode } from './src/base/node-version/node-version.ts'

if (complaintOfOldNode() !== undefined)
  throw new Error(
    `The tests need Node 22.18 or later; this is ${process.versions.node}. \`npm run dependencies\` installs one in this checkout.`,
  )

/** Tests of what happens once in a process. */
const FIRST = 'test/app/first-request.test.ts'

export default defineConfig({
  test: {
    // Long enough for a loaded machine: the tests are limited by their work, not by the time it takes.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: 'threads',
    // Node runs the sources and tests as they are, as it does for `npm run dev`: nothing is transformed, and no import is a getter.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Left alone, one processor is kept free: on a machine of two the other would do everything.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', '**/*.campaign.test.ts', FIRST],
          globalSetup: 'test/support/build.ts',
          // Every test has its own stand-in, so test files may share the loaded code: that takes a quarter less processor time.
          isolate: false,
        },
      },
      {
        extends: true,
        // Vite loads slowly enough that a server can be seen while it loads.
        test: { name: 'first', include: [FIRST], experimental: { viteModuleRunner: true } },
      },
    ],
  },
})
