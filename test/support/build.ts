import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/**
 * Installs the tools of the contract tests, and builds `dist/` unless it is newer than the sources: tests of the command line run what
 * users run.
 */
export default async function setup(project: TestProject): Promise<void> {
  await Promise.all([script('install-tools.ts', 'contract-tools'), build()])
  project.onTestsRerun(build)
}

const build = () => script('build-if-changed.ts')

async function script(name: string, ...args: readonly string[]): Promise<void> {
  const { stdout, stderr } = await run(process.execPath, [`scripts/${name}`, ...args], { cwd: ROOT })
  process.stderr.write(stdout + stderr)
}
