/**
 * Adds the docs of this version to a site that is published: `DOCS_URL=https://example.com/standin/ node scripts/docs-site/publish.ts FOLDER`.
 * FOLDER is what is published so far, or empty. Each version has a folder of its own, `0.1.0/`, and the newest is at the root too. `versions.json`
 * lists them, newest first, for the menu of all of them.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageVersion } from '../../src/base/formats/source-file.ts'

const [folder] = process.argv.slice(2)
const root = process.env.DOCS_URL
if (folder === undefined || root === undefined || !existsSync(folder))
  throw new Error(
    'Expected DOCS_URL, and a folder that exists: DOCS_URL=https://example.com/standin/ node publish.ts FOLDER',
  )

const IS_VERSION = /^\d+\.\d+\.\d+$/
const own = packageVersion()
const versions = [...new Set([own, ...readdirSync(folder).filter((name) => IS_VERSION.test(name))])].toSorted((a, b) =>
  b.localeCompare(a, 'en', { numeric: true }),
)
build(`${root}${own}/`, join(folder, own))
if (versions[0] === own) {
  for (const name of readdirSync(folder))
    if (!IS_VERSION.test(name) && name !== '.git') rmSync(join(folder, name), { recursive: true })
  const stage = mkdtempSync(join(tmpdir(), 'standin-site-'))
  build(root, stage)
  cpSync(stage, folder, { recursive: true })
  rmSync(stage, { recursive: true })
}
writeFileSync(join(folder, 'versions.json'), JSON.stringify(versions))

function build(url: string, site: string): void {
  const env = { ...process.env, DOCS_URL: url, DOCS_ROOT: root }
  execFileSync(process.execPath, [join(import.meta.dirname, 'build.ts'), site], { env, stdio: 'inherit' })
}
