import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import tests from './vitest.config.ts'

/** `npm run test:campaigns`: the tests of which `npm test` takes some cases, with all of them, and those that are campaigns as a whole. */
const include = globSync('test/**/*.test.ts').filter(
  (path) => path.endsWith('.campaign.test.ts') || readFileSync(path, 'utf8').includes("support/cases.ts'"),
)

const { testTimeout, hookTimeout, pool, maxWorkers, experimental } = tests.test ?? {}

export default defineConfig({
  test: {
    testTimeout: testTimeout! * 5,
    hookTimeout: hookTimeout! * 5,
    pool: pool!,
    maxWorkers: maxWorkers!,
    experimental: experimental!,
    include,
    env: { TEST_CASES: 'all' },
    globalSetup: 'test/support/build.ts',
    isolate: false,
  },
})
