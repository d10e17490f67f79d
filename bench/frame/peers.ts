import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './files.ts'

export const PEERS = join(ROOT, '.peers')
const MANIFEST = join(ROOT, 'bench/peers')

/**
 * Installs what Standin is measured against, and the load generator, into `.peers/`, from the manifest and the lock file of
 * `bench/peers/`; when that was done before with the same lock file, nothing happens. No script of a package is run.
 */
export async function installPeers(progress: (step: string) => void): Promise<void> {
  const lock = readFileSync(join(MANIFEST, 'package-lock.json'), 'utf8')
  const done = join(PEERS, 'installed.json')
  if (existsSync(done) && readFileSync(done, 'utf8') === lock) return
  progress('installing the peers into .peers/, which takes about a minute')
  mkdirSync(PEERS, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(MANIFEST, name), join(PEERS, name))
  await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: PEERS })
  writeFileSync(done, lock)
}

/** The version that is installed, of a peer or of a package of the project. */
export function versionOf(name: string, folder: string = PEERS): string {
  const manifest = readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
