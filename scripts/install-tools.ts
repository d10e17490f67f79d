/**
 * Installs what not every change needs, each in a folder of `scripts/` with a `package.json` and a lock file of its own:
 * `node scripts/install-tools.ts contract-tools`. Does nothing where it is installed as the lock file says.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function installTools(name: string): void {
  const cwd = join(import.meta.dirname, name)
  const [lock, installed] = [join(cwd, 'package-lock.json'), join(cwd, 'node_modules', '.installed.json')]
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(lock))) return
  // npm is a script of the shell on Windows.
  const options = { cwd, stdio: 'inherit', shell: process.platform === 'win32' } as const
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], options)
  cpSync(lock, installed)
}

if (import.meta.main) for (const name of process.argv.slice(2)) installTools(name)
