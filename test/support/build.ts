import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Builds `dist/` before the tests unless it is newer than the sources: tests of the command line run what users run. */
export default function setup(project: TestProject): void {
  build()
  project.onTestsRerun(() => {
    build()
    return Promise.resolve()
  })
}

function build(): void {
  execFileSync(process.execPath, ['scripts/build-if-changed.ts'], { cwd: ROOT, stdio: 'inherit' })
}
