import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { installTools } from '../../scripts/install-tools.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Installs the tools of the contract tests, and builds `dist/` unless it is newer than the sources: tests of the command line run what
 * users run.
 */
export default function setup(project: TestProject): void {
  installTools('contract-tools')
  build()
  project.onTestsRerun(() => {
    build()
    return Promise.resolve()
  })
}

function build(): void {
  execFileSync(process.execPath, ['scripts/build-if-changed.ts'], { cwd: ROOT, stdio: 'inherit' })
}
