import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { complaintOfOldNode } from './src/base/node-version/node-version.ts'

if (complaintOfOldNode() !== undefined)
  throw new Error(
    `The tests need Node 22.18 or later; this is ${process.versions.node}. \`npm run dependencies\` installs one in this checkout.`,
  )

/** Tests of what happens once in a process. */
const FIRST = 'test/app/first-request.test.ts'

/** Files that start processes come first: they take longest, and at the end one of them would keep a single worker busy. */
class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const { true: first = [], false: rest = [] } = Object.groupBy(sorted, ({ moduleId }) =>
      /support\/(command|serve|example-project)\.ts/.test(readFileSync(moduleId, 'utf8')) ? 'true' : 'false',
    )
    return [...first, ...rest]
  }
}

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
    sequence: { sequencer: ProcessesFirst },
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
