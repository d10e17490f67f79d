import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { installTools } from '../install-tools.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Folders here, each with the versions of a time. */
const VERSIONS = ['vitest-4', 'vitest-5']

const ENVIRONMENTS = ['node', 'jsdom', 'happy-dom']

/**
 * Runs the examples for Vitest and MSW, and `requests.test.ts`, with the package as users install it: in each environment, with each pair of
 * versions, which it installs.
 *
 * @param directory a temporary one
 */
export function tryRunners(tarball: string, directory: string): void {
  for (const versions of VERSIONS) {
    installTools(`runners/${versions}`)
    const project = createProject(
      join(directory, versions),
      tarball,
      join(import.meta.dirname, versions, 'node_modules'),
    )
    for (const environment of ENVIRONMENTS) {
      const args = [join(project, 'node_modules/vitest/vitest.mjs'), 'run', '--environment', environment]
      try {
        const output = execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8', env: plainEnvironment() })
        const tests = /Tests +(\d+ passed) /.exec(output)?.[1] ?? 'no tests ran'
        process.stdout.write(
          `Vitest ${versionOf(project, 'vitest')}, MSW ${versionOf(project, 'msw')}, ${environment}: ${tests}\n`,
        )
      } catch (error) {
        process.stdout.write((error as { readonly stdout: string }).stdout)
        throw new Error(`The tests fail with ${versions} in ${environment}.`, { cause: error })
      }
    }
  }
}

function createProject(project: string, tarball: string, packages: string): string {
  mkdirSync(project)
  const shell = process.platform === 'win32'
  const options = ['--no-save', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps']
  execFileSync('npm', ['install', '--prefix', project, ...options, tarball], { cwd: project, shell })
  for (const name of ['vitest', 'msw'])
    symlinkSync(join(packages, name), join(project, 'node_modules', name), 'junction')
  for (const name of ['vitest', 'msw']) cpSync(join(ROOT, 'examples', name), join(project, name), { recursive: true })
  cpSync(join(import.meta.dirname, 'requests.test.ts'), join(project, 'requests.test.ts'))
  cpSync(join(ROOT, 'examples/shop/contract.yaml'), join(project, 'contract.yaml'))
  return project
}

/** Without the settings of a run that this one is part of. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(VITEST|STANDIN_|NODE_OPTIONS)/.test(name))
  return { ...Object.fromEntries(kept), NO_COLOR: '1' }
}

function versionOf(project: string, name: string): string {
  const path = join(project, 'node_modules', name, 'package.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version
}
