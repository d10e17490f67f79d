// Gives the checkout a Node of its own where the machine's is older than Standin needs. `npm ci` and `npm install` run it, since npm puts
// node_modules/.bin before everything else: scripts of package.json and `npx` then use that Node. This file runs on the old one.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = join(here, '..', '..')
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const needed = engines.node.replace('>=', '')
const [[major, minor], [neededMajor, neededMinor]] = [process.versions.node, needed].map((one) =>
  one.split('.').map(Number),
)

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  if (process.platform === 'win32')
    throw new Error(
      `Standin needs Node ${needed} or later; this is ${process.versions.node}. Install a newer one from https://nodejs.org.`,
    )
  const executable = 'node_modules/node/bin/node'
  if (!existsSync(join(here, executable))) {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: here, stdio: 'inherit' })
    // Its executable is linked to where it is used; what else comes with it are headers, 70 MB of them.
    rmSync(join(here, 'node_modules/node/node_modules'), { recursive: true })
  }
  const link = join(root, 'node_modules/.bin/node')
  rmSync(link, { force: true })
  symlinkSync(join('../../scripts/node', executable), link)
}
