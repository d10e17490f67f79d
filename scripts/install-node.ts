import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Installs the newest Node of a version such as 24 or 22.18 once, in a folder of its own. @returns the path of the executable */
export function installNode(version: string): string {
  const folder = join(import.meta.dirname, `../node_modules/.cache/node-${version}`)
  const windows = process.platform === 'win32'
  const executable = join(folder, 'node_modules/node/bin', windows ? 'node.exe' : 'node')
  if (existsSync(executable)) return executable
  mkdirSync(folder, { recursive: true })
  // The package installs the executable by a script of its own, which npm runs only where it is allowed.
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "allowScripts": { "node": true } }')
  const args = ['install', '--no-save', '--no-audit', '--no-fund', `node@${version}`]
  execFileSync('npm', args, { cwd: folder, stdio: 'ignore', shell: windows })
  return executable
}
